/**
 * Resolves with the exit code when the process should stop: 0 for SIGTERM, 130 for SIGINT. A second signal changes nothing:
 * stopping takes a moment, and aborting it would leave processes of runs behind.
 */
export function endedBySignal(): Promise<number> {
  return new Promise((end) => {
    process.on("SIGTERM", () => end(0));
    process.on("SIGINT", () => end(130));
  });
}

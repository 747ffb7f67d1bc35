/**
 * The exit code with which the process was told to end: 0 by SIGTERM, 130 by SIGINT. Told again it changes nothing: ending
 * takes a moment, and to break it off would leave the processes of runs behind.
 */
export function endedBySignal(): Promise<number> {
  return new Promise((end) => {
    process.on("SIGTERM", () => end(0));
    process.on("SIGINT", () => end(130));
  });
}

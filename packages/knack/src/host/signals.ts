import { conflict } from "../options.ts";

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

/**
 * Ends work when the user presses Ctrl-C: the run is cancelled, nothing stays behind, and the exit code says so. Pressed
 * again it changes nothing: ending takes a moment, and to stop it would leave processes behind.
 */
export function interruptible(): AbortSignal {
  const controller = new AbortController();
  process.on("SIGINT", () => {
    process.exitCode = 130;
    controller.abort(conflict("Interrupted."));
  });
  for (const signal of ["SIGTERM", "SIGHUP"] as const)
    process.on(signal, () => controller.abort(conflict("Ended by a signal.")));
  return controller.signal;
}

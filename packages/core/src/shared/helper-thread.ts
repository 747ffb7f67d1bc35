import { Worker, type WorkerOptions } from "node:worker_threads";

/**
 * A thread that takes over a part of some work. Resolves when it is done, however it ended: the caller does whatever it left
 * undone. `file` is the thread's code without its extension, beside the module at `from`, as source or compiled. The process
 * does not wait at its end for an optional one.
 */
export function startHelper<T>(
  {
    from,
    file,
    what,
    isOptional = false,
  }: {
    readonly from: string;
    readonly file: string;
    readonly what: string;
    readonly isOptional?: boolean;
  },
  options: WorkerOptions,
  take: (message: T) => void,
): Promise<void> {
  const url = new URL(`${file}${from.endsWith(".ts") ? ".ts" : ".js"}`, from);
  return new Promise((resolve) => {
    const worker = new Worker(url, { stderr: true, ...options });
    if (isOptional) worker.unref();
    worker.on("message", take);
    worker.on("error", (error) => {
      process.emitWarning(
        `A worker thread of ${what} failed, and the main thread does its work: ${error.message}`,
      );
      resolve();
    });
    worker.on("exit", () => resolve());
  });
}

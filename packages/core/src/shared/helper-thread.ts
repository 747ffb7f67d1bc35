import { Worker } from "node:worker_threads";

/**
 * The last message of a thread that does some work; `undefined` where it failed, and then the caller does the work. `file` is
 * the thread's code without its extension, beside the module at `from`, as source or compiled. The process does not wait for
 * the thread at its end.
 */
export function askThread<T>(
  { from, file, what }: { readonly from: string; readonly file: string; readonly what: string },
  workerData: unknown,
): Promise<T | undefined> {
  const url = new URL(`${file}${from.endsWith(".ts") ? ".ts" : ".js"}`, from);
  return new Promise((resolve) => {
    let answer: T | undefined;
    const worker = new Worker(url, { stderr: true, workerData });
    worker.unref();
    worker.on("message", (message: T) => {
      answer = message;
    });
    worker.on("error", ({ message }) => {
      const told = `A worker thread of ${what} failed, and the main thread does its work: ${message}`;
      process.emitWarning(told);
    });
    worker.on("exit", () => resolve(answer));
  });
}

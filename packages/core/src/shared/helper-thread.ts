import { existsSync } from "node:fs";
import { Worker } from "node:worker_threads";

/** `file` without its extension, beside the module `from`; `undefined` where a bundle has left it behind. */
export function threadCode(from: string | undefined, file: string): URL | undefined {
  if (from === undefined) return undefined;
  const url = new URL(`${file}${from.endsWith(".ts") ? ".ts" : ".js"}`, from);
  return existsSync(url) ? url : undefined;
}

/** The thread's last message; `undefined` where it failed, and the caller does the work. The process does not wait for it. */
export function askThread<T>(
  { code, what }: { readonly code: URL | undefined; readonly what: string },
  workerData: unknown,
): Promise<T | undefined> {
  if (!code) return Promise.resolve(undefined);
  return new Promise((resolve) => {
    let answer: T | undefined;
    const worker = new Worker(code, { stderr: true, workerData });
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

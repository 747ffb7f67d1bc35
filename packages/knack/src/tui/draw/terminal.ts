import { closeSync, openSync } from "node:fs";
import { ReadStream, WriteStream } from "node:tty";
import { isTerminal } from "../../terminal/output.ts";

/** Where keys come from and where the picker is drawn. */
export interface Terminal {
  readonly input: NodeJS.ReadStream | ReadStream;
  readonly output: NodeJS.WriteStream | WriteStream;
}

/**
 * The terminal that a person sits at, never standard output, which is for the answer: `"$(knack tui --print)"` takes it
 * away. Standard input and error are used where they are the terminal; otherwise the terminal of the process itself, so
 * that a pipe into the picker, or its errors in a file, keep nobody from using it. Nothing where there is none.
 */
export function openTerminal(): Terminal | undefined {
  // It can neither move a cursor nor clear a line.
  if (process.env.TERM === "dumb") return undefined;
  const input = isTerminal(0) ? process.stdin : openOwn("r", (fd) => new ReadStream(fd));
  const output = isTerminal(2) ? process.stderr : openOwn("w", (fd) => new WriteStream(fd));
  if (!input || !output) return undefined;
  if (output !== process.stderr) process.on("SIGWINCH", () => measure(output));
  return { input, output };
}

/** Node asks for the new size of its own two streams only. */
function measure(output: WriteStream): void {
  const [columns, rows] = output.getWindowSize();
  Object.assign(output, { columns, rows });
  output.emit("resize");
}

/** The terminal that controls the process, whatever its streams lead to. */
function openOwn<T>(flags: "r" | "w", make: (fd: number) => T): T | undefined {
  let fd: number;
  try {
    fd = openSync("/dev/tty", flags);
  } catch {
    return undefined; // A service, a job of cron, a container without a terminal.
  }
  try {
    return make(fd);
  } catch {
    closeSync(fd);
    return undefined;
  }
}

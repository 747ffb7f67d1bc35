import { closeSync, openSync } from "node:fs";
import { ReadStream, WriteStream } from "node:tty";
import { isTerminal } from "../../terminal/output.ts";

/** The streams for keys and for drawing. */
export interface Terminal {
  readonly input: NodeJS.ReadStream | ReadStream;
  readonly output: NodeJS.WriteStream | WriteStream;
}

/**
 * The terminal of the user. Never standard output, which is for the answer: `"$(knack tui --print)"` captures it. Uses
 * standard input and standard error if they are terminals, otherwise the process's controlling terminal, so the picker works
 * with piped input or redirected errors. `undefined` without a terminal.
 */
export function openTerminal(): Terminal | undefined {
  // A dumb terminal can neither move the cursor nor clear a line.
  if (process.env.TERM === "dumb") return undefined;
  const input = isTerminal(0) ? process.stdin : openOwn("r", (fd) => new ReadStream(fd));
  const output = isTerminal(2) ? process.stderr : openOwn("w", (fd) => new WriteStream(fd));
  if (!input || !output) return undefined;
  if (output !== process.stderr) process.on("SIGWINCH", () => measure(output));
  return { input, output };
}

/** Node updates the size of its own standard streams only. */
function measure(output: WriteStream): void {
  const [columns, rows] = output.getWindowSize();
  Object.assign(output, { columns, rows });
  output.emit("resize");
}

/** The controlling terminal of the process, wherever its streams go. */
function openOwn<T>(flags: "r" | "w", make: (fd: number) => T): T | undefined {
  let fd: number;
  try {
    fd = openSync("/dev/tty", flags);
  } catch {
    return undefined; // A service, a cron job, or a container without a terminal.
  }
  try {
    return make(fd);
  } catch {
    closeSync(fd);
    return undefined;
  }
}

import { closeSync, openSync } from "node:fs";
import { ReadStream, WriteStream } from "node:tty";
import { isTerminal } from "../terminal/output.ts";

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

/** The lines of the whole screen, and the column of the cursor in the first; without one it is hidden. */
export interface ScreenFrame {
  readonly lines: readonly string[];
  readonly cursor: number | undefined;
}

/**
 * Another screen with marks around pasted text and without wrapping: a line that the terminal measures as longer than we do is
 * cut, not continued.
 */
const ENTER = "\u001b[?1049h\u001b[?2004h\u001b[?7l\u001b[2J";
const LEAVE = "\u001b[?7h\u001b[?2004l\u001b[?1049l\u001b[?25h";

/** Draws frames, of each only the lines that changed, and leaves the terminal as it was. */
export class Screen {
  readonly #output: Terminal["output"];
  #lines: readonly string[] = [];
  #isOpen = true;

  constructor(output: Terminal["output"]) {
    this.#output = output;
    output.write(ENTER);
    process.once("exit", this.close);
  }

  draw({ lines, cursor }: ScreenFrame): void {
    if (!this.#isOpen) return;
    const changed = lines.flatMap((line, at) =>
      line === this.#lines[at] ? [] : [`\u001b[${at + 1};1H\u001b[2K${line}`],
    );
    this.#lines = lines;
    // Input methods show their composition at the cursor.
    const placed = cursor === undefined ? "" : `\u001b[1;${cursor + 1}H\u001b[?25h`;
    this.#output.write(`\u001b[?25l${changed.join("")}${placed}`);
  }

  /** The terminal has another size, and shows anything. */
  clear(): void {
    this.#lines = [];
    if (this.#isOpen) this.#output.write("\u001b[2J");
  }

  readonly close = (): void => {
    if (!this.#isOpen) return;
    this.#isOpen = false;
    process.off("exit", this.close);
    this.#output.write(LEAVE);
  };
}

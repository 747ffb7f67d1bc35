import { fstatSync, writeSync } from "node:fs";
import { styleText } from "node:util";
import { type GlobalOptions, invalid } from "../options.ts";
import { escapeControl, escapeControlInText, safeJson } from "./visible.ts";

const STDOUT = 1;
const STDERR = 2;

export interface Output {
  /** Writes all of it now. Answers whether somebody still reads it. */
  write(fd: 1 | 2, bytes: Uint8Array): boolean;
  isTerminal(fd: 0 | 1 | 2): boolean;
}

const OF_PROCESS: Output = { write: writeAll, isTerminal: isTerminalOfProcess };

let output = OF_PROCESS;
let mayColor = true;
const told = new Set<string>();

/** From here on everything goes there, and notes that are shown once can be shown again. */
export function beginOutput(to: Output = OF_PROCESS): void {
  output = to;
  mayColor = true;
  told.clear();
}

export function withoutColor(): void {
  mayColor = false;
}

/** From here on nothing goes to standard error. */
export function silenceNotes(): void {
  const { write, isTerminal } = output;
  output = { write: (fd, bytes) => fd === STDERR || write(fd, bytes), isTerminal };
}

/** Data: standard output. On a terminal it is laid out for reading, in a pipe it is one line. */
export function printJson(value: unknown): void {
  print(safeJson(value, terminalWidth() === undefined ? 0 : 2));
}

export function print(text: string): void {
  if (text !== "") write(STDOUT, `${text}\n`);
}

/** A command's answer: data for a program, a text for a person. */
export function printAnswer({ json }: GlobalOptions, data: unknown, text: string): void {
  if (json) printJson(data);
  else print(text);
}

/** What a model would get to read: a program gets its bytes, a terminal nothing that steers it. */
export function printText(text: string): void {
  print(terminalWidth() === undefined ? text : escapeControlInText(text));
}

/** What is wrong: the first line behind a label, further ones below it. */
export function noteError(message: string): void {
  const [first = "", ...rest] = message.split("\n").map(escapeControl);
  const head = `${paintNote("red", "error:")} ${first}`;
  note([head, ...rest.map((line) => `  ${line.trimStart()}`)].join("\n"));
}

/** How a check ended, by its exit code, and what it counted. */
export function noteVerdict(counts: readonly string[], good = "ok", bad = "failed"): void {
  const verdict = process.exitCode === 1 ? paintNote("red", bad) : paintNote("green", good);
  note(`${verdict}: ${counts.join(", ")}`);
}

/** Everything that is not data: standard error. */
export function note(text: string): void {
  write(STDERR, `${text}\n`);
}

/** What is said beside the data: how much there is, what to do next. */
export function remark(text: string): void {
  note(paintNote("dim", text));
}

/** What a person should know, told once: a command may open skills, rules and engine, each of which has the same to say. */
export function noteOnce(line: string): void {
  if (told.has(line)) return;
  told.add(line);
  note(`note: ${escapeControl(line)}`);
}

/** The width of the terminal that data goes to; `undefined` where it goes elsewhere. */
export function terminalWidth(): number | undefined {
  return isTerminal(STDOUT) ? process.stdout.columns || 80 : undefined;
}

export function isTerminal(fd: 0 | 1 | 2): boolean {
  return output.isTerminal(fd);
}

/** Only a character device can be a terminal; asking Node loads its network code, which costs a pipe 5 ms. */
function isTerminalOfProcess(fd: 0 | 1 | 2): boolean {
  if (!fstatSync(fd).isCharacterDevice()) return false;
  return [process.stdin, process.stdout, process.stderr][fd]?.isTTY === true;
}

/** Passes on what another program printed, byte for byte. Returns whether somebody still reads it. */
export function passOn(fd: 1 | 2, bytes: Uint8Array): boolean {
  return output.write(fd, bytes);
}

type Style = Parameters<typeof styleText>[0];

export type Paint = (style: Style, text: string) => string;

/** Data in colour, on a terminal and where neither `--no-color` nor the environment forbids it. */
export const paint: Paint = (style, text) => (isTerminal(STDOUT) ? inColor(style, text) : text);

/** The same for notes. */
export const paintNote: Paint = (style, text) => (isTerminal(STDERR) ? inColor(style, text) : text);

export const paintOn = (fd: 1 | 2): Paint => (fd === STDOUT ? paint : paintNote);

/** The same for what is known to be drawn on a terminal. */
export const inColor: Paint = (style, text) =>
  mayColor && !process.env.NO_COLOR ? styleText(style, text, { validateStream: false }) : text;

/** Writes all of it now. A reader that has seen enough (`| head`) ends the program quietly, as it should. */
function write(fd: 1 | 2, text: string): void {
  if (!output.write(fd, Buffer.from(text, "utf8"))) process.exit();
}

function writeAll(fd: number, bytes: Uint8Array): boolean {
  let rest = bytes;
  while (rest.length > 0) {
    try {
      rest = rest.subarray(writeSync(fd, rest));
    } catch (error) {
      const code = error instanceof Error && "code" in error ? error.code : undefined;
      if (code === "EPIPE") return false;
      if (code !== "EAGAIN") throw error;
      // A full pipe that does not block: wait a moment for its reader.
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 2);
    }
  }
  return true;
}

/** One line that is rewritten, from the first second on, where a person can see it. */
export class Progress {
  readonly #describe: (done: number, total: number) => string;
  #started: number | undefined;
  #shown = false;
  #ended = false;

  constructor(describe: (done: number, total: number) => string) {
    this.#describe = describe;
  }

  /** When all is done the line goes, and the next round begins anew. */
  readonly tell = (done: number, total = Number.POSITIVE_INFINITY): void => {
    this.#started ??= performance.now();
    if (done >= total) this.#clear();
    else if (!this.#ended && performance.now() - this.#started >= 1000 && isTerminal(2)) {
      this.#shown = true;
      process.stderr.write(`\r\u001b[2K${this.#describe(done, total)}`);
    }
  };

  /** From then on it shows nothing: a session looks at the files again while it talks. */
  end(): void {
    this.#ended = true;
    this.#clear();
  }

  #clear(): void {
    if (this.#shown) process.stderr.write("\r\u001b[2K");
    this.#shown = false;
    this.#started = undefined;
  }
}

export type Consent = "yes" | "no" | "cancelled";

/** Asks on the terminal; `undefined` where nobody can be asked. */
export async function askConsent(message: string, initialValue = true): Promise<Consent | undefined> {
  if (!isTerminal(0) || !isTerminal(2)) return undefined;
  const { confirm, isCancel } = await import("@clack/prompts");
  const answer = await confirm({ message, initialValue, output: process.stderr });
  if (isCancel(answer)) return "cancelled";
  return answer ? "yes" : "no";
}

/** Asks; a refusal is told and becomes the exit code. Where nobody can be asked, the error names the flags that answer. */
export async function requireConsent(
  message: string,
  { initialValue = true, flags = "--yes" } = {},
): Promise<boolean> {
  const answer = await askConsent(message, initialValue);
  if (answer === "yes") return true;
  if (answer) return notChanged(answer === "cancelled");
  const how = `run it in a terminal, or add ${flags}`;
  throw invalid(`This needs your confirmation; ${how}. Nothing was changed.`);
}

/** What a refused question means for the exit code. */
export function notChanged(isCancelled: boolean): false {
  note("Nothing was changed.");
  process.exitCode = isCancelled ? 130 : 1;
  return false;
}

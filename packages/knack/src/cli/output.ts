import { styleText } from "node:util";
import type { GlobalOptions } from "./options.ts";
import { safeJson } from "./visible.ts";

/** Data: standard output. On a terminal it is laid out for reading, in a pipe it is one line. */
export function printJson(value: unknown): void {
  process.stdout.write(`${safeJson(value, process.stdout.isTTY ? 2 : 0)}\n`);
}

export function print(text: string): void {
  process.stdout.write(text === "" ? "" : `${text}\n`);
}

/** Everything that is not data: standard error. */
export function note(text: string): void {
  process.stderr.write(`${text}\n`);
}

type Style = Parameters<typeof styleText>[0];

/** Colour on a terminal only, and only if neither `--no-color` nor the environment forbids it. */
export function painter(options: GlobalOptions, stream: NodeJS.WriteStream = process.stdout): (style: Style, text: string) => string {
  if (!options.color || process.env["NO_COLOR"] || !stream.isTTY) return (_style, text) => text;
  return (style, text) => styleText(style, text, { validateStream: false });
}

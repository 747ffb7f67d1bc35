import type { Envelope } from "@knack/core";
import type { GlobalOptions } from "../../options.ts";
import { note, painter, print, printJson, terminalWidth } from "../../terminal/output.ts";
import { escapeControl, escapeControlInText } from "../../terminal/visible.ts";

/** Prints a tool's answer: the envelope as JSON, or its text, a refusal to standard error. Answers whether it worked. */
export function tellEnvelope(envelope: Envelope, options: GlobalOptions): boolean {
  const { error, text } = envelope;
  if (options.json) printJson(envelope);
  else if (error) {
    const [first = "", ...rest] = error.message.split("\n").map(escapeControl);
    note(
      [
        `${painter(options, 2)("red", "Error:")} ${first}`,
        ...rest.map((line) => `  ${line.trimStart()}`),
      ].join("\n"),
    );
  } else {
    // A program gets the bytes that a model would get; a terminal gets nothing that steers it.
    print(terminalWidth() === undefined ? text : escapeControlInText(text));
  }
  return error === undefined;
}

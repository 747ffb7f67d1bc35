import { SkillError } from "@knack/core";
import { boundedMessage, fewCandidates } from "@knack/core/internal";
import type { GlobalOptions } from "../options.ts";
import { messageOf } from "../terminal/message-of.ts";
import { note, painter, printJson } from "../terminal/output.ts";
import { visible } from "../terminal/visible.ts";
import { cutLongWords } from "./long-words.ts";

/** Tells a failure: what is wrong and what to do, never a stack. Exit code 1, or 2 where the request itself was wrong. */
export function fail(error: unknown, options: GlobalOptions): void {
  const code = error instanceof SkillError ? error.code : "INTERNAL_ERROR";
  const message = boundedMessage(cutLongWords(messageOf(error)));
  const candidates = error instanceof SkillError ? error.candidates : undefined;
  // Whoever pressed Ctrl-C is told so, whatever broke off because of it.
  if (process.exitCode !== 130) process.exitCode = code === "INVALID_PARAM" ? 2 : 1;
  if (options.json) {
    printJson({ error: { code, message, ...(candidates ? fewCandidates(candidates) : {}) } });
    return;
  }
  const [first = "", ...rest] = message.split("\n").map(visible);
  const label = painter(options, 2)("red", "error:");
  note([`${label} ${first}`, ...rest.map((line) => `  ${line.trimStart()}`)].join("\n"));
  if (code === "INTERNAL_ERROR" && process.env.KNACK_DEBUG && error instanceof Error) note(error.stack ?? "");
}

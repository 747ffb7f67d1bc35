import { KnackError } from "@knack/core";
import { answerTo, boundedMessage, codeOf, fewCandidates, shorten } from "@knack/core/text";
import type { GlobalOptions } from "../options.ts";
import { note, noteError, printJson } from "../terminal/output.ts";
import { messageOf } from "../terminal/visible.ts";

const LONG = 200;

/** A message in which no word of the command line is repeated at length. */
export function cutLongWords(message: string, argv: readonly string[] = process.argv.slice(2)): string {
  const words = argv
    .flatMap((word) => [word, word.replace(/^[^=]*=/, "")])
    .filter((word) => word.length > LONG);
  return words.reduce((text, word) => text.replaceAll(word, shorten(word)), message);
}

/** A failure as every command tells it: what is wrong and what to do, never a stack. */
export function failureReport(error: unknown) {
  const message = boundedMessage(cutLongWords(messageOf(error)));
  const { candidates } = error instanceof KnackError ? error : {};
  return {
    /** 2 where the request itself was wrong. */
    exit: answerTo(error).exit,
    error: { code: codeOf(error), message, ...(candidates ? fewCandidates(candidates) : {}) },
  };
}

export function fail(failed: unknown, options: GlobalOptions): void {
  const { exit, error } = failureReport(failed);
  // After Ctrl-C the message says so, whatever failed because of it.
  if (process.exitCode !== 130) process.exitCode = exit;
  if (options.json) {
    printJson({ error });
    return;
  }
  noteError(error.message);
  if (error.code === "INTERNAL_ERROR" && process.env.KNACK_DEBUG && failed instanceof Error)
    note(failed.stack ?? "");
}

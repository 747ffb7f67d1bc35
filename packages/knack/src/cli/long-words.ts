import { shorten } from "@knack/core/internal";

/** Longer ones are cut in every message that repeats them. */
const LONG = 200;

/** A message in which no word of the command line is repeated at length. */
export function cutLongWords(message: string, argv: readonly string[] = process.argv.slice(2)): string {
  const words = argv
    .flatMap((word) => [word, word.replace(/^[^=]*=/, "")])
    .filter((word) => word.length > LONG);
  return words.reduce((text, word) => text.replaceAll(word, shorten(word)), message);
}

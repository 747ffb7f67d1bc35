import { tokenize } from "../search/text/tokenize.ts";

/** What is asked of a skill here: bodies play no part, because an agent chooses by name and description. */
export interface Described {
  readonly name: string;
  readonly description: string;
  readonly path: string;
}

/**
 * Words that say nothing of a task: those that hold English sentences together, and those with which descriptions begin
 * ("Use this skill when the user wants to"). In a large catalog their number gives them away; a small one needs to know.
 */
const EMPTY = new Set(
  tokenize(
    "a also an and any are as asks at be by can do does for from has have help how if in into invoke is it its not of on or other skill so such that the their them then these they this to trigger up use user want what when whenever where which who will with you your",
  ),
);

/** What stands in quotes: descriptions quote what a user would say. */
const QUOTED =
  /"([^"\n]{3,80})"|“([^”\n]{3,80})”|「([^」\n]{2,40})」|『([^』\n]{2,40})』|`([^`\n]{3,80})`|(?<![\p{L}\p{N}])['‘]([^'’\n]{3,80})['’](?![\p{L}\p{N}])/gu;

/** What a skill claims to be for, each once: the words of its name and description, and each phrase that it quotes. */
export function claimsOf({ name, description }: Described): Set<string> {
  const claims = new Set(tokenize(`${name} ${description}`).filter((word) => !EMPTY.has(word)));
  for (const phrase of quotedPhrases(description)) claims.add(phraseClaim(phrase));
  return claims;
}

/** Phrases of two words or more, as they are written; one quoted word is a word. */
export function quotedPhrases(description: string): string[] {
  return Array.from(description.matchAll(QUOTED), (found) => found.slice(1).find(Boolean) ?? "").filter(
    (phrase) => tokenize(phrase).length > 1,
  );
}

/** A claim of its own, beside the words: who quotes the same phrase waits for the same request. */
export function phraseClaim(phrase: string): string {
  return `"${tokenize(phrase).join(" ")}"`;
}

import { tokenize } from "../search/text/tokenize.ts";

/** What this needs of a skill. The body does not count, because an agent chooses by name and description. */
export interface Described {
  readonly name: string;
  readonly description: string;
  readonly path: string;
}

/**
 * Words that say nothing about a task: English function words, and the words that descriptions begin with ("Use this
 * skill when the user wants to"). A large catalog would show them by their frequency; a small one needs this list.
 */
const EMPTY = new Set(
  tokenize(
    "a also an and any are as asks at be by can do does for from has have help how if in into invoke is it its not of on or other skill so such that the their them then these they this to trigger up use user want what when whenever where which who will with you your",
  ),
);

/** Quoted text: descriptions quote what a user would say. */
const QUOTED =
  /"([^"\n]{3,80})"|“([^”\n]{3,80})”|「([^」\n]{2,40})」|『([^』\n]{2,40})』|`([^`\n]{3,80})`|(?<![\p{L}\p{N}])['‘]([^'’\n]{3,80})['’](?![\p{L}\p{N}])/gu;

/** The claims of a skill, each once: the words of its name and description, and each phrase that it quotes. */
export function claimsOf({ name, description }: Described): Set<string> {
  const claims = new Set(tokenize(`${name} ${description}`).filter((word) => !EMPTY.has(word)));
  for (const phrase of quotedPhrases(description)) claims.add(phraseClaim(phrase));
  return claims;
}

/** Quoted phrases of two or more words, as written; a single quoted word counts as a word. */
export function quotedPhrases(description: string): string[] {
  return Array.from(description.matchAll(QUOTED), (found) => found.slice(1).find(Boolean) ?? "").filter(
    (phrase) => tokenize(phrase).length > 1,
  );
}

/** A claim in addition to its words: skills that quote the same phrase wait for the same request. */
export function phraseClaim(phrase: string): string {
  return `"${tokenize(phrase).join(" ")}"`;
}

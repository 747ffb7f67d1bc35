import { generalRarity } from "../search/background/background-rarity.ts";
import { tokenize } from "../search/text/tokenize.ts";

/** What this needs of a skill. The body does not count, because an agent chooses by name and description. */
export interface Described {
  readonly name: string;
  readonly description: string;
  readonly path: string;
}

/**
 * Words that descriptions begin with ("Use this skill when the user wants to"): other texts have them less often, so the table
 * of words in general does not know them as empty.
 */
const LEAD = new Set(tokenize("asks help invoke skill such trigger triggers user want wants when whenever"));
/** Words that are more common than this in general say nothing about a task. */
const EMPTY = 1.5;
/** From this rarity on a word counts fully. */
const FULL = 5;

/** Quoted text: descriptions quote what a user would say. */
const QUOTED =
  /"([^"\n]{3,80})"|“([^”\n]{3,80})”|「([^」\n]{2,40})」|『([^』\n]{2,40})』|`([^`\n]{3,80})`|(?<![\p{L}\p{N}])['‘]([^'’\n]{3,80})['’](?![\p{L}\p{N}])/gu;

/** The claims of a skill, each once: the words of its name and description, and each phrase that it quotes. */
export function claimsOf({ name, description }: Described): Set<string> {
  const claims = new Set(tokenize(`${name} ${description}`).filter((word) => weightOf(word) > 0));
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

/** How much a claim says about a task, by how rare the word is in general; a quoted phrase counts fully. */
export function weightOf(claim: string): number {
  if (claim.startsWith('"')) return 1;
  if (LEAD.has(claim)) return 0;
  return Math.min(1, Math.max(0, (generalRarity(claim) - EMPTY) / (FULL - EMPTY)));
}

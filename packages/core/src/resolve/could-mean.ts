import type { Entry } from "../catalog/snapshot.ts";
import { fold } from "../shared/fold.ts";
import { namedIn } from "./folded-names.ts";
import { candidatesOf, type ResolvePlace } from "./resolve.ts";

/**
 * Every skill that a word of somebody else's could mean, for guards: better one too many than one too few. Where no
 * reference of `resolveSkill` fits, also a command, and a name with a sign, a plugin or folders before it.
 */
export function couldMean(entries: readonly Entry[], word: string, place: ResolvePlace): readonly Entry[] {
  const referred = candidatesOf(entries, word, place);
  if (referred.length > 0) return referred;
  const { whole, last } = bareWords(word);
  const found = [whole, last].flatMap((one) => [
    ...namedIn(entries, one, false),
    ...entries.filter(({ skill }) => skill.id === one || (skill.command && fold(skill.command) === one)),
  ]);
  return [...new Set(found)];
}

/** Without a sign before it and `SKILL.md` after it; and only what is after the last separator. */
export function bareWords(word: string): { readonly whole: string; readonly last: string } {
  const whole = fold(word)
    .replace(/[/\\]+(?:skill\.md[/\\]*)?$/, "")
    .replace(/^[/$]/, "");
  return { whole, last: whole.slice(whole.search(/[^:/\\]*$/)) };
}

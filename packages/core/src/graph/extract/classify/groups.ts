import type { Lexicon, Why } from "../lexicon/lexicon.ts";
import type { FoundReference } from "../references/reference.ts";
import type { Group } from "./edge-type.ts";

/** Names further apart are not joined. */
const FAR = 80;

/** Groups the references of a sentence, which begins at `from`. */
export function groupsOf(
  found: readonly FoundReference[],
  text: string,
  from: number,
  lexicon: Lexicon,
): Group[] {
  const groups: { found: FoundReference[]; choice: Why; next?: number }[] = [];
  for (const one of found) {
    const group = groups.at(-1);
    if (!group) {
      groups.push({ found: [one], choice: null });
      continue;
    }
    const between = text.slice(group.found.at(-1)!.end, one.start);
    const or = between.length < FAR ? lexicon.why("or", { between }) : null;
    if (or || isJoined(group.found[0]!, between, text, from, lexicon)) {
      group.found.push(one);
      group.choice ??= or;
    } else {
      group.next = one.start;
      groups.push({ found: [one], choice: null });
    }
  }
  return groups;
}

/** "x and y"; in "unlike x, y …" the comma ends the part about x. */
function isJoined(
  first: FoundReference,
  between: string,
  text: string,
  from: number,
  lexicon: Lexicon,
): boolean {
  if (between.length >= FAR || !lexicon.has("and", { between })) return false;
  return !lexicon.has("set-apart", { before: text.slice(from, first.start), between });
}

import type { Collection, FoundFile } from "./collect.ts";
import { isSameTree } from "./index/tree.ts";
import type { Entry, Snapshot } from "./snapshot.ts";

/** Whether two looks found the same files with the same texts. */
export function hasSameTexts(before: Collection, now: Collection): boolean {
  for (const [key, tree] of now.trees) {
    const known = before.trees.get(key);
    if (!known || !isSameTree(known, tree)) return false;
  }
  return linked(before.found) === linked(now.found);
}

function linked(found: readonly FoundFile[]): string {
  return found.flatMap(({ file, link }) => (link ? [file.path, link.target, link.mark] : [])).join("\n");
}

/** Of the same texts: whether the world around them (programs, links, tools) made the same of them. */
export function hasSameStates(before: Snapshot, now: Snapshot): boolean {
  const isSame = ({ status, reason, skill }: Entry, place: number): boolean => {
    const other = now.entries[place];
    return (
      other?.status === status &&
      other.reason === reason &&
      other.skill.places?.join("\n") === skill.places?.join("\n")
    );
  };
  return (
    before.entries.length === now.entries.length &&
    before.entries.every(isSame) &&
    JSON.stringify([before.errors, before.warnings]) === JSON.stringify([now.errors, now.warnings])
  );
}

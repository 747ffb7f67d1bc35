import type { Lexicon, Why } from "../lexicon/lexicon.ts";
import type { Said } from "./said.ts";

/** What an item or row says of the skill at its beginning. */
export function requiredHead({ after, rest, tail, isRow, first }: Said, lexicon: Lexicon): Why {
  const own = lexicon.says("requires-head", isRow ? after : rest + after);
  if (own) return own;
  // As a separate sentence it must come first: "Foundation skill. ALWAYS load before writing."
  for (const part of tail.split(/[.!。]\s+/)) {
    const why = /^\W*(?:always|must)\b/i.test(part) ? lexicon.says("requires-head", part) : null;
    if (why) return why;
  }
  const role = lexicon.match("head-role", after);
  // "qsar-modeling - mandatory upstream for QSAR": here the current skill is the required one.
  return role && !isOfItself(role.match.groups?.purpose ?? "", first.name) ? [role.rule.id] : null;
}

function isOfItself(purpose: string, name: string): boolean {
  const words = name.toLowerCase().split(/[-_]/);
  return purpose !== "" && words.includes(purpose.toLowerCase());
}

/** "| 1 (REQUIRED) | x |", "| x | required |", a "yes" in the column "Required" */
export function requiredRow({ before, after, isHead }: Said, header: string, lexicon: Lexicon): Why {
  for (const cell of before.split("|").slice(0, -1)) {
    const why = lexicon.says("required-cell", cell);
    if (why) return why;
  }
  if (!isHead) return null;
  for (const cell of after.split("|").slice(1)) {
    const why = /\(/.test(cell) ? null : lexicon.says("required-cell", cell);
    if (why) return why;
  }
  return ticked(header, before + after, lexicon);
}

function ticked(header: string, row: string, lexicon: Lexicon): Why {
  const cells = row.split("|");
  for (const [at, title] of header.split("|").entries()) {
    const column = lexicon.says("required-column", title);
    const yes = column && lexicon.says("yes", cells[at]?.trim() ?? "");
    if (yes) return [...column, ...yes];
  }
  return null;
}

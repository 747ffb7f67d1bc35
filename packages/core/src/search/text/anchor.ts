/** A sentence that has the form of a reference to other skills. Whether there are such skills, the catalog decides. */
export interface Anchor {
  /** Marks of the names it may mean. */
  readonly names: readonly number[];
  readonly words: readonly number[];
}

/** A name with hyphens, or one word in backticks, asterisks or after a slash: `release-notes`, **review**, /plan. */
const NAMES = /(?<![a-z0-9-])[a-z0-9]+(?:-[a-z0-9]+)+|(?<=[`*/])[a-z0-9]{3,}(?=[`*])/g;
/** What is longer is no sentence about a skill. */
const MAX_SENTENCE = 600;
/** The sentence as an anchor, given its words; `undefined` where it has no such name. */
export function anchorOf(sentence: string, words: readonly number[]): Anchor | undefined {
  const names = sentence.length <= MAX_SENTENCE ? sentence.match(NAMES) : null;
  return names ? { names: [...new Set(names)].map(nameMark), words } : undefined;
}

/** Names are kept as numbers: nearly all of them are no skill's. */
export function nameMark(name: string): number {
  let mark = 0x811c9dc5;
  for (let i = 0; i < name.length; i++) mark = Math.imul(mark ^ name.charCodeAt(i), 0x01000193);
  return mark >>> 0;
}

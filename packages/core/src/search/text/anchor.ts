/** A sentence that looks like a reference to other skills. The catalog decides whether those skills exist. */
export interface Anchor {
  /** Hashes of the names it may mean. */
  readonly names: readonly number[];
  readonly words: readonly number[];
}

/** A name with hyphens, or one word in backticks, asterisks or after a slash: `release-notes`, **review**, /plan. */
const NAMES = /(?<![a-z0-9-])[a-z0-9]+(?:-[a-z0-9]+)+|(?<=[`*/])[a-z0-9]{3,}(?=[`*])/g;
/** A longer text is not a sentence about a skill. */
const MAX_SENTENCE = 600;
/** Every name has one of these; the test is much faster than looking for names. */
const MAY_HAVE_NAMES = /[-`*]/;

/** The sentence as an anchor with the words from a place on; `undefined` if it has no such name. */
export function anchorOf(sentence: string, words: readonly number[], from: number): Anchor | undefined {
  if (sentence.length > MAX_SENTENCE || !MAY_HAVE_NAMES.test(sentence)) return;
  const names = sentence.match(NAMES);
  return names ? { names: [...new Set(names)].map(nameMark), words: words.slice(from) } : undefined;
}

/** Names are stored as numbers: nearly all of them are not skill names. */
export function nameMark(name: string): number {
  let mark = 0x811c9dc5;
  for (let i = 0; i < name.length; i++) mark = Math.imul(mark ^ name.charCodeAt(i), 0x01000193);
  return mark >>> 0;
}

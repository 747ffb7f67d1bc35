interface Piece {
  readonly text: string;
  readonly isMarked: boolean;
}

const SPECIAL = /[.*+?^${}()|[\]\\]/g;
/** These scripts have no spaces between words. */
const NO_SPACES = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}]/u;

/** Cuts a text where one of the words begins a word of it, so that "review" marks "reviewing" too. */
export function splitMarks(text: string, words: readonly string[]): readonly Piece[] {
  const patterns = words
    .filter((word) => word.trim() !== "")
    .sort((a, b) => b.length - a.length)
    .map((word) => {
      const literal = word.replace(SPECIAL, "\\$&");
      return NO_SPACES.test(word) ? literal : `(?<![\\p{L}\\p{N}])${literal}[\\p{L}\\p{N}]*`;
    });
  if (patterns.length === 0) return [{ text, isMarked: false }];
  const found = new RegExp(patterns.join("|"), "giu");
  const pieces: Piece[] = [];
  let at = 0;
  for (const { 0: match, index } of text.matchAll(found)) {
    if (match === "") continue;
    if (index > at) pieces.push({ text: text.slice(at, index), isMarked: false });
    pieces.push({ text: match, isMarked: true });
    at = index + match.length;
  }
  if (at < text.length) pieces.push({ text: text.slice(at), isMarked: false });
  return pieces;
}

/** A text with the words that matched a search marked. */
export function Marks({ text, words }: { text: string; words: readonly string[] }) {
  if (words.length === 0) return <>{text}</>;
  return (
    <>
      {splitMarks(text, words).map(({ text: piece, isMarked }, place) =>
        isMarked ? <mark key={place}>{piece}</mark> : piece,
      )}
    </>
  );
}

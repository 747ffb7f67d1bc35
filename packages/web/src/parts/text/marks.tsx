import { splitMarks } from "./split-marks.ts";

/** A text with the words that matched a search marked. */
export function Marks({ text, words }: { readonly text: string; readonly words: readonly string[] }) {
  if (words.length === 0) return <>{text}</>;
  return (
    <>
      {splitMarks(text, words).map(({ text: piece, isMarked }, place) =>
        isMarked ? <mark key={place}>{piece}</mark> : piece,
      )}
    </>
  );
}

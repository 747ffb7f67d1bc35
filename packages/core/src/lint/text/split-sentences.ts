/** A stop that ends a sentence: one of Chinese or Japanese anywhere, one of English before white space. */
const STOP = /[。！？]|[.!?](?=["”')\]]?\s)/g;

/** More than any sentence has; a longer one is cut, so that no pattern reads far. */
const MAX_SENTENCE = 2_000;
/** What two pieces share, so that words on both sides of a cut are still read together. */
const SHARED = 200;

/** The sentences of a text with their offsets. A closing quotation mark stays with its sentence. */
export function* splitSentences(text: string): Generator<{ text: string; offset: number }> {
  let start = 0;
  for (const { index } of text.matchAll(STOP)) {
    // A quotation that goes on is one unit with what introduces it.
    if (/^[。！？][」』”]/.test(text.slice(index, index + 2))) continue;
    yield* pieces(text, start, index + 1);
    start = index + 1;
  }
  yield* pieces(text, start, text.length);
}

/** The parts of a long line, each short enough for every pattern. */
export function* pieces(text: string, from: number, to: number): Generator<{ text: string; offset: number }> {
  for (let start = from; start < to; start += MAX_SENTENCE) {
    const piece = text.slice(start, Math.min(to, start + MAX_SENTENCE + SHARED));
    if (piece.trim() !== "") yield { text: piece, offset: start };
  }
}

import type { Catalog, Entry } from "@knack/core";

const PIECE = 500;

/** Streams the whole catalog as JSON in pieces: with 100,000 skills and a slow reader it never is one string in memory. */
export function streamCatalog(
  catalog: Catalog,
  entries: readonly Entry[],
  shown: (entry: Entry) => object,
): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  const pieces = textOf(catalog, entries, shown);
  return new ReadableStream<Uint8Array>(
    {
      pull: (stream) => {
        const { done, value } = pieces.next();
        if (done) stream.close();
        else stream.enqueue(encoder.encode(value));
      },
    },
    { highWaterMark: 0 },
  );
}

function* textOf(
  { errors, warnings, truncated, snapshot_version }: Catalog,
  entries: readonly Entry[],
  shown: (entry: Entry) => object,
): Generator<string, void> {
  yield '{"skills":[';
  yield* items(entries, shown);
  yield '],"errors":[';
  yield* items(errors, (error) => error);
  yield '],"warnings":[';
  yield* items(warnings, (warning) => warning);
  yield `],"truncated":${truncated},"snapshot_version":${snapshot_version}}`;
}

function* items<T>(all: readonly T[], shown: (item: T) => object): Generator<string, void> {
  for (let start = 0; start < all.length; start += PIECE) {
    const texts = all.slice(start, start + PIECE).map((item) => JSON.stringify(shown(item)));
    yield `${start === 0 ? "" : ","}${texts.join(",")}`;
  }
}

import { basename } from "node:path";
import { receiveMessageOnPort, workerData } from "node:worker_threads";
import { IndexBuilder } from "./index-builder.ts";
import { type ChunkToRead, count, EVENTS, POSTED, type ReadChunk, type ReadWork } from "./read-skills.ts";
import { bodyOf, readBeside } from "./skill-files.ts";

/** The thread of `ReadingThread`. Skills without an answer are read by the caller. */
const { shared, port, names } = workerData as ReadWork;
/** With more words it begins anew: they are all in the memory of the other thread too. */
const MAX_WORDS = 200_000;
/** Who gives no work for so long has none. */
const PATIENCE_MS = 10_000;

const builder = new IndexBuilder(new Set(names));
let words = builder.words.keys();
let sent = 0;

function read({ chunk, skills }: ChunkToRead): void {
  if (sent > MAX_WORDS) {
    builder.restart();
    words = builder.words.keys();
    sent = 0;
  }
  const isFirst = sent === 0;
  for (const { name, dir, description, file } of skills)
    builder.add({ name, folder: basename(dir), description, body: bodyOf(file) }, readBeside(dir));
  const added = Array.from({ length: builder.words.size - sent }, () => words.next().value ?? "");
  sent = builder.words.size;
  const built = builder.take();
  const buffers = [built.ownWords, built.sequences, built.anchors].map(({ buffer }) => buffer);
  port.postMessage({ chunk, isFirst, words: added, built } satisfies ReadChunk, buffers);
  count(shared, EVENTS);
}

try {
  for (;;) {
    const posted = Atomics.load(shared, POSTED);
    const received = receiveMessageOnPort(port);
    if (received?.message === null) break;
    if (received) read(received.message as ChunkToRead);
    else if (Atomics.wait(shared, POSTED, posted, PATIENCE_MS) === "timed-out") break;
  }
} finally {
  count(shared, EVENTS);
}

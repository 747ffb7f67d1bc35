import { basename } from "node:path";
import { receiveMessageOnPort, workerData } from "node:worker_threads";
import { readBeside } from "./beside.ts";
import { IndexBuilder } from "./index-builder.ts";
import { EVENTS, nextChunk, type ReadChunk, type ReadWork, type SkillFile } from "./read-in-thread.ts";
import { bodyOf } from "./skill-body.ts";

/** The thread of `ReadingThread`. Without an answer the caller reads the skills itself. */
const { shared, port, names } = workerData as ReadWork;
const builder = new IndexBuilder(new Set(names));
const words = builder.words.keys();
let sent = 0;
const tell = (): void => {
  Atomics.add(shared, EVENTS, 1);
  Atomics.notify(shared, EVENTS);
};

tell();
try {
  let chunk = nextChunk(shared);
  for (let number = 0; ; number++) {
    const skills = receiveMessageOnPort(port)?.message as readonly SkillFile[] | undefined;
    if (!skills) break;
    if (number !== chunk) continue;
    for (const { name, dir, description, file } of skills)
      builder.add({ name, folder: basename(dir), description, body: bodyOf(file) }, readBeside(dir));
    const added = Array.from({ length: builder.words.size - sent }, () => words.next().value ?? "");
    sent = builder.words.size;
    const built = builder.take();
    const buffers = [built.ownWords, built.sequences, built.anchors].map(({ buffer }) => buffer);
    port.postMessage({ chunk, words: added, built } satisfies ReadChunk, buffers);
    tell();
    chunk = nextChunk(shared);
  }
} finally {
  tell();
}

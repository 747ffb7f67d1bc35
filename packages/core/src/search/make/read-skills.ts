import { availableParallelism } from "node:os";
import { basename } from "node:path";
import { type BuiltSkills, renumber } from "./built-skills.ts";
import type { IndexBuilder } from "./index-builder.ts";
import { EVENTS, nextChunk, ReadingThread, type SkillFile } from "./read-in-thread.ts";
import type { SkillToIndex } from "./skill-to-index.ts";

/** For fewer skills a thread is not worth its start. */
const MANY_SKILLS = 500;
/** Skills that a thread reads at a time. */
const CHUNK = 64;
/** More threads would wait for this one, which puts together what they read. */
const MAX_THREADS = 3;
/** A thread that says nothing for so long has ended. */
const PATIENCE_MS = 5_000;

/**
 * Reads skills, in several threads if there are many. A chunk is read by whoever is free. The search that waits for this is
 * synchronous, so nothing here needs the event loop.
 */
export function readSkills(
  skills: readonly SkillToIndex[],
  builder: IndexBuilder,
  names: ReadonlySet<number>,
  onProgress: (done: number) => void,
): readonly BuiltSkills[] {
  const chunks = Array.from({ length: Math.ceil(skills.length / CHUNK) }, (_, i) =>
    skills.slice(i * CHUNK, (i + 1) * CHUNK),
  );
  const built: (BuiltSkills | undefined)[] = chunks.map(() => undefined);
  let done = 0;
  const put = (chunk: number, of: BuiltSkills): void => {
    built[chunk] = of;
    done += of.sequenceLengths.length;
    onProgress(done);
  };
  const read = (chunk: number): void => {
    for (const { name, dir, description, body } of chunks[chunk] ?? [])
      builder.add({ name, folder: basename(dir), description, body: body() });
    put(chunk, builder.take());
  };
  const shared = new Int32Array(new SharedArrayBuffer(8));
  const threads = startThreads(chunks, names, shared).map((thread) => ({ thread, numbers: [] as number[] }));
  const receive = (): void => {
    for (const { thread, numbers } of threads)
      for (let answer = thread.receive(); answer; answer = thread.receive()) {
        for (const word of answer.words) numbers.push(builder.numberOf(word));
        put(answer.chunk, renumber(answer.built, numbers));
      }
  };
  for (let chunk = nextChunk(shared); chunk < chunks.length; chunk = nextChunk(shared)) {
    read(chunk);
    receive();
  }
  while (threads.length > 0 && built.includes(undefined)) {
    const events = Atomics.load(shared, EVENTS);
    receive();
    if (built.includes(undefined) && Atomics.wait(shared, EVENTS, events, PATIENCE_MS) === "timed-out") break;
  }
  for (const { thread } of threads) thread.end();
  // What a thread did not finish.
  for (const chunk of chunks.keys()) if (!built[chunk]) read(chunk);
  return built as BuiltSkills[];
}

function startThreads(
  chunks: readonly (readonly SkillToIndex[])[],
  names: ReadonlySet<number>,
  shared: Int32Array,
): ReadingThread[] {
  const count = Math.min(MAX_THREADS, availableParallelism() - 1);
  if (chunks.length * CHUNK < MANY_SKILLS || count === 0) return [];
  const files = chunks.map((skills) =>
    skills.flatMap(({ name, dir, description, file }): SkillFile[] =>
      file === undefined ? [] : [{ name, dir, description, file }],
    ),
  );
  if (files.some((list, i) => list.length !== chunks[i]?.length)) return [];
  const marks = Uint32Array.from(names);
  return Array.from({ length: count }, () => new ReadingThread(files, marks, shared));
}

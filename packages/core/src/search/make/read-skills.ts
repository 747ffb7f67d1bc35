import { availableParallelism } from "node:os";
import { basename } from "node:path";
import type { BuiltSkills } from "./built-skills.ts";
import type { IndexBuilder } from "./index-builder.ts";
import { EVENTS, ReadingThread, type SkillFile } from "./read-in-thread.ts";
import type { SkillToIndex } from "./skill-to-index.ts";

/** For fewer skills a thread is not worth its start. */
const MANY_SKILLS = 500;
/** Skills that a thread reads at a time. */
const CHUNK = 32;
/** More threads would wait for this one, which puts together what they read. */
const MAX_THREADS = 3;
/** Chunks that wait for a thread, so that it always has something to do. */
const AHEAD = 3;
/** A thread that says nothing for so long has ended. */
const PATIENCE_MS = 5_000;

/**
 * Reads skills, in several threads if there are many. The search that waits for this is synchronous, so nothing here needs the
 * event loop.
 */
export function readSkills(
  skills: readonly SkillToIndex[],
  builder: IndexBuilder,
  names: ReadonlySet<number>,
  onProgress: (done: number) => void,
): BuiltSkills[] {
  const built: (BuiltSkills | undefined)[] = Array.from({ length: Math.ceil(skills.length / CHUNK) });
  const skillsOf = (chunk: number): readonly SkillToIndex[] =>
    skills.slice(chunk * CHUNK, (chunk + 1) * CHUNK);
  const numberOf = (word: string): number => builder.numberOf(word);
  let done = 0;
  const put = (chunk: number, of: BuiltSkills): void => {
    built[chunk] = of;
    done += of.sequenceLengths.length;
    onProgress(done);
  };
  const read = (chunk: number): void => {
    for (const { name, dir, description, body, beside } of skillsOf(chunk))
      builder.add({ name, folder: basename(dir), description, body: body() }, beside());
    put(chunk, builder.take());
  };
  const shared = new Int32Array(new SharedArrayBuffer(8));
  const threads = startThreads(skills, names, shared);
  const receive = (): void => {
    for (const thread of threads)
      for (let one = thread.receive(numberOf); one; one = thread.receive(numberOf)) put(one.chunk, one.built);
  };
  for (let next = 0; next < built.length; ) {
    for (const thread of threads)
      for (; thread.waiting < AHEAD && next < built.length; next++)
        thread.give({ chunk: next, skills: skillsOf(next).map(fileOf) });
    if (next < built.length) read(next++);
    receive();
  }
  while (threads.some(({ waiting }) => waiting > 0)) {
    const events = Atomics.load(shared, EVENTS);
    receive();
    if (done === skills.length || Atomics.wait(shared, EVENTS, events, PATIENCE_MS) === "timed-out") break;
  }
  for (const thread of threads) thread.end();
  // What a thread did not finish.
  for (const chunk of built.keys()) if (!built[chunk]) read(chunk);
  return built as BuiltSkills[];
}

/** What can be sent to another thread. */
function fileOf({ name, dir, description, file = "" }: SkillToIndex): SkillFile {
  return { name, dir, description, file };
}

function startThreads(
  skills: readonly SkillToIndex[],
  names: ReadonlySet<number>,
  shared: Int32Array,
): ReadingThread[] {
  const count = Math.min(MAX_THREADS, availableParallelism() - 1);
  if (skills.length < MANY_SKILLS || count === 0) return [];
  if (skills.some(({ file }) => file === undefined)) return [];
  const marks = Uint32Array.from(names);
  return Array.from({ length: count }, () => new ReadingThread(marks, shared));
}

import { availableParallelism } from "node:os";
import { basename } from "node:path";
import { MessageChannel, type MessagePort, receiveMessageOnPort, Worker } from "node:worker_threads";
import { threadCode } from "../../shared/helper-thread.ts";
import type { SkillMetadata } from "../../skill/schema.ts";
import type { SkillReader, SkillWords } from "../text/skill-words.ts";
import type { Beside } from "./skill-files.ts";

export interface SkillToIndex extends Pick<SkillMetadata, "name" | "dir" | "description"> {
  /** Changes when the skill does; `KEY` bytes in hexadecimal. */
  readonly key: string;
  readonly body: () => string;
  readonly beside: () => Beside;
  /** Where the body is, if another thread can read it. */
  readonly file?: string;
}

/** A skill as it was read. */
export interface ReadSkill extends SkillWords {
  /** The state of the files beside it. */
  readonly beside: string;
}

export function readSkillToIndex(skill: Omit<SkillToIndex, "key">, reader: SkillReader): ReadSkill {
  const { name, dir, description } = skill;
  const beside = skill.beside();
  const text = { name, folder: basename(dir), description, body: skill.body(), beside: beside.text };
  return { ...reader.read(text), beside: beside.state };
}

/** What a thread gets. Chunks of skills are taken by whoever is free, the caller included. */
export interface ReadWork {
  readonly skills: readonly Pick<SkillToIndex, "name" | "dir" | "description" | "file">[];
  readonly names: Uint32Array;
  /** The next chunk that nobody has taken, and how often a thread answered or ended. */
  readonly shared: Int32Array;
  readonly port: MessagePort;
}

/** What a thread read. Its words are numbered in the order in which it first sent them, from 0 again if `isFirst`. */
export interface ReadChunk {
  readonly chunk: number;
  readonly isFirst: boolean;
  readonly words: readonly string[];
  readonly skills: readonly ReadSkill[];
}

const NEXT = 0;
const EVENTS = 1;
/** Skills that are read at a time. */
const CHUNK = 32;

/** The chunks that this thread is to read, one after the other, with their skills. */
export function* takeChunks<T>(shared: Int32Array, skills: readonly T[]): Generator<[number, readonly T[]]> {
  for (;;) {
    const chunk = Atomics.add(shared, NEXT, 1);
    if (chunk * CHUNK >= skills.length) return;
    yield [chunk, skills.slice(chunk * CHUNK, (chunk + 1) * CHUNK)];
  }
}

/** Wakes the caller, who waits for answers. */
export function wakeCaller(shared: Int32Array): void {
  Atomics.add(shared, EVENTS, 1);
  Atomics.notify(shared, EVENTS);
}

/** For fewer skills a thread is not worth its start. */
const MANY_SKILLS = 500;
/** More threads would wait for this one, which puts together what they read. */
const MAX_THREADS = 3;
/** A thread that says nothing for so long has ended. */
const PATIENCE_MS = 5_000;

/**
 * Reads skills, in several threads if there are many, and hands them over in their order. The search that waits for this is
 * synchronous, so nothing here needs the event loop.
 */
export function readSkillsToIndex(
  skills: readonly SkillToIndex[],
  reader: SkillReader,
  names: ReadonlySet<number>,
  take: (skill: ReadSkill) => void,
): void {
  const shared = new Int32Array(new SharedArrayBuffer(8));
  const threads = startThreads(skills, names, shared);
  const chunks = Math.ceil(skills.length / CHUNK);
  const read = new Map<number, readonly ReadSkill[]>();
  let next = 0;
  const handOver = (): void => {
    for (const { receive } of threads)
      for (let got = receive(reader); got; got = receive(reader)) read.set(got.chunk, got.skills);
    for (let done = read.get(next); done; done = read.get(next)) {
      for (const skill of done) take(skill);
      read.delete(next++);
    }
  };
  const readChunk = (chunk: number, own: readonly SkillToIndex[]): void => {
    read.set(
      chunk,
      own.map((skill) => readSkillToIndex(skill, reader)),
    );
    handOver();
  };
  for (const [chunk, own] of takeChunks(shared, skills)) readChunk(chunk, own);
  for (;;) {
    const events = Atomics.load(shared, EVENTS);
    handOver();
    if (next === chunks || Atomics.wait(shared, EVENTS, events, PATIENCE_MS) === "timed-out") break;
  }
  for (const { end } of threads) end(next === chunks);
  // What a thread did not finish.
  while (next < chunks) readChunk(next, skills.slice(next * CHUNK, (next + 1) * CHUNK));
}

interface ReadingThread {
  /** Its next answer, if there is one, with the numbers of words of this thread. Taken without the event loop. */
  readonly receive: (reader: SkillReader) => Pick<ReadChunk, "chunk" | "skills"> | undefined;
  readonly end: (isDone: boolean) => void;
}

function startThreads(
  skills: readonly SkillToIndex[],
  names: ReadonlySet<number>,
  shared: Int32Array,
): ReadingThread[] {
  const count = Math.min(MAX_THREADS, availableParallelism() - 1);
  if (skills.length < MANY_SKILLS || skills.some(({ file }) => file === undefined)) return [];
  const code = threadCode(import.meta.url, "./read-worker");
  if (!code) return [];
  const files = skills.map(({ name, dir, description, file }) => ({ name, dir, description, file }));
  const work = { skills: files, names: Uint32Array.from(names), shared };
  return Array.from({ length: count }, () => startThread(code, work));
}

function startThread(code: URL, work: Omit<ReadWork, "port">): ReadingThread {
  const { port1: answers, port2: port } = new MessageChannel();
  const worker = new Worker(code, {
    workerData: { ...work, port } satisfies ReadWork,
    transferList: [port],
    stderr: true,
    // Nearly everything that it makes is garbage a moment later.
    resourceLimits: { maxYoungGenerationSizeMb: 8 },
  });
  worker.unref();
  worker.on("error", (error) => process.emitWarning(`A thread of the search index failed: ${error.message}`));
  /** By the thread's number of a word: the number here. */
  let numbers: number[] = [];
  return {
    receive: (reader) => {
      const answer = receiveMessageOnPort(answers)?.message as ReadChunk | undefined;
      if (!answer) return;
      if (answer.isFirst) numbers = [];
      for (const word of answer.words) numbers.push(reader.numberOf(word));
      return { chunk: answer.chunk, skills: answer.skills.map((skill) => renumber(skill, numbers)) };
    },
    // A thread that is done ends by itself, which frees its memory at once.
    end: (isDone) => {
      if (!isDone) void worker.terminate();
      answers.close();
    },
  };
}

function renumber(skill: ReadSkill, numbers: readonly number[]): ReadSkill {
  const own = (word: number): number => numbers[word] as number;
  return {
    ...skill,
    words: skill.words.map(own),
    sequence: skill.sequence.map((item) => (item < 0 ? item : own(item))),
    anchors: skill.anchors.map(({ names, words }) => ({ names, words: words.map(own) })),
  };
}

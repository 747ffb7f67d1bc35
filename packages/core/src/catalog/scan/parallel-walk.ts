import { availableParallelism } from "node:os";
import { startHelper } from "../../shared/helper-thread.ts";
import type { Tree } from "../index/tree.ts";
import { decodeTree } from "../index/tree-bytes.ts";
import { type Visit, Walk, type WalkOptions } from "./walk.ts";

/**
 * A first look at thousands of folders is divided among threads: system calls take most of the time, and each thread
 * makes its own. Everyone takes the next share until none is left, so a thread that is slow to start costs nothing.
 */

const MAX_HELPERS = 7;

/** What a helper gets: the visits as plain columns, and the counter that hands out shares. */
export interface DividedWork {
  readonly options: WalkOptions;
  /** Joined by NUL, which no path has. */
  readonly paths: string;
  readonly depths: Int32Array;
  /** 1 where the folder is inside a skill. */
  readonly insideSkill: Uint8Array;
  readonly nextShare: Int32Array;
  readonly share: number;
}

/** A share by its number, as the bytes of its tree. */
export type DividedResult = readonly [share: number, bytes: Uint8Array<ArrayBuffer>];

/** Walks from each of these starts; the trees are in their order. */
export async function walkDivided(
  options: WalkOptions,
  starts: readonly Visit[],
  pause: (folders: number) => Promise<void>,
): Promise<Tree[]> {
  const share = Math.max(16, Math.ceil(starts.length / 128));
  const nextShare = new Int32Array(new SharedArrayBuffer(4));
  const work: DividedWork = {
    options,
    paths: starts.map((start) => start.path).join("\0"),
    depths: Int32Array.from(starts, (start) => start.depth),
    insideSkill: Uint8Array.from(starts, (start) => (start.insideSkill ? 1 : 0)),
    nextShare,
    share,
  };
  const trees: (Tree | null)[] = Array.from({ length: Math.ceil(starts.length / share) }, () => null);
  const helpers = Array.from({ length: Math.min(MAX_HELPERS, availableParallelism() - 1) }, () =>
    startHelper<DividedResult>(
      { from: import.meta.url, file: "./walk-worker", what: "the skill scan" },
      { workerData: work, resourceLimits: { maxYoungGenerationSizeMb: 8 } },
      ([number, bytes]) => {
        trees[number] = decodeTree(bytes);
      },
    ),
  );
  let folders = 0;
  for (let next = takeShare(nextShare); next < trees.length; next = takeShare(nextShare)) {
    const before = folders;
    const tree = await walkShare(options, shareOf(work, starts, next), (count) => pause(before + count));
    trees[next] = tree;
    folders += tree.paths.length;
    await pause(folders);
  }
  await Promise.all(helpers);
  // A helper that could not start or ended early leaves its shares to this thread.
  for (const [number, tree] of trees.entries())
    trees[number] = tree ?? (await walkShare(options, shareOf(work, starts, number), pause));
  return trees.filter((tree) => tree !== null);
}

export function takeShare(nextShare: Int32Array): number {
  return Atomics.add(nextShare, 0, 1);
}

/** The starts of one share, each with its own number in the place of a parent. */
export function shareOf(work: Pick<DividedWork, "share">, starts: readonly Visit[], number: number): Visit[] {
  const first = number * work.share;
  return starts
    .slice(first, first + work.share)
    .map((start, i) => ({ ...start, parent: -2 - (first + i), known: -1 }));
}

export async function walkShare(
  options: WalkOptions,
  starts: readonly Visit[],
  pause: (folders: number) => Promise<void>,
): Promise<Tree> {
  const walk = new Walk(options, starts, null, () => false);
  await walk.run(pause);
  return walk.tree(0);
}

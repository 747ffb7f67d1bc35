import { availableParallelism } from "node:os";
import { isSameFile, isSameFolder, type Tree } from "../index/tree.ts";
import { tryStat } from "./list-folder.ts";
import { type Visit, Walk, type WalkOptions } from "./walk.ts";

export interface ScanOptions extends WalkOptions {
  /** Canonical path of the folder at the top. */
  readonly top: string;
}

export interface ScanProgress {
  /** From how many waiting folders on a first look is divided among threads. */
  readonly divideFrom?: number;
  /** When the scan began. */
  readonly now: number;
  /** Called now and then with the number of folders so far. */
  readonly onProgress?: ((folders: number) => void) | undefined;
  /** Where it is certain that nothing changed but in these folders: then only they are looked at. */
  readonly changed?: ReadonlySet<string> | undefined;
}

/** A first look at so many folders takes longer than starting a thread to help. */
const DIVIDE_FROM = 20_000;
/** Long work lets others run: a server that refreshes its catalog keeps answering. */
const SLICE_MS = 25;

/**
 * Looks through a tree, given what is known of it from an earlier look. Where nothing changed that costs one `stat` a
 * folder and one a skill, and the answer is the known tree itself.
 */
export async function scanTree(
  options: ScanOptions,
  known: Tree | null,
  progress: ScanProgress,
): Promise<Tree> {
  const pause = pauser(progress.onProgress);
  const isUnchanged = known ? await unchangedFolders(known, pause, progress.changed) : () => false;
  if (known && isUnchanged === ALL) return known;
  const start: Visit = { path: options.top, parent: -1, depth: 0, insideSkill: false, known: known ? 0 : -1 };
  const walk = new Walk(options, [start], known, isUnchanged);
  await walk.run(pause, known === null ? (progress.divideFrom ?? DIVIDE_FROM) : undefined);
  // Asked only where it matters: the answer takes longer than a small folder of skills.
  if (walk.hasWaiting && availableParallelism() === 1) await walk.run(pause);
  const rest = walk.takeWaiting();
  if (rest.length > 0) {
    const { walkDivided } = await import("./parallel-walk.ts");
    const shared = { ...options, countsSubfolders: walk.countsSubfolders };
    for (const tree of await walkDivided(shared, rest, (folders) => pause(walk.length + folders)))
      walk.append(tree, rest);
  }
  return walk.tree(progress.now);
}

const ALL = (): boolean => true;

/** Which folders are known to be, with their skills, as they were; `ALL` where all are. */
async function unchangedFolders(
  known: Tree,
  pause: (folders: number) => Promise<void>,
  changed: ReadonlySet<string> | undefined,
): Promise<(index: number) => boolean> {
  const { paths } = known;
  if (changed) {
    const hasChanged = (path: string): boolean => changed.has(path);
    if (changed.size === 0 || !paths.some(hasChanged)) return ALL;
    return (index) => !hasChanged(paths[index] ?? "");
  }
  const count = await countUnchanged(known, pause);
  return count === paths.length ? ALL : (index) => index < count;
}

/** How many folders from the start on are, with their skills, as they were. */
async function countUnchanged(known: Tree, pause: (folders: number) => Promise<void>): Promise<number> {
  const { paths, skills } = known;
  for (let i = 0; i < paths.length; i++) {
    if ((i & 255) === 0) await pause(i);
    const folder = tryStat(paths[i] ?? "");
    if (!folder || "fault" in folder || !isSameFolder(known, i, folder)) return i;
    const skill = skills[i];
    if (!skill) continue;
    const file = tryStat(skill.path);
    if (!file || "fault" in file || !isSameFile(known, i, file)) return i;
  }
  return paths.length;
}

/** Lets others run and tells progress whenever a slice of time is used up. */
function pauser(onProgress: ScanProgress["onProgress"]): (folders: number) => Promise<void> {
  let sliceEnd = performance.now() + SLICE_MS;
  let most = 0;
  const go = Promise.resolve();
  return (folders) => {
    if (performance.now() < sliceEnd) return go;
    // A look that turns out to be a new one starts to count again; progress does not go back.
    most = Math.max(most, folders);
    onProgress?.(most);
    return new Promise((resolve) => {
      setImmediate(() => {
        sliceEnd = performance.now() + SLICE_MS;
        resolve();
      });
    });
  };
}

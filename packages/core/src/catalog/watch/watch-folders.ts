import { existsSync, type FSWatcher, watch } from "node:fs";
import { dirname } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { systemCode } from "../../shared/errors.ts";

export interface WatchOptions {
  readonly signal?: AbortSignal;
  /** How long to wait after a change for the next one: an editor saves in several steps. */
  readonly settleMs?: number;
  /** How often to look even if nothing was heard: not every file system tells, and not every folder can be watched. */
  readonly pollMs?: number;
}

/** What the watcher must know of the thing it keeps up to date. */
export interface Watched<T> {
  foldersOf(value: T): Iterable<string>;
  refresh(value: T): Promise<T>;
  isSame(a: T, b: T): boolean;
}

/**
 * Yields each next value that differs from the one before. The operating system's notices only say when to look;
 * what changed is decided by looking, so a lost or a false notice costs time and never truth.
 */
export async function* watchFolders<T>(
  first: T,
  watched: Watched<T>,
  options: WatchOptions = {},
): AsyncGenerator<T, void> {
  const { signal, settleMs = 50, pollMs = 2_000 } = options;
  const watchers = new Map<string, FSWatcher>();
  let notice = Promise.withResolvers<void>();
  const heard = (): void => notice.resolve();
  const close = (): void => {
    for (const watcher of watchers.values()) watcher.close();
    watchers.clear();
  };
  // At once, even while the consumer holds on to the last value: an open watcher keeps its process alive.
  const end = (): void => {
    close();
    heard();
  };
  signal?.addEventListener("abort", end, { once: true });
  let current = first;
  try {
    while (!signal?.aborted) {
      follow(watchers, watched.foldersOf(current), heard);
      // A long look must not follow upon a long look: at most a fiftieth of the time goes into polling.
      const started = performance.now();
      const next = await watched.refresh(current);
      const wait = Math.max(pollMs, (performance.now() - started) * 50);
      if (!watched.isSame(current, next)) {
        current = next;
        yield next;
        continue;
      }
      const pause = new AbortController();
      await Promise.race([
        notice.promise,
        delay(wait, undefined, { ref: false, signal: pause.signal }).catch(ignoreAbort),
      ]);
      pause.abort();
      notice = Promise.withResolvers<void>();
      if (!signal?.aborted) await delay(settleMs);
    }
  } finally {
    signal?.removeEventListener("abort", end);
    close();
  }
}

/** Watches exactly these folders; for one that is not there, the nearest that is. */
function follow(watchers: Map<string, FSWatcher>, folders: Iterable<string>, heard: () => void): void {
  const wanted = new Set<string>();
  for (let folder of folders) {
    while (!existsSync(folder) && folder !== dirname(folder)) folder = dirname(folder);
    wanted.add(folder);
  }
  for (const [folder, watcher] of watchers) {
    if (wanted.has(folder)) continue;
    watcher.close();
    watchers.delete(folder);
  }
  for (const folder of wanted) {
    if (watchers.has(folder)) continue;
    try {
      const watcher = watch(folder, { persistent: true }, (event) => {
        // The folder itself may have been replaced under its name; then this watcher hears nothing more.
        if (event === "rename") drop(watchers, folder);
        heard();
      });
      // A folder that vanishes ends its watcher; the next look finds that out.
      watcher.on("error", () => {
        drop(watchers, folder);
        heard();
      });
      watchers.set(folder, watcher);
    } catch (error) {
      // Out of watches (ENOSPC, EMFILE) or gone meanwhile: polling covers what cannot be watched.
      const code = systemCode(error);
      if (code === "ENOSPC" || code === "EMFILE") break;
    }
  }
}

function drop(watchers: Map<string, FSWatcher>, folder: string): void {
  watchers.get(folder)?.close();
  watchers.delete(folder);
}

function ignoreAbort(error: unknown): void {
  if (!(error instanceof Error && error.name === "AbortError")) throw error;
}

import type { Stats } from "node:fs";

/**
 * What the operating system tells about a file or folder without opening it. Any change of content changes one of
 * these: a writer can set `mtime` back, but not `ctime`.
 */
export interface Identity {
  readonly dev: number;
  readonly ino: number;
  readonly size: number;
  readonly mtimeMs: number;
  readonly ctimeMs: number;
}

export function sameIdentity(known: Identity, now: Stats): boolean {
  return (
    known.ctimeMs === now.ctimeMs &&
    known.mtimeMs === now.mtimeMs &&
    known.ino === now.ino &&
    known.dev === now.dev &&
    (known.size === now.size || now.isDirectory())
  );
}

/** A kernel stamps changes with a clock that ticks every 1 to 10 ms; some file systems count whole seconds, even two. */
const TICK_MS = 50;
const COARSE_TICK_MS = 2_000;

/**
 * Whether a change after `seenAt` would have got a later time stamp. One in the same tick as the last look would not,
 * so what was looked at so soon after its change is read again the next time. The same holds for stamps that lie in
 * the future, as after a clock was set back.
 */
export function isSettled(known: Identity, seenAt: number): boolean {
  const latest = Math.max(known.mtimeMs, known.ctimeMs);
  const tick = known.ctimeMs % 1000 === 0 ? COARSE_TICK_MS : TICK_MS;
  return latest + tick < seenAt;
}

export function identityOf(stats: Stats): Identity {
  const { dev, ino, size, mtimeMs, ctimeMs } = stats;
  return { dev, ino, size, mtimeMs, ctimeMs };
}

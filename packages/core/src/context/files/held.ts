import type { Stats } from "node:fs";

/** A file or folder that was found at an allowed place, held so that what was checked is what is used. */
export interface HeldFile extends Disposable {
  readonly stats: Stats;
  /** A path to exactly this thing, and with `/name` behind it to what is in this folder. */
  readonly handle: string;
  /** A descriptor for reading a regular file, which the caller closes; undefined if the file is no longer the one held. */
  open(): number | undefined;
  /** Whether everything that was reached by `handle` until now was reached in the thing that is held. */
  isSame(): boolean;
}

/**
 * Holds what is at a path, links followed, if the real path of it is allowed; undefined if it is not. Throws the error
 * of the operating system where nothing can be held.
 */
export type Hold = (path: string, isAllowed: (real: string) => boolean) => HeldFile | undefined;

import { isUtf8 } from "node:buffer";
import {
  closeSync,
  constants,
  existsSync,
  fstatSync,
  lstatSync,
  openSync,
  readlinkSync,
  realpathSync,
  type Stats,
} from "node:fs";
import { dirname } from "node:path";

let kernelTells: boolean | undefined;

/** The safest way that this system offers. */
export const hold: Hold = (path, isAllowed) => {
  kernelTells ??= process.platform === "linux" && existsSync("/proc/self/fd");
  return (kernelTells ? holdByKernel : holdByIdentity)(path, isAllowed);
};

/** A file or folder that was found at an allowed place, held so that what was checked is what is used. */
interface HeldFile extends Disposable {
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

/** Linux: a descriptor that stands for a thing without opening it. No device notices, no pipe waits. Node has no name for it. */
const O_PATH = 0o10000000;
/** A regular file ignores the first; the second is for what only looks like one. */
const READING = constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOCTTY;
const DELETED = " (deleted)";

/**
 * Holds by a descriptor, and asks the kernel where the thing is that it stands for. There is no moment between check and
 * use: whatever is renamed or linked after that, the descriptor stands for the same thing, and it is opened through it.
 * A folder that somebody moves to the allowed place is at the allowed place; paths cannot tell more than that.
 */
export function holdByKernel(path: string, isAllowed: (real: string) => boolean): HeldFile | undefined {
  const fd = openSync(path, O_PATH | READING);
  try {
    // Before the path is asked for: what is deleted now stays so, and then the kernel's mark is no part of a name.
    const stats = fstatSync(fd);
    const handle = `/proc/self/fd/${fd}`;
    const bytes = readlinkSync(handle, { encoding: "buffer" });
    const text = bytes.toString();
    const real = stats.nlink === 0 && text.endsWith(DELETED) ? text.slice(0, -DELETED.length) : text;
    // Bytes that are no UTF-8 could read like an allowed path that they are not.
    if (isUtf8(bytes) && isAllowed(real)) {
      return {
        stats,
        handle,
        open: () => openSync(handle, READING),
        isSame: () => true,
        [Symbol.dispose]: () => closeSync(fd),
      };
    }
  } catch (error) {
    closeSync(fd);
    throw error;
  }
  closeSync(fd);
  return undefined;
}

/** Windows does not know all of these. */
const READING_BY_PATH =
  constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0) | (constants.O_NOCTTY ?? 0);

/**
 * For systems that cannot say what a descriptor refers to: the path and every folder above it must be the same before and
 * after, and none of them a link. A best effort: it does not notice a process that swaps folders and restores them
 * several times, each at the right moment.
 */
export function holdByIdentity(path: string, isAllowed: (real: string) => boolean): HeldFile | undefined {
  const real = realpathSync(path);
  if (!isAllowed(real)) return undefined;
  const stats = lstatSync(real);
  const way = identitiesTo(real);
  if (way === undefined) return undefined;
  const isSame = (): boolean => identitiesTo(real)?.join() === way.join();
  return {
    stats,
    handle: real,
    open: () => {
      const fd = openSync(real, READING_BY_PATH);
      const { dev, ino } = fstatSync(fd, { bigint: true });
      if (`${dev}:${ino}` === way[0] && isSame()) return fd;
      closeSync(fd);
      return undefined;
    },
    isSame,
    [Symbol.dispose]: () => undefined,
  };
}

/** The identities of a path and of every folder above it; undefined if one of them is a link. */
function identitiesTo(real: string): string[] | undefined {
  const identities: string[] = [];
  for (let at = real; ; at = dirname(at)) {
    const stats = lstatSync(at, { bigint: true });
    if (stats.isSymbolicLink()) return undefined;
    identities.push(`${stats.dev}:${stats.ino}`);
    if (at === dirname(at)) return identities;
  }
}

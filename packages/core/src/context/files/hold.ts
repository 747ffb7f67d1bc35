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

export const hold: Hold = (path, isAllowed) => {
  kernelTells ??= process.platform === "linux" && existsSync("/proc/self/fd");
  return (kernelTells ? holdByKernel : holdByIdentity)(path, isAllowed);
};

/** Held so that what was checked is what is used. */
interface HeldFile extends Disposable {
  readonly stats: Stats;
  /** A path to exactly this thing; with `/name`, to what is in this folder. */
  readonly handle: string;
  /** Opens a regular file for reading; `undefined` if it is no longer the one held. */
  open(): number | undefined;
  /** Whether all that `handle` has reached so far was in the thing held. */
  isSame(): boolean;
}

/** Holds what is at a path, links followed; `undefined` if its real path is not allowed. Throws the system's errors. */
export type Hold = (path: string, isAllowed: (real: string) => boolean) => HeldFile | undefined;

/** Stands for a thing without opening it: no device notices, no pipe waits. Node has no name for it. */
const O_PATH = 0o10000000;
/** Nothing waits, and no terminal becomes ours, if it only looks like a file. */
const READING = constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOCTTY;
const DELETED = " (deleted)";

/**
 * The descriptor stands for one thing, the kernel says where that is, and it is opened through the descriptor: there is no
 * moment between check and use. A folder moved to an allowed place is at that place.
 */
export function holdByKernel(path: string, isAllowed: (real: string) => boolean): HeldFile | undefined {
  const fd = openSync(path, O_PATH | READING);
  try {
    // Before the path is read: then "(deleted)" is the kernel's mark, not part of a name.
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
 * The path and all folders above must be the same before and after, and no links. A best effort: folders swapped and restored
 * at the right moments go unnoticed.
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

/** `undefined` if one of the folders above is a link. */
function identitiesTo(real: string): string[] | undefined {
  const identities: string[] = [];
  for (let at = real; ; at = dirname(at)) {
    const stats = lstatSync(at, { bigint: true });
    if (stats.isSymbolicLink()) return undefined;
    identities.push(`${stats.dev}:${stats.ino}`);
    if (at === dirname(at)) return identities;
  }
}

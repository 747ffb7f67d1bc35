import { isUtf8 } from "node:buffer";
import { closeSync, constants, fstatSync, openSync, readlinkSync } from "node:fs";
import type { HeldFile } from "./held.ts";

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

import { closeSync, constants, fstatSync, lstatSync, openSync, realpathSync } from "node:fs";
import { dirname } from "node:path";
import type { HeldFile } from "./held.ts";

/** Windows does not know all of these. */
const READING =
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
      const fd = openSync(real, READING);
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

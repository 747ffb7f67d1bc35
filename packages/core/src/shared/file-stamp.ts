import { statSync } from "node:fs";
import { systemCode } from "./errors.ts";

/** Tells one state of these files from another. Empty where one is so fresh that its next change could keep the stamp. */
export function stampOf(files: readonly string[]): string {
  const stamps = files.map((file) => {
    try {
      const { dev, ino, size, mode, mtimeNs, ctimeNs } = statSync(file, { bigint: true });
      const isOld = isOlderThanTick(Number(mtimeNs) / 1e6, Number(ctimeNs) / 1e6, Date.now());
      return isOld ? [dev, ino, size, mode, mtimeNs, ctimeNs].join() : "";
    } catch (error) {
      return systemCode(error);
    }
  });
  return stamps.includes("") ? "" : `(${stamps.join(";")})`;
}

/** A kernel stamps changes with a clock that ticks every 1 to 10 ms; some file systems count whole seconds, even two. */
const TICK_MS = 50;
const COARSE_TICK_MS = 2_000;

/**
 * Whether a later change would get another time stamp. Not so in the tick of the look itself, or for stamps in the future, as
 * after a clock was set back.
 */
export function isOlderThanTick(mtimeMs: number, ctimeMs: number, seenAt: number): boolean {
  const tick = ctimeMs % 1000 === 0 ? COARSE_TICK_MS : TICK_MS;
  return Math.max(mtimeMs, ctimeMs) + tick < seenAt;
}

/** Keeps what was made of a file while its stamp, and `dependsOn`, are the same. */
export class StampCache<T> {
  readonly #known = new Map<string, { readonly stamp: string; readonly value: T }>();

  get(file: string, read: () => T, dependsOn = ""): T {
    // Taken before reading: a change in between differs the next time.
    const fileStamp = stampOf([file]);
    const stamp = fileStamp && `${fileStamp} ${dependsOn}`;
    const before = this.#known.get(file);
    if (before && stamp !== "" && before.stamp === stamp) return before.value;
    const value = read();
    this.#known.set(file, { stamp, value });
    return value;
  }
}

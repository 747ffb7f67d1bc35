import { randomUUID } from "node:crypto";

let lastTime = 0;
let counter = 0;

/**
 * A UUID version 7: sorts by time, and within one process by creation. The twelve bits after the time count within a
 * millisecond; when they run out, the next millisecond is used early.
 */
export function newId(now: Date): string {
  const time = now.getTime();
  if (time > lastTime) {
    lastTime = time;
    counter = 0;
  } else if (++counter > 0xfff) {
    lastTime++;
    counter = 0;
  }
  const hex = lastTime.toString(16).padStart(12, "0");
  const count = counter.toString(16).padStart(3, "0");
  // A UUID version 4 has random bits in the same place, and Node caches random bytes for it.
  return `${hex.slice(0, 8)}-${hex.slice(8)}-7${count}-${randomUUID().slice(19)}`;
}

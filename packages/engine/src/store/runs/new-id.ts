import { randomUUID } from "node:crypto";

let lastTime = 0;
let counter = 0;

/**
 * A UUID of version 7: sorts by time, and within one process by the order in which they were made. The twelve bits after
 * the time count within a millisecond; when they run out the next millisecond is taken early.
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
  // The random part of a UUID of version 4 stands in the same place, and Node keeps a supply of it.
  return `${hex.slice(0, 8)}-${hex.slice(8)}-7${count}-${randomUUID().slice(19)}`;
}

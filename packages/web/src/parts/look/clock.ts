import { signal } from "@preact/signals";

/** The time for relative times, moved on every half minute. */
export const now = signal(Date.now());

export function startClock(): void {
  setInterval(() => {
    now.value = Date.now();
  }, 30_000);
}

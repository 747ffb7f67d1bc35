/** Longer than this nobody should wait for a server. */
const SLICE_MS = 8;

/** For long work of a server: call it now and then, and await the promise that it answers when the slice is used up. */
export function takeTurns(): () => Promise<void> | undefined {
  let sliceEnd = performance.now() + SLICE_MS;
  return () => {
    if (performance.now() < sliceEnd) return undefined;
    return new Promise((resolve) => {
      setImmediate(() => {
        sliceEnd = performance.now() + SLICE_MS;
        resolve();
      });
    });
  };
}

export async function inTurns<T>(items: Iterable<T>, work: (item: T) => void): Promise<void> {
  const turn = takeTurns();
  let done = 0;
  for (const item of items) {
    work(item);
    if ((++done & 63) === 0) await turn();
  }
}

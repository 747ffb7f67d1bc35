/** A server answers others in between; longer than this nobody should have to wait. */
const SLICE_MS = 8;

/**
 * For long work of a process that also serves others. The answer, called now and then, is a promise of the next turn of the event
 * loop where this one has lasted for long enough, and nothing before that.
 */
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

/** Does this with each item, and lets others run in between. */
export async function inTurns<T>(items: Iterable<T>, work: (item: T) => void): Promise<void> {
  const turn = takeTurns();
  let done = 0;
  for (const item of items) {
    work(item);
    if ((++done & 63) === 0) await turn();
  }
}

/** The `count` of these that score highest, best first; equal scores in the order of their numbers. */
export function topOf(items: readonly number[], scores: Float32Array, count: number): number[] {
  const worse = (a: number, b: number): boolean => {
    const difference = (scores[a] ?? 0) - (scores[b] ?? 0);
    return difference < 0 || (difference === 0 && a > b);
  };
  // A heap with the worst of the best so far on top.
  const heap: number[] = [];
  for (const item of items) {
    if (heap.length < count) {
      heap.push(item);
      for (let at = heap.length - 1; at > 0; ) {
        const parent = (at - 1) >> 1;
        if (!worse(heap[at] as number, heap[parent] as number)) break;
        [heap[at], heap[parent]] = [heap[parent] as number, heap[at] as number];
        at = parent;
      }
    } else if (count > 0 && worse(heap[0] as number, item)) {
      heap[0] = item;
      for (let at = 0; ; ) {
        let least = at;
        for (const child of [2 * at + 1, 2 * at + 2]) {
          if (child < heap.length && worse(heap[child] as number, heap[least] as number)) least = child;
        }
        if (least === at) break;
        [heap[at], heap[least]] = [heap[least] as number, heap[at] as number];
        at = least;
      }
    }
  }
  return heap.sort((a, b) => (worse(a, b) ? 1 : -1));
}

/**
 * The indexes of the `count` highest scores above zero, best first; equal scores by index. `isAccepted` is called only for
 * scores that are high enough.
 */
export function topOf(
  scores: Float32Array,
  count: number,
  isAccepted?: (place: number) => boolean,
): number[] {
  // A min-heap of the best so far.
  const heap: number[] = [];
  const worse = (a: number, b: number): boolean => {
    const difference = (scores[a] as number) - (scores[b] as number);
    return difference < 0 || (difference === 0 && a > b);
  };
  // Indexes come in order, so among equals the one already in the heap stays.
  let least = 0;
  for (let place = 0; place < scores.length; place++) {
    if ((scores[place] as number) <= least || (isAccepted && !isAccepted(place))) continue;
    if (heap.length < count) {
      heap.push(place);
      for (let at = heap.length - 1; at > 0; ) {
        const parent = (at - 1) >> 1;
        if (!worse(heap[at] as number, heap[parent] as number)) break;
        [heap[at], heap[parent]] = [heap[parent] as number, heap[at] as number];
        at = parent;
      }
    } else if (count > 0) {
      heap[0] = place;
      for (let at = 0; ; ) {
        const left = 2 * at + 1;
        let next = at;
        if (left < count && worse(heap[left] as number, heap[next] as number)) next = left;
        if (left + 1 < count && worse(heap[left + 1] as number, heap[next] as number)) next = left + 1;
        if (next === at) break;
        [heap[at], heap[next]] = [heap[next] as number, heap[at] as number];
        at = next;
      }
    }
    if (heap.length === count) least = scores[heap[0] ?? 0] ?? 0;
  }
  return heap.sort((a, b) => (worse(a, b) ? 1 : -1));
}

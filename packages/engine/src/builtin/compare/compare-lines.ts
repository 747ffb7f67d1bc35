import { diffArrays } from "diff";
import type { Comparison, Edit } from "./edit.ts";
import type { NumberedLines } from "./number-lines.ts";

/** A place with more changes is shown as replaced: the search for the shortest edit takes quadratic time. */
const MAX_EDIT_LENGTH = 500;

interface Range {
  readonly left: number;
  readonly leftEnd: number;
  readonly right: number;
  readonly rightEnd: number;
}

/**
 * Compares two texts line by line, in nearly linear time and always with the same result: lines that occur once in each
 * divide the texts into places (as "patience diff" does), and only within a place the shortest edit is looked for.
 */
export function compareLines(
  { left: a, right: b, distinct }: NumberedLines,
  signal: AbortSignal,
): Comparison {
  const edits: Edit[] = [];
  let approximate = false;
  for (const range of placesOf(a, b, distinct)) {
    signal.throwIfAborted();
    const place = shrink(a, b, range);
    const removed = place.leftEnd - place.left;
    const added = place.rightEnd - place.right;
    if (removed === 0 && added === 0) continue;
    const shortest = removed > 0 && added > 0 ? shortestEdits(a, b, place) : undefined;
    if (shortest) for (const edit of shortest) append(edits, edit);
    else append(edits, { leftAt: place.left, removed, rightAt: place.right, added });
    approximate ||= removed > 0 && added > 0 && !shortest;
  }
  return { edits, approximate };
}

/** Edits that touch are one. */
function append(edits: Edit[], edit: Edit): void {
  const last = edits.at(-1);
  if (last && last.leftAt + last.removed === edit.leftAt && last.rightAt + last.added === edit.rightAt) {
    const removed = last.removed + edit.removed;
    edits[edits.length - 1] = { ...last, removed, added: last.added + edit.added };
  } else edits.push(edit);
}

/** What is between the anchors. */
function* placesOf(a: Uint32Array, b: Uint32Array, distinct: number): Generator<Range> {
  const whole = shrink(a, b, { left: 0, leftEnd: a.length, right: 0, rightEnd: b.length });
  const anchors = anchorsOf(a, b, whole, distinct);
  let { left, right } = whole;
  for (const index of anchors.sequence) {
    const [nextLeft = 0, nextRight = 0] = [anchors.left[index], anchors.right[index]];
    yield { left, leftEnd: nextLeft, right, rightEnd: nextRight };
    [left, right] = [nextLeft, nextRight];
  }
  yield { left, leftEnd: whole.leftEnd, right, rightEnd: whole.rightEnd };
}

interface Anchors {
  /** Pairs of places, by the left one. */
  readonly left: Int32Array;
  readonly right: Int32Array;
  /** The pairs that are in order on both sides. */
  readonly sequence: Int32Array;
}

/** Lines that occur once on each side, in the longest sequence that is in order on both. */
function anchorsOf(a: Uint32Array, b: Uint32Array, range: Range, distinct: number): Anchors {
  const placeInA = onlyPlaces(a, range.left, range.leftEnd, distinct);
  const placeInB = onlyPlaces(b, range.right, range.rightEnd, distinct);
  const left = new Int32Array(range.leftEnd - range.left);
  const right = new Int32Array(left.length);
  let count = 0;
  for (let at = range.left; at < range.leftEnd; at++) {
    const line = a[at] ?? 0;
    if (placeInA[line] !== at || (placeInB[line] ?? -1) < 0) continue;
    left[count] = at;
    right[count++] = placeInB[line] ?? 0;
  }
  return { left, right, sequence: longestIncreasing(right.subarray(0, count)) };
}

/** Where each line is, if it is there once; -1 where not at all, -2 where more often. */
function onlyPlaces(lines: Uint32Array, from: number, to: number, distinct: number): Int32Array {
  const places = new Int32Array(distinct).fill(-1);
  for (let at = from; at < to; at++) {
    const line = lines[at] ?? 0;
    places[line] = places[line] === -1 ? at : -2;
  }
  return places;
}

/** The places of a longest sequence of values that increases. */
function longestIncreasing(values: Int32Array): Int32Array {
  const tails = new Int32Array(values.length);
  const before = new Int32Array(values.length);
  let length = 0;
  for (let index = 0; index < values.length; index++) {
    const value = values[index] ?? 0;
    let low = 0;
    let high = length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((values[tails[middle] ?? 0] ?? 0) < value) low = middle + 1;
      else high = middle;
    }
    before[index] = low > 0 ? (tails[low - 1] ?? -1) : -1;
    tails[low] = index;
    if (low === length) length++;
  }
  const sequence = new Int32Array(length);
  for (
    let at = length > 0 ? (tails[length - 1] ?? -1) : -1, place = length - 1;
    at >= 0;
    at = before[at] ?? -1
  )
    sequence[place--] = at;
  return sequence;
}

/** Without the same lines at both ends. */
function shrink(a: Uint32Array, b: Uint32Array, { left, leftEnd, right, rightEnd }: Range): Range {
  while (left < leftEnd && right < rightEnd && a[left] === b[right]) {
    left++;
    right++;
  }
  while (left < leftEnd && right < rightEnd && a[leftEnd - 1] === b[rightEnd - 1]) {
    leftEnd--;
    rightEnd--;
  }
  return { left, leftEnd, right, rightEnd };
}

function shortestEdits(a: Uint32Array, b: Uint32Array, place: Range): Edit[] | undefined {
  const changes = diffArrays(
    [...a.subarray(place.left, place.leftEnd)],
    [...b.subarray(place.right, place.rightEnd)],
    { maxEditLength: MAX_EDIT_LENGTH },
  );
  if (!changes) return undefined;
  const edits: Edit[] = [];
  let leftAt = place.left;
  let rightAt = place.right;
  for (const { added: isAdded, removed: isRemoved, count } of changes) {
    const removed = isAdded ? 0 : count;
    const added = isRemoved ? 0 : count;
    if (isAdded || isRemoved) append(edits, { leftAt, removed, rightAt, added });
    leftAt += removed;
    rightAt += added;
  }
  return edits;
}

import { Failure } from "../failure.ts";

/** More lines than this would take more memory than the files themselves by far. */
const MAX_LINES = 2_000_000;

/** The lines of a text in UTF-8, as places in its bytes: a string for each would take many times the memory of the text. */
export class TextLines {
  readonly bytes: Buffer;
  /** Where each begins, and where the last one ends. */
  readonly starts: Uint32Array;

  constructor(bytes: Buffer) {
    this.bytes = bytes;
    let count = 0;
    for (let at = 0; at < bytes.length; at = endOfLine(bytes, at)) count++;
    if (count > MAX_LINES)
      throw new Failure("TOO_LARGE", `The file has ${count} lines; at most ${MAX_LINES} are compared.`);
    this.starts = new Uint32Array(count + 1);
    for (let at = 0, line = 0; at < bytes.length; line++) {
      at = endOfLine(bytes, at);
      this.starts[line + 1] = at;
    }
  }

  get count(): number {
    return this.starts.length - 1;
  }

  /** With its line end, if it has one. */
  line(index: number): Buffer {
    return this.bytes.subarray(this.starts[index], this.starts[index + 1]);
  }

  /** Whether two lines, of one text or of two, are the same bytes. */
  isSame(index: number, other: TextLines, otherIndex: number): boolean {
    const [start = 0, end = 0] = [this.starts[index], this.starts[index + 1]];
    const [otherStart = 0, otherEnd = 0] = [other.starts[otherIndex], other.starts[otherIndex + 1]];
    return (
      end - start === otherEnd - otherStart &&
      this.bytes.compare(other.bytes, otherStart, otherEnd, start, end) === 0
    );
  }
}

function endOfLine(bytes: Buffer, from: number): number {
  const end = bytes.indexOf(0x0a, from);
  return end === -1 ? bytes.length : end + 1;
}

/** Whether they are the same but for CR, LF and CRLF. */
export function differOnlyInLineEnds(left: Buffer, right: Buffer): boolean {
  let [a, b] = [0, 0];
  while (a < left.length && b < right.length) {
    const [one, other] = [left[a] === 0x0d ? 0x0a : left[a], right[b] === 0x0d ? 0x0a : right[b]];
    if (one !== other) return false;
    a += left[a] === 0x0d && left[a + 1] === 0x0a ? 2 : 1;
    b += right[b] === 0x0d && right[b + 1] === 0x0a ? 2 : 1;
  }
  return a === left.length && b === right.length;
}

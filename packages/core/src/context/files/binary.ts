import { isUtf8 } from "node:buffer";

/** Whether bytes are not text: a NUL byte, or not UTF-8. With `cut`, the last character may be incomplete. */
export function isBinary(bytes: Uint8Array, cut = false): boolean {
  return bytes.includes(0) || !isUtf8(cut ? bytes.subarray(0, bytes.length - incompleteTail(bytes)) : bytes);
}

/** The first `length` bytes, or up to three fewer, so that a text ends with a whole character. */
export function cutText(bytes: Buffer, length: number): Buffer {
  const cut = bytes.subarray(0, length);
  return isBinary(cut, true) ? cut : cut.subarray(0, cut.length - incompleteTail(cut));
}

/** How many bytes at the end belong to an incomplete character. */
function incompleteTail(bytes: Uint8Array): number {
  for (let tail = 1; tail <= Math.min(3, bytes.length); tail++) {
    const byte = bytes[bytes.length - tail] ?? 0;
    if (byte < 0x80) return 0;
    if (byte >= 0xc2) return tail < (byte < 0xe0 ? 2 : byte < 0xf0 ? 3 : byte < 0xf5 ? 4 : 0) ? tail : 0;
  }
  return 0;
}

import { docxParts, makeZip } from "../../../packages/engine/src/builtin/testing/make-zip.ts";

/** A Word document with this as the content of its body. */
export function docxOf(body: string, before = ""): Buffer {
  return makeZip(docxParts(body, `<?xml version="1.0"?>${before}`));
}

/** Repeated with small differences, so that it compresses well but not suspiciously well. */
export function varied(piece: (n: number) => string, bytes: number): string {
  const pieces: string[] = [];
  for (let n = 0, size = 0; size < bytes; n++) {
    const next = piece(n);
    pieces.push(next);
    size += next.length;
  }
  return pieces.join("");
}

/** Lines that occur on one side only, each different. */
export function differentLines(side: string, bytes: number): string {
  return varied((n) => `${side}${n.toString(36)}\n`, bytes);
}

/** The same few lines in random order: no line is unique, so nothing splits the texts. */
export function nothingOnce(seed: number, bytes: number): string {
  let state = seed;
  const pieces: string[] = [];
  for (let size = 0; size < bytes; size += 2) {
    state = (state * 1103515245 + 12345) & 0x7fffffff;
    pieces.push(`${String.fromCharCode(97 + ((state >> 16) % 20))}\n`);
  }
  return pieces.join("");
}

/** Many places with nearly the largest difference that is still compared. */
export function manyPlaces(side: string, places: number): string {
  const lines: string[] = [];
  for (let n = 0; n < places; n++) {
    lines.push(`same ${n}`);
    for (let m = 0; m < 240; m++) lines.push(m % 2 === 0 ? "shared" : `${side}${m % 7}`);
  }
  return lines.join("\n");
}

export function deepJson(bytes: number): string {
  return `{"a":${"[".repeat(bytes - 6)}`;
}

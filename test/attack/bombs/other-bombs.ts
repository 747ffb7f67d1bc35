import { makeZip } from "../../../packages/engine/src/builtin/testing/make-zip.ts";

const TYPES = Buffer.from(
  '<?xml version="1.0"?><Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Override PartName="/word/document.xml" ContentType="application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"/></Types>',
);
const RELATIONS = Buffer.from(
  '<?xml version="1.0"?><Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="r1" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/officeDocument" Target="word/document.xml"/></Relationships>',
);

/** A Word document with this as the content of its body. */
export function docxOf(body: string, before = ""): Buffer {
  const xml = `<?xml version="1.0"?>${before}<w:document xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"><w:body>${body}</w:body></w:document>`;
  return makeZip([
    { name: "[Content_Types].xml", bytes: TYPES },
    { name: "_rels/.rels", bytes: RELATIONS },
    { name: "word/document.xml", bytes: Buffer.from(xml) },
  ]);
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

import { closeSync, constants, fstatSync, openSync, readSync } from "node:fs";
import { open } from "node:fs/promises";
import { extname } from "node:path";
import { HEAD_BYTES } from "../inputs.ts";
import { magicType } from "./magic-type.ts";
import { textType } from "./text-type.ts";
import { readZipDirectory } from "./zip.ts";

export const DOCX = "application/vnd.openxmlformats-officedocument.wordprocessingml.document";

/** The media type of a file by its content; the name only tells one kind of text from another. */
export async function detectType(path: string): Promise<string> {
  const { head, size } = headOf(path);
  const magic = magicType(head);
  if (magic === "application/zip") return zipType(path, head, size);
  return magic ?? textType(head, size === head.length, extname(path).slice(1).toLowerCase());
}

/** At once: its bytes were read a moment ago, and a turn of the event loop costs more than reading these again. */
function headOf(path: string): { readonly head: Buffer; readonly size: number } {
  const file = openSync(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
  try {
    const { size } = fstatSync(file);
    const head = Buffer.alloc(Math.min(size, HEAD_BYTES));
    let length = 0;
    while (length < head.length) {
      const count = readSync(file, head, length, head.length - length, length);
      if (count === 0) break;
      length += count;
    }
    return { head: head.subarray(0, length), size };
  } finally {
    closeSync(file);
  }
}

const BY_ENTRY: readonly (readonly [string, string])[] = [
  ["word/document.xml", DOCX],
  ["xl/workbook.xml", "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"],
  ["xl/workbook.bin", "application/vnd.ms-excel.sheet.binary.macroEnabled.12"],
  ["ppt/presentation.xml", "application/vnd.openxmlformats-officedocument.presentationml.presentation"],
  ["AndroidManifest.xml", "application/vnd.android.package-archive"],
  ["META-INF/MANIFEST.MF", "application/java-archive"],
];

async function zipType(path: string, head: Buffer, size: number): Promise<string> {
  const declared = declaredType(head);
  if (declared) return declared;
  await using file = await open(path);
  const entries = await readZipDirectory(file, size);
  const names = new Set(entries?.map(({ name }) => name));
  for (const [name, type] of BY_ENTRY) if (names.has(name)) return type;
  // A main part of another name, or an archive that was cut off: its first entries still tell.
  const isWord = entries
    ? names.has("[Content_Types].xml") && entries.some(({ name }) => name.startsWith("word/"))
    : head.includes("[Content_Types].xml") && head.includes("word/");
  return isWord ? DOCX : "application/zip";
}

/** OpenDocument and EPUB put their type, unpacked, into a first entry named `mimetype`. */
function declaredType(head: Buffer): string | undefined {
  if (head.length < 38 || head.readUInt16LE(26) !== 8 || head.toString("latin1", 30, 38) !== "mimetype")
    return undefined;
  const start = 38 + head.readUInt16LE(28);
  const text = head.toString("latin1", start, start + Math.min(head.readUInt32LE(18), 100));
  return /^application\/(?:epub\+zip|vnd\.oasis\.opendocument\.[a-z-]+)$/.test(text) ? text : undefined;
}

import { open } from "node:fs/promises";
import { Failure } from "../failure.ts";
import { storeZip } from "../formats/store-zip.ts";
import { readZipDirectory, refuseBomb, unpackEntry, type ZipEntry } from "../formats/zip.ts";
import { mebibytes } from "../inputs.ts";
import type { Extract } from "./extract.ts";
import { splitBody } from "./split-body.ts";

const MAX_UNPACKED_BYTES = 16 << 20;
/** The library builds a tree that takes about seventy times the memory of what it reads. */
const PIECE_CHARS = 1 << 18;
const MAIN = "word/document.xml";
/** What the text is in and what leads to it; pictures, charts and fonts are never unpacked. */
const TEXT_PART = /^(?:\[Content_Types\]\.xml|word\/[^/]+\.xml|.*\.rels)$/i;

/**
 * The text of a Word document. Its parts are unpacked here, within limits, and the library that reads them gets an archive
 * in which nothing is packed any more: it cannot be made to unpack a bomb.
 */
export const extractDocx: Extract = async (input, out, { signal }) => {
  const parts = await readParts(input.path, signal);
  const { default: mammoth } = await import("mammoth");
  const main = mainPart(parts);
  const whole = Buffer.from(parts.get(main) ?? "").toString("utf8");
  const pieces = (whole.length > PIECE_CHARS ? splitBody(whole, PIECE_CHARS) : null) ?? [whole];
  // What the text does not need is not read: a part for styles can be as large as the text.
  const others = [...parts].filter(([name]) => !/^word\/[^/]+\.xml$/i.test(name));
  let ends = "";
  for (const piece of pieces) {
    let text: string;
    try {
      const archive = storeZip(
        new Map([...others, ...(parts.has(main) ? [[main, Buffer.from(piece)] as const] : [])]),
      );
      ({ value: text } = await mammoth.extractRawText({ buffer: archive }));
    } catch (error) {
      throw broken((error as Error).message);
    }
    signal.throwIfAborted();
    // Each paragraph ends in an empty line; the last one has nothing to be kept from.
    const end = endOfLines(text);
    if (end > 0) await out.add(ends + text.slice(0, end));
    ends = end > 0 ? text.slice(end) : ends + text;
    if (out.cut) return;
  }
  if (ends !== "") await out.add("\n");
};

function endOfLines(text: string): number {
  let end = text.length;
  while (end > 0 && text[end - 1] === "\n") end--;
  return end;
}

/** The part with the text, as the archive names it. */
function mainPart(parts: ReadonlyMap<string, Uint8Array>): string {
  const relations = Buffer.from(parts.get("_rels/.rels") ?? "").toString("utf8");
  for (const [relation] of relations.matchAll(/<(?:\w+:)?Relationship\s[^<>]*>/g)) {
    if (!/\sType\s*=\s*["'][^"']*\/officeDocument["']/.test(relation)) continue;
    const target = /\sTarget\s*=\s*["']\/?([^"']*)["']/.exec(relation)?.[1];
    if (target !== undefined && parts.has(target)) return target;
  }
  return MAIN;
}

async function readParts(path: string, signal: AbortSignal): Promise<Map<string, Uint8Array>> {
  await using file = await open(path);
  const { size } = await file.stat();
  const entries = await readZipDirectory(file, size);
  if (!entries) throw broken("its list of parts is missing or damaged");
  refuseBomb(entries);
  const wanted = entries.filter(({ name }) => TEXT_PART.test(name));
  refuseTooMuch(wanted);
  const parts = new Map<string, Uint8Array>();
  for (const entry of wanted) {
    signal.throwIfAborted();
    if (entry.encrypted) throw encrypted();
    if (parts.has(entry.name)) throw broken(`the part ${entry.name} occurs twice`);
    const bytes = await unpackEntry(file, size, entry);
    if (!bytes) throw broken(`the part ${entry.name} is damaged`);
    parts.set(entry.name, bytes);
  }
  return parts;
}

function refuseTooMuch(entries: readonly ZipEntry[]): void {
  const bytes = entries.reduce((sum, { unpacked }) => sum + unpacked, 0);
  if (bytes <= MAX_UNPACKED_BYTES) return;
  throw new Failure(
    "TOO_LARGE",
    `The document unpacks to ${mebibytes(bytes)}; at most ${mebibytes(MAX_UNPACKED_BYTES)} are read.`,
  );
}

export function encrypted(): Failure {
  return new Failure("DOCX_ENCRYPTED", "The document asks for a password; save a copy without one.");
}

function broken(why: string): Failure {
  const reason = why.replace(/\s+/g, " ").replace(/\.$/, "").slice(0, 200);
  return new Failure("DOCX_BROKEN", `The Word document cannot be read (${reason}); save it again.`);
}

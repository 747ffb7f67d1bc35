import { isUtf8 } from "node:buffer";
import { extname } from "node:path";
import { readHead } from "./builtin.ts";
import { encodingOf, endOfWhole, withoutMark } from "./text-encoding.ts";

export const DOCX = "application/vnd.openxmlformats-officedocument.wordprocessingml.document";
const BINARY = "application/octet-stream";

/** The media type of a file by its content; the name only tells one kind of text from another. */
export async function detectType(path: string): Promise<string> {
  const { head, size } = await readHead(path);
  const magic = magicType(head);
  if (magic === "application/zip") return zipType(path, head);
  return magic ?? textType(head, size === head.length, extname(path).slice(1).toLowerCase());
}

/** Types that the first bytes give away, read as Latin-1. */
const MAGIC = table(
  "PK\x03\x04 application/zip|PK\x05\x06 application/zip|\x1f\x8b\x08 application/gzip|\xfd7zXZ\0 application/x-xz",
  "\x28\xb5\x2f\xfd application/zstd|7z\xbc\xaf\x27\x1c application/x-7z-compressed|Rar!\x1a\x07 application/vnd.rar",
  "\x89PNG\r\n\x1a\n image/png|\xff\xd8\xff image/jpeg|GIF87a image/gif|GIF89a image/gif|II*\0 image/tiff|MM\0* image/tiff",
  "OggS audio/ogg|fLaC audio/flac|ID3 audio/mpeg|\x1aE\xdf\xa3 video/webm|wOFF font/woff|wOF2 font/woff2",
  "\x7fELF application/x-elf|\0asm application/wasm|\xca\xfe\xba\xbe application/java-vm|{\\rtf application/rtf",
  "SQLite format 3\0 application/vnd.sqlite3|\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1 application/x-ole-storage",
);

/** Containers of four letters, a size, and four more that tell what is inside. */
const RIFF = table("WEBP image/webp|WAVE audio/wav|AVI  video/x-msvideo");
const BRANDS = table(
  "qt   video/quicktime|M4A  audio/mp4|M4B  audio/mp4|heic image/heic|heix image/heic|mif1 image/heif|avif image/avif",
);

/** `name type|name type`: a name may itself end in spaces. */
function table(...rows: readonly string[]): ReadonlyMap<string, string> {
  const split = (row: string, end: number): [string, string] => [row.slice(0, end), row.slice(end + 1)];
  return new Map(rows.flatMap((row) => row.split("|")).map((row) => split(row, row.lastIndexOf(" "))));
}

function magicType(head: Buffer): string | undefined {
  const text = head.toString("latin1", 0, 1024);
  // Readers accept a PDF that begins somewhere in its first kilobyte, and such files exist.
  const pdf = text.indexOf("%PDF-");
  if (pdf === 0 || (pdf > 0 && /^[\s\0\xef\xbb\xbf]*$/.test(text.slice(0, pdf)))) return "application/pdf";
  for (const [magic, type] of MAGIC) if (text.startsWith(magic)) return type;
  const inside = text.slice(8, 12);
  if (text.startsWith("RIFF")) return RIFF.get(inside);
  if (text.startsWith("ftyp", 4)) return BRANDS.get(inside) ?? "video/mp4";
  if (text.startsWith("ustar", 257)) return "application/x-tar";
  if (/^BZh[1-9](?:1AY&SY|\x17rE8P\x90)/.test(text)) return "application/x-bzip2";
  if (text.startsWith("BM") && text.slice(6, 10) === "\0\0\0\0") return "image/bmp";
  if (text.startsWith("MZ") && text.includes("\0")) return "application/vnd.microsoft.portable-executable";
  return isMp3Frame(head) ? "audio/mpeg" : undefined;
}

/** Eleven bits of sync, layer III, and a bit rate and sample rate that exist. */
function isMp3Frame(head: Buffer): boolean {
  const [first = 0, second = 0, third = 0] = head;
  if (first !== 0xff || (second & 0xe6) !== 0xe2 || (second & 0x18) === 0x08) return false;
  return third >> 4 !== 0x0f && third >> 4 !== 0 && (third & 0x0c) !== 0x0c;
}

const BY_ENTRY = table(
  `word/document.xml ${DOCX}`,
  "xl/workbook.xml application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
  "xl/workbook.bin application/vnd.ms-excel.sheet.binary.macroEnabled.12",
  "ppt/presentation.xml application/vnd.openxmlformats-officedocument.presentationml.presentation",
  "AndroidManifest.xml application/vnd.android.package-archive|META-INF/MANIFEST.MF application/java-archive",
);

async function zipType(path: string, head: Buffer): Promise<string> {
  const declared = declaredType(head);
  if (declared) return declared;
  const { entryNames } = await import("./zip.ts");
  const names = await entryNames(path);
  for (const [name, type] of BY_ENTRY) if (names?.has(name)) return type;
  // A main part of another name, or an archive that was cut off: its first entries still tell.
  const isWord = names
    ? names.has("[Content_Types].xml") && [...names].some((name) => name.startsWith("word/"))
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

/** What a name may say of a text: it never makes a text of something else. */
const BY_EXTENSION = table(
  "c text/x-c|cpp text/x-c++|css text/css|csv text/csv|diff text/x-diff|go text/x-go|h text/x-c",
  "htm text/html|html text/html|java text/x-java|js text/javascript|json application/json",
  "jsonl application/jsonl|jsx text/jsx|liquid text/x-liquid|markdown text/markdown|md text/markdown",
  "mjs text/javascript|patch text/x-diff|py text/x-python|rs text/x-rust|sh application/x-sh",
  "sql application/sql|svg image/svg+xml|tex application/x-tex|toml application/toml",
  "ts text/x-typescript|tsv text/tab-separated-values|tsx text/x-typescript|xml application/xml",
  "yaml application/yaml|yml application/yaml",
);
const MARKUP = new Set(["html", "htm", "xhtml", "svg", "xml", ""]);

/** The type of what no magic number tells: one of the kinds of text, or bytes. `whole`: the head is all there is. */
function textType(head: Buffer, whole: boolean, extension: string): string {
  const encoding = encodingOf(head);
  if (encoding !== "utf-8") return `text/plain; charset=${encoding}`;
  const bytes = head.subarray(0, whole ? head.length : endOfWhole(head));
  if (!isUtf8(bytes)) return BINARY;
  const text = withoutMark(bytes);
  // What a text never holds; ESC and form feed do occur, in logs and in old documents.
  if (/[\0-\x06\x0e-\x1a\x1c-\x1f]/.test(text)) return BINARY;
  return (
    markupType(text, extension) ??
    jsonType(text, whole) ??
    BY_EXTENSION.get(extension) ??
    tableType(text) ??
    "text/plain"
  );
}

function markupType(text: string, extension: string): string | undefined {
  const opening = text.replace(/^(?:\s|<!--.*?-->)*/s, "").slice(0, 4096);
  if (/^<(?:!doctype html|html|head|body)\b/i.test(opening)) return "text/html";
  if (/^<svg[\s>]/.test(opening) || /^<!doctype svg/i.test(opening)) return "image/svg+xml";
  if (opening.startsWith("<?xml")) {
    if (/<svg[\s>]/.test(opening)) return "image/svg+xml";
    return /<html[\s>]/.test(opening) ? "application/xhtml+xml" : "application/xml";
  }
  // A piece of a page; Markdown may begin with one too, and then its name says so.
  const piece = /^<(?:div|p|h[1-6]|table|ul|ol|section|article|main|title|meta|script|style|span)[\s>]/i;
  return MARKUP.has(extension) && piece.test(opening) ? "text/html" : undefined;
}

function jsonType(text: string, whole: boolean): string | undefined {
  const trimmed = text.trimStart();
  if (trimmed[0] !== "{" && trimmed[0] !== "[") return undefined;
  if (!whole)
    return /^(?:\{\s*"[^"\\\n]*"\s*:|\[\s*(?:[[{"\d]|-\d|true|false|null))/.test(trimmed)
      ? "application/json"
      : undefined;
  try {
    JSON.parse(trimmed);
    return "application/json";
  } catch {
    // Not JSON, then: a text may begin with a bracket.
    return undefined;
  }
}

/** At least two lines of the same number of fields, by the separator that is not followed by a space as in prose. */
function tableType(text: string): string | undefined {
  const lines = text.split(/\r?\n/, 21).slice(0, 20);
  if (text.length > 0 && lines.length < 21) lines.pop();
  if (lines.length < 2 || lines.some((line) => line.length > 4096)) return undefined;
  for (const [separator, type] of [
    ["\t", "text/tab-separated-values"],
    [",", "text/csv"],
    [";", "text/csv"],
  ] as const) {
    const counts = lines.map((line) => line.replace(/"[^"]*"/g, "").split(separator).length - 1);
    const [count = 0] = counts;
    if (count < (lines.length > 3 ? 1 : 2) || counts.some((other) => other !== count)) continue;
    if (!lines.some((line) => line.includes(`${separator} `))) return type;
  }
  return undefined;
}

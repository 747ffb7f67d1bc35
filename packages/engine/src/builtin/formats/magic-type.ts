/** Types that the first bytes give away. A string is read as Latin-1. */
const MAGIC: readonly (readonly [magic: string, type: string, at?: number])[] = [
  ["PK\x03\x04", "application/zip"],
  ["PK\x05\x06", "application/zip"],
  ["\x89PNG\r\n\x1a\n", "image/png"],
  ["\xff\xd8\xff", "image/jpeg"],
  ["GIF87a", "image/gif"],
  ["GIF89a", "image/gif"],
  ["II*\0", "image/tiff"],
  ["MM\0*", "image/tiff"],
  ["OggS", "audio/ogg"],
  ["fLaC", "audio/flac"],
  ["ID3", "audio/mpeg"],
  ["\x1aE\xdf\xa3", "video/webm"],
  ["\x1f\x8b\x08", "application/gzip"],
  ["\xfd7zXZ\0", "application/x-xz"],
  ["\x28\xb5\x2f\xfd", "application/zstd"],
  ["7z\xbc\xaf\x27\x1c", "application/x-7z-compressed"],
  ["Rar!\x1a\x07", "application/vnd.rar"],
  ["ustar", "application/x-tar", 257],
  ["\x7fELF", "application/x-elf"],
  ["\0asm", "application/wasm"],
  ["\xca\xfe\xba\xbe", "application/java-vm"],
  ["SQLite format 3\0", "application/vnd.sqlite3"],
  ["\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", "application/x-ole-storage"],
  ["{\\rtf", "application/rtf"],
  ["wOFF", "font/woff"],
  ["wOF2", "font/woff2"],
];

/** Containers of four letters, a size, and four more that tell what is inside. */
const RIFF: Readonly<Record<string, string>> = {
  WEBP: "image/webp",
  WAVE: "audio/wav",
  "AVI ": "video/x-msvideo",
};
const BRANDS: Readonly<Record<string, string>> = {
  "qt  ": "video/quicktime",
  "M4A ": "audio/mp4",
  "M4B ": "audio/mp4",
  heic: "image/heic",
  heix: "image/heic",
  mif1: "image/heif",
  avif: "image/avif",
};

/** The type that the first bytes of a file tell; `undefined` where they do not. */
export function magicType(head: Buffer): string | undefined {
  const text = head.toString("latin1", 0, 1024);
  // Readers accept a PDF that begins somewhere in its first kilobyte, and such files exist.
  const pdf = text.indexOf("%PDF-");
  if (pdf === 0 || (pdf > 0 && /^[\s\0\xef\xbb\xbf]*$/.test(text.slice(0, pdf)))) return "application/pdf";
  for (const [magic, type, at = 0] of MAGIC) if (text.startsWith(magic, at)) return type;
  const inside = text.slice(8, 12);
  if (text.startsWith("RIFF")) return RIFF[inside];
  if (text.startsWith("ftyp", 4)) return BRANDS[inside] ?? "video/mp4";
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

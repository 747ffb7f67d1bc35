import { createHash } from "node:crypto";
import { deflateSync } from "node:zlib";

export interface PdfOptions {
  /** The password that opens it; an empty one encrypts too, and opens without asking. */
  readonly password?: string;
  readonly compress?: boolean;
  /** A predefined encoding of the font instead of the identity, as old Chinese and Japanese documents have it. */
  readonly encoding?: string;
}

export type Body = string | { readonly dictionary: string; readonly stream: Buffer };

/** A valid PDF by hand: pages of lines, in a font whose codes are mapped to Unicode. `null` is a page with a picture only. */
export function makePdf(pages: readonly (readonly string[] | null)[], options: PdfOptions = {}): Buffer {
  const chars = [...new Set(pages.flatMap((page) => [...(page ?? []).join("")]))];
  const codes = new Map(chars.map((char, index) => [char, hex(index + 1)]));
  const objects: Body[] = [
    "<< /Type /Catalog /Pages 2 0 R >>",
    `<< /Type /Pages /Count ${pages.length} /Kids [${pages.map((_, index) => `${9 + index * 2} 0 R`).join(" ")}] >>`,
    `<< /Type /Font /Subtype /Type0 /BaseFont /Test /Encoding /${options.encoding ?? "Identity-H"} /DescendantFonts [4 0 R] /ToUnicode 6 0 R >>`,
    "<< /Type /Font /Subtype /CIDFontType2 /BaseFont /Test /CIDSystemInfo << /Registry (Adobe) /Ordering (Identity) /Supplement 0 >> /FontDescriptor 5 0 R /DW 600 >>",
    "<< /Type /FontDescriptor /FontName /Test /Flags 4 /FontBBox [0 0 1000 1000] /ItalicAngle 0 /Ascent 800 /Descent -200 /CapHeight 700 /StemV 80 >>",
    { dictionary: "", stream: toUnicode(codes) },
    {
      dictionary:
        "/Type /XObject /Subtype /Image /Width 1 /Height 1 /ColorSpace /DeviceGray /BitsPerComponent 8",
      stream: Buffer.from([128]),
    },
    "<< /Producer (test) >>",
  ];
  for (const [index, page] of pages.entries()) {
    objects.push(
      `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents ${10 + index * 2} 0 R /Resources << /Font << /F 3 0 R >> /XObject << /I 7 0 R >> >> >>`,
      {
        dictionary: "",
        stream: page ? pageStream(page, codes) : Buffer.from("q 500 0 0 700 40 40 cm /I Do Q"),
      },
    );
  }
  return pdfOf(objects, options);
}

function pageStream(lines: readonly string[], codes: ReadonlyMap<string, string>): Buffer {
  const shown = lines.map((line) => `<${[...line].map((char) => codes.get(char)).join("")}> Tj T*`);
  return Buffer.from(`BT /F 11 Tf 14 TL 50 780 Td\n${shown.join("\n")}\nET`);
}

function toUnicode(codes: ReadonlyMap<string, string>): Buffer {
  const pairs = [...codes].map(([char, code]) => `<${code}> <${utf16(char)}>`);
  const blocks: string[] = [];
  for (let at = 0; at < pairs.length; at += 100) {
    const block = pairs.slice(at, at + 100);
    blocks.push(`${block.length} beginbfchar\n${block.join("\n")}\nendbfchar`);
  }
  return Buffer.from(
    `/CIDInit /ProcSet findresource begin 12 dict begin begincmap /CMapName /T def /CMapType 2 def\n1 begincodespacerange <0000> <FFFF> endcodespacerange\n${blocks.join("\n")}\nendcmap end end`,
  );
}

function hex(code: number): string {
  return code.toString(16).padStart(4, "0");
}

function utf16(char: string): string {
  return Buffer.from(char, "utf16le").swap16().toString("hex");
}

/** A PDF of these objects, numbered from 1; the first is the catalog. */
export function pdfOf(objects: readonly Body[], { password, compress = false }: PdfOptions = {}): Buffer {
  const id = Buffer.from("0123456789abcdef");
  const lock = password === undefined ? undefined : makeLock(password, id);
  const parts: Buffer[] = [Buffer.from("%PDF-1.4\n%\xe2\xe3\xcf\xd3\n", "latin1")];
  const offsets: number[] = [];
  let length = parts[0]?.length ?? 0;
  const push = (part: Buffer): void => {
    parts.push(part);
    length += part.length;
  };
  const bodies = lock ? [...objects, lock.dictionary] : objects;
  for (const [index, body] of bodies.entries()) {
    offsets.push(length);
    push(Buffer.from(`${index + 1} 0 obj\n`));
    if (typeof body === "string") push(Buffer.from(`${body}\n`, "latin1"));
    else {
      const packed = compress ? deflateSync(body.stream) : body.stream;
      const bytes = lock ? lock.encrypt(packed, index + 1) : packed;
      const filter = compress ? " /Filter /FlateDecode" : "";
      push(Buffer.from(`<< ${body.dictionary}${filter} /Length ${bytes.length} >>\nstream\n`));
      push(bytes);
      push(Buffer.from("\nendstream\n"));
    }
    push(Buffer.from("endobj\n"));
  }
  const table = offsets.map((offset) => `${String(offset).padStart(10, "0")} 00000 n \n`).join("");
  const encrypt = lock ? ` /Encrypt ${bodies.length} 0 R` : "";
  const ids = `<${id.toString("hex")}>`;
  parts.push(
    Buffer.from(
      `xref\n0 ${bodies.length + 1}\n0000000000 65535 f \n${table}trailer\n<< /Size ${bodies.length + 1} /Root 1 0 R /ID [${ids} ${ids}]${encrypt} >>\nstartxref\n${length}\n%%EOF\n`,
    ),
  );
  return Buffer.concat(parts);
}

const PADDING = Buffer.from("28bf4e5e4e758a4164004e56fffa01082e2e00b6d0683e802f0ca9fe6453697a", "hex");

/** The standard security handler, revision 2: RC4 with 40 bits. */
function makeLock(password: string, id: Buffer) {
  const padded = Buffer.concat([Buffer.from(password), PADDING]).subarray(0, 32);
  const owner = rc4(md5(padded).subarray(0, 5), padded);
  const permissions = Buffer.alloc(4);
  permissions.writeInt32LE(-4);
  const key = md5(padded, owner, permissions, id).subarray(0, 5);
  const user = rc4(key, PADDING);
  return {
    dictionary: `<< /Filter /Standard /V 1 /R 2 /O <${owner.toString("hex")}> /U <${user.toString("hex")}> /P -4 >>`,
    encrypt: (bytes: Buffer, object: number): Buffer => {
      const salt = Buffer.from([object & 255, (object >> 8) & 255, (object >> 16) & 255, 0, 0]);
      return rc4(md5(key, salt).subarray(0, 10), bytes);
    },
  };
}

function md5(...parts: readonly Buffer[]): Buffer {
  return createHash("md5").update(Buffer.concat(parts)).digest();
}

function rc4(key: Buffer, bytes: Buffer): Buffer {
  const state = Uint8Array.from({ length: 256 }, (_, index) => index);
  const swap = (a: number, b: number): void => {
    [state[a], state[b]] = [state[b] ?? 0, state[a] ?? 0];
  };
  for (let i = 0, j = 0; i < 256; i++) {
    j = (j + (state[i] ?? 0) + (key[i % key.length] ?? 0)) & 255;
    swap(i, j);
  }
  let a = 0;
  let b = 0;
  const out = Buffer.from(bytes);
  for (const [index, byte] of bytes.entries()) {
    a = (a + 1) & 255;
    b = (b + (state[a] ?? 0)) & 255;
    swap(a, b);
    out[index] = byte ^ (state[((state[a] ?? 0) + (state[b] ?? 0)) & 255] ?? 0);
  }
  return out;
}

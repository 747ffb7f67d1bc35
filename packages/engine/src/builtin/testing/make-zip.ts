import { crc32, deflateRawSync } from "node:zlib";

export interface ZipFile {
  readonly name: string;
  readonly bytes: Uint8Array;
  /** What the directory says instead of the truth. */
  readonly claim?: { readonly packed?: number; readonly unpacked?: number };
  readonly stored?: boolean;
  readonly encrypted?: boolean;
}

/** A zip archive by hand, packed, honest unless told otherwise. */
export function makeZip(files: readonly ZipFile[]): Buffer {
  const parts: Buffer[] = [];
  const directory: Buffer[] = [];
  let at = 0;
  for (const { name, bytes, claim, stored = false, encrypted = false } of files) {
    const packed = stored ? Buffer.from(bytes) : deflateRawSync(bytes);
    const nameBytes = Buffer.from(name);
    const header = Buffer.alloc(46);
    header.writeUInt32LE(0x02014b50, 0);
    header.writeUInt16LE(20, 4);
    header.writeUInt16LE(20, 6);
    header.writeUInt16LE(0x0800 | (encrypted ? 1 : 0), 8);
    header.writeUInt16LE(stored ? 0 : 8, 10);
    header.writeUInt32LE(crc32(bytes), 16);
    header.writeUInt32LE(claim?.packed ?? packed.length, 20);
    header.writeUInt32LE(claim?.unpacked ?? bytes.length, 24);
    header.writeUInt16LE(nameBytes.length, 28);
    header.writeUInt32LE(at, 42);
    const local = Buffer.concat([Buffer.from("PK\x03\x04", "latin1"), header.subarray(6, 32)]);
    local.writeUInt16LE(0, 28);
    directory.push(header, nameBytes);
    parts.push(local, nameBytes, packed);
    at += local.length + nameBytes.length + packed.length;
  }
  const end = Buffer.alloc(22);
  end.writeUInt32LE(0x06054b50, 0);
  end.writeUInt16LE(files.length % 0x10000, 8);
  end.writeUInt16LE(files.length % 0x10000, 10);
  end.writeUInt32LE(Buffer.concat(directory).length, 12);
  end.writeUInt32LE(at, 16);
  return Buffer.concat([...parts, ...directory, end]);
}

const RELATIONS = "http://schemas.openxmlformats.org/package/2006/relationships";
const OFFICE = "http://schemas.openxmlformats.org/officeDocument/2006/relationships";

/** A Word document with these paragraphs, and what else should be in its archive. */
export function makeDocx(paragraphs: readonly string[], more: readonly ZipFile[] = []): Buffer {
  const body = paragraphs
    .map((text) => `<w:p><w:r><w:t xml:space="preserve">${xml(text)}</w:t></w:r></w:p>`)
    .join("");
  return makeZip([...docxParts(body), ...more]);
}

export function docxParts(body: string, before = ""): ZipFile[] {
  const part = (name: string, text: string): ZipFile => ({ name, bytes: Buffer.from(text) });
  return [
    part(
      "[Content_Types].xml",
      '<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/></Types>',
    ),
    part(
      "_rels/.rels",
      `<Relationships xmlns="${RELATIONS}"><Relationship Id="r1" Type="${OFFICE}/officeDocument" Target="word/document.xml"/></Relationships>`,
    ),
    part(
      "word/document.xml",
      `${before}<w:document xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"><w:body>${body}</w:body></w:document>`,
    ),
  ];
}

function xml(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;");
}

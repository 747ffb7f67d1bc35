import { constants, deflateRawSync, deflateSync } from "node:zlib";
import { type Body, pdfOf } from "../../../packages/engine/src/builtin/testing/make-pdf.ts";

const FONT = "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>";

/** One page with this content and these resources; additional objects begin at number 6. */
function onePage(content: Body, resources = "", more: readonly Body[] = [], font: Body = FONT): Buffer {
  return pdfOf([
    "<< /Type /Catalog /Pages 2 0 R >>",
    "<< /Type /Pages /Count 1 /Kids [3 0 R] >>",
    `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 600 800] /Contents 4 0 R /Resources << /Font << /F 5 0 R >> ${resources} >> >>`,
    content,
    font,
    ...more,
  ]);
}

const text = (line: string): Buffer => Buffer.from(`BT /F 10 Tf 10 700 Td (${line}) Tj ET`);
const plain = (stream: Buffer, dictionary = ""): Body => ({ dictionary, stream });

/** Forms that each draw the next one ten times: a few kilobytes, with exponential output. */
export function nestedForms(levels: number, width = 10): Buffer {
  const forms = Array.from({ length: levels }, (_, level): Body => {
    const last = level === levels - 1;
    const inner = last ? "/F 5 0 R" : "";
    const resources = last ? `/Font << ${inner} >>` : `/XObject << /X ${7 + level} 0 R >>`;
    const stream = last ? text("x") : Buffer.from("/X Do ".repeat(width));
    return {
      dictionary: `/Type /XObject /Subtype /Form /BBox [0 0 1 1] /Resources << ${resources} >>`,
      stream,
    };
  });
  return onePage(plain(Buffer.from("/X Do")), "/XObject << /X 6 0 R >>", forms);
}

/** A form that draws itself. */
export function formOfItself(): Buffer {
  const form: Body = {
    dictionary: "/Type /XObject /Subtype /Form /BBox [0 0 1 1] /Resources << /XObject << /X 6 0 R >> >>",
    stream: Buffer.from("/X Do /X Do"),
  };
  return onePage(plain(Buffer.from("/X Do")), "/XObject << /X 6 0 R >>", [form]);
}

/** A character map with a few ranges of sixteen million each. */
export function wideCharacterMap(ranges: number): Buffer {
  const lines = Array.from(
    { length: ranges },
    (_, n) =>
      `<${(n * 0x1000000).toString(16).padStart(8, "0")}> <${(n * 0x1000000 + 0xfffffe).toString(16).padStart(8, "0")}> <0041>`,
  );
  const map = `/CIDInit /ProcSet findresource begin begincmap 1 begincodespacerange <00000000> <FFFFFFFF> endcodespacerange\n${ranges} beginbfrange\n${lines.join("\n")}\nendbfrange endcmap end`;
  const font =
    "<< /Type /Font /Subtype /Type0 /BaseFont /T /Encoding /Identity-H /DescendantFonts [6 0 R] /ToUnicode 7 0 R >>";
  const descendant =
    "<< /Type /Font /Subtype /CIDFontType2 /BaseFont /T /CIDSystemInfo << /Registry (Adobe) /Ordering (Identity) /Supplement 0 >> /DW 600 >>";
  return onePage(
    plain(Buffer.from("BT /F 10 Tf <00410042> Tj ET")),
    "",
    [descendant, plain(Buffer.from(map))],
    font,
  );
}

/** Pairs of a length and a byte: sixty-four times as large when unpacked. */
export function runLengths(bytes: number): Buffer {
  const stream = Buffer.alloc(bytes);
  for (let at = 0; at + 1 < bytes; at += 2) {
    stream[at] = 129;
    stream[at + 1] = 0x20;
  }
  return onePage(plain(stream, "/Filter /RunLengthDecode"));
}

/** So many spaces in zlib, made of one packed mebibyte that is repeated. */
function deflatedSpaces(bytes: number): Buffer {
  const [mebibyte, space, modulus] = [2 ** 20, 0x20n, 65_521n];
  const block = deflateRawSync(Buffer.alloc(mebibyte, " "), {
    level: 9,
    finishFlush: constants.Z_FULL_FLUSH,
  });
  const count = BigInt(bytes);
  const low = (1n + count * space) % modulus;
  const high = (count + (space * count * (count + 1n)) / 2n) % modulus;
  const sum = Buffer.alloc(4);
  sum.writeUInt32BE(Number((high << 16n) | low));
  const blocks = Array<Buffer>(bytes / mebibyte).fill(block);
  return Buffer.concat([Buffer.from([0x78, 0xda]), ...blocks, deflateRawSync(""), sum]);
}

/** zlib behind hexadecimal digits, where a search for compressed streams does not see it. */
export function hiddenFlate(bytes: number): Buffer {
  const packed = deflatedSpaces(bytes);
  return onePage(plain(Buffer.from(`${packed.toString("hex")}>`), "/Filter [/ASCIIHexDecode /FlateDecode]"));
}

/** zlib within zlib within hexadecimal digits: a gigabyte in a few kilobytes. */
export function doubleFlate(bytes: number): Buffer {
  const packed = deflateSync(deflatedSpaces(bytes), { level: 9 });
  return onePage(
    plain(Buffer.from(`${packed.toString("hex")}>`), "/Filter [/ASCIIHexDecode /FlateDecode /FlateDecode]"),
  );
}

/** An object table that claims to have a thousand million objects of no bytes each. */
export function giantTable(): Buffer {
  const body = `1 0 obj\n<< /Type /XRef /Size 2000000000 /W [0 0 0] /Index [0 2000000000] /Root 2 0 R /Length 0 >>\nstream\n\nendstream\nendobj\n`;
  return Buffer.from(`%PDF-1.7\n${body}startxref\n9\n%%EOF\n`);
}

/** A page tree whose nodes are each other's children. */
export function pageTreeLoop(): Buffer {
  return pdfOf([
    "<< /Type /Catalog /Pages 2 0 R >>",
    "<< /Type /Pages /Count 100000000 /Kids [3 0 R 3 0 R] >>",
    "<< /Type /Pages /Parent 2 0 R /Count 50000000 /Kids [2 0 R 2 0 R] >>",
  ]);
}

/** The same empty page a hundred thousand times. */
export function manyPages(pages: number): Buffer {
  return pdfOf([
    "<< /Type /Catalog /Pages 2 0 R >>",
    `<< /Type /Pages /Count ${pages} /Kids [${"3 0 R ".repeat(pages)}] >>`,
    "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 600 800] /Contents 4 0 R /Resources << /Font << /F 5 0 R >> >> >>",
    plain(Buffer.from("BT /F 10 Tf ET ".repeat(2000))),
    FONT,
  ]);
}

/** Nested brackets in the content of a page. */
export function deepArrays(depth: number): Buffer {
  return onePage(plain(Buffer.from(`BT /F 10 Tf ${"[".repeat(depth)}${"]".repeat(depth)} TJ ET`)));
}

/** Inline images that never end. */
export function openPictures(count: number): Buffer {
  return onePage(plain(Buffer.from("BI /W 1 /H 1 /BPC 8 /CS /G ID xE \n".repeat(count))));
}

/** An ordinary text operator, a million times. */
export function manyOperators(count: number): Buffer {
  return onePage(plain(Buffer.from(`BT /F 10 Tf ${"1 0 Td () Tj ".repeat(count)} ET`)));
}

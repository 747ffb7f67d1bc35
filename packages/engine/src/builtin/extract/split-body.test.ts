import { describe, expect, it } from "vitest";
import { docxParts, makeZip } from "../testing/make-zip.ts";
import { runBuiltin } from "../testing/run-builtin.ts";
import { splitBody } from "./split-body.ts";

const inBody = (xml: string): string =>
  `<?xml version="1.0"?><w:document xmlns:w="x"><w:body a=">">${xml}</w:body></w:document>`;
const paragraph = (text: string): string => `<w:p><w:r><w:t xml:space="preserve">${text}</w:t></w:r></w:p>`;

describe("splitBody", () => {
  it("divides between children of the body alone, and loses nothing", () => {
    const children = [
      paragraph("a > b"),
      "<w:tbl><w:tr><w:tc><w:p/></w:tc></w:tr></w:tbl>",
      "<w:p/>",
      "<!-- </w:body> -->",
      paragraph("c"),
    ];
    const pieces = splitBody(inBody(children.join("")), 1) ?? [];
    expect(pieces.length).toBeGreaterThan(2);
    const inner = pieces.map(
      (piece) => /^<w:document xmlns:w="x"><w:body a=">">(.*)<\/w:body><\/w:document>$/s.exec(piece)?.[1],
    );
    expect(inner.join("")).toBe(children.join(""));
  });

  it("keeps a paragraph whose mark was deleted with the next one", () => {
    const deleted = "<w:p><w:pPr><w:rPr><w:del/></w:rPr></w:pPr><w:r><w:t>a</w:t></w:r></w:p>";
    expect(splitBody(inBody(deleted + paragraph("b")), 1)?.[0]).toContain('<w:t xml:space="preserve">b');
  });

  it("finds no body in what has none or does not end", () => {
    for (const xml of ["", "<a>", "<w:document><w:body>", '<w:document x="', "<w:document></w:document>"])
      expect(splitBody(xml, 1)).toBeNull();
  });

  it("is not seen in the text", async () => {
    const lines = Array.from({ length: 20_000 }, (_, n) => `line ${n} ${"x".repeat(n % 50)}`);
    const docx = makeZip(docxParts(lines.map(paragraph).join("")));
    const run = await runBuiltin("text_extract", [["input", "a.docx", docx]], { max_chars: 10_000_000 });
    expect(run.files.get("extracted_text")).toBe(`${lines.join("\n\n")}\n`);
  });
});

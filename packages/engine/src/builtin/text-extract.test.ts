import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { cases } from "../../../core/src/shared/testing/cases.ts";
import { makePdf } from "./testing/make-pdf.ts";
import { docxParts, makeDocx, makeZip } from "./testing/make-zip.ts";
import { type BuiltinRun, runBuiltin } from "./testing/run-builtin.ts";

async function extract(
  bytes: string | Uint8Array,
  params: Record<string, unknown> = {},
  name = "given.bin",
): Promise<BuiltinRun> {
  return runBuiltin("text_extract", [["input", name, bytes]], params);
}

async function textOf(bytes: string | Uint8Array, params: Record<string, unknown> = {}): Promise<string> {
  const run = await extract(bytes, params);
  expect(run.error).toBeNull();
  expect(run.artifacts).toMatchObject([{ name: "extracted_text", format: "txt" }]);
  expect(run.evidences).toEqual([]);
  return run.files.get("extracted_text") ?? "";
}

describe("text_extract of PDF", () => {
  it("gives the lines of each page, pages divided by a form feed", async () => {
    const pdf = makePdf([["First line", "second line"], ["Page two"]]);
    expect(await textOf(pdf)).toBe("First line\nsecond line\n\fPage two");
  });

  it("reads Chinese, Japanese and characters outside the basic plane, packed streams too", async () => {
    const pdf = makePdf([["季度报告：收入增长", "売上は増えました", "𠮷野家 🎉"]], { compress: true });
    expect(await textOf(pdf)).toBe("季度报告：收入增长\n売上は増えました\n𠮷野家 🎉");
  });

  it("answers PDF_ENCRYPTED where a password is needed, and reads one that opens without", async () => {
    const locked = await extract(makePdf([["hidden"]], { password: "secret" }));
    expect(locked).toMatchObject({ status: "FAILED", artifacts: [], error: { code: "PDF_ENCRYPTED" } });
    expect(await textOf(makePdf([["open to all"]], { password: "" }))).toBe("open to all");
  });

  it("answers PDF_NO_TEXT for pages that are pictures", async () => {
    const run = await extract(makePdf([null, null]));
    expect(run.error).toMatchObject({ code: "PDF_NO_TEXT", message: expect.stringContaining("2 pages") });
  });

  it("answers PDF_ENCODING rather than leave out text in a table that is not there", async () => {
    const run = await extract(makePdf([["你好"]], { encoding: "UniGB-UCS2-H" }));
    expect(run.error).toMatchObject({
      code: "PDF_ENCODING",
      message: expect.stringContaining("UniGB-UCS2-H"),
    });
  });

  it("never crashes on a damaged one", async () => {
    const pdf = makePdf([["Some text"], ["More text"]], { compress: true });
    await fc.assert(
      fc.asyncProperty(fc.nat(pdf.length - 1), fc.nat(255), fc.boolean(), async (at, byte, cut) => {
        const bytes = cut ? pdf.subarray(0, at) : Buffer.from(pdf);
        if (!cut) bytes[at] = byte;
        const run = await extract(bytes);
        expect(run.status === "SUCCEEDED" || /^[A-Z_]+$/.test(run.error?.code ?? "")).toBe(true);
      }),
      { numRuns: cases(60) },
    );
  });
});

const MAIN = "word/document.xml";
const run = (text: string): string => `<w:r><w:t>${text}</w:t></w:r>`;
const paragraph = (text: string): string => `<w:p>${run(text)}</w:p>`;
const cell = (text: string, properties = ""): string =>
  `<w:tc><w:tcPr>${properties}</w:tcPr>${paragraph(text)}</w:tc>`;
const row = (inner: string): string => `<w:tr>${inner}</w:tr>`;
const table = (rows: string): string => `<w:tbl><w:tblPr/>${rows}</w:tbl>`;

describe("text_extract of DOCX", () => {
  it("gives the paragraphs with an empty line between them", async () => {
    expect(await textOf(makeDocx(["One & two", "第三季度", "東京"]))).toBe("One & two\n\n第三季度\n\n東京\n");
  });

  it("does not unpack pictures, however many there are", async () => {
    const picture = Buffer.alloc(70 << 20);
    for (let at = 0; at < picture.length; at += 64) picture.writeUInt32LE((at * 2654435761) >>> 0, at);
    const docx = makeDocx(["text"], [{ name: "word/media/image1.png", bytes: picture, stored: true }]);
    expect(await textOf(docx)).toBe("text\n");
  });

  it.each([
    ["tables, row by row", table(row(cell("a") + cell("b")) + row(cell("c"))), "a\n\nb\n\nc\n"],
    ["cells that go on from the row above", table(row(cell("a")) + row(cell("b", "<w:vMerge/>"))), "a\n"],
    ["rows that were deleted", table(row(cell("a")) + row(`<w:trPr><w:del/></w:trPr>${cell("b")}`)), "a\n"],
    [
      "deleted, moved and inserted runs",
      `<w:p><w:del>${run("a")}</w:del><w:moveFrom>${run("b")}</w:moveFrom><w:ins>${run("c")}</w:ins></w:p>`,
      "c\n",
    ],
    [
      "paragraphs whose mark was deleted",
      `<w:p><w:pPr><w:rPr><w:del/></w:rPr></w:pPr>${run("a")}</w:p>${paragraph("b")}`,
      "ab\n",
    ],
    ["fields", `<w:p><w:r><w:instrText>PAGE</w:instrText></w:r>${run("7")}</w:p>`, "7\n"],
    [
      "tabs and hyphens",
      "<w:p><w:r><w:t>a</w:t><w:tab/><w:t>b</w:t><w:noBreakHyphen/><w:t>c</w:t></w:r></w:p>",
      "a\tb\u2011c\n",
    ],
    [
      "text boxes, after their paragraph",
      `<w:p><w:r><mc:AlternateContent><mc:Choice>${paragraph("new")}</mc:Choice><mc:Fallback><w:pict><v:textbox><w:txbxContent>${paragraph("box")}</w:txbxContent></v:textbox></w:pict></mc:Fallback></mc:AlternateContent></w:r>${run("a")}</w:p>`,
      "a\n\nbox\n",
    ],
  ])("reads %s", async (_name, body, text) => {
    expect(await textOf(makeZip(docxParts(body)))).toBe(text);
  });

  it("does not unpack a part without text, whatever it says of itself", async () => {
    const bombs = [
      { name: "word/x.xml", bytes: Buffer.alloc(8 << 20, "x"), claim: { unpacked: 1000 } },
      { name: "word/y.bin", bytes: Buffer.alloc(4 << 20) },
    ];
    expect(await textOf(makeDocx(["text"], bombs))).toBe("text\n");
  });

  const withMain = (main: object): Buffer =>
    makeZip(
      docxParts(paragraph("x".repeat(100_000))).map((part) =>
        part.name === MAIN ? { ...part, ...main } : part,
      ),
    );

  it("answers TOO_LARGE for more than 16 MiB of text or 10,000 entries, before unpacking", async () => {
    const claim = { packed: 5 << 20, unpacked: 17 << 20 };
    const bytes = Buffer.alloc(0);
    const entries = Array.from({ length: 10_001 }, (_, n) => ({ name: `e${n}`, bytes, stored: true }));
    expect((await extract(withMain({ claim }))).error?.code).toBe("TOO_LARGE");
    expect((await extract(makeDocx(["text"], entries))).error?.code).toBe("TOO_LARGE");
  });

  it("finds out a directory that says less than there is", async () => {
    const run = await extract(withMain({ claim: { unpacked: 1000 } }));
    expect(run.error).toMatchObject({ code: "DOCX_BROKEN", message: expect.stringContaining(MAIN) });
  });

  it("answers DOCX_BROKEN for a part given twice, and XML that is none", async () => {
    expect((await extract(makeDocx(["a"], docxParts("")))).error?.message).toContain("twice");
    expect((await extract(makeZip(docxParts("<w:p></w:q>")))).error?.code).toBe("DOCX_BROKEN");
  });

  it("answers DOCX_ENCRYPTED for a document with a password", async () => {
    const ole = Buffer.concat([
      Buffer.from("d0cf11e0a1b11ae1", "hex"),
      Buffer.alloc(1024),
      Buffer.from("EncryptedPackage", "utf16le"),
      Buffer.alloc(512),
    ]);
    expect((await extract(ole)).error?.code).toBe("DOCX_ENCRYPTED");
    const parts = docxParts("").map((part) => ({ ...part, encrypted: true }));
    expect((await extract(makeZip(parts))).error?.code).toBe("DOCX_ENCRYPTED");
  });

  it("survives elements nested a hundred thousand deep", async () => {
    const deep = "<w:p>".repeat(100_000) + "</w:p>".repeat(100_000);
    const run = await extract(makeZip(docxParts(deep).map((part) => ({ ...part, stored: true }))));
    expect(["SUCCEEDED", "FAILED"]).toContain(run.status);
  });
});

describe("text_extract of text", () => {
  it.each([
    ["UTF-8", Buffer.from("héllo 你好\n")],
    ["UTF-8 with a mark", Buffer.from("\ufeffhéllo 你好\n")],
    ["UTF-16 LE", Buffer.from("\ufeffhéllo 你好\n", "utf16le")],
    ["UTF-16 BE", Buffer.from("\ufeffhéllo 你好\n", "utf16le").swap16()],
  ])("reads %s", async (_name, bytes) => {
    expect(await textOf(bytes)).toBe("héllo 你好\n");
  });

  it("ends lines in LF and changes nothing else, not even the normal form", async () => {
    expect(await textOf("a\r\nb\rc\n\r\ne\u0301\r")).toBe("a\nb\nc\n\ne\u0301\n");
  });

  it("names the byte that is not UTF-8, with its line", async () => {
    const bytes = Buffer.concat([Buffer.from("ok\n价格 "), Buffer.from([0xb3, 0xc9]), Buffer.from(" x")]);
    const { error } = await extract(bytes);
    expect(error).toMatchObject({ code: "TEXT_ENCODING" });
    expect(error?.message).toContain("0xB3 at offset 10 (line 2)");
  });

  it("names the byte far behind the first piece, where characters span pieces", async () => {
    const text = Buffer.from(`${"汉字\n".repeat(400_000)}`);
    const params = { max_chars: 10_000_000 };
    expect(await textOf(text, params)).toBe(text.toString());
    const { error } = await extract(Buffer.concat([text, Buffer.from([0xff])]), params);
    expect(error?.message).toContain(`0xFF at offset ${text.length} (line 400001)`);
  });

  it("answers TEXT_ENCODING for half a character in UTF-16", async () => {
    const { error } = await extract(Buffer.from([0xff, 0xfe, 0x00, 0xd8, 0x41, 0x00]));
    expect(error?.code).toBe("TEXT_ENCODING");
  });

  it("cuts after max_chars characters, never within one, and says so in the log", async () => {
    const run = await extract("𠮷𠮷𠮷 end", { max_chars: 2 });
    expect(run.files.get("extracted_text")).toBe("𠮷𠮷");
    expect(run.logs.join()).toContain("cut after 2 characters");
    const whole = await extract("𠮷𠮷", { max_chars: 2 });
    expect(whole.logs.join()).not.toContain("cut");
  });

  it("refuses max_chars below 1", async () => {
    expect((await extract("x", { max_chars: 0 })).error?.code).toBe("SKILL_BAD_INPUT");
  });
});

describe("text_extract of HTML", () => {
  it("gives what a reader sees", async () => {
    const page = `<!doctype html><html><head><title>T</title><style>p{}</style></head><body>
      <h1>Q3 &amp; more</h1><p>One <b>bold</b>
      word.<br>Next&nbsp;line</p><script>alert("no")</script>
      <ul><li>first</li><li>second <i>item</i></li></ul>
      <table><tr><th>a</th><th>b</th></tr><tr><td>1</td><td>2</td></tr></table>
      <pre>  keep
    this</pre><p hidden>not this</p><template>nor this</template><p>結論です。</p></body></html>`;
    expect(await textOf(page)).toBe(
      "Q3 & more\n\nOne bold word.\nNext\u00a0line\n\n- first\n- second item\n\na\tb\n1\t2\n\n  keep\n    this\n\n結論です。",
    );
  });

  it("answers TOO_LARGE for elements nested deeper than any page", async () => {
    const run = await extract(`<html><body>${"<div>".repeat(20_000)}text`);
    expect(run.error?.code).toBe("TOO_LARGE");
  });

  it("takes linear time on what never closes", async () => {
    const page = `<html><body>${"<div><!--".repeat(50_000)}${"<p>".repeat(100_000)}end`;
    expect((await extract(page)).status).toBe("SUCCEEDED");
  });
});

describe("text_extract of anything", () => {
  it("goes by the content, not by the name", async () => {
    expect((await extract(makePdf([["x y"]]), {}, "page.html")).files.get("extracted_text")).toBe("x y");
    expect((await extract("plain", {}, "report.pdf")).files.get("extracted_text")).toBe("plain");
  });

  it.each([
    ["a picture", Buffer.from("89504e470d0a1a0a0000", "hex"), "image/png"],
    ["an archive", makeZip([{ name: "a", bytes: Buffer.from("b") }]), "application/zip"],
    ["bytes", Buffer.from([1, 0, 2, 0, 255]), "application/octet-stream"],
  ])("answers UNSUPPORTED_TYPE for %s and names it", async (_name, bytes, type) => {
    const { error } = await extract(bytes);
    expect(error).toMatchObject({ code: "UNSUPPORTED_TYPE", message: expect.stringContaining(type) });
  });

  it("never throws on random bytes, whatever they begin with", async () => {
    const beginnings = [
      "",
      "%PDF-1.4\n",
      "PK\x03\x04",
      "<html>",
      "\xff\xfe",
      "\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1",
    ];
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...beginnings),
        fc.uint8Array({ maxLength: 400 }),
        async (start, bytes) => {
          const run = await extract(Buffer.concat([Buffer.from(start, "latin1"), bytes]));
          expect(run.status === "SUCCEEDED" || /^[A-Z_]+$/.test(run.error?.code ?? "")).toBe(true);
        },
      ),
      { numRuns: cases(150) },
    );
  });

  it.each(["a.txt", "a.html"])("stops when it is aborted: %s", async (name) => {
    const aborted = AbortSignal.abort(new Error("enough"));
    const run = runBuiltin("text_extract", [["input", name, "x"]], {}, aborted);
    await expect(run).rejects.toThrow("enough");
  });
});

describe("text_extract of what is no document any more", () => {
  const noPages =
    "%PDF-1.4\n1 0 obj\n<< /Type /Catalog /Pages 2 0 R >>\nendobj\n2 0 obj\n<< /Type /Pages /Kids [] /Count 0 >>\nendobj\ntrailer\n<< /Root 1 0 R >>\n";
  const pdf = makePdf([["text"]]);
  const docx = makeDocx(["text"]);

  it.each([
    ["empty.pdf", "", "PDF_BROKEN", /is empty/],
    ["EMPTY.PDF", "", "PDF_BROKEN", /is empty/],
    ["short.pdf", "%PD", "PDF_BROKEN", /3 bytes/],
    ["header.pdf", "%PDF-1.7\nand then nothing of the kind", "PDF_BROKEN", /./],
    ["pages.pdf", noPages, "PDF_BROKEN", /no pages/],
    ["cut.pdf", pdf.subarray(0, 60), "PDF_BROKEN", /./],
    ["empty.docx", "", "DOCX_BROKEN", /is empty/],
    ["short.docx", "PK\u0003\u0004", "DOCX_BROKEN", /4 bytes/],
    ["cut.docx", docx.subarray(0, docx.length >> 1), "DOCX_BROKEN", /./],
    [
      "other.docx",
      makeZip([{ name: "readme.txt", bytes: Buffer.from("text") }]),
      "DOCX_BROKEN",
      /word\/document\.xml/,
    ],
    ["none.docx", makeZip([]), "DOCX_BROKEN", /./],
  ])("%s is FAILED and says why", async (name, bytes, code, message) => {
    expect(await extract(bytes, {}, name)).toMatchObject({
      status: "FAILED",
      artifacts: [],
      error: { code, message: expect.stringMatching(message) },
    });
  });

  it.each(["empty.txt", "empty.md", "empty.html", "empty"])("%s is a text without words", async (name) => {
    expect(await extract("", {}, name)).toMatchObject({ status: "SUCCEEDED", error: null });
  });
});

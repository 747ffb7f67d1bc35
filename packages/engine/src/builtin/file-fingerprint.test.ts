import { gzipSync } from "node:zlib";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { cases } from "../../../core/src/shared/testing/cases.ts";
import { makePdf } from "./testing/make-pdf.ts";
import { makeDocx, makeZip } from "./testing/make-zip.ts";
import { runBuiltin, sha256Of } from "./testing/run-builtin.ts";

async function typeOf(bytes: string | Uint8Array, name = "file"): Promise<unknown> {
  const run = await runBuiltin("file_fingerprint", [["input", name, bytes]]);
  return run.evidences[0]?.data.mime_type;
}

const latin1 = (text: string): Buffer => Buffer.from(text, "latin1");
const archive = (...names: string[]): Buffer =>
  makeZip(names.map((name) => ({ name, bytes: Buffer.from("x") })));

describe("file_fingerprint", () => {
  it("gives sha256, path, size and type of every file, in order", async () => {
    const run = await runBuiltin("file_fingerprint", [
      ["input", "a.txt", "hello\n"],
      ["input", "空.md", "# 标题\n"],
      ["input", "empty", ""],
    ]);
    expect(run).toMatchObject({ status: "SUCCEEDED", artifacts: [], error: null });
    expect(run.evidences.map(({ kind }) => kind)).toEqual(["FILE_HASH", "FILE_HASH", "FILE_HASH"]);
    const [first, second, third] = run.evidences.map(({ data }) => data);
    expect(first).toEqual({
      sha256: sha256Of("hello\n"),
      path: expect.stringMatching(/a\.txt$/),
      size_bytes: 6,
      mime_type: "text/plain",
    });
    expect(second).toMatchObject({ sha256: sha256Of("# 标题\n"), mime_type: "text/markdown", size_bytes: 9 });
    expect(third).toMatchObject({ sha256: sha256Of(""), size_bytes: 0 });
  });

  it("says what is missing where no file is given", async () => {
    expect((await runBuiltin("file_fingerprint", [])).error?.code).toBe("SKILL_BAD_INPUT");
  });

  it("stops when it is aborted", async () => {
    const stop = new AbortController();
    const run = runBuiltin("file_fingerprint", [["input", "f", Buffer.alloc(30 << 20)]], {}, stop.signal);
    stop.abort(new Error("enough"));
    await expect(run).rejects.toThrow("enough");
  });
});

describe("the media type of a file", () => {
  it.each([
    ["application/pdf", makePdf([["x"]])],
    ["application/vnd.openxmlformats-officedocument.wordprocessingml.document", makeDocx(["x"])],
    [
      "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
      archive("[Content_Types].xml", "xl/workbook.xml"),
    ],
    [
      "application/vnd.openxmlformats-officedocument.presentationml.presentation",
      archive("ppt/presentation.xml"),
    ],
    [
      "application/vnd.oasis.opendocument.text",
      makeZip([
        { name: "mimetype", bytes: Buffer.from("application/vnd.oasis.opendocument.text"), stored: true },
      ]),
    ],
    [
      "application/epub+zip",
      makeZip([{ name: "mimetype", bytes: Buffer.from("application/epub+zip"), stored: true }]),
    ],
    ["application/java-archive", archive("META-INF/MANIFEST.MF", "A.class")],
    ["application/zip", archive("a.txt")],
    ["image/png", latin1("\x89PNG\r\n\x1a\n\0\0")],
    ["image/jpeg", latin1("\xff\xd8\xff\xe0\0\x10JFIF")],
    ["image/gif", latin1("GIF89a\x01\0")],
    ["image/webp", latin1("RIFF\x10\0\0\0WEBPVP8 ")],
    ["audio/wav", latin1("RIFF\x10\0\0\0WAVEfmt ")],
    ["image/svg+xml", '<?xml version="1.0"?>\n<svg xmlns="http://www.w3.org/2000/svg"/>'],
    ["video/mp4", latin1("\0\0\0\x20ftypisom\0\0\x02\0")],
    ["audio/mpeg", latin1("ID3\x04\0\0\0\0\0\0")],
    ["audio/mpeg", latin1("\xff\xfb\x90\x64\0\0")],
    ["audio/ogg", latin1("OggS\0\x02")],
    ["application/gzip", gzipSync("x")],
    ["application/x-bzip2", latin1("BZh91AY&SY\0")],
    ["application/x-xz", latin1("\xfd7zXZ\0\0")],
    ["application/zstd", latin1("\x28\xb5\x2f\xfd\x24")],
    ["application/x-7z-compressed", latin1("7z\xbc\xaf\x27\x1c\0\x04")],
    ["application/x-tar", Buffer.concat([Buffer.alloc(257), Buffer.from("ustar\x0000"), Buffer.alloc(200)])],
    ["application/x-elf", latin1("\x7fELF\x02\x01\x01\0")],
    ["application/wasm", latin1("\0asm\x01\0\0\0")],
    ["application/vnd.sqlite3", latin1("SQLite format 3\0\x10\0")],
    ["application/json", '{"a": [1, 2]}'],
    ["application/json", `[${'{"键": "值"},\n'.repeat(10_000)}1]`],
    ["text/html", "<!-- made by hand -->\n<!DOCTYPE html><title>x</title>"],
    ["application/xml", '<?xml version="1.0"?><a/>'],
    ["text/csv", "name,price\napple,3\npear,4\nplum,5\n"],
    ["text/tab-separated-values", "a\tb\tc\n1\t2\t3\n"],
    ["text/plain", "Dear all, hello.\nSee you, soon.\nBye, now.\nYours, x\n"],
    ["text/plain", "{ not json"],
    ["text/plain", `${"漢".repeat(30_000)}`],
    ["text/plain; charset=utf-16le", Buffer.from("\ufeffhi", "utf16le")],
    ["text/plain; charset=utf-16be", Buffer.from("\ufeffhi", "utf16le").swap16()],
    ["application/octet-stream", latin1("caf\xe9 au lait")],
    ["application/octet-stream", latin1("a\0b")],
  ])("is %s by content", async (type, bytes) => {
    expect(await typeOf(bytes)).toBe(type);
  });

  it("takes from the name only which kind of text it is", async () => {
    expect(await typeOf("a: 1\n", "x.yaml")).toBe("application/yaml");
    expect(await typeOf("const a = 1;\n", "x.ts")).toBe("text/x-typescript");
    expect(await typeOf('<p align="center">logo</p>\n# x\n', "README.md")).toBe("text/markdown");
    expect(await typeOf(latin1("\x89PNG\r\n\x1a\n"), "x.md")).toBe("image/png");
    expect(await typeOf("just text", "x.pdf")).toBe("text/plain");
  });

  it("never throws, whatever the bytes", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom("", "PK\x03\x04", "PK\x05\x06", "RIFF", "{", "<"),
        fc.uint8Array(),
        async (start, bytes) => {
          expect(await typeOf(Buffer.concat([latin1(start), bytes]))).toMatch(/^[a-z]+\/./);
        },
      ),
      { numRuns: cases(150) },
    );
  });
});

import { describe, expect, it } from "vitest";
import { lineAt, MAX_FRONTMATTER_BYTES, splitFrontmatter } from "./frontmatter.ts";

/** The two parts as text with the line on which the body begins, or the fault. */
function split(text: string): unknown {
  const bytes = Buffer.from(text);
  const parts = splitFrontmatter(bytes);
  if ("fault" in parts) return parts.fault;
  const yaml = parts.yaml && bytes.toString("utf8", parts.yaml.start, parts.yaml.end);
  return { yaml, body: bytes.toString("utf8", parts.bodyStart), line: lineAt(bytes, parts.bodyStart) };
}

describe("004 §2 frontmatter between two fences", () => {
  it("splits a file into its YAML and its body", () => {
    expect(split("---\nname: x\n---\n# Body\n")).toEqual({ yaml: "name: x", body: "# Body\n", line: 4 });
  });

  it("reads CRLF line ends", () => {
    expect(split("---\r\nname: x\r\n---\r\n# Body\r\n")).toEqual({
      yaml: "name: x",
      body: "# Body\r\n",
      line: 4,
    });
  });

  it("allows blanks behind a fence", () => {
    expect(split("--- \t\nname: x\n---  \nBody")).toEqual({ yaml: "name: x", body: "Body", line: 4 });
  });

  it("allows empty frontmatter", () => {
    expect(split("---\n---\nBody")).toEqual({ yaml: "", body: "Body", line: 3 });
    expect(split("---\r\n---\r\nBody")).toEqual({ yaml: "", body: "Body", line: 3 });
  });

  it("allows the closing fence to end the file", () => {
    expect(split("---\nname: x\n---")).toMatchObject({ yaml: "name: x", body: "" });
  });

  it("begins behind a byte order mark", () => {
    expect(split("\ufeff---\nname: x\n---\nBody")).toEqual({ yaml: "name: x", body: "Body", line: 4 });
  });

  it.each([
    ["more dashes", "----"],
    ["text behind it", "--- x"],
    ["a space before it", " ---"],
    ["the end mark of YAML", "..."],
  ])("does not close at a line with %s", (_, line) => {
    expect(split(`---\na: b\n${line}\nc: d\n---\n`)).toMatchObject({ yaml: `a: b\n${line}\nc: d` });
  });

  it("closes at the first fence; what follows is body, fences and all", () => {
    expect(split("---\na: b\n---\none\n---\ntwo")).toEqual({ yaml: "a: b", body: "one\n---\ntwo", line: 4 });
  });

  it("needs a closing fence", () => {
    expect(split("---\nname: x\n")).toBe("FM_UNTERMINATED");
    expect(split("---\n")).toBe("FM_UNTERMINATED");
    expect(split("---")).toBe("FM_UNTERMINATED");
  });

  it.each(["---js", "--- yaml", "---\u00a0", "---x"])(
    "takes %j on the first line for a language, never runs it",
    (line) => {
      expect(split(`${line}\nname: x\n---\n`)).toBe("FM_LANG");
    },
  );

  it("names bare CR line ends", () => {
    expect(split("---\rname: x\r---\r")).toBe("FM_LINE_ENDS");
  });

  it("reads at most 64 KiB", () => {
    const yaml = "#".repeat(MAX_FRONTMATTER_BYTES);
    expect(MAX_FRONTMATTER_BYTES).toBe(65_536);
    expect(split(`---\n${yaml}\n---\n`)).toMatchObject({ yaml });
    expect(split(`---\n${yaml}#\n---\n`)).toBe("FM_LIMIT");
  });
});

describe("002 §2 frontmatter is optional", () => {
  it.each([
    ["an empty file", ""],
    ["prose", "# Plan\n\nDo it.\n"],
    ["a fence on the second line", "\n---\na: b\n---\n"],
    ["four dashes", "----\na: b\n----\n"],
    ["two dashes", "--\na: b\n--\n"],
  ])("finds none in %s: all is body", (_, text) => {
    expect(split(text)).toEqual({ yaml: null, body: text, line: 1 });
  });
});

import { describe, expect, it } from "vitest";
import { splitMarks } from "./marks.tsx";

const marked = (text: string, ...words: string[]): string =>
  splitMarks(text, words)
    .map(({ text: piece, isMarked }) => (isMarked ? `[${piece}]` : piece))
    .join("");

describe("matched words in a text", () => {
  it("are marked as whole words, in any case", () => {
    expect(marked("Review a reviewed preview", "review")).toBe("[Review] a [reviewed] preview");
  });

  it("are marked inside Chinese and Japanese text, which has no spaces", () => {
    expect(marked("技术文档的撰写", "文档")).toBe("技术[文档]的撰写");
  });

  it("may contain anything, and leave the text as it is", () => {
    const text = "a (b) c++ [d] $1 \\";
    expect(marked(text, "c++", "(", "")).toContain("[c++]");
    const pieces = splitMarks(text, ["c++", "$1"]);
    expect(pieces.map((piece) => piece.text).join("")).toBe(text);
  });
});

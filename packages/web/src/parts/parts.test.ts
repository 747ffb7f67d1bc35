import { describe, expect, it } from "vitest";
import { layOut } from "./layers.tsx";
import { relativeTime, splitMarks } from "./look.tsx";
import { renderedPart } from "./markdown.tsx";

const NOW = Date.parse("2026-03-10T12:00:00Z");
const ago = (ms: number, locale = "en"): string => relativeTime(new Date(NOW - ms), NOW, locale);

describe("a relative time", () => {
  it("uses the largest unit that fits", () => {
    expect(ago(20_000)).toBe("now");
    expect(ago(3 * 60_000)).toBe("3 minutes ago");
    expect(ago(25 * 3_600_000)).toBe("yesterday");
    expect(ago(-2 * 3_600_000)).toBe("in 2 hours");
    expect(ago(400 * 86_400_000)).toBe("last year");
  });

  it("is in the language of the user", () => {
    expect(ago(3 * 60_000, "ja")).toBe("3 分前");
  });
});

const marked = (text: string, ...words: string[]): string =>
  splitMarks(text, words)
    .map((piece, place) => (place % 2 ? `[${piece}]` : piece))
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
    expect(splitMarks(text, ["c++", "$1"]).join("")).toBe(text);
  });
});

describe("the part of a text that is rendered", () => {
  it("is all of a usual text", () => {
    const text = "# Title\n\nA [link](a.md), `code` and **bold**.\n\n".repeat(100);
    expect(renderedPart(text)).toBe(text);
  });

  it("is the beginning of a long text, or of one with very many elements", () => {
    expect(renderedPart("word ".repeat(100_000)).length).toBe(100_000);
    for (const text of ["[a](b) ".repeat(30_000), "- a\n".repeat(50_000), "*a* ".repeat(50_000)]) {
      const part = renderedPart(text);
      expect(text.startsWith(part)).toBe(true);
      expect(part.length).toBeGreaterThan(1_000);
      expect(part.length).toBeLessThan(text.length);
    }
  });
});

const boxes = (...ids: string[]) => ids.map((id) => ({ id, width: 100, height: 30 }));
const edge = (from: string, to: string) => ({ from, to });

describe("a drawing in layers", () => {
  it("puts each box to the right of those that lead to it", () => {
    const drawn = layOut(boxes("a", "b", "c", "d"), [
      edge("a", "b"),
      edge("a", "c"),
      edge("b", "d"),
      edge("c", "d"),
    ]);
    const x = (id: string) => drawn.boxes.find((box) => box.id === id)?.x ?? 0;
    expect(x("a")).toBeLessThan(x("b"));
    expect(x("b")).toBe(x("c"));
    expect(x("d")).toBeGreaterThan(x("c") + 100);
    expect(drawn.lines.map(({ from, to }) => `${from}-${to}`)).toEqual(["a-b", "a-c", "b-d", "c-d"]);
    for (const { path } of drawn.lines) expect(path).toMatch(/^M[\d.]+ [\d.]+C/);
    expect(drawn.width).toBeGreaterThan(3 * 100);
    expect(drawn.height).toBeGreaterThan(2 * 30);
  });

  it("has a line of its own for each way between two boxes", () => {
    const [there, back] = layOut(boxes("a", "b"), [edge("a", "b"), edge("b", "a")]).lines;
    expect(there?.path).toMatch(/^M/);
    expect(back?.path).not.toBe(there?.path);
  });

  it("takes a box without lines, a line to nothing, and nothing", () => {
    expect(layOut(boxes("alone", "b"), [edge("gone", "b")]).lines).toEqual([]);
    expect(layOut([], []).boxes).toEqual([]);
  });

  it("takes any id, also one that objects have", () => {
    const drawn = layOut(boxes("__proto__", "constructor"), [edge("__proto__", "constructor")]);
    expect(drawn.boxes.map(({ id }) => id)).toEqual(["__proto__", "constructor"]);
    expect(drawn.lines).toMatchObject([{ from: "__proto__", to: "constructor" }]);
    for (const { x, y } of drawn.boxes) expect(Number.isFinite(x + y)).toBe(true);
  });
});

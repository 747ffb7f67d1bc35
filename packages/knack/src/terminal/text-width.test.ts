import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { cases } from "../../../core/src/shared/testing/cases.ts";
import { cut, widthOf, wrap } from "./text-width.ts";

describe("text in the places of a terminal", () => {
  it("is cut where it is too wide, between what people see as characters", () => {
    expect(cut("release notes", 8)).toBe("release…");
    expect(cut("审查代码改动", 7)).toBe("审查代…");
    expect(cut("𠮷𠮷𠮷𠮷", 5).isWellFormed()).toBe(true);
    expect(cut("e\u0301e\u0301e\u0301e\u0301", 3)).toMatch(/^(?:e\u0301)+…$/);
    expect(cut("ab👩‍👩‍👧‍👦cd", 4)).toBe("ab…");
  });

  it("is wrapped at spaces where there are any, and nothing but those is lost", () => {
    expect(wrap("draft the release notes", 11)).toEqual(["draft the", "release", "notes"]);
    expect(wrap("审查代码改动", 5)).toEqual(["审查", "代码", "改动"]);
    expect(wrap("", 10)).toEqual([""]);
  });

  it("no text is wider than it may be, whatever is in it", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme" }), fc.integer({ min: 8, max: 60 }), (text, width) => {
        expect(widthOf(cut(text, width))).toBeLessThanOrEqual(width);
        const lines = wrap(text, width);
        for (const line of lines) expect(widthOf(line)).toBeLessThanOrEqual(width);
        expect(lines.join("").replaceAll(" ", "")).toBe(text.replaceAll(" ", ""));
      }),
      { numRuns: cases(2_000) },
    );
  });
});

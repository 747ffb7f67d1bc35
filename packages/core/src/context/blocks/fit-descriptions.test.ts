import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { cases } from "../../shared/testing/cases.ts";
import { commonLength, SHORTEST_DESCRIPTION, shorten } from "./fit-descriptions.ts";

const chars = (text: string): number => text.length;
const bytes = (text: string): number => Buffer.byteLength(text);

describe("descriptions in little room", () => {
  it("keeps what fits and marks what was cut", () => {
    expect(shorten("abcdef", 6, chars)).toBe("abcdef");
    expect(shorten("abcdef", 5, chars)).toBe("abcd…");
    expect(shorten("abc def", 5, chars)).toBe("abc…");
  });

  it.each([
    ["a surrogate pair", "ab😀cdefgh", 4, "ab…"],
    ["a letter and its mark", "abe\u0301cdefgh", 4, "ab…"],
    ["an emoji and its joiners", "a👩‍💻bcdefghijk", 6, "a…"],
    ["an emoji and its skin tone", "a👍🏽bcdefgh", 4, "a…"],
    ["a flag", "a🇯🇵🇫🇷bcdefgh", 8, "a🇯🇵…"],
  ])("does not split %s", (_what, text, length, expected) => {
    expect(shorten(text, length, chars)).toBe(expected);
  });

  it("does not cut what an ellipsis would not make cheaper", () => {
    expect(shorten("abcdef", 5, bytes)).toBe("abcdef");
    expect(shorten("abcdefg", 5, bytes)).toBe("abcdefg");
    expect(shorten("abcdefgh", 5, bytes)).toBe("abcd…");
    expect(commonLength(["a".repeat(21)], 21, bytes)).toBe(21);
  });

  it("cuts a page of marks all the same", () => {
    const text = `a${"\u0301".repeat(10_000)}`;
    expect(shorten(text, 500, chars)).toHaveLength(500);
  });

  it("finds the largest length that fits, as trying all of them does", () => {
    const text = fc.string({ unit: fc.constantFrom("a", " ", "é", "技", "😀", "\u0301"), maxLength: 60 });
    fc.assert(
      fc.property(
        fc.array(text, { maxLength: 6 }),
        fc.nat(400),
        fc.constantFrom(chars, bytes),
        (texts, room, cost) => {
          const used = (length: number): number =>
            texts.reduce((sum, each) => sum + cost(shorten(each, length, cost)), 0);
          const longest = Math.max(SHORTEST_DESCRIPTION, ...texts.map((each) => each.length));
          const fitting = Array.from({ length: longest + 1 }, (_, length) => length).filter(
            (length) => length >= SHORTEST_DESCRIPTION && used(length) <= room,
          );
          expect(commonLength(texts, room, cost)).toBe(fitting.at(-1));
        },
      ),
      { numRuns: cases(3_000) },
    );
  });
});

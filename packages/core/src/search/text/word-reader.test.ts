import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { cases } from "../../shared/testing/cases.ts";
import { tokenize } from "./tokenize.ts";
import { WordReader } from "./word-reader.ts";

const piece = fc.oneof(
  fc.string({ unit: "binary", maxLength: 12 }),
  fc.string({ unit: "grapheme-ascii", maxLength: 60 }),
  fc.constantFrom(
    "don't",
    "A/B",
    "fooBarBaz",
    "C#",
    "C++",
    ".NET",
    "Node.js",
    "naïve(foo-a)",
    "发布说明",
    "ＡＢ",
    "é",
  ),
  fc.constantFrom(..." \n\t()[]{}<>\"`,;:!?=|*~^$%\\'-/_&.#+@"),
);

describe("the word reader", () => {
  it("gives the words of tokenize, for any text, again and again", () => {
    const reader = new WordReader();
    const texts = fc.array(piece, { maxLength: 30 }).map((pieces) => pieces.join(""));
    fc.assert(
      fc.property(texts, (text) => {
        const expected = tokenize(text);
        for (let time = 0; time < 2; time++) {
          const numbers: number[] = [];
          reader.read(text, numbers);
          const names = [...reader.words.keys()];
          expect(numbers.map((number) => names[number])).toEqual(expected);
        }
      }),
      { numRuns: cases(2_000) },
    );
  });

  it("numbers words by first use, after those that it is given", () => {
    const reader = new WordReader(["plan", "roof"]);
    const numbers: number[] = [];
    reader.read("mend the roof, the plan", numbers);
    expect(numbers).toEqual([2, 3, 1, 3, 0]);
  });
});

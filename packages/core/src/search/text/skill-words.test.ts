import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { cases } from "../../shared/testing/cases.ts";
import { nameMark, namesIn, SkillReader } from "./skill-words.ts";

const read = (body: string): unknown =>
  new SkillReader(new Set()).read({
    name: "plan",
    folder: "plan",
    description: "Plan work.",
    body,
    beside: "",
  });

describe("the words of a skill", () => {
  it("are the same whether lines end with CRLF or LF", () => {
    const line = fc.constantFrom("# Head", "text. more", "- item", "", "```", "# in code", "~~~", "> quote");
    fc.assert(
      fc.property(fc.array(line, { maxLength: 20 }), (lines) => {
        expect(read(lines.join("\r\n"))).toEqual(read(lines.join("\n")));
      }),
      { numRuns: cases(500) },
    );
  });
});

/** What a name is, as a pattern: lower-case words with hyphens, or one word between marks. */
const NAMES = /(?<![a-z0-9-])[a-z0-9]+(?:-[a-z0-9]+)+|(?<=[`*/])[a-z0-9]{3,}(?=[`*])/g;

function marksIn(text: string): number[] {
  const units = Uint16Array.from({ length: text.length }, (_, i) => text.charCodeAt(i));
  return namesIn(units, 0, text.length);
}

it("the names in a sentence are those that the pattern matches", () => {
  const text = fc
    .array(
      fc.oneof(fc.constantFrom("ship", "it", "ab", "x", "B", "7", "-", "`", "*", "/", " ", "é"), fc.string()),
      {
        maxLength: 30,
      },
    )
    .map((parts) => parts.join(""));
  fc.assert(
    fc.property(text, (sentence) => {
      const names = [...new Set(sentence.match(NAMES))];
      expect(marksIn(sentence)).toEqual(names.map(nameMark));
    }),
    { numRuns: cases(2_000) },
  );
});

it("a text of more than 600 characters is not a sentence about a skill", () => {
  expect(marksIn(`use ship-it ${" ".repeat(588)}`)).toHaveLength(1);
  expect(marksIn(`use ship-it ${" ".repeat(589)}`)).toEqual([]);
});

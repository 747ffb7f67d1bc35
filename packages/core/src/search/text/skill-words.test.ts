import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { cases } from "../../shared/testing/cases.ts";
import { skillWords } from "./skill-words.ts";
import { WordReader } from "./word-reader.ts";

const read = (body: string): unknown =>
  skillWords(
    { name: "plan", folder: "plan", description: "Plan work.", body, beside: "" },
    new WordReader(),
    new Set(),
  );

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

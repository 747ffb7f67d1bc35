import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { skillNamed } from "../../../../test/edges/skill-named.ts";
import { cases } from "../shared/testing/cases.ts";
import { edgesOf } from "./read-edges.ts";
import { makeSkillIndex } from "./skill-index.ts";

const own = skillNamed("own-skill");
const index = makeSkillIndex([own, skillNamed("code-review"), skillNamed("plan"), skillNamed("整理")]);

const PIECES = [
  "code-review",
  "`code-review`",
  "/plan",
  "**code-review**",
  "[x](../code-review/SKILL.md)",
  "Skill(plan)",
  "ns:code-review",
  "`整理`",
  "You MUST use ",
  "REQUIRED SUB-SKILL: Use ",
  "after ",
  "Do NOT ",
  " or ",
  " and ",
  " skill",
  "必ず",
  "を使う",
  "完成後",
  "\n",
  "\n\n",
  "- ",
  "1. ",
  "> ",
  "# ",
  "## Called by\n",
  "```",
  "~~~",
  "`",
  "``",
  "*",
  "**",
  "_",
  "[",
  "](",
  ")",
  "<",
  "<Good>",
  "</Good>",
  "<!--",
  "-->",
  "|",
  ":",
  "\\",
  "\t",
  "    ",
  "\r\n",
  "“",
  "”",
  '"',
  "…",
  "\u0000",
  "\ud800",
  ". ",
];
const markdown = fc.array(fc.oneof(fc.constantFrom(...PIECES), fc.string({ maxLength: 8 })), {
  maxLength: 60,
});
const runs = cases(1000);

describe("edges of any text", () => {
  it("never throw, have lines of the text, and are the same each time", () => {
    fc.assert(
      fc.property(markdown, (pieces) => {
        const body = pieces.join("");
        const lines = body.split(/\r\n|\n|\r/).length;
        const read = edgesOf(own, body, index);
        for (const { line, from, to, fromPath, toPath } of read.edges) {
          expect(line).toBeGreaterThanOrEqual(1);
          expect(line).toBeLessThanOrEqual(lines);
          expect([from, to]).toContain(own.name);
          expect(fromPath).not.toBe(toPath);
        }
        expect(edgesOf(own, body, index)).toEqual(read);
      }),
      { numRuns: runs },
    );
  });

  it.each([
    "a**b",
    "_a_*",
    "[",
    "![[",
    "`code-review` ",
    "[x](../code-review/SKILL.md) ",
    "- ",
    "> ",
    "1. ",
    "- a\n\n",
    "  - code-review\n",
    "\tcode-review\n\n",
    "`",
    "<a ",
    "<!--",
    "(",
    "must ",
    "must use ",
    "you must use the code-review skill or ",
    "REQUIRED: ",
    "a-",
    '"',
    "| `code-review` ",
    "| `code-review` | must |\n",
    "../",
    "skills/",
    "必ず",
    "```\n",
    "```x\n",
    "<Good>\n\n",
    "，",
    "x:",
    "/plan ",
    "# a\n",
    "_",
    "_a ",
    "x <!-- -->",
    "<!-- a",
    "`code-review`, which a, and ",
    "- `code-review` - a b c d ",
    "- code-review\n  - code-review\n",
    "- `code-review` - Always load. ",
    "never a without ",
    "REQUIRED SUB-SKILL for a ",
    "when a b ",
    "(must use ",
    "'a ",
    "code-review か ",
    "**code-review** ",
    "- - - - - - - - - - - - - - - - - - - - - - - - - - - -\n",
    "Skill(skill: ",
    "# code-review must ",
  ])(
    "take linear time: %j",
    (piece) => {
      // The maximum size of a skill. Quadratic time would take minutes here.
      const body = `See \`code-review\`.\n\n${piece.repeat(1_000_000 / piece.length)}`;
      expect(() => edgesOf(own, body, index)).not.toThrow();
    },
    60_000,
  );
});

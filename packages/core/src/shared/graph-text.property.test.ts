import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { dotText, mermaidText } from "./quote.ts";
import { cases } from "./testing/cases.ts";

const runs = { numRuns: cases(5_000) };
const hostile = fc.oneof(
  fc.string({ unit: "binary", maxLength: 40 }),
  fc
    .array(
      fc.constantFrom(
        ...['"', "\\", '\\"', '"]', "]:::x", "\n", "\r\n", "\u2028", "\u2029", "\u0085", "\0", "\u001b[31m"],
        ...[
          "%%",
          "%%{init: {}}%%",
          "-->",
          "|",
          "`md`",
          "<b>",
          "</script>",
          "&lt;",
          "&#34;",
          "#quot;",
          "#34;",
        ],
        ...[
          "end",
          "subgraph",
          "click t1 href",
          ";",
          "{",
          "}",
          "//",
          "/*",
          "*/",
          "->",
          "\ud800",
          "\u202e",
          "a",
        ],
      ),
      { maxLength: 8 },
    )
    .map((parts) => parts.join("")),
);

describe("a label in Mermaid", () => {
  it("can neither end its string, nor its line, nor be a tag, an entity of a name, Markdown or a directive", () => {
    const holds = fc.property(hostile, (label) => {
      // Plain characters and numbers of characters are all that it has.
      expect(mermaidText(label)).toMatch(/^(?:[\p{L}\p{M}\p{N} ._/-]|#\d+;)*$/u);
    });
    fc.assert(holds, runs);
  });

  it("means the characters that were given", () => {
    const holds = fc.property(hostile, (label) => {
      const number = (_: string, digits: string): string => String.fromCodePoint(Number(digits));
      expect(mermaidText(label).replaceAll(/#(\d+);/g, number)).toBe(label);
    });
    fc.assert(holds, runs);
  });
});

/** A quoted string as Graphviz reads it: what it means, and what is left of the text after it. */
function readDot(text: string): { meant: string; rest: string } {
  let meant = "";
  let at = 1;
  for (; at < text.length && text[at] !== '"'; at++) {
    if (text[at] !== "\\") meant += text[at];
    else meant += text[++at] === "n" ? "\n" : text[at];
  }
  expect(meant.replaceAll("&amp;", "")).not.toContain("&");
  return { meant: meant.replaceAll("&amp;", "&"), rest: text.slice(at + 1) };
}

describe("a label for Graphviz", () => {
  it("is one string on one line, and means the characters that were given", () => {
    const holds = fc.property(hostile, hostile, (...lines) => {
      const text = dotText(lines);
      expect(text).not.toMatch(/[\p{C}\p{Zl}\p{Zp}]/u);
      const shown = lines.map((line) => line.replaceAll(/[\p{C}\p{Zl}\p{Zp}]/gu, "?"));
      expect(readDot(`${text} ->`)).toEqual({ meant: shown.join("\n"), rest: " ->" });
    });
    fc.assert(holds, runs);
  });
});

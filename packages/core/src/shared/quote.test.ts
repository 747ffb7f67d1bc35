import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { boundedMessage, dotText, fewCandidates, fewOf, mermaidText } from "./quote.ts";
import { cases } from "./testing/cases.ts";

describe("lists in messages", () => {
  it("shows a short list whole", () => {
    expect(fewOf([])).toBe("");
    expect(fewOf(["a", "b"])).toBe("a, b");
    expect(fewOf(["  a", "  b"], { separator: "\n", next: "more" })).toBe("  a\n  b");
  });

  it("cuts a long one, and says how many more there are and what to do", () => {
    const names = Array.from({ length: 3_000 }, (_, i) => `n${i}`);
    expect(fewOf(names, { next: '"knack list" has them all' })).toMatch(
      /^n0, n1, .*, n19 and 2,980 more; "knack list" has them all$/,
    );
    const paths = names.map((name) => `  /${name}`);
    expect(fewOf(paths, { separator: "\n" }).split("\n").at(-1)).toBe("  and 2,980 more");
  });

  it("has at most some 2,500 characters whatever the items are, and is well-formed", () => {
    fc.assert(
      fc.property(
        fc.array(fc.string({ unit: "binary", maxLength: 3_000, size: "max" }), { maxLength: 60 }),
        (items) => {
          const told = fewOf(items, { next: "look" });
          expect(told.length).toBeLessThan(2_600);
          if (items.length > 20) expect(told).toMatch(/ and [\d,]+ more; look$/);
          const count = Number(/ and ([\d,]+) more; look$/.exec(told)?.[1]?.replace(",", "") ?? 0);
          expect(count).toBeLessThanOrEqual(items.length);
        },
      ),
      { numRuns: cases(500) },
    );
  });

  it("cuts a message that is all list", () => {
    expect(boundedMessage("short")).toBe("short");
    expect(boundedMessage("x".repeat(300_000)).length).toBeLessThan(8_100);
  });

  it("cuts candidates and keeps their number", () => {
    expect(fewCandidates(["a"])).toEqual({ candidates: ["a"] });
    const many = Array.from({ length: 21 }, (_, i) => `p${i}`);
    expect(fewCandidates(many)).toEqual({ candidates: many.slice(0, 20), candidates_total: 21 });
  });
});

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

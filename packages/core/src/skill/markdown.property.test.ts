import { type Node, Parser } from "commonmark";
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { cases } from "../shared/testing/cases.ts";
import { within } from "../shared/testing/within.ts";
import { MarkdownLines } from "./markdown.ts";

const runs = { numRuns: cases(3_000) };

function codeLines(text: string): number[] {
  const reader = new MarkdownLines();
  return text.split("\n").flatMap((line, index) => (reader.isCode(line) ? [index + 1] : []));
}

/** The same by the reference implementation of CommonMark. */
function standardLines(text: string): number[] {
  const lines: number[] = [];
  const walker = new Parser().parse(text).walker();
  for (let step = walker.next(); step; step = walker.next()) {
    if (!step.entering || step.node.type !== "code_block" || !isFenced(step.node)) continue;
    const [[start], [end]] = step.node.sourcepos;
    for (let line = start; line <= end; line++) lines.push(line);
  }
  return lines;
}

/** Indented code is a node of the same type. */
function isFenced(node: Node): boolean {
  return "_isFenced" in node && node._isFenced === true;
}

/** Blank lines are code or not without anybody noticing. */
function told(text: string, lines: readonly number[]): string {
  const isCode = new Set(lines);
  return text
    .split("\n")
    .map((line, index) => `${isCode.has(index + 1) && !/^[\s>]*$/.test(line) ? "C" : "."} ${line}`)
    .join("\n");
}

const PREFIXES = ["", "", "", "- ", "1. ", "> ", ">", "-   ", "> - ", "- > ", "*\t", "2) ", "1986. "];
const RESTS = [
  ...[
    "```",
    "```",
    "````",
    "~~~",
    "~~~~",
    "```js",
    "``` a`b",
    "~~~ a`b",
    "```md ~~~",
    "``",
    "``` ",
    "`````\t",
  ],
  ...["text", "# heading", "* * *", "more text", "-", "---", "==", ""],
  ...["**bold**", "`span`", "| cell |", "[link]", "#", "####### text"],
];

function textOf(indents: readonly string[], prefixes: readonly string[], rests: readonly string[]) {
  const indent = fc.constantFrom(...indents);
  const line = fc.tuple(indent, fc.constantFrom(...prefixes), indent, fc.constantFrom(...rests));
  const lines = fc.array(
    fc.oneof({ arbitrary: line.map((parts) => parts.join("")), weight: 6 }, fc.constant("")),
    {
      minLength: 1,
      maxLength: 8,
    },
  );
  return lines.map((all) => all.join("\n"));
}

const SHALLOW = ["", "", " ", "  ", "   "];
const texts = {
  "with little indentation": textOf(["", "", " "], PREFIXES, RESTS),
  "far to the right": textOf([...SHALLOW, "    ", "      ", "\t"], PREFIXES, [...RESTS, "    code"]),
};

describe("fenced code", () => {
  it.each(Object.entries(texts))("is what the parser of the standard says it is: %s", (_, text) => {
    const holds = fc.property(text, (given) => {
      expect(told(given, codeLines(given))).toBe(told(given, standardLines(given)));
    });
    fc.assert(holds, runs);
  });

  it.each([
    ["closes by as many marks or more, alone", "````\n```\n```` x\n`````  \ntext", [1, 2, 3, 4]],
    ["is not closed by the other mark", "~~~\n```\n~~~\ntext", [1, 2, 3]],
    ["does not begin with a span", "```a``` text\n# heading", []],
    ["does not begin in four spaces", "    ```\n# heading", []],
    ["may be in a list item, far in", "1. a\n\n    ```sh\n    # b\n    ```\n\n   text", [3, 4, 5]],
    ["ends with its list item", "- ```\n  a\ntext", [1, 2]],
    ["ends with its quotation", "> ```\n> a\ntext", [1, 2]],
    ["may end its lines in CRLF", "```\r\na\r\n```\r\ntext", [1, 2, 3]],
    ["may be left open", "text\n~~~\na\n# b", [2, 3, 4]],
  ])("%s", (_, given, expected) => {
    expect(codeLines(given)).toEqual(expected);
  });

  it("is found in linear time, whatever the text", () => {
    for (const part of ["> ", "- ", "1. ", "\t", "```\n", "- ```\n", ">".repeat(50)]) {
      const given = part.repeat(20_000);
      within(1_000, () => codeLines(given));
    }
  });
});

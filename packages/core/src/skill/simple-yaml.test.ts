import { deepStrictEqual } from "node:assert";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parseSimpleYaml } from "./simple-yaml.ts";
import { parseYaml } from "./yaml-profile.ts";

/** Where the fast reader answers, the full parser must say the same, and on the same lines. */
function agree(text: string): boolean {
  const simple = parseSimpleYaml(text);
  if (!simple) return false;
  const full = parseYaml(text, "failsafe", 1);
  if ("fault" in full) throw new Error(`Only the full parser finds ${full.fault}: ${full.message}`);
  deepStrictEqual(simple.data, full.data);
  const lines = Object.keys(full.data).map((key) => [key, full.lineOf([key])]);
  deepStrictEqual(Object.entries(simple.lines), lines);
  return true;
}

describe("the fast reader", () => {
  it.each([
    "name: pdf\ndescription: Fills PDF forms, e.g. tax forms (2024).",
    'name: pdf\r\ndescription: "Use when: asked"\r\n',
    "name: 'yes'\nversion: 1.10\nempty:\nurl: https://example.com/#a",
    "requires_tools:\n  - read\n  - write\neligibility:\n  os: [darwin, linux]\n  env: []\nmetadata:\n  author: x",
    "tools:\n- Read\n- Bash(git add:*)\nname: 日本語 😀",
  ])("reads what most skills look like: %j", (text) => {
    expect(agree(text)).toBe(true);
  });

  it.each([
    ["a comment", "a: b # c"],
    ["a colon in a value", "a: b: c"],
    ["a key given twice", "a: b\na: c"],
    ["a value over two lines", "a: b\n  c"],
    ["a block scalar", "a: |\n  b"],
    ["an alias", "a: *b"],
    ["a tag", "a: !b c"],
    ["an escape", 'a: "\\n"'],
    ["a quote in quotes", "a: 'it''s'"],
    ["a nested list", "a: [[b]]"],
    ["a mapping in braces", "a: {b: c}"],
    ["a tab", "a:\tb"],
    ["a bare CR", "a: b\rc: d"],
    ["a blank line", "a: b\n\nc: d"],
    ["two levels of keys", "a:\n  b:\n    c: d"],
  ])("leaves %s to the full parser", (_, text) => {
    expect(parseSimpleYaml(text)).toBeNull();
  });

  it("takes a space outside ASCII for part of the text, as YAML does", () => {
    agree("a: [b\u00a0, \u3000c]");
  });
});

describe("the fast reader and the full parser", () => {
  const word = fc.constantFrom(
    "a",
    "Use when",
    "1.10",
    "yes",
    "null",
    "~",
    "x-y_z",
    "日本語",
    "é",
    "😀",
    "https://e.com/a#b",
  );
  const piece = fc.oneof(
    { weight: 6, arbitrary: word },
    {
      weight: 2,
      arbitrary: fc.constantFrom(
        " ",
        ", ",
        "-",
        "'",
        '"',
        ":",
        "#",
        "(",
        ")",
        ".",
        "/",
        "?",
        "&",
        "*",
        "!",
        "%",
        "@",
        "=",
        "~",
      ),
    },
    {
      weight: 1,
      arbitrary: fc.constantFrom(
        ": ",
        " #",
        "- ",
        "[",
        "]",
        "{",
        "}",
        "|",
        ">",
        "\\",
        "\\n",
        "\t",
        "  ",
        "\r",
        "`",
        "<<",
        "''",
        "\u00a0",
        "\u3000",
        "\u2028",
        "\u0085",
        "\ufeff",
        "\u200b",
        "\u001b",
        "\u0000",
      ),
    },
  );
  const soup = fc.array(piece, { maxLength: 4 }).map((pieces) => pieces.join(""));
  const scalar = fc.oneof(
    { weight: 9, arbitrary: fc.array(word, { minLength: 1, maxLength: 3 }).map((words) => words.join(" ")) },
    { weight: 2, arbitrary: soup },
    { weight: 1, arbitrary: soup.map((text) => `"${text}"`) },
    { weight: 1, arbitrary: soup.map((text) => `'${text}'`) },
  );
  const value = fc.oneof(
    { weight: 5, arbitrary: scalar },
    {
      weight: 1,
      arbitrary: fc
        .tuple(fc.array(scalar, { maxLength: 3 }), fc.constantFrom(", ", ",", " , ", ",\t"))
        .map(([items, by]) => `[${items.join(by)}]`),
    },
  );
  const key = fc.oneof(
    {
      weight: 12,
      arbitrary: fc.constantFrom(
        "name",
        "description",
        "license",
        "metadata",
        "allowed-tools",
        "version",
        "a",
        "b2",
        "X_y",
        "true",
        "constructor",
      ),
    },
    { weight: 1, arbitrary: fc.constantFrom("1", "__proto__", "<<", '"q"', "k k", "é", "?", "-", "a:b") },
  );
  const separator = fc.oneof(
    { weight: 12, arbitrary: fc.constant(": ") },
    fc.constantFrom(":", ":  ", ":\t", " : "),
  );
  const pair = fc.tuple(key, separator, value).map((parts) => parts.join(""));
  const head = key.map((text) => `${text}:`);
  const indented = fc.tuple(
    fc.constantFrom("  ", "  ", "  ", " ", "    ", "\t"),
    fc.oneof(
      pair,
      scalar.map((text) => `- ${text}`),
    ),
  );
  const block = fc.oneof(
    { weight: 8, arbitrary: pair },
    { weight: 1, arbitrary: head },
    {
      weight: 3,
      arbitrary: fc
        .tuple(head, fc.array(pair, { maxLength: 3 }))
        .map(([top, pairs]) => [top, ...pairs.map((p) => `  ${p}`)].join("\n")),
    },
    {
      weight: 2,
      arbitrary: fc
        .tuple(head, fc.constantFrom("  - ", "- "), fc.array(scalar, { maxLength: 3 }))
        .map(([top, dash, items]) => [top, ...items.map((item) => dash + item)].join("\n")),
    },
    { weight: 1, arbitrary: indented.map((parts) => parts.join("")) },
    {
      weight: 1,
      arbitrary: fc
        .tuple(key, fc.constantFrom("|", ">", "|-", ">+"), soup)
        .map(([k, style, text]) => `${k}: ${style}\n  ${text}`),
    },
    {
      weight: 1,
      arbitrary: fc.oneof(
        soup,
        soup.map((text) => `# ${text}`),
        fc.constantFrom("", "---", "...", "- a", "? a", " "),
      ),
    },
  );
  const text = fc
    .tuple(
      fc.array(block, { minLength: 1, maxLength: 4 }),
      fc.constantFrom("\n", "\n", "\r\n"),
      fc.constantFrom("", "", "\n", "\r\n"),
    )
    .map(([blocks, lineEnd, last]) => blocks.join("\n").replaceAll("\n", lineEnd) + last);

  it("agree wherever the fast reader answers, which is often", () => {
    const runs = 50_000;
    let answered = 0;
    fc.assert(
      fc.property(text, (source) => {
        if (agree(source)) answered++;
      }),
      { numRuns: runs },
    );
    expect(answered / runs).toBeGreaterThan(0.2);
  });
});

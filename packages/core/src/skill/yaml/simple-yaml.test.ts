import { deepStrictEqual } from "node:assert";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { cases } from "../../shared/testing/cases.ts";
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

/** One of these, each as often as its number says. */
function pick(...choices: [number, fc.Arbitrary<string>][]): fc.Arbitrary<string> {
  return fc.oneof(...choices.map(([weight, arbitrary]) => ({ weight, arbitrary })));
}

/** One of the words, which are a space apart. */
function anyOf(words: string): fc.Arbitrary<string> {
  return fc.constantFrom(...words.split(" "));
}

const list = (item: fc.Arbitrary<string>, by: string): fc.Arbitrary<string> =>
  fc.array(item, { maxLength: 3 }).map((items) => items.join(by));
const row = (...parts: (string | fc.Arbitrary<string>)[]): fc.Arbitrary<string> =>
  fc
    .tuple(...parts.map((part) => (typeof part === "string" ? fc.constant(part) : part)))
    .map((texts) => texts.join(""));

describe("the fast reader and the full parser", () => {
  const word = anyOf("a Use 1.10 yes null x-y_z it's a:b 日本語 é 😀 https://e.com/a#b");
  const mark = anyOf("- ' \" : # ( ) . / ? & * ! % @ = , ~");
  const trap = fc.constantFrom(
    ...": ¦ #¦- ¦, ¦[¦]¦{¦}¦|¦>¦\\¦\\n¦`¦<<¦''¦\t¦ ¦  ¦\r".split("¦"),
    ..."\u0000\u001b\u0085\u00a0\u200b\u2028\u3000\ufeff",
  );
  const soup = list(pick([6, word], [3, mark], [2, trap]), "");
  const words = row(word, pick([2, fc.constant("")], [1, row(" ", word)]));
  const scalar = pick([16, words], [2, soup], [1, row('"', soup, '"')], [1, row("'", soup, "'")]);
  const brackets = pick(
    [3, row("[", list(scalar, ", "), "]")],
    [1, row("[", list(scalar, ","), "]")],
    [1, row("[", soup, "]")],
  );
  const key = pick(
    [14, anyOf("name description license metadata allowed-tools version a b2 X_y true constructor")],
    [1, anyOf('1 __proto__ << "q" é ? - a:b')],
  );
  const colon = pick([14, fc.constant(": ")], [1, fc.constantFrom(":", ":  ", ":\t", " : ")]);
  const pair = row(key, colon, pick([5, scalar], [1, brackets]));
  const dash = fc.constantFrom("\n  - ", "\n- ");
  const block = pick(
    [10, pair],
    [1, row(key, ":")],
    [3, row(key, ":\n  ", list(pair, "\n  "))],
    [1, row(key, ":\n- ", list(scalar, "\n- "))],
    [1, row(key, ":\n  - ", list(scalar, "\n  - "))],
    [1, row(key, ":", dash, scalar, dash, scalar)],
    [1, row(fc.constantFrom("  ", " ", "    ", "\t"), pair)],
    [1, row(key, ": ", anyOf("| > |- >+"), "\n  ", soup)],
    [1, pick([2, soup], [1, row("# ", soup)], [1, fc.constantFrom("", " ", "---", "...", "- a", "? a")])],
  );
  const text = fc
    .tuple(
      fc.array(block, { minLength: 1, maxLength: 3 }),
      fc.constantFrom("\n", "\r\n"),
      fc.constantFrom("", "\n"),
    )
    .map(([blocks, lineEnd, last]) => (blocks.join("\n") + last).replaceAll("\n", lineEnd));

  it("agree wherever the fast reader answers, which is often", () => {
    const runs = cases(50_000);
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

import { describe, expect, it } from "vitest";
import { parseYaml } from "./yaml-profile.ts";

/** The data of a text, or its fault with the line; the text begins on line 2 of its file. */
function read(text: string, schema: "failsafe" | "core" = "failsafe"): unknown {
  const document = parseYaml(text, schema, 2);
  return "fault" in document ? [document.fault, document.line] : document.data;
}

describe("scalars are strings", () => {
  it.each([
    ["name: yes", "yes"],
    ["name: 8004", "8004"],
    ["version: 1.10", "1.10"],
    ["description: 123", "123"],
    ["a: null", "null"],
    ["a: ~", "~"],
    ["a: 2024-01-01", "2024-01-01"],
    ["a: 0x1F", "0x1F"],
    ["a: true", "true"],
    ["a:", ""],
    ["a: ''", ""],
  ])("%s", (text, value) => {
    expect(Object.values(read(text) as object)).toEqual([value]);
  });

  it("reads numbers, booleans and null in configuration only", () => {
    expect(read("a: 1.5\nb: true\nc: null\nd: yes\ne: '1'", "core")).toEqual({
      a: 1.5,
      b: true,
      c: null,
      d: "yes",
      e: "1",
    });
  });
});

describe("the ways to write a text", () => {
  it.each([
    ["folded", "a: >\n  one\n  two\n\n  three\nb: x", "one two\nthree\n"],
    ["folded and stripped", "a: >-\n  one\n  two\nb: x", "one two"],
    ["literal", "a: |\n  one\n    two\nb: x", "one\n  two\n"],
    ["literal and stripped", "a: |-\n  one: two # three\nb: x", "one: two # three"],
    ["plain over two lines", "a: one\n  two\nb: x", "one two"],
    ["in double quotes", 'a: "one\\ttwo \\u00e9 \\x41 \\ud83d\\ude00"\nb: x', "one\ttwo é A 😀"],
    ["in double quotes over two lines", 'a: "one\n  two"\nb: x', "one two"],
    ["in single quotes", "a: 'it''s: \\n'\nb: x", "it's: \\n"],
    ["with a comment behind it", "a: one # two\nb: x", "one"],
    ["with a hash inside", "a: one#two\nb: x", "one#two"],
  ])("%s", (_, text, value) => {
    expect(read(text)).toEqual({ a: value, b: "x" });
    expect(read(text.replaceAll("\n", "\r\n"))).toEqual({ a: value, b: "x" });
  });
});

describe("mappings and lists", () => {
  it("reads lists on lines and in brackets, and nested mappings", () => {
    const text = "a:\n  - x\n  - y\nb:\n- x\nc: [x, 'y, z']\nd: {x: 1, y: [2]}\ne:\n  x:\n    y: z";
    const value = {
      a: ["x", "y"],
      b: ["x"],
      c: ["x", "y, z"],
      d: { x: "1", y: ["2"] },
      e: { x: { y: "z" } },
    };
    expect(read(text)).toEqual(value);
  });

  it.each(["", "\n\n", "# only a comment"])("reads %j as no keys", (text) => {
    expect(read(text)).toEqual({});
  });

  it.each(["- a\n- b", "just text", "[a, b]", '"text"'])(
    "rejects a document that is no mapping: %j",
    (text) => {
      expect(read(text)).toEqual(["YAML_SYNTAX", 2]);
    },
  );

  it("gives maps no prototype, so that a key can only be data", () => {
    const data = read("constructor: a\ntoString: b\nnested: {hasOwnProperty: c}") as { nested: object };
    expect(Object.getPrototypeOf(data)).toBeNull();
    expect(Object.getPrototypeOf(data.nested)).toBeNull();
    expect(data).toEqual({ constructor: "a", toString: "b", nested: { hasOwnProperty: "c" } });
  });
});

describe("what may not occur, and on which line", () => {
  it.each([
    ["an anchor", "a: b\nc: &x d", "YAML_ALIAS", 3],
    ["an alias", "a: |\n  &x *y\n  z\nb: *x", "YAML_ALIAS", 5],
    ["a tag", "a: 'one\n  two'\nb: !foo bar", "YAML_TAG", 4],
    ["a tag with its address", "a: !<tag:yaml.org,2002:str> x", "YAML_TAG", 2],
    ["a tag of the language", "a: !!str x", "YAML_TAG", 2],
    ["a merge key", "a: b\n<<: {c: d}", "YAML_MERGE", 3],
    ["a merge key in a nested mapping", "a: b\nc:\n  d: e\n  <<: {f: g}", "YAML_MERGE", 5],
    ["a merge key in quotes", 'a: b\n"<<":\n  c: d', "YAML_MERGE", 3],
    ["a key given twice", "a: b\nc: d\na: e", "YAML_DUPLICATE", 4],
    ["a nested key given twice", "a:\n  b: c\n  'b': d", "YAML_DUPLICATE", 4],
    ["__proto__ as a key", "a: b\n__proto__: {c: d}", "YAML_KEY", 3],
    ["__proto__ in a mapping in braces", "a: b\nm: {__proto__: {c: d}}", "YAML_KEY", 3],
    ["a list as a key", "a: b\n? [c, d]\n: e", "YAML_KEY", 3],
    ["a mapping as a key", "a: b\n{c: d}: e", "YAML_KEY", 3],
    ["an empty key", "a: b\n: c", "YAML_KEY", 3],
    ["a tab as indentation", "a:\n\tb: c", "YAML_SYNTAX", 3],
    ["an open bracket", "a: b\nc: [d", "YAML_SYNTAX", 3],
    ["an open quote", 'a: b\nc: "d', "YAML_SYNTAX", 3],
    ["an unknown escape", 'a: b\nc: "\\q"', "YAML_SYNTAX", 3],
    ["an unquoted colon", "a: b\nc: d: e", "YAML_SYNTAX", 3],
    ["a reserved character", "a: b\nc: @d", "YAML_SYNTAX", 3],
    ["a directive", "%YAML 1.1\n---\na: b", "YAML_SYNTAX", 2],
    ["a second document", "a: b\n--- \nc: d", "YAML_SYNTAX", 3],
    ["the end of the document", "a: b\n...\nc: d", "YAML_SYNTAX", 3],
    ["half of a surrogate pair", 'a: b\nc: "\\ud800"', "UNICODE", 3],
    ["half of a surrogate pair in a key", 'a: b\n"\\udc00": c', "UNICODE", 3],
  ])("%s", (_, text, fault, line) => {
    expect(read(text)).toEqual([fault, line]);
  });

  it.each([
    "a: b & c * d ! e",
    "a: 'x'\nb: \"*x\"",
    "# &a *b !c\na: b",
    "a: |\n  *x\n  !y\n  %z\n  ---x",
    "a: R&D*2!",
  ])("reads such characters as text where they are text: %j", (text) => {
    expect(read(text)).not.toBeInstanceOf(Array);
  });

  it("says what is wrong in one line, without the library's picture of it", () => {
    const fault = parseYaml("a: b\nc: d: e", "failsafe", 2);
    expect(fault).toMatchObject({ message: expect.stringMatching(/^Not valid YAML: [^\n]*[^\n:]$/) });
    expect(fault).not.toMatchObject({ message: expect.stringContaining("line") });
  });

  it("shortens a tag in its message", () => {
    expect(parseYaml(`a: !${"x".repeat(500)} b`, "failsafe", 2)).toMatchObject({
      message: expect.stringMatching(/^.{1,120}$/),
    });
  });
});

describe("limits", () => {
  const nestedList = (levels: number): string => `a: ${"[".repeat(levels)}${"]".repeat(levels)}`;
  const nestedMap = (levels: number): string =>
    Array.from({ length: levels }, (_, level) => `${" ".repeat(level)}a:`).join("\n");
  const keys = (count: number): string => Array.from({ length: count }, (_, i) => `k${i}: v`).join("\n");

  it("reads 31 levels below the top", () => {
    expect(read(nestedList(31))).not.toBeInstanceOf(Array);
    expect(read(nestedMap(31))).not.toBeInstanceOf(Array);
  });

  it.each([
    ["brackets", nestedList(33)],
    ["braces", `a: ${"{a: ".repeat(33)}${"}".repeat(33)}`],
    ["dashes", `a:\n${"- ".repeat(33)}x`],
    ["question marks", `${"? ".repeat(33)}x`],
    ["indented keys", nestedMap(33)],
  ])("rejects 33 levels of %s", (_, text) => {
    expect(read(text)).toEqual(["YAML_DEPTH", expect.any(Number)]);
  });

  it("reads 256 keys in one mapping and not one more", () => {
    expect(Object.keys(read(keys(256)) as object)).toHaveLength(256);
    expect(read(keys(257))).toEqual(["FM_LIMIT", 2]);
    expect(read(`a: b\nm:\n  ${keys(257).replaceAll("\n", "\n  ")}`)).toEqual(["FM_LIMIT", 4]);
  });

  it("reads a key of 128 characters and not one more", () => {
    expect(read(`${"k".repeat(128)}: v`)).toEqual({ ["k".repeat(128)]: "v" });
    // Beyond 1,024 characters the library refuses it first.
    for (const length of [129, 60_000])
      expect(read(`a: b\n${"k".repeat(length)}: v`)).toEqual(["FM_LIMIT", 3]);
  });
});

describe("the line of a value", () => {
  const text = 'a: b\n\n# comment\nc:\n  d: >\n    folded\n    text\n  e:\n    - one\n    - two\n"f": g';
  it.each([
    [["a"], 2],
    [["c"], 5],
    [["c", "d"], 6],
    [["c", "e"], 9],
    [["c", "e", 1], 11],
    [["f"], 12],
    [["c", "missing"], 5],
    [["missing"], 2],
    [[], 2],
  ])("%j is on line %i of the file", (path, line) => {
    for (const source of [text, text.replaceAll("\n", "\r\n")]) {
      const document = parseYaml(source, "failsafe", 2);
      expect("fault" in document ? document : document.lineOf(path)).toBe(line);
    }
  });
});

describe("messages", () => {
  it("are whole text also where the library quotes half of a character", () => {
    const document = parseYaml('"\\\u{e0041}', "failsafe", 1);
    expect("fault" in document && document.message.isWellFormed()).toBe(true);
  });
});

import { describe, expect, it } from "vitest";
import type { DialectName } from "./dialects.ts";
import { fixSkill } from "./fix-skill.ts";
import { parseWholeSkill } from "./parse.ts";

function fix(text: string, folder = "x", dialect: DialectName = "agentskills", renames = true) {
  const place = { folder, dialect, bareIsLily: false };
  const fixed = fixSkill(Buffer.from(text, "utf8"), place, { renames });
  if (!fixed) return null;
  const after = fixed.bytes.toString("utf8");
  expect(fixSkill(fixed.bytes, place, { renames })).toBeNull();
  return {
    text: after,
    codes: fixed.fixed.map(({ fault }) => fault),
    renamed: fixed.renamed,
    left: parseWholeSkill(fixed.bytes, place).faults.map(({ fault }) => fault),
  };
}

describe("the name is set to the folder's", () => {
  it.each([
    ["plain", "name: y", "name: x"],
    ["in double quotes", 'name: "y z"', 'name: "x"'],
    ["in single quotes", "name: 'y'", "name: 'x'"],
    ["with a comment", "name:  Y   # the old one", "name:  x   # the old one"],
    ["with a quoted key", '"name": y', '"name": x'],
    ["with spaces at the end", "name: y  ", "name: x  "],
    ["like a path", "name: a/b", "name: x"],
    ["empty", "name:", "name: x"],
  ])("%s", (_, before, after) => {
    const file = (line: string): string => `---\ndescription: d\n${line}\nlicense: MIT\n---\n# y\nname: y\n`;
    const fixed = fix(file(before));
    expect(fixed?.text).toBe(file(after));
    expect(fixed?.left.filter((fault) => fault.startsWith("NAME"))).toEqual([]);
  });

  it("with the line end of the file where it is missing", () => {
    expect(fix("---\r\ndescription: d\r\n---\r\n")).toMatchObject({
      text: "---\r\nname: x\r\ndescription: d\r\n---\r\n",
      codes: ["NAME_MISSING"],
      renamed: undefined,
    });
    expect(fix("---\n---\nBody")).toMatchObject({ text: "---\nname: x\n---\nBody", left: ["DESC_INVALID"] });
  });

  it("in quotes where other readers take it for a number or a boolean", () => {
    const file = (name: string): string => `---\nname: ${name}\ndescription: d\n---\n`;
    expect(fix(file("y"), "2024-01-01")?.text).toBe(file("'2024-01-01'"));
    expect(fix(file("y"), "true")?.text).toBe(file("'true'"));
  });

  it("and both names are given", () => {
    expect(fix("---\nname: Old Name\ndescription: d\n---\n")).toMatchObject({
      codes: ["NAME_INVALID", "NAME_DIR_MISMATCH"],
      renamed: { from: "Old Name", to: "x" },
    });
  });

  it.each([
    ["a folder whose name is not valid", "---\nname: y\ndescription: d\n---\n", "My Skill"],
    ["a name over several lines", "---\nname: >\n  y\ndescription: d\n---\n", "x"],
    ["a name that is a list", "---\nname:\n  - y\ndescription: d\n---\n", "x"],
    ["a mapping in braces", "---\n{name: y, description: d}\n---\n", "x"],
  ])("not with %s", (_, text, folder) => {
    expect(fix(text, folder)).toBeNull();
  });

  it("not where the format lets them differ, nor where names are to stay", () => {
    const text = "---\nname: y\ndescription: d\n---\n";
    expect(fix(text, "x", "project")).toBeNull();
    expect(fix(text, "x", "lily")).toBeNull();
    expect(fix(text, "x", "agentskills", false)).toBeNull();
  });
});

describe("values get the quotes that they need", () => {
  it.each([
    ["an unquoted colon", "description: Use when: asked", "description: 'Use when: asked'"],
    ["a quote in it", "description: It's: done ", "description: 'It''s: done' "],
    ["more spaces before it", "description:   Use when: asked", "description:   'Use when: asked'"],
    ["several lines", "description: Use when: asked\n  or not", "description: 'Use when: asked\n  or not'"],
    ["bold text", "description: **Fast** tests", "description: '**Fast** tests'"],
    ["a block sign on the line", "description: | Reviews.", "description: 'Reviews.'"],
    [
      "two values",
      "description: Use when: asked\ncompatibility: Needs: git",
      "description: 'Use when: asked'\ncompatibility: 'Needs: git'",
    ],
    [
      "one in a mapping",
      "description: d\nmetadata:\n  a: b: c\n  d: e",
      "description: d\nmetadata:\n  a: 'b: c'\n  d: e",
    ],
  ])("%s", (_, before, after) => {
    const file = (lines: string): string => `---\nname: x\n${lines}\n---\n# Use when: asked\n`;
    expect(fix(file(before))).toMatchObject({ text: file(after), left: [] });
    const crlf = (lines: string): string => file(lines).replaceAll("\n", "\r\n");
    expect(fix(crlf(before))?.text).toBe(crlf(after));
  });

  it.each([
    ["a list that is not closed", "description: d\nallowed-tools: [a, b"],
    ["a quote that is not closed", 'description: "Use when: asked'],
    ["a comment", "description: Write C # code"],
    ["the same key twice", "description: d\ndescription: e"],
    ["text below a fence that is missing", "description: d\n\n# X\n\nIt does this:\n- **a**\n- **b**"],
  ])("not %s, which may mean something else", (_, lines) => {
    expect(fix(`---\nname: x\n${lines}\n---\n`)).toBeNull();
  });
});

describe("tabs in the indentation become spaces", () => {
  it.each([
    ["a mapping", "metadata:\n\ta: b\n\tc: d", "metadata:\n  a: b\n  c: d"],
    ["a list", "requires_tools:\n\t- git\n\t- gh", "requires_tools:\n  - git\n  - gh"],
    ["two levels", "eligibility:\n\tos:\n\t\t- linux", "eligibility:\n  os:\n    - linux"],
    ["as deep as the spaces beside it", "metadata:\n  a: b\n\tc: d", "metadata:\n  a: b\n  c: d"],
    ["a block of text", "compatibility: |\n\tone\n\ttwo", "compatibility: |\n  one\n  two"],
    ["with a colon", "metadata:\n\ta: b: c", "metadata:\n  a: 'b: c'"],
  ])("%s", (_, before, after) => {
    const file = (lines: string): string => `---\nname: x\ndescription: d\n${lines}\n---\n\tcode\n`;
    expect(fix(file(before))).toMatchObject({ text: file(after), codes: ["YAML_SYNTAX"], left: [] });
  });

  it("not where the width of a tab decides what the file says", () => {
    expect(fix("---\nname: x\ndescription: |\n  one\n\ttwo\nmetadata:\n\ta: b\n---\n")).toBeNull();
  });
});

describe("the lines around the frontmatter", () => {
  const keys = "---\nname: x\ndescription: d\n";
  it.each([
    ["before a blank line", `${keys}\n# X\n`, `${keys}---\n\n# X\n`],
    ["before a heading", `${keys}# X\n`, `${keys}---\n# X\n`],
    ["at the end of the file", keys, `${keys}---\n`],
    ["at the end without a newline", keys.trimEnd(), `${keys}---`],
    [
      "after a list",
      `${keys}allowed-tools:\n  - Bash\n\nText.\n`,
      `${keys}allowed-tools:\n  - Bash\n---\n\nText.\n`,
    ],
  ])("a missing fence is added %s", (_, before, after) => {
    expect(fix(before)).toMatchObject({ text: after, codes: ["FM_UNTERMINATED"], left: [] });
    const crlf = before.replaceAll("\n", "\r\n");
    expect(fix(crlf)?.text).toBe(after.replaceAll("\n", "\r\n"));
  });

  it.each([
    ["text follows at once", `${keys}Does it.\n`],
    ["keys follow a blank line", `${keys}\nlicense: MIT\n\n# X\n`],
    ["keys follow a heading", `${keys}\n# More\n\nlicense: MIT\n`],
    ["comments follow a key", `${keys}# one\n# two\ntags: [a]\n\n# X\n`],
    ["the fence has two dashes", `${keys}\n--\n# X\n`],
    ["a key is missing", "---\nname: x\n\n# X\n"],
  ])("not where %s", (_, text) => {
    expect(fix(text)).toBeNull();
  });

  it("blank lines before the first fence, the word yaml after it, and a byte order mark are removed", () => {
    const good = `${keys}---\n# X\n`;
    expect(fix(`\n \n${good}`)).toMatchObject({ text: good, codes: ["FM_MISSING"] });
    expect(fix(good.replace("---", "---yaml"))).toMatchObject({ text: good, codes: ["FM_LANG"] });
    expect(fix(good.replace("---", "---js"))).toBeNull();
    expect(fix(`\ufeff${good}`)).toMatchObject({ text: good, codes: ["BOM"] });
    expect(fix(`\ufeff${keys}\n# X\n`)).toMatchObject({ codes: ["BOM", "FM_UNTERMINATED"], left: [] });
  });
});

it("fixes several faults of one file, and no byte of its body", () => {
  const body = "# Y\r\n\r\nname: y\r\n\tdescription: Use when: asked \r\n---\r\nend";
  const before = `\ufeff---\r\nname: Y\r\ndescription: Use when: asked\r\nmetadata:\r\n\ta: b\r\n---\r\n${body}`;
  expect(fix(before)).toMatchObject({
    text: `---\r\nname: x\r\ndescription: 'Use when: asked'\r\nmetadata:\r\n  a: b\r\n---\r\n${body}`,
    left: [],
  });
});

it("takes no time for frontmatter that is made to cost some", () => {
  for (const lines of [
    `name: y${" ".repeat(60_000)}x`,
    "a: b: c\n".repeat(7_000),
    "\t- a: b: c\n".repeat(5_000),
  ])
    expect(fix(`---\n${lines}\ndescription: d\n---\n`)).toBeNull();
});

it("leaves a file alone that is not UTF-8, and one with nothing to fix", () => {
  const place = { folder: "x", dialect: "agentskills", bareIsLily: false } as const;
  const latin = Buffer.from("---\nname: y\ndescription: caf\u00e9\n---\n", "latin1");
  expect(fixSkill(latin, place, { renames: true })).toBeNull();
  expect(fix("---\nname: x\ndescription: d\n---\n")).toBeNull();
});

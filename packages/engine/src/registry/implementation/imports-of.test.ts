import { describe, expect, it } from "vitest";
import { within } from "../../../../core/src/shared/testing/within.ts";
import { importsOf } from "./imports-of.ts";

describe("imports that a text spells out", () => {
  it.each([
    ['import "./a.ts"', "./a.ts"],
    ["import x from './a.ts'", "./a.ts"],
    ['import type { A } from "./a.ts"', "./a.ts"],
    ['import{a}from"./a.ts"', "./a.ts"],
    ['import x, {\n  y as z, // from "here"\n} from\n  "./a.ts"', "./a.ts"],
    ['export * from "./a.ts"', "./a.ts"],
    ['export { a } from "./a.ts"', "./a.ts"],
    ['await import("./a.ts")', "./a.ts"],
    ['import /* why */ (\n// not\n"./a.ts" /* because */ , {})', "./a.ts"],
    ["import(`./a.ts`)", "./a.ts"],
    ['const a = require("./a.ts")', "./a.ts"],
    ['export * from // why\r"./a.ts"', "./a.ts"],
    ['import a from "./a.ts" with { type: "json" }', "./a.ts"],
  ])("%s", (text, specifier) => {
    const imports = importsOf(text);
    expect(imports.specifiers).toContain(specifier);
    expect(imports.computed).toBe(false);
  });
});

describe("imports that a text does not spell out", () => {
  it.each([
    "import(name)",
    'import("./a" + b)',
    "import(`./$" + "{a}.ts`)",
    `import ${" ".repeat(5_000)} "./a.ts"`,
    'import("./\\x61.ts")',
    "require(name)",
    'require.resolve("./a")',
    "const r = require;",
    "call(require)",
    "const all = { require }",
    "const r = require\nr('./a')",
    "eval(text)",
    "createRequire(here)",
    "new URL('./a.json', import.meta.url)",
    "readFileSync(__dirname + '/a')",
    'import.defer("./a.ts")',
  ])("%s", (text) => expect(importsOf(text).computed).toBe(true));
});

describe("text that is not an import", () => {
  it.each([
    "const x = Array.from(y)",
    "const important = 1; frommage('a')",
    "$require('./a')",
    "// we require patience",
  ])("%s", (text) => expect(importsOf(text)).toEqual({ specifiers: [], computed: false }));

  it("takes a comment for one rather than miss one", () => {
    expect(importsOf('// import x from "./a.ts"').specifiers).toEqual(["./a.ts"]);
  });

  it("reads a megabyte of openings in one pass", () => {
    within(5_000, () => {
      importsOf("import/*".repeat(20_000));
      importsOf(`import ${"/**/".repeat(250_000)}`);
      importsOf("import(`".repeat(20_000));
    });
  });
});

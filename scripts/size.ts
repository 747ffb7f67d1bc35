import { execFileSync, spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";

/**
 * Prints how large the repository is: what it was before it was made smaller, what it is, and its goal; for each row over its
 * goal, what is left there. `--names` lists the exported names that several files define. Minutes and looks are those that the
 * last `npm run test:full` and `npm test` wrote down.
 */

const root = join(import.meta.dirname, "..");

interface Size {
  readonly what: string;
  readonly before: string;
  readonly now: string;
  readonly goal: string;
  /** What is left over the goal, and why. */
  readonly left?: string;
}

const tracked = execFileSync("git", ["ls-files"], { cwd: root, encoding: "utf8", maxBuffer: 2 ** 26 })
  .split("\n")
  .filter((path) => path !== "" && existsSync(join(root, path)));
const read = (path: string): string => readFileSync(join(root, path), "utf8");
const isTest = (path: string): boolean => /\.test\.tsx?$/.test(path);
const isSource = (path: string): boolean =>
  /^packages\/\w+\/src\/.*\.(?:tsx?|css)$/.test(path) && !isTest(path) && !/\/testing\/|\.d\.ts$/.test(path);
const lines = (paths: readonly string[]): number =>
  paths.reduce((sum, path) => sum + (read(path).match(/\n/g)?.length ?? 0), 0);
const count = (number: number): string => number.toLocaleString("en-US");
const linesAndFiles = (paths: readonly string[]): string => `${count(lines(paths))} / ${count(paths.length)}`;

const sources = tracked.filter(isSource);
const inPackage = (name: string): string[] => sources.filter((path) => path.startsWith(`packages/${name}/`));

/** Names that several files export, each as a thing of its own. */
function ambiguousNames(): string[] {
  const files = new Map<string, Set<string>>();
  const declaration =
    /^export (?:abstract )?(?:async )?(?:function\*?|const|let|class|interface|type|enum) (\w+)/gm;
  for (const path of sources.filter((name) => /\.tsx?$/.test(name)))
    for (const [, name = ""] of read(path).matchAll(declaration))
      files.set(name, (files.get(name) ?? new Set()).add(path));
  return [...files].flatMap(([name, paths]) => (paths.size > 1 ? [name] : [])).sort();
}

const errorClasses = (paths: readonly string[]): number =>
  paths.reduce(
    (sum, path) => sum + (read(path).match(/^(?:export )?class \w+ extends \w*Error\b/gm)?.length ?? 0),
    0,
  );

/** The commands and routes of the program, as it lists them itself. */
function commandCount(): number {
  const { stdout } = spawnSync(process.execPath, [join(root, "packages/knack/bin/knack.js"), "help"], {
    encoding: "utf8",
  });
  return stdout.match(/^ {2}[a-z][\w-]*(?: |$)/gm)?.length ?? 0;
}

function routeCount(): number {
  const documented = read("docs/http.md").match(/^\| `(?:GET|POST|PUT|PATCH|DELETE) \/\S*/gm) ?? [];
  return new Set(documented).size;
}

function dependencyCount(): number {
  const manifests = tracked.filter((path) => /^(?:packages\/\w+\/)?package\.json$/.test(path));
  const names = manifests.flatMap((path) => {
    const { dependencies, devDependencies } = JSON.parse(read(path)) as Record<string, object | undefined>;
    return Object.keys({ ...dependencies, ...devDependencies });
  });
  return new Set(names.filter((name) => !name.startsWith("@knack/"))).size;
}

function installedMegabytes(): string {
  // Without the caches that tests leave there.
  const { stdout } = spawnSync("du", ["-sm", "--exclude=node_modules/.*", "node_modules"], {
    cwd: root,
    encoding: "utf8",
  });
  return `${Number.parseInt(stdout, 10)} MB`;
}

/** A figure that tests wrote down, or `undefined` if they did not run yet. */
function measured<T>(file: string): T | undefined {
  const record = join(root, "node_modules/.cache", file);
  return existsSync(record) ? (JSON.parse(readFileSync(record, "utf8")) as T) : undefined;
}

function testMinutes(): string {
  const full = measured<{ seconds: number }>("knack-full-tests.json");
  return full ? `${(full.seconds / 60).toFixed(1)} min` : "run npm run test:full";
}

function looksOfCalls(): string {
  const looks = measured<Record<string, number>>("knack-looks.json");
  return looks ? `${looks.skill_load} / ${looks.skill_search} / ${looks.dispatch}` : "run npm test";
}

const tests = tracked.filter(isTest);
const generated = tracked.filter((path) => path.startsWith("packages/web/src/") && path.endsWith(".d.ts"));
const names = ambiguousNames();
const words = (paths: readonly string[]): number =>
  paths.reduce((sum, path) => sum + read(path).split(/\s+/).filter(Boolean).length, 0);

const sizes: readonly Size[] = [
  {
    what: "packages/core, lines / files",
    before: "33,086 / 405",
    now: linesAndFiles(inPackage("core")),
    goal: "22,500 / 200",
    left: "search (4,900 lines: own index, words, 60 features, within 1 ms a query and 4 s an index), three formats of skills in the folders and plugins of sixteen clients with a watcher (2,800), three languages of edge rules (2,600), frontmatter with its own YAML profile and remedies (2,400), lint patterns (2,000), files that are held while they are read (600), a dispatch that spans processes (1,500). Each was asked for by a document or an issue; what stood twice is gone.",
  },
  {
    what: "packages/engine",
    before: "21,946 / 278",
    now: linesAndFiles(inPackage("engine")),
    goal: "16,300 / 150",
    left: "two databases under one contract (2,600), the sandbox on three levels (2,200), parsers for strangers' files (1,900), plans with evidence (1,800), the queue with its workers (1,600), claims and leases: rules with a test each.",
  },
  {
    what: "packages/knack",
    before: "26,632 / 390",
    now: linesAndFiles(inPackage("knack")),
    goal: "18,500 / 240",
    left: "about 5,100 lines of HTTP (43 routes with the schemas of query, body and answer, guards, events), 4,900 of the command line (51 commands as rows with examples, and what they print), 3,400 of add and its four sources (read as data, whole after a kill at any system call), 3,000 of setup (sixteen clients' files changed byte for byte, seven clients' hooks), 3,000 of MCP, 1,300 of what all of these share, 1,200 of hooks and 1,100 of the picker; each was asked for.",
  },
  {
    what: "packages/web, with CSS",
    before: "15,779 / 212",
    now: linesAndFiles(inPackage("web")),
    goal: "10,700 / 105",
    left: "nine pages in 6,600 lines on 2,700 of shared parts; 2,100 of all are style sheets without an unused class. Further cuts are features.",
  },
  {
    what: "all packages",
    before: "97,443 / 1,285",
    now: linesAndFiles(sources),
    goal: "68,000 / 690",
    left: "the four rows above.",
  },
  { what: "generated and tracked", before: "8,992 / 1", now: linesAndFiles(generated), goal: "0 / 0" },
  {
    what: "tests",
    before: "57,021 / 431",
    now: linesAndFiles(tests),
    goal: "50,000 / 340",
    left: "dense tables of cases. A rule is proved once where it is made and once from outside; an attack is tried on each surface, because each can forget it.",
  },
  {
    what: "full suite on two cores",
    before: "25 min",
    now: testMinutes(),
    goal: "12 min",
    left: "real processes, kills, databases and a browser; vitest prints the time of each file.",
  },
  { what: "exported names with several definitions", before: "153", now: String(names.length), goal: "40" },
  {
    what: "error classes, program / page",
    before: "21 / 1",
    now: `${errorClasses(["core", "engine", "knack"].flatMap(inPackage))} / ${errorClasses(inPackage("web"))}`,
    goal: "1 / 1",
  },
  {
    what: "looks of skill_load / skill_search / dispatch",
    before: "68 / 65 / 100+",
    now: looksOfCalls(),
    goal: "10 / 10 / 20",
  },
  {
    what: "commands",
    before: "50",
    now: String(commandCount()),
    goal: "48",
    left: "hook, gate and log came after the goal was set.",
  },
  { what: "documented routes", before: "68", now: String(routeCount()), goal: "60" },
  { what: "dependencies", before: "72", now: String(dependencyCount()), goal: "64" },
  { what: "node_modules", before: "718 MB", now: installedMegabytes(), goal: "600 MB" },
  {
    what: "words in docs/",
    before: "46,853",
    // Without what tests keep complete, row by row: the pages about the documents and the reference of the library.
    now: count(
      words(
        tracked.filter((path) => /^docs\/.*\.md$/.test(path) && !/^docs\/(?:spec\/|library\.md)/.test(path)),
      ),
    ),
    goal: "32,000",
    left: "hooks.md, setup of more clients, pages on embedding.",
  },
  {
    what: "ARCHITECTURE.md, bytes",
    before: "36,338",
    now: count(read("ARCHITECTURE.md").length),
    goal: "12,288",
  },
];

const width = (key: keyof Size): number =>
  Math.max(key.length, ...sizes.map((size) => size[key]?.length ?? 0));
for (const size of [{ what: "", before: "before", now: "now", goal: "goal" }, ...sizes])
  console.log(
    `${size.what.padEnd(width("what"))}  ${size.before.padStart(width("before"))}  ${size.now.padStart(width("now"))}  ${size.goal.padStart(width("goal"))}`,
  );

/** Whether one of the numbers of a row is larger than its goal. */
function isOver({ now, goal }: Size): boolean {
  const numbers = (text: string): number[] =>
    Array.from(text.replaceAll(",", "").matchAll(/[\d.]+/g), ([number]) => Number(number));
  const most = numbers(goal);
  return numbers(now).some((number, i) => number > (most[i] ?? Number.POSITIVE_INFINITY));
}

const over = sizes.filter(isOver);
if (over.length > 0) console.log("\nOver their goal:");
for (const { what, left } of over) console.log(`  ${what}${left ? `: ${left}` : ""}`);
if (process.argv.includes("--names")) console.log(`\n${names.join("\n")}`);

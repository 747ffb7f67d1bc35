import { accessSync, constants, existsSync, readdirSync, statSync } from "node:fs";
import { dirname, isAbsolute, join, resolve, sep } from "node:path";
import { type Catalog, type Config, isTrusted, SkillError, skillGraph } from "@knack/core";
import { type ClientFolder, cacheFolder, listClientFolders, type RootPlace } from "@knack/core/catalog";
import { CLIENT_FOLDERS, findProject, homeFolder } from "@knack/core/config";
import { isInside, TreeWatch } from "@knack/core/files";
import { LockGate, lockPlaces, readLock } from "@knack/core/lock";
import { findProgram, isProgram } from "@knack/core/process";
import { findRunner, listRunners, loadRouting } from "@knack/core/session";
import { fewOf } from "@knack/core/text";
import { openProject } from "../host/open-project.ts";
import { leftOut } from "../host/reports.ts";
import type { GlobalOptions } from "../options.ts";
import { painter, print, printJson, terminalWidth } from "../terminal/output.ts";
import { table } from "../terminal/table.ts";
import { count, escapeControl, pluralize, visiblePath } from "../terminal/visible.ts";
import { version } from "../version.ts";
import { namesOfTyped } from "./dispatch.ts";
import type { Check } from "./doctor-engine.ts";

/** What agents get of the skills here, and which agents can be given work. */
export function agentChecks(catalog: Catalog, trusted: boolean): Check[] {
  return [offerCheck(catalog, trusted), runnerCheck(catalog)];
}

function offerCheck({ skills }: Catalog, trusted: boolean): Check {
  const name = "agents";
  const forModels = skills.filter((skill) => !skill.disableModelInvocation);
  const offered = forModels.filter((skill) => trusted || skill.scope !== "repo").length;
  const waiting = forModels.length - offered;
  const message = `${pluralize(offered, "skill")} for models, over MCP, HTTP, JSON-RPC`;
  if (waiting === 0)
    return {
      name,
      ok: true,
      message,
      hint: '"knack setup <client>" gives them to an agent.',
    };
  const hint = 'Run "knack trust" to give them to models too.';
  return {
    name,
    ok: true,
    message: `${message}; ${waiting} of this project ${waiting === 1 ? "is" : "are"} hidden until you trust it`,
    hint,
  };
}

/** Only what somebody asked for can be wrong: a runner that the configuration names. */
function runnerCheck({ config: { runners }, cwd }: Catalog): Check {
  const name = "runners";
  const known = listRunners(runners).map((runner) => ({ ...runner, isThere: isThere(runner.argv, cwd) }));
  const missing = known.filter((runner) => !runner.isThere && isNamed(runner.name, runners));
  const usable = known.filter((runner) => runner.isThere).map((runner) => runner.name);
  const there = usable.length === 0 ? "none is installed" : `installed: ${usable.join(", ")}`;
  try {
    const chosen = findRunner({}, runners);
    const message = chosen ? `${chosen.name} by default` : "none by default, so a dispatch prints its frame";
    if (missing.length === 0) return { name, ok: true, message: `${message}; ${there}` };
    const faults = missing.map(
      (runner) => `${runner.name} needs the program ${JSON.stringify(runner.argv[0])}`,
    );
    const hint = "Install what is missing, or fix runners in the configuration.";
    return { name, ok: false, message: `${faults.join(", ")}, which is not installed; ${message}`, hint };
  } catch (error) {
    if (!(error instanceof SkillError)) throw error;
    return { name, ok: false, message: error.message, hint: "Fix runners.default in the configuration." };
  }
}

function isNamed(name: string, runners: Config["runners"]): boolean {
  return runners.default === name || Object.hasOwn(runners, name);
}

function isThere([program = ""]: readonly string[], cwd: string): boolean {
  if (isAbsolute(program) || /[/\\]/.test(program)) return isProgram(resolve(cwd, program));
  return findProgram(program, process.env) !== undefined;
}

type Root = Catalog["roots"][number];

/** Every folder with skills, Knack's own and other agents', and what Knack does with it. */
export function folderChecks(catalog: Catalog, place: RootPlace): Check[] {
  const searched = new Set(catalog.roots.flatMap(({ path, also = [] }) => [path, ...also]));
  const left = listClientFolders(place).filter(({ path }) => !searched.has(path));
  return [...catalog.roots.map((root) => rootCheck(catalog, root)), ...left.map(notSearched)];
}

function rootCheck(catalog: Catalog, root: Root): Check {
  const { path, real, scope, dialect, client, plugin, also = [] } = root;
  const name = client === undefined ? `root ${path}` : `${client} ${path}`;
  const fault = catalog.errors.find((error) => error.path === path);
  if (fault) return { name, ok: false, message: fault.message, ...hintFor(fault.code) };
  const kind = client === undefined ? `${scope}, ${dialect}` : `${scope}, ${CLIENT_FOLDERS[client].title}`;
  const kinds = plugin === undefined ? kind : `${kind}, plugin ${plugin}`;
  if (!existsSync(real)) return { name, ok: true, message: `does not exist (${kinds})` };
  const entries = catalog.entries.filter((entry) => entry.root === root);
  const inactive = entries.filter(({ status }) => status !== "active").length;
  const elsewhere = catalog.entries
    .filter((entry) => entry.root !== root)
    .flatMap(({ skill }) => skill.places ?? [])
    .filter((other) => isInside(other, path)).length;
  const skipped = [...leftOut(catalog).keys()].filter((file) => isInside(file, real)).length;
  const parts = [
    pluralize(entries.length, "skill"),
    ...(elsewhere > 0
      ? [`${elsewhere} more that ${elsewhere === 1 ? "is" : "are"} also in another folder`]
      : []),
    ...(inactive > 0 ? [`${inactive} inactive`] : []),
    ...(skipped > 0 ? [`${skipped} skipped`] : []),
    ...(also.length > 0 ? [`also as ${also.join(", ")}`] : []),
  ];
  return { name, ok: true, message: `${parts.join(", ")} (${kinds})` };
}

function notSearched({ path, client }: ClientFolder): Check {
  return {
    name: `${client} ${path}`,
    ok: true,
    message: `not searched (${CLIENT_FOLDERS[client].title})`,
    hint: `Add ${client} to skills.clients in the configuration to use these skills.`,
  };
}

function hintFor(code: string): { hint?: string } {
  if (code === "E_ROOT_MISSING") return { hint: "Fix skills.roots or the SKILLS_*_DIR variable." };
  return code === "E_PATH_ESCAPE" ? { hint: '"knack trust" allows links to outside the project.' } : {};
}

const MAX_NAMED = 3;

/** Cycles end at the guards of a dispatch, and a missing skill may be meant to be optional: told, and not wrong. */
export async function graphCheck(catalog: Catalog): Promise<Check> {
  const { edges, cycles, dangling } = await skillGraph(catalog);
  const now = edges.filter(({ type }) => type === "requires_now").length;
  const name = "graph";
  const message = [
    `${pluralize(edges.length, "edge")}, ${now} of them required now`,
    ...told(
      "cycle",
      cycles.map((cycle) => fewOf([...cycle, cycle[0] ?? ""], { separator: " → " })),
    ),
    ...told(
      "dangling reference",
      dangling.map(({ from, name: to }) => `${from} names ${to}`),
    ),
  ].join("; ");
  if (cycles.length + dangling.length === 0) return { name, ok: true, message };
  return { name, ok: true, message, hint: '"knack graph" shows them all, with their lines.' };
}

function told(what: string, all: readonly string[]): string[] {
  if (all.length === 0) return [];
  const more = all.length > MAX_NAMED ? ` and ${all.length - MAX_NAMED} more` : "";
  return [`${pluralize(all.length, what)}: ${all.slice(0, MAX_NAMED).join(", ")}${more}`];
}

/** Skills against their locks; no check where there is neither a lock nor `skills.locked`. */
export async function lockChecks(
  catalog: Catalog,
  user: { readonly env: NodeJS.ProcessEnv; readonly home: string },
): Promise<Check[]> {
  const name = "lock";
  const { locked } = catalog.config.skills;
  const places = lockPlaces(catalog.projectRoot, user);
  let count = 0;
  try {
    for (const place of [places.project, places.user]) count += (await readLock(place))?.size ?? 0;
  } catch (error) {
    if (!(error instanceof SkillError)) throw error;
    return [
      { name, ok: false, message: error.message, hint: 'Fix it, or write it again with "knack lock".' },
    ];
  }
  if (count === 0 && !locked) return [];
  const gate = new LockGate(places);
  const view = await gate.view();
  let differ = 0;
  let unlocked = 0;
  for (const { skill } of catalog.entries) {
    if (typeof view(skill) === "string") unlocked++;
    else if ((await gate.faultOf(skill)) !== undefined) differ++;
  }
  const message = `${pluralize(count, "skill")} locked, ${differ} changed since, ${unlocked} not locked; skills.locked is ${locked ? "on" : "off"}`;
  const waiting = differ + unlocked;
  if (!locked || waiting === 0) return [{ name, ok: true, message }];
  const hint = `${waiting === 1 ? "1 skill waits" : `${waiting} skills wait`} until you have looked: "knack verify --strict" names them, "knack diff" shows a change, "knack lock" accepts it.`;
  return [{ name, ok: false, message, hint }];
}

interface Place {
  readonly name: string;
  readonly path: string;
}

/** As `--json` tells them. */
export interface DoctorOverlaps {
  readonly pairs: readonly { a: Place; b: Place; overlap: number; words: readonly string[] }[];
  readonly pairCount: number;
  readonly copies: readonly { name: string; paths: readonly string[] }[];
  readonly copyCount: number;
}

/** So many of each for a program, and so many for a person. */
const MAX_TOLD = 100;
const MAX_SHOWN = 10;

export async function findOverlaps(catalog: Catalog): Promise<DoctorOverlaps> {
  const found = await catalog.overlaps({ limit: MAX_TOLD });
  const place = ({ name, path }: Place): Place => ({ name, path });
  return {
    pairs: found.pairs.map(({ a, b, ...rest }) => ({ a: place(a), b: place(b), ...rest })),
    pairCount: found.pairCount,
    copies: found.copies.map((same) => ({ name: same[0]?.name ?? "", paths: same.map(({ path }) => path) })),
    copyCount: found.copyCount,
  };
}

/** Whether descriptions overlap too much is for the author to decide, so it is shown but not an error. */
export function overlapCheck({ pairCount, copyCount }: DoctorOverlaps): Check {
  const name = "overlap";
  if (pairCount + copyCount === 0)
    return { name, ok: true, message: "no two skills claim the same triggers" };
  const claim = pairCount === 1 ? "claims" : "claim";
  const message = `${pluralize(pairCount, "pair")} of skills ${claim} the same triggers, ${pluralize(copyCount, "skill")} in several places`;
  const hint = "An agent may confuse them: say in each description when to use the other one.";
  return pairCount > 0 ? { name, ok: true, message, hint } : { name, ok: true, message };
}

/** The strongest pairs and the first copies as lines that fit the terminal, with how many more there are. */
export function overlapLines(
  { pairs, pairCount, copies, copyCount }: DoctorOverlaps,
  paint: ReturnType<typeof painter>,
): string[] {
  const rows = [
    ...pairs.slice(0, MAX_SHOWN).map(({ a, b, overlap, words }) => {
      const [one = "", other = ""] =
        a.name === b.name ? tellApart([a.path, b.path]) : [escapeControl(a.name), escapeControl(b.name)];
      return [overlap.toFixed(2), one, other, escapeControl(words.join(", "))];
    }),
    ...copies
      .slice(0, MAX_SHOWN)
      .map(({ name, paths }) => [
        "copy",
        escapeControl(name),
        `${count(paths.length)} places`,
        tellApart(paths).join(", "),
      ]),
  ];
  if (rows.length === 0) return [];
  const columns = [
    { title: "OVERLAP" },
    { title: "SKILL" },
    { title: "AND" },
    { title: "SHARED", flexible: true },
  ];
  const [head = "", ...lines] = table(columns, rows, terminalWidth());
  const more = [
    pairCount > MAX_SHOWN ? `${pluralize(pairCount - MAX_SHOWN, "more pair")}` : "",
    copyCount > MAX_SHOWN ? `${pluralize(copyCount - MAX_SHOWN, "more copied skill")}` : "",
  ].filter(Boolean);
  return ["", paint("bold", head), ...lines, ...(more.length > 0 ? [paint("dim", more.join(", "))] : [])];
}

/** Folders without what all of them have in front: where a line is cut, the part that differs must be left. */
function tellApart(paths: readonly string[]): string[] {
  const folders = paths.map((path) => dirname(path).split(sep));
  let same = 0;
  while (folders.every((parts) => same < parts.length - 1 && parts[same] === folders[0]?.[same])) same++;
  return folders.map((parts) => visiblePath(["…", ...parts.slice(same)].join(sep)));
}

/** Whether requests can be routed: the file as it is read, or every line that is wrong in it. */
export async function routingCheck(catalog: Catalog, trusted: boolean): Promise<Check> {
  const name = "routing";
  try {
    const { file, routes, notes } = loadRouting(catalog, trusted, await namesOfTyped(catalog, trusted));
    const message = file === null ? "no rules" : `${file}, ${pluralize(routes.length, "rule")}`;
    return { name, ok: true, message: [message, ...notes].join("; ") };
  } catch (error) {
    if (!(error instanceof SkillError)) throw error;
    return {
      name,
      ok: false,
      message: error.message,
      hint: "Fix the lines named above; docs/routing.md has the format.",
    };
  }
}

/** Whether a server gets notice of every change here. Without, it works but is slower, so that is not an error. */
export async function watchCheck(catalog: Catalog, env: NodeJS.ProcessEnv): Promise<Check> {
  const name = "watching";
  const looks = "a server checks all files before each call";
  if (env.KNACK_WATCH?.toLowerCase() === "off")
    return { name, ok: true, message: `off (KNACK_WATCH=off): ${looks}` };
  const watch = new TreeWatch({ seen: () => catalog, heard: () => undefined });
  try {
    await watch.start();
    const { refusal, size } = watch;
    if (!refusal)
      return { name, ok: true, message: `the system reports every change in ${pluralize(size, "folder")}` };
    const hint = refusal.hint === undefined ? {} : { hint: refusal.hint };
    return { name, ok: true, message: `${looks}, because ${refusal.message}`, ...hint };
  } finally {
    watch.close();
  }
}

interface Findings {
  readonly checks: readonly Check[];
  /** Not there where the catalog could not be opened. */
  readonly overlaps?: DoctorOverlaps;
}

export async function doctor(options: GlobalOptions): Promise<void> {
  const { checks, overlaps } = await examine(options);
  const ok = checks.every((check) => check.ok);
  process.exitCode = ok ? 0 : 1;
  if (options.json) {
    printJson({ ok, checks, overlaps });
    return;
  }
  const paint = painter(options);
  const lines = checks.flatMap(({ name, ok: good, message, hint }) => [
    `${good ? paint("green", "ok   ") : paint("red", "wrong")} ${paint("bold", escapeControl(name))}: ${escapeControl(message)}`,
    ...(hint ? [`      ${paint("dim", escapeControl(hint))}`] : []),
  ]);
  print(lines.join("\n"));
  if (overlaps) print(overlapLines(overlaps, paint).join("\n"));
}

async function examine(options: GlobalOptions): Promise<Findings> {
  const env = process.env;
  const place = { env, home: homeFolder(env) };
  const project = findProject({ cwd: options.cwd ?? process.cwd(), ...place });
  const checks: Check[] = [
    { name: "runtime", ok: true, message: `knack ${version} on Node ${process.version}` },
    projectCheck(project, place),
  ];
  let catalog: Catalog;
  try {
    catalog = await openProject(options).catalog();
  } catch (error) {
    if (!(error instanceof SkillError)) throw error;
    const hint = "Fix the lines named above.";
    return { checks: [...checks, { name: "configuration", ok: false, message: error.message, hint }] };
  }
  const message = [catalog.configFiles.join(", ") || "none, defaults apply", ...catalog.notes].join("; ");
  const overlaps = await findOverlaps(catalog);
  const trusted = isTrusted(project, place);
  return {
    checks: [
      ...checks,
      { name: "configuration", ok: true, message },
      ...folderChecks(catalog, { ...place, projectRoot: catalog.projectRoot, cwd: catalog.cwd, trusted }),
      skillCheck(catalog),
      ...(await lockChecks(catalog, place)),
      nameCheck(catalog),
      overlapCheck(overlaps),
      await routingCheck(catalog, trusted),
      await graphCheck(catalog),
      ...agentChecks(catalog, trusted),
      indexCheck(cacheFolder(env, place.home)),
      await watchCheck(catalog, env),
      ...(await (await import("./doctor-engine.ts")).engineChecks(catalog)),
    ],
    overlaps,
  };
}

function projectCheck(project: string, place: Parameters<typeof isTrusted>[1]): Check {
  const name = "project";
  try {
    if (isTrusted(project, place)) return { name, ok: true, message: `${project}, trusted` };
  } catch (error) {
    if (!(error instanceof SkillError)) throw error;
    return { name, ok: false, message: error.message };
  }
  const hint = 'Its configuration and links cannot reach outside it; "knack trust" allows that.';
  return { name, ok: true, message: `${project}, not trusted`, hint };
}

function skillCheck(catalog: Catalog): Check {
  const skipped = leftOut(catalog).size;
  const inactive = catalog.entries.length - catalog.skills.length;
  const remarks = catalog.warnings.length;
  const message = `${catalog.skills.length} usable, ${inactive} inactive, ${skipped} skipped, ${remarks} warnings`;
  return skipped > 0
    ? { name: "skills", ok: false, message, hint: 'Run "knack validate" to see what is wrong with each.' }
    : { name: "skills", ok: true, message };
}

/** Names that cannot be used alone. That is allowed, so it is shown but not an error. */
function nameCheck(catalog: Catalog): Check {
  const counts = new Map<string, number>();
  for (const { name } of catalog.skills) counts.set(name, (counts.get(name) ?? 0) + 1);
  const shared = [...counts].filter(([, count]) => count > 1).map(([name, count]) => `${name} (${count})`);
  if (shared.length === 0) return { name: "names", ok: true, message: "every name is unique" };
  const more = shared.length > 5 ? ` and ${shared.length - 5} more` : "";
  const message = `${shared.length} names are shared: ${shared.slice(0, 5).join(", ")}${more}`;
  const hint =
    catalog.config.skills.duplicates === "nearest"
      ? "The one closest to the working directory is used (skills.duplicates: nearest)."
      : "Use their paths, or set skills.duplicates: nearest.";
  return { name: "names", ok: true, message, hint };
}

function indexCheck(folder: string): Check {
  const indexes = join(folder, "catalog");
  let existing = indexes;
  while (!existsSync(existing) && existing !== dirname(existing)) existing = dirname(existing);
  if (!statSync(existing).isDirectory()) {
    return {
      name: "index",
      ok: false,
      message: `${existing} is not a folder`,
      hint: "Remove it, so that Knack can create the index there.",
    };
  }
  try {
    accessSync(existing, constants.W_OK);
  } catch {
    // Not being allowed to write is the finding itself.
    return {
      name: "index",
      ok: false,
      message: `${indexes} cannot be written`,
      hint: "Until it can, every start reads all skills again.",
    };
  }
  const files = existsSync(indexes) ? readdirSync(indexes) : [];
  const bytes = files.reduce(
    (sum, file) => sum + (statSync(join(indexes, file), { throwIfNoEntry: false })?.size ?? 0),
    0,
  );
  return {
    name: "index",
    ok: true,
    message: `${indexes}, ${files.length} files, ${(bytes / 1e6).toFixed(1)} MB`,
  };
}

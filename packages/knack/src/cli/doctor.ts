import { accessSync, constants, existsSync, readdirSync, statSync } from "node:fs";
import { basename, dirname, isAbsolute, join, resolve, sep } from "node:path";
import { type Catalog, type Config, KnackError, type SkillMetadata, skillGraph } from "@knack/core";
import { cacheFolder, isSkillFolder, listClientFolders } from "@knack/core/catalog";
import { CLIENT_FOLDERS, findProject, homeFolder, isTrusted } from "@knack/core/config";
import { isInside, TreeWatch } from "@knack/core/files";
import { LockGate, lockPlaces, readLock } from "@knack/core/lock";
import { findProgram, isProgram } from "@knack/core/process";
import { findRunner, listRunners, loadRouting } from "@knack/core/session";
import { fewOf } from "@knack/core/text";
import { countMissing, idleIn } from "../host/missing.ts";
import { openProject } from "../host/open-project.ts";
import { leftOut } from "../host/reports.ts";
import { existingPart } from "../install/place.ts";
import type { GlobalOptions } from "../options.ts";
import { paint, print, printJson } from "../terminal/output.ts";
import { type CellColumn, tableLines } from "../terminal/table.ts";
import { andMore, count, escapeControl, pluralize, visiblePath } from "../terminal/visible.ts";
import { version } from "../version.ts";
import { namesOfTyped } from "./dispatch.ts";
import {
  type Found,
  lookAtOtherStates,
  lookAtRegistry,
  lookAtSandbox,
  lookAtStore,
} from "./doctor-engine.ts";

/** One thing that `knack doctor` looked at, as `--json` tells it. */
interface Check extends Found {
  readonly name: string;
  readonly ok: boolean;
}

/** A thing to look at. What `look` throws is what is wrong with it; `hint` says what to do then. */
type Row = readonly [name: string, look: () => Found | undefined | Promise<Found | undefined>, hint?: string];

/** Looks at one thing after the other: each may change what the next one finds. */
async function check(rows: readonly Row[]): Promise<Check[]> {
  const checks: Check[] = [];
  for (const [name, look, hint] of rows) {
    try {
      const found = await look();
      if (found) checks.push({ name, ok: true, ...found });
    } catch (error) {
      if (!(error instanceof KnackError)) throw error;
      checks.push({ name, ok: false, message: error.message, hint });
    }
  }
  return checks;
}

export async function doctor(options: GlobalOptions): Promise<void> {
  const { checks, overlaps } = await examine(options);
  const ok = checks.every((check) => check.ok);
  process.exitCode = ok ? 0 : 1;
  if (options.json) return printJson({ ok, checks: checks.map(({ warns: _, ...check }) => check), overlaps });
  const label = ({ ok: good, warns }: Check): string =>
    !good ? paint("red", "wrong") : warns ? paint("yellow", "warn ") : paint("green", "ok   ");
  const lines = checks.flatMap((check) => [
    `${label(check)} ${paint("bold", escapeControl(check.name))}: ${escapeControl(check.message)}`,
    ...(check.hint ? [`      ${paint("dim", escapeControl(check.hint))}`] : []),
  ]);
  print([...lines, ...(overlaps ? overlapLines(overlaps) : [])].join("\n"));
}

async function examine(options: GlobalOptions): Promise<{ checks: Check[]; overlaps?: DoctorOverlaps }> {
  const env = process.env;
  const user = { env, home: homeFolder(env) };
  const project = findProject({ cwd: options.cwd ?? process.cwd(), ...user });
  let catalog: Catalog | undefined;
  const start = await check([
    ["runtime", () => ({ message: `knack ${version} on Node ${process.version}` })],
    ["project", () => lookAtProject(project, isTrusted(project, user))],
    [
      "configuration",
      async () => {
        catalog = await openProject(options).catalog();
        const files = catalog.configFiles.join(", ") || "none, defaults apply";
        return { message: [files, ...catalog.notes].join("; ") };
      },
      "Fix the lines named above.",
    ],
  ]);
  if (!catalog) return { checks: start };
  const skills = catalog;
  const trusted = isTrusted(project, user);
  const overlaps = await findOverlaps(skills);
  const idle = await idleIn(skills);
  const { lookAtAgents } = await import("../setup/agent-lines.ts");
  const agents = await lookAtAgents(skills, trusted);
  const others = await check([
    ...idle.map(({ file, line, message }): Row => [`${file}:${line}`, () => ({ warns: true, message })]),
    ...folderRows(skills, trusted),
    ["skills", () => lookAtSkills(skills, trusted)],
    ["lock", () => lookAtLocks(skills, user), 'Fix it, or write it again with "knack lock".'],
    ["names", () => lookAtNames(skills)],
    ["overlap", () => lookAtOverlaps(overlaps)],
    ["routing", () => lookAtRouting(skills, trusted), "Fix the lines named above."],
    ["graph", () => lookAtGraph(skills)],
    ["agents", () => lookAtOffer(skills, trusted)],
    ...agents,
    ["runners", () => lookAtRunners(skills), "Fix runners.default in the configuration."],
    ["index", () => lookAtIndex(join(cacheFolder(env, user.home), "catalog"))],
    ["watching", () => lookAtWatching(skills)],
    ["registry", () => lookAtRegistry(skills)],
    ["store", () => lookAtStore(skills)],
    ["other projects", () => lookAtOtherStates(skills.projectRoot)],
    ["sandbox", lookAtSandbox],
  ]);
  return { checks: [...start, ...others], overlaps };
}

function lookAtProject(project: string, trusted: boolean): Found {
  if (trusted) return { message: `${project}, trusted` };
  const hint = 'Its configuration and links cannot reach outside it; "knack trust" allows that.';
  return { message: `${project}, not trusted`, hint };
}

function folderRows(catalog: Catalog, trusted: boolean): Row[] {
  const { roots, projectRoot, cwd, config } = catalog;
  const env = process.env;
  const searched = new Set(roots.flatMap(({ path, also = [] }) => [path, ...also]));
  const folders = listClientFolders({ env, home: homeFolder(env), projectRoot, cwd, trusted });
  const left = folders.filter(({ path }) => !searched.has(path));
  return [
    ...roots.map((root): Row => [`${root.client ?? "root"} ${root.path}`, () => lookAtRoot(catalog, root)]),
    ...left.map(({ path, client }): Row => {
      const message = `not searched (${CLIENT_FOLDERS[client].title})`;
      const change =
        config.skills.clients === "none"
          ? `Set skills.clients to [${client}]`
          : `Add ${client} to skills.clients`;
      const hint = `${change} in the configuration to use these skills.`;
      return [`${client} ${path}`, () => ({ message, hint })];
    }),
  ];
}

const ROOT_HINTS: Readonly<Record<string, string>> = {
  E_ROOT_MISSING: "Fix skills.roots or the SKILLS_*_DIR variable.",
  E_PATH_ESCAPE: '"knack trust" allows links to outside the project.',
};

function lookAtRoot(catalog: Catalog, root: Catalog["roots"][number]): Found {
  const { path, real, scope, dialect, client, plugin, also = [] } = root;
  const fault = catalog.errors.find((error) => error.path === path);
  if (fault) return { ok: false, message: fault.message, hint: ROOT_HINTS[fault.code] };
  const kind = client === undefined ? dialect : CLIENT_FOLDERS[client].title;
  const kinds = `${scope}, ${kind}${plugin === undefined ? "" : `, plugin ${plugin}`}`;
  if (!existsSync(real)) return { message: `does not exist (${kinds})` };
  const entries = catalog.entries.filter((entry) => entry.root === root);
  const inactive = entries.filter(({ status }) => status !== "active").length;
  const elsewhere = catalog.entries
    .filter((entry) => entry.root !== root)
    .flatMap(({ skill }) => skill.places ?? [])
    .filter((other) => isInside(other, path)).length;
  const skipped = [...leftOut(catalog).keys()].filter((file) => isInside(file, real)).length;
  const parts = [pluralize(entries.length, "skill")];
  if (elsewhere > 0)
    parts.push(`${elsewhere} more that ${elsewhere === 1 ? "is" : "are"} also in another folder`);
  if (inactive > 0) parts.push(`${inactive} inactive`);
  if (skipped > 0) parts.push(`${skipped} skipped`);
  if (also.length > 0) parts.push(`also as ${also.join(", ")}`);
  const bare = foldersWithoutSkill(catalog, root);
  if (bare.length === 0) return { message: `${parts.join(", ")} (${kinds})` };
  parts.push(`${pluralize(bare.length, "folder")} without SKILL.md: ${andMore(bare, 5)}`);
  const hint = "A skill is a folder with a SKILL.md: add one, or move what is no skill elsewhere.";
  return { warns: true, message: `${parts.join(", ")} (${kinds})`, hint };
}

/** Where document 003 keeps the code of typed skills, beside skills. */
const TYPED_CODE = "impl";

/** Folders directly in a root that neither are skills nor lead to one. */
function foldersWithoutSkill({ trees, config }: Catalog, { real }: Catalog["roots"][number]): string[] {
  const isCode = (path: string): boolean =>
    basename(path) === TYPED_CODE && config.registry.includes(join(real, "registry.yaml"));
  return [...trees].flatMap(({ folders }) => {
    const [top] = folders;
    if (top?.path !== real || isSkillFolder(top)) return [];
    const leading = new Set<(typeof folders)[number]>();
    // What a link leads to is a tree of its own.
    for (const folder of folders.filter((one) => one.parent && (isSkillFolder(one) || one.links.length > 0)))
      for (let at: typeof top | null = folder; at && !leading.has(at); at = at.parent) leading.add(at);
    return folders
      .filter((one) => one.parent === top && !leading.has(one) && !isCode(one.path))
      .map(({ path }) => basename(path))
      .filter((name) => !name.startsWith("."));
  });
}

function lookAtSkills(catalog: Catalog, trusted: boolean): Found {
  const { skipped, unsearched, disabled, ineligible, shadowed, unverified } = countMissing(catalog, trusted);
  const inactive = Object.entries({ disabled, ineligible, shadowed, unverified })
    .filter(([, many]) => many > 0)
    .map(([status, many]) => `${many} ${status}`);
  const message = [
    `${catalog.skills.length} usable`,
    ...(inactive.length > 0 ? inactive : ["0 inactive"]),
    `${skipped} skipped`,
    ...(unsearched > 0 ? [`${pluralize(unsearched, "path")} not searched`] : []),
    pluralize(catalog.warnings.length, "warning"),
  ].join(", ");
  const why = inactive.length > 0 ? '"knack list --all" says why a skill is inactive.' : "";
  // A root that is missing has a row of its own.
  if (leftOut(catalog).size === 0) return { message, hint: why || undefined };
  return { ok: false, message, hint: `Run "knack validate" to see what is wrong with each. ${why}`.trim() };
}

/** Skills against their locks; nothing to say where there is neither a lock nor `skills.locked`. */
async function lookAtLocks(
  catalog: Catalog,
  user: { readonly env: NodeJS.ProcessEnv; readonly home: string },
): Promise<Found | undefined> {
  const { locked } = catalog.config.skills;
  const places = lockPlaces(catalog.projectRoot, user);
  let size = 0;
  for (const place of [places.project, places.user]) size += (await readLock(place))?.size ?? 0;
  if (size === 0 && !locked) return undefined;
  const gate = new LockGate(() => places);
  const view = await gate.view();
  let [differ, unlocked] = [0, 0];
  for (const { skill } of catalog.entries) {
    if (typeof view(skill) === "string") unlocked++;
    else if ((await gate.faultOf(skill)) !== undefined) differ++;
  }
  const message = `${pluralize(size, "skill")} locked, ${differ} changed since, ${unlocked} not locked; skills.locked is ${locked ? "on" : "off"}`;
  const waiting = differ + unlocked;
  if (!locked || waiting === 0) return { message };
  const hint = `${waiting === 1 ? "1 skill waits" : `${waiting} skills wait`} until you have looked: "knack verify --strict" names them, "knack diff" shows a change, "knack lock" accepts it.`;
  return { ok: false, message, hint };
}

/** Names that cannot be used alone. That is allowed, so it is shown but not an error. */
function lookAtNames({ skills, config }: Catalog): Found {
  const shared = [...Map.groupBy(skills, ({ name }) => name)]
    .filter(([, same]) => same.length > 1)
    .map(([name, same]) => `${name} (${same.length})`);
  if (shared.length === 0) return { message: "every name is unique" };
  const hint =
    config.skills.duplicates === "nearest"
      ? "The one closest to the working directory is used (skills.duplicates: nearest)."
      : "Use their paths, or set skills.duplicates: nearest.";
  return { message: `${pluralize(shared.length, "name")} shared: ${andMore(shared, 5)}`, hint };
}

type DoctorOverlaps = Awaited<ReturnType<typeof findOverlaps>>;

/** So many of each for a program, and so many for a person. */
const MAX_TOLD = 100;
const MAX_SHOWN = 10;

async function findOverlaps(catalog: Catalog) {
  const found = await catalog.overlaps({ limit: MAX_TOLD });
  const place = ({ name, path }: SkillMetadata) => ({ name, path });
  return {
    pairs: found.pairs.map(({ a, b, ...rest }) => ({ a: place(a), b: place(b), ...rest })),
    pairCount: found.pairCount,
    copies: found.copies.map((same) => ({ name: same[0]?.name ?? "", paths: same.map(({ path }) => path) })),
    copyCount: found.copyCount,
  };
}

/** Whether descriptions overlap too much is for the author to decide, so it is shown but not an error. */
function lookAtOverlaps({ pairCount, copyCount }: DoctorOverlaps): Found {
  if (pairCount + copyCount === 0) return { message: "no two skills claim the same triggers" };
  const claim = pairCount === 1 ? "claims" : "claim";
  const message = `${pluralize(pairCount, "pair")} of skills ${claim} the same triggers, ${pluralize(copyCount, "skill")} in several places`;
  if (pairCount === 0) return { message };
  return { message, hint: "An agent may confuse them: say in each description when to use the other one." };
}

const OVERLAP_COLUMNS: readonly CellColumn<readonly string[]>[] = [
  { title: "OVERLAP", cell: ([overlap = ""]) => overlap },
  { title: "SKILL", cell: ([, one = ""]) => one },
  { title: "AND", cell: ([, , other = ""]) => other },
  { title: "SHARED", flexible: true, cell: ([, , , shared = ""]) => shared },
];

function overlapLines({ pairs, pairCount, copies, copyCount }: DoctorOverlaps): string[] {
  const rows = [
    ...pairs.slice(0, MAX_SHOWN).map(({ a, b, overlap, words }) => {
      const names = a.name === b.name ? tellApart([a.path, b.path]) : [a.name, b.name];
      return [overlap.toFixed(2), ...names, words.join(", ")];
    }),
    ...copies
      .slice(0, MAX_SHOWN)
      .map(({ name, paths }) => ["copy", name, `${count(paths.length)} places`, tellApart(paths).join(", ")]),
  ];
  if (rows.length === 0) return [];
  const more: string[] = [];
  if (pairCount > MAX_SHOWN) more.push(pluralize(pairCount - MAX_SHOWN, "more pair"));
  if (copyCount > MAX_SHOWN) more.push(pluralize(copyCount - MAX_SHOWN, "more copied skill"));
  const rest = more.length > 0 ? [paint("dim", more.join(", "))] : [];
  return ["", ...tableLines(rows, OVERLAP_COLUMNS), ...rest];
}

/** Folders without what all of them have in front: where a line is cut, the part that differs must be left. */
function tellApart(paths: readonly string[]): string[] {
  const folders = paths.map((path) => dirname(path).split(sep));
  let same = 0;
  while (folders.every((parts) => same < parts.length - 1 && parts[same] === folders[0]?.[same])) same++;
  return folders.map((parts) => visiblePath(["…", ...parts.slice(same)].join(sep)));
}

async function lookAtRouting(catalog: Catalog, trusted: boolean): Promise<Found> {
  const { file, routes, notes } = loadRouting(catalog, trusted, await namesOfTyped(catalog, trusted));
  const message = file === null ? "no rules" : `${file}, ${pluralize(routes.length, "rule")}`;
  return { message: [message, ...notes].join("; ") };
}

/** Cycles end at the guards of a dispatch, and a missing skill may be meant to be optional: told, and not wrong. */
async function lookAtGraph(catalog: Catalog): Promise<Found> {
  const { edges, cycles, dangling } = await skillGraph(catalog);
  const now = edges.filter(({ type }) => type === "requires_now").length;
  const few = (what: string, all: readonly string[]): string[] =>
    all.length === 0 ? [] : [`${pluralize(all.length, what)}: ${andMore(all, 3)}`];
  const circles = cycles.map((cycle) => fewOf([...cycle, cycle[0] ?? ""], { separator: " → " }));
  const missing = dangling.map(({ from, name: to }) => `${from} names ${to}`);
  const message = [
    `${pluralize(edges.length, "edge")}, ${now} of them required now`,
    ...few("cycle", circles),
    ...few("dangling reference", missing),
  ].join("; ");
  if (cycles.length + dangling.length === 0) return { message };
  return { message, hint: '"knack graph" shows them all, with their lines.' };
}

function lookAtOffer({ skills }: Catalog, trusted: boolean): Found {
  const forModels = skills.filter((skill) => !skill.disableModelInvocation);
  const offered = forModels.filter((skill) => trusted || skill.scope !== "repo").length;
  const waiting = forModels.length - offered;
  const message = `${pluralize(offered, "skill")} for models, over MCP, HTTP, JSON-RPC`;
  if (waiting === 0) return { message, hint: '"knack setup <client>" gives them to an agent.' };
  return {
    message: `${message}; ${waiting} of this project ${waiting === 1 ? "is" : "are"} hidden until you trust it`,
    hint: 'Run "knack trust" to give them to models too.',
  };
}

/** Only what somebody asked for can be wrong: a runner that the configuration names. */
function lookAtRunners({ config: { runners }, cwd }: Catalog): Found {
  const known = listRunners(runners).map((runner) => ({ ...runner, isThere: isThere(runner.argv, cwd) }));
  const missing = known.filter((runner) => !runner.isThere && isNamed(runner.name, runners));
  const usable = known.filter((runner) => runner.isThere).map((runner) => runner.name);
  const there = usable.length === 0 ? "none is installed" : `installed: ${usable.join(", ")}`;
  const chosen = findRunner({}, runners);
  const message = chosen ? `${chosen.name} by default` : "none by default, so a dispatch prints its frame";
  if (missing.length === 0) return { message: `${message}; ${there}` };
  const faults = missing.map(({ name, argv }) => `${name} needs the program ${JSON.stringify(argv[0])}`);
  const hint = "Install what is missing, or fix runners in the configuration.";
  return { ok: false, message: `${faults.join(", ")}, which is not installed; ${message}`, hint };
}

function isNamed(name: string, runners: Config["runners"]): boolean {
  return runners.default === name || Object.hasOwn(runners, name);
}

function isThere([program = ""]: readonly string[], cwd: string): boolean {
  if (isAbsolute(program) || /[/\\]/.test(program)) return isProgram(resolve(cwd, program));
  return findProgram(program, process.env) !== undefined;
}

function lookAtIndex(indexes: string): Found {
  const existing = existingPart(indexes);
  if (!statSync(existing).isDirectory()) {
    const hint = "Remove it, so that Knack can create the index there.";
    return { ok: false, message: `${existing} is not a folder`, hint };
  }
  try {
    accessSync(existing, constants.W_OK);
  } catch {
    // Not being allowed to write is the finding itself.
    const hint = "Until it can, every start reads all skills again.";
    return { ok: false, message: `${indexes} cannot be written`, hint };
  }
  const files = existsSync(indexes) ? readdirSync(indexes) : [];
  const sizes = files.map((file) => statSync(join(indexes, file), { throwIfNoEntry: false })?.size ?? 0);
  const bytes = sizes.reduce((sum, size) => sum + size, 0);
  return { message: `${indexes}, ${pluralize(files.length, "file")}, ${(bytes / 1e6).toFixed(1)} MB` };
}

/** Whether a server gets notice of every change here. Without, it works but is slower, so that is not an error. */
async function lookAtWatching(catalog: Catalog): Promise<Found> {
  const looks = "a server checks all files before each call";
  if (process.env.KNACK_WATCH?.toLowerCase() === "off") return { message: `off (KNACK_WATCH=off): ${looks}` };
  const watch = new TreeWatch({ seen: () => catalog, heard: () => undefined });
  try {
    await watch.start();
    const { refusal, size } = watch;
    if (!refusal) return { message: `the system reports every change in ${pluralize(size, "folder")}` };
    const { message, hint } = refusal;
    return { message: `${looks}, because ${message}`, hint };
  } finally {
    watch.close();
  }
}

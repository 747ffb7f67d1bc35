import { type Dirent, readdirSync, readFileSync, readlinkSync, statSync } from "node:fs";
import { join, relative } from "node:path";
import {
  type Diagnostic,
  type Fault,
  isError,
  toDiagnostic,
  type Validation,
} from "../shared/diagnostics.ts";
import { systemCode } from "../shared/errors.ts";
import { compareText } from "../shared/fold.ts";
import { fewOf } from "../shared/quote.ts";
import { DIALECTS } from "../skill/dialects.ts";
import { refersToAny } from "../skill/name.ts";
import type { SkillFacts, SkillMetadata } from "../skill/schema.ts";
import type { Collection, FoundFile } from "./collect.ts";
import type { Root } from "./scan/roots.ts";

/** Larger folders are not compared, so they count as different. */
const MAX_ENTRIES = 2_000;
const MAX_BYTES = 64 * 1024 * 1024;
/** A clone has it, a copy has not. */
const IGNORED = ".git";

/** Whether two folders have the same files with the same bytes, and the same links. */
function isSameFolder(a: string, b: string): boolean {
  try {
    return areSame(a, b, { entries: MAX_ENTRIES, bytes: MAX_BYTES });
  } catch (error) {
    // What cannot be read is not known to be the same.
    systemCode(error);
    return false;
  }
}

/** How much may still be compared. */
interface Left {
  entries: number;
  bytes: number;
}

function areSame(a: string, b: string, left: Left): boolean {
  const ours = list(a);
  const theirs = list(b);
  left.entries -= ours.length;
  if (left.entries < 0 || ours.length !== theirs.length) return false;
  const pairs = ours.map((entry, i) => [entry, theirs[i] ?? entry] as const);
  if (pairs.some(([mine, other]) => mine.name !== other.name || kindOf(mine) !== kindOf(other))) return false;
  // Files first: most folders that differ do so in SKILL.md, beside which there may be a large tree.
  pairs.sort(([mine], [other]) => Number(mine.isDirectory()) - Number(other.isDirectory()));
  return pairs.every(([entry]) => isSameEntry(entry, join(a, entry.name), join(b, entry.name), left));
}

function isSameEntry(entry: Dirent, a: string, b: string, left: Left): boolean {
  if (entry.isDirectory()) return areSame(a, b, left);
  if (entry.isSymbolicLink()) return readlinkSync(a) === readlinkSync(b);
  if (!entry.isFile()) return false;
  const { size } = statSync(a);
  left.bytes -= size;
  return left.bytes >= 0 && size === statSync(b).size && readFileSync(a).equals(readFileSync(b));
}

function list(folder: string): Dirent[] {
  return readdirSync(folder, { withFileTypes: true })
    .filter(({ name }) => name !== IGNORED)
    .sort((x, y) => (x.name < y.name ? -1 : 1));
}

function kindOf(entry: Dirent): string {
  if (entry.isDirectory()) return "folder";
  return entry.isSymbolicLink() ? "link" : entry.isFile() ? "file" : "other";
}

/** The machine and the host as skills may ask about them (document 002 §3.5, §3.6). */
export interface Machine {
  readonly env: NodeJS.ProcessEnv;
  /** Tools that a `command_tool` can name; they count for `requires_tools` too. */
  readonly commandTools: ReadonlySet<string>;
  hasBinary(name: string): boolean;
}

/** Why a skill cannot be used here, one reason for each condition that fails. */
function ineligibility(facts: SkillFacts, machine: Machine, offered: readonly string[]): string[] {
  const reasons: string[] = [];
  const { os = [], env = [], binaries = [] } = facts.eligibility ?? {};
  if (os.length > 0 && !os.includes(process.platform)) {
    reasons.push(`it supports only ${fewOf(os)}, and this is ${process.platform}`);
  }
  const unset = env.filter((name) => !isSetIn(machine.env, name));
  if (unset.length > 0) reasons.push(`it needs the environment variable ${fewOf(unset)}`);
  const missing = binaries.filter((name) => !machine.hasBinary(name));
  if (missing.length > 0) reasons.push(`it needs ${fewOf(missing)} on the PATH`);
  const tools = (facts.requiresTools ?? []).filter(
    (tool) => !offered.includes(tool) && !machine.commandTools.has(tool),
  );
  if (tools.length > 0) reasons.push(`it requires the tool ${fewOf(tools)}, which the host does not offer`);
  return reasons;
}

export function isSetIn(env: NodeJS.ProcessEnv, name: string): boolean {
  return Object.hasOwn(env, name) && env[name] !== "";
}

/** A skill, and the root that it was found in. */
interface Located {
  readonly skill: SkillMetadata;
  readonly root: Root;
}

interface United {
  /** Paths of skills that are the same as an earlier one. */
  readonly copies: ReadonlySet<string>;
  /** By path of a skill: where else the same skill is. */
  readonly places: ReadonlyMap<string, readonly string[]>;
}

/**
 * The same skill in several folders is one skill with several places: by a link to it, by a link to its root, or as a copy
 * of the whole folder in a client's. The first one stands for all of them.
 */
function unite(located: readonly Located[], links: ReadonlyMap<string, readonly string[]>): United {
  const copies = new Map<string, string>();
  for (const group of sharingName(located)) {
    const different: SkillMetadata[] = [];
    for (const { skill } of group) {
      // Knack's own folders come first in a group. They keep every skill, and so two copies (document 004 §5.4).
      const isOwn = skill.client === undefined;
      const same = isOwn ? undefined : different.find(({ dir }) => isSameFolder(dir, skill.dir));
      if (same) copies.set(skill.path, same.path);
      else different.push(skill);
    }
  }
  const places = new Map<string, string[]>();
  const add = (skill: string, others: readonly string[]): void => {
    if (others.length > 0) places.set(skill, [...(places.get(skill) ?? []), ...others]);
  };
  for (const { skill, root } of located) {
    const original = copies.get(skill.path);
    const own = [...(links.get(skill.path) ?? []), ...throughOtherRoots(skill, root)];
    add(original ?? skill.path, original === undefined ? own : [skill.path, ...own]);
  }
  for (const others of places.values()) others.sort(compareText);
  return { copies: new Set(copies.keys()), places };
}

function throughOtherRoots({ path }: SkillMetadata, { real, also = [] }: Root): string[] {
  if (also.length === 0) return [];
  const below = relative(real, path);
  return below.startsWith("..") ? [] : also.map((other) => `${other}/${below}`);
}

/** Names are unique in most catalogs, so look for those that are not before anything is collected. */
function sharingName(located: readonly Located[]): Iterable<readonly Located[]> {
  const names = new Set<string>();
  const shared = new Map<string, Located[]>();
  for (const { skill } of located) {
    if (names.has(skill.name)) shared.set(skill.name, []);
    names.add(skill.name);
  }
  if (shared.size > 0) for (const one of located) shared.get(one.skill.name)?.push(one);
  return shared.values();
}

/** Whether a skill can be used, and if not, why. A skill with errors has no entry. */
export type Status = "active" | "disabled" | "ineligible" | "shadowed" | "unverified";

export interface Entry {
  readonly skill: SkillMetadata;
  readonly root: Root;
  readonly status: Status;
  /** Why it is not active; empty where it is. */
  readonly reason: string;
}

export interface Snapshot {
  /** Every valid skill, in the order of the roots and then of the paths. */
  readonly entries: readonly Entry[];
  /** Skipped skills. */
  readonly errors: readonly Diagnostic[];
  /** What was loaded with a remark. */
  readonly warnings: readonly Diagnostic[];
}

/** What holds for the skills of a root. */
export interface Rules {
  readonly validation: Validation;
  /** Tools that the host offers, for `requires_tools`. */
  readonly tools: readonly string[];
}

interface SnapshotOptions {
  readonly rulesOf: (root: Root) => Rules;
  readonly machine: Machine;
  /** Names and absolute paths that the user switched off. */
  readonly disabled: readonly string[];
  /** Whether the project's skills may come before the user's. */
  readonly trusted: boolean;
  /** Under `skills.locked`: why a skill waits until its user has looked at it. */
  readonly lockFault?: ((skill: SkillMetadata) => string | undefined) | undefined;
}

/** A file on its way to becoming an entry. */
interface Candidate {
  readonly found: FoundFile;
  /** `null` where its faults keep it out. */
  skill: SkillMetadata | null;
  status: Status;
  reason: string;
  /** It is the same skill as an earlier one, whose place it becomes. */
  isCopy: boolean;
}

/** Decides what becomes of every file found: faults first, then names, then eligibility, then the user's switches. */
export function makeSnapshot(collection: Collection, options: SnapshotOptions): Snapshot {
  const { machine } = options;
  const rules = new Map<Root, Rules>();
  const rulesOf = (root: Root): Rules => {
    const known = rules.get(root) ?? options.rulesOf(root);
    rules.set(root, known);
    return known;
  };
  const errors: Diagnostic[] = [];
  const warnings: Diagnostic[] = [];
  const report = (fault: Fault, path: string, validation: Validation = "strict"): void => {
    (isError(fault, validation) ? errors : warnings).push(toDiagnostic(fault, path, validation));
  };
  for (const { path, fault } of collection.faults) report(fault, path);

  const candidates = collection.found.map((found): Candidate => {
    const faults = withToolFault(found, machine);
    const fresh = { found, status: "active", reason: "", isCopy: false } as const;
    if (faults.length === 0) return { ...fresh, skill: toMetadata(found) };
    const { validation } = rulesOf(found.root);
    for (const fault of faults) report(fault, found.file.path, validation);
    const keptOut = faults.some((fault) => isError(fault, validation));
    return { ...fresh, skill: keptOut ? null : toMetadata(found) };
  });

  uniteCopies(candidates, collection);
  shadowClients(candidates, options.trusted, report);
  shadowSameNames(candidates, report);
  for (const candidate of candidates) {
    const { skill } = candidate;
    if (!skill || candidate.isCopy || candidate.status !== "active") continue;
    const facts = candidate.found.file.facts;
    const reasons = facts ? ineligibility(facts, machine, rulesOf(candidate.found.root).tools) : [];
    if (reasons.length > 0) {
      candidate.status = "ineligible";
      candidate.reason = reasons.join("; ");
      report(
        { fault: "INELIGIBLE", message: `The skill cannot be used here: ${candidate.reason}.` },
        skill.path,
      );
    } else if (refersToAny(options.disabled, skill)) {
      candidate.status = "disabled";
      candidate.reason = "it is listed in skills.disabled in the configuration";
    } else {
      const fault = options.lockFault?.(skill);
      if (fault === undefined) continue;
      candidate.status = "unverified";
      candidate.reason = fault;
      candidate.skill = withoutTexts(skill);
    }
  }
  dropSharedCommands(candidates, report);

  const entries: Entry[] = [];
  for (const { skill, found, status, reason, isCopy } of candidates) {
    if (skill && !isCopy)
      entries.push(
        Object.freeze({ skill: freeze(skill, found.file.facts !== null), root: found.root, status, reason }),
      );
  }
  return { entries, errors, warnings };
}

/** Deeply: what a caller does to a snapshot must not reach the next one. */
function freeze(skill: SkillMetadata, hasFacts: boolean): SkillMetadata {
  Object.freeze(skill.places);
  if (!hasFacts) return Object.freeze(skill);
  if (skill.eligibility) for (const list of Object.values(skill.eligibility)) Object.freeze(list);
  for (const part of [skill.eligibility, skill.metadata, skill.requiresTools, skill.allowedTools])
    Object.freeze(part);
  return Object.freeze(skill);
}

function toMetadata({ root, file }: FoundFile): SkillMetadata {
  const { id, path, name, description, facts, dialect, mtimeMs } = file;
  const dir = path.slice(0, -"/SKILL.md".length);
  const plain: SkillMetadata = { id, name, description, path, dir, scope: root.scope, mtimeMs, dialect };
  if (root.client !== undefined) plain.client = root.client;
  if (root.plugin !== undefined) plain.name = `${root.plugin}:${name}`;
  return facts ? { ...plain, ...facts } : plain;
}

/** What a skill says of itself is text too: nobody is given it before the user has looked. */
function withoutTexts(skill: SkillMetadata): SkillMetadata {
  const { id, name, path, dir, scope, mtimeMs, dialect, command, disableModelInvocation } = skill;
  const plain: SkillMetadata = { id, name, description: "", path, dir, scope, mtimeMs, dialect };
  if (command !== undefined) plain.command = command;
  if (disableModelInvocation !== undefined) plain.disableModelInvocation = disableModelInvocation;
  return plain;
}

/** Whether `command_tool` exists depends on the host and not on the file, so it is asked here. */
function withToolFault({ file }: FoundFile, machine: Machine): readonly Fault[] {
  const { facts, faults } = file;
  const tool = facts?.commandTool;
  if (tool === undefined || machine.commandTools.has(tool)) return faults;
  const why =
    tool === "skill_dispatch" ? "skills cannot call, because it dispatches skills itself" : "does not exist";
  const message = `"command_tool" names the tool ${JSON.stringify(tool)}, which ${why}.`;
  return [...faults, { fault: "COMMAND_TOOL_UNKNOWN", message }];
}

type Report = (fault: Fault, path: string) => void;

const SCOPE_ORDER = { repo: 0, user: 1, bundled: 2 } as const;

function uniteCopies(candidates: readonly Candidate[], { places: links }: Collection): void {
  const located = candidates.flatMap(({ skill, found: { root } }) =>
    skill?.dialect === "agentskills" ? { skill, root } : [],
  );
  const { copies, places } = unite(located, links);
  if (places.size === 0) return;
  for (const candidate of candidates) {
    const { skill } = candidate;
    if (!skill) continue;
    candidate.isCopy = copies.has(skill.path);
    const others = places.get(skill.path);
    if (others) skill.places = [skill.path, ...others];
  }
}

/**
 * Same names, by the dialect's rule. `lily` decides among all its files, the faulty ones too: a broken winner is not
 * replaced. `project` decides among those that were loaded. `agentskills` keeps them all, but a skill of a client's folder
 * never stands beside one of Knack's own.
 */
function shadowSameNames(candidates: readonly Candidate[], report: Report): void {
  const rivals = candidates.filter(({ skill, found: { file } }) => {
    const { sameName } = DIALECTS[file.dialect];
    return sameName === "nearest-scope-wins" || (sameName === "last-path-wins" && skill !== null);
  });
  const groups = Map.groupBy(rivals, ({ found: { file } }) => `${file.dialect}\n${file.name}`);
  for (const group of groups.values()) {
    if (group.length < 2) continue;
    const isLily = DIALECTS[group[0]!.found.file.dialect].sameName === "nearest-scope-wins";
    const [winner, ...losers] = isLily ? byScope(group) : byPath(group).reverse();
    if (!winner) continue;
    const winning = winner.found.file.path;
    const rule = isLily ? "the order is workspace, user, bundled" : "the last in path order wins";
    for (const loser of losers) {
      if (loser.skill) {
        loser.status = "shadowed";
        loser.reason = `${winning} has the same name, and ${rule}`;
      }
      const message = `It replaces ${loser.found.file.path}, which has the same name: ${rule}.`;
      report({ fault: "SHADOWED", message }, winning);
    }
  }
}

/**
 * A skill of a client's folder does not stand beside one of Knack's own folders, so that a name that meant one skill goes
 * on to mean it. An untrusted project has no say in what the user's names mean.
 */
function shadowClients(candidates: readonly Candidate[], trusted: boolean, report: Report): void {
  const isOfClient = ({ skill, isCopy }: Candidate): boolean => skill?.client !== undefined && !isCopy;
  if (!candidates.some(isOfClient)) return;
  const own = Map.groupBy(
    candidates.flatMap(({ skill }) => (skill && skill.client === undefined ? skill : [])),
    ({ name }) => name,
  );
  const rule = "Knack's own folders come before the folders of other agents";
  for (const candidate of candidates) {
    const { skill } = candidate;
    if (!skill || !isOfClient(candidate)) continue;
    const mayWin = (other: SkillMetadata): boolean =>
      trusted || other.scope !== "repo" || skill.scope === "repo";
    const winning = own.get(skill.name)?.find(mayWin)?.path;
    if (winning === undefined) continue;
    candidate.status = "shadowed";
    candidate.reason = `${winning} has the same name, and ${rule}`;
    const message = `It is used instead of ${skill.path}, which has the same name and other content: ${rule}.`;
    report({ fault: "SHADOWED", message }, winning);
  }
}

/** Within one scope a root that the user named comes before a default one, then the first path. */
function byScope(group: readonly Candidate[]): Candidate[] {
  const rank = ({ found: { root } }: Candidate): number =>
    SCOPE_ORDER[root.scope] * 2 + (root.explicit ? 0 : 1);
  return byPath(group).sort((a, b) => rank(a) - rank(b));
}

function byPath(group: readonly Candidate[]): Candidate[] {
  return [...group].sort((a, b) => (a.found.file.path < b.found.file.path ? -1 : 1));
}

/** Two skills with one command: neither gets it, both are named. Among thousands, three of the others are enough. */
function dropSharedCommands(candidates: Candidate[], report: Report): void {
  const active = candidates.filter(({ status }) => status === "active");
  for (const [command, group] of Map.groupBy(active, ({ skill }) => skill?.command)) {
    if (command === undefined || group.length < 2) continue;
    for (const { skill } of group) {
      if (!skill) continue;
      delete skill.command;
      const others = group
        .slice(0, 4)
        .filter((other) => other.skill !== skill)
        .slice(0, 3)
        .map((other) => other.skill?.path);
      const more = group.length > 4 ? ` and ${group.length - 4} more` : "";
      const message = `The command "/${command}" is also claimed by ${others.join(", ")}${more}; none of them gets it.`;
      report({ fault: "COMMAND_DUPLICATE", message }, skill.path);
    }
  }
}

import { type Dirent, readdirSync, readFileSync, readlinkSync, statSync } from "node:fs";
import { join, relative } from "node:path";
import { denies, describeRule, type PermissionRule } from "../config/rules.ts";
import {
  type Diagnostic,
  type Fault,
  isError,
  toDiagnostic,
  type Validation,
} from "../shared/diagnostics.ts";
import { tryOr } from "../shared/errors.ts";
import { compareText } from "../shared/fold.ts";
import { fewOf } from "../shared/quote.ts";
import { inTurns } from "../shared/turns.ts";
import { DIALECTS } from "../skill/dialects.ts";
import { refersToAny } from "../skill/name.ts";
import type { SkillFacts, SkillMetadata } from "../skill/schema.ts";
import type { Collection, FoundFile } from "./collect.ts";
import type { Root } from "./scan/roots.ts";
import { type CatalogSettings, validationIn } from "./settings.ts";

/** Larger folders count as different. */
const MAX_ENTRIES = 2_000;
const MAX_BYTES = 64 * 1024 * 1024;
/** Clones have it, copies do not. */
const IGNORED = ".git";

function isSameFolder(a: string, b: string): boolean {
  // What cannot be read is not known to be the same.
  return tryOr(() => areSame(a, b, { entries: MAX_ENTRIES, bytes: MAX_BYTES }), false);
}

function areSame(a: string, b: string, left: { entries: number; bytes: number }): boolean {
  const entries = entriesIn(a);
  left.entries -= entries.length;
  if (left.entries < 0 || entries.join("\n") !== entriesIn(b).join("\n")) return false;
  return entries.every((entry) => {
    const [kind, name = ""] = entry.split("/");
    const [mine, other] = [join(a, name), join(b, name)];
    if (kind === "tree") return areSame(mine, other, left);
    if (kind === "link") return readlinkSync(mine) === readlinkSync(other);
    if (kind !== "file") return false;
    const { size } = statSync(mine);
    left.bytes -= size;
    return left.bytes >= 0 && size === statSync(other).size && readFileSync(mine).equals(readFileSync(other));
  });
}

/** As `kind/name`, sorted, so files come before trees: most folders that differ do so in SKILL.md. */
function entriesIn(folder: string): string[] {
  const kindOf = (entry: Dirent): string => {
    if (entry.isDirectory()) return "tree";
    return entry.isSymbolicLink() ? "link" : entry.isFile() ? "file" : "other";
  };
  return readdirSync(folder, { withFileTypes: true })
    .filter(({ name }) => name !== IGNORED)
    .map((entry) => `${kindOf(entry)}/${entry.name}`)
    .sort();
}

export interface Machine {
  readonly env: NodeJS.ProcessEnv;
  /** Tools that a `command_tool` can name; they count for `requires_tools` too. */
  readonly commandTools: ReadonlySet<string>;
  hasBinary(name: string): boolean;
}

function ineligibility(
  skill: SkillMetadata,
  facts: SkillFacts,
  machine: Machine,
  offered: () => readonly string[],
  denied: readonly PermissionRule[],
): string[] {
  const reasons: string[] = [];
  const { os = [], env = [], binaries = [] } = facts.eligibility ?? {};
  if (os.length > 0 && !os.includes(process.platform)) {
    reasons.push(`it supports only ${fewOf(os)}, and this is ${process.platform}`);
  }
  const unset = env.filter((name) => !isSetIn(machine.env, name));
  if (unset.length > 0) reasons.push(`it needs the environment variable ${fewOf(unset)}`);
  const missing = binaries.filter((name) => !machine.hasBinary(name));
  if (missing.length > 0) reasons.push(`it needs ${fewOf(missing)} on the PATH`);
  const { requiresTools = [] } = facts;
  const tools = requiresTools.filter((tool) => !machine.commandTools.has(tool) && !offered().includes(tool));
  if (tools.length > 0) reasons.push(`it requires the tool ${fewOf(tools)}, which the host does not offer`);
  for (const tool of requiresTools) {
    const rule = denied.find((one) => denies(one, { tool, skill }));
    if (rule) reasons.push(`it requires the tool ${tool}, which ${describeRule("deny", rule)} forbids`);
  }
  return reasons;
}

export function isSetIn(env: NodeJS.ProcessEnv, name: string): boolean {
  return Object.hasOwn(env, name) && env[name] !== "";
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

interface Candidate {
  readonly found: FoundFile;
  /** `null` where faults keep it out. */
  skill: SkillMetadata | null;
  status: Status;
  reason: string;
  /** The earlier, identical skill. */
  copyOf?: SkillMetadata;
}

/** Counts for `requires_tools` only: as a `command_tool` it would make circles. */
const DISPATCH_TOOL = "skill_dispatch";

/** Faults first, then names, eligibility and the user's switches. `lockFault`: why a skill waits (`skills.locked`). */
export async function makeSnapshot(
  collection: Collection,
  settings: CatalogSettings,
  machine: Machine,
  lockFault?: (skill: SkillMetadata) => string | undefined,
): Promise<Snapshot> {
  const { config, userConfig, hostTools, place } = settings;
  const offeredIn = ({ scope }: Root): string[] => {
    const { tools } = scope === "repo" ? config : userConfig;
    return [...tools.available, ...hostTools, DISPATCH_TOOL];
  };
  const errors: Diagnostic[] = [];
  const warnings: Diagnostic[] = [];
  const report = (fault: Fault, path: string, validation: Validation = "strict"): void => {
    (isError(fault, validation) ? errors : warnings).push(toDiagnostic(fault, path, validation));
  };
  for (const { path, fault } of collection.faults) report(fault, path);

  const candidates: Candidate[] = [];
  await inTurns(collection.found, (found) => {
    const faults = withToolFault(found, machine);
    const validation = validationIn(settings, found.root);
    for (const fault of faults) report(fault, found.file.path, validation);
    const keptOut = faults.some((fault) => isError(fault, validation));
    candidates.push({ found, skill: keptOut ? null : toMetadata(found), status: "active", reason: "" });
  });

  uniteCopies(candidates, collection);
  shadowClients(candidates, place.trusted, report);
  shadowSameNames(candidates, report);
  await inTurns(candidates, (candidate) => {
    const { skill, found } = candidate;
    if (!skill || candidate.copyOf || candidate.status !== "active") return;
    const { facts } = found.file;
    const offered = (): string[] => offeredIn(found.root);
    const reasons = facts ? ineligibility(skill, facts, machine, offered, config.permissions.deny) : [];
    if (reasons.length > 0) {
      candidate.status = "ineligible";
      candidate.reason = reasons.join("; ");
      const message = `The skill cannot be used here: ${candidate.reason}.`;
      report({ fault: "INELIGIBLE", message }, skill.path);
    } else if (refersToAny(config.skills.disabled, skill)) {
      candidate.status = "disabled";
      candidate.reason = "it is listed in skills.disabled in the configuration";
    } else {
      const fault = lockFault?.(skill);
      if (fault === undefined) return;
      candidate.status = "unverified";
      candidate.reason = fault;
      candidate.skill = withoutTexts(skill);
    }
  });
  dropSharedCommands(candidates, report);

  const entries: Entry[] = [];
  await inTurns(candidates, ({ skill, found, status, reason, copyOf }) => {
    if (skill && !copyOf)
      entries.push(Object.freeze({ skill: freeze(skill), root: found.root, status, reason }));
  });
  return { entries, errors, warnings };
}

/** Callers cannot change what the next snapshot shares. */
function freeze<T extends object>(value: T): T {
  for (const key in value) if (typeof value[key] === "object" && value[key]) freeze(value[key]);
  return Object.freeze(value);
}

/** The catalog's name for a skill whose file says `name`. */
export function nameUnder({ plugin }: Root, name: string): string {
  return plugin === undefined ? name : `${plugin}:${name}`;
}

function toMetadata({ root, file, stamps, at }: FoundFile): SkillMetadata {
  const { id, path, name, description, facts, dialect } = file;
  const mtimeMs = stamps[at + 3] || 0;
  const dir = path.slice(0, -"/SKILL.md".length);
  const plain: SkillMetadata = { id, name, description, path, dir, scope: root.scope, mtimeMs, dialect };
  if (root.client !== undefined) plain.client = root.client;
  plain.name = nameUnder(root, name);
  return facts ? { ...plain, ...facts } : plain;
}

/** Without what the skill says of itself, until its user has looked at it. */
function withoutTexts(skill: SkillMetadata): SkillMetadata {
  const { id, name, path, dir, scope, mtimeMs, dialect, command, disableModelInvocation } = skill;
  const plain: SkillMetadata = { id, name, description: "", path, dir, scope, mtimeMs, dialect };
  if (command !== undefined) plain.command = command;
  if (disableModelInvocation !== undefined) plain.disableModelInvocation = disableModelInvocation;
  return plain;
}

/** Checked here, because it depends on the host and not on the file. */
function withToolFault({ file }: FoundFile, machine: Machine): readonly Fault[] {
  const { facts, faults } = file;
  const tool = facts?.commandTool;
  if (tool === undefined || machine.commandTools.has(tool)) return faults;
  const why =
    tool === DISPATCH_TOOL ? "skills cannot call, because it dispatches skills itself" : "does not exist";
  const message = `"command_tool" names the tool ${JSON.stringify(tool)}, which ${why}.`;
  return [...faults, { fault: "COMMAND_TOOL_UNKNOWN", message }];
}

type Report = (fault: Fault, path: string) => void;

/** One skill with several places: through links, or as a copy of the whole folder in a client's. The first stands for all. */
function uniteCopies(candidates: readonly Candidate[], { places: links }: Collection): void {
  const isAlone = ({ found: { root } }: Candidate): boolean =>
    root.client === undefined && !root.also?.length;
  if (links.size === 0 && candidates.every(isAlone)) return;
  const standard = candidates.flatMap((candidate) =>
    candidate.skill?.dialect === "agentskills" ? { candidate, skill: candidate.skill } : [],
  );
  if (standard.some(({ skill }) => skill.client !== undefined))
    for (const group of Map.groupBy(standard, ({ skill }) => skill.name).values()) {
      const different: SkillMetadata[] = [];
      for (const { candidate, skill } of group) {
        // Knack's own folders come first and keep even identical skills (document 004 §5.4).
        const isOwn = skill.client === undefined;
        const same = isOwn ? undefined : different.find(({ dir }) => isSameFolder(dir, skill.dir));
        if (same) candidate.copyOf = same;
        else different.push(skill);
      }
    }
  const places = new Map<SkillMetadata, string[]>();
  for (const { candidate, skill } of standard) {
    const { copyOf, found } = candidate;
    const others = [...(links.get(skill.path) ?? []), ...throughOtherRoots(skill, found.root)];
    if (copyOf) others.unshift(skill.path);
    const original = copyOf ?? skill;
    if (others.length > 0) places.set(original, [...(places.get(original) ?? []), ...others]);
  }
  for (const [skill, others] of places) skill.places = [skill.path, ...others.sort(compareText)];
}

function throughOtherRoots({ path }: SkillMetadata, { real, also = [] }: Root): string[] {
  if (also.length === 0) return [];
  const below = relative(real, path);
  return below.startsWith("..") ? [] : also.map((other) => `${other}/${below}`);
}

/** `lily` decides among all its files, so a broken winner is not replaced; `project` among those that were loaded. */
function shadowSameNames(candidates: readonly Candidate[], report: Report): void {
  const rivals = candidates.filter(({ skill, found: { file } }) => {
    const { sameName } = DIALECTS[file.dialect];
    return sameName === "nearest-scope-wins" || (sameName === "last-path-wins" && skill !== null);
  });
  const groups = Map.groupBy(rivals, ({ found: { file } }) => `${file.dialect}\n${file.name}`);
  for (const group of groups.values()) {
    if (group.length < 2) continue;
    const isLily = DIALECTS[group[0]!.found.file.dialect].sameName === "nearest-scope-wins";
    group.sort((a, b) => compareText(a.found.file.path, b.found.file.path));
    if (isLily) group.sort((a, b) => rankIn(a.found.root) - rankIn(b.found.root));
    else group.reverse();
    const [winner, ...losers] = group;
    const winning = winner!.found.file.path;
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

/** Knack's own folders win over clients' folders. An untrusted project has no say in what the user's names mean. */
function shadowClients(candidates: readonly Candidate[], trusted: boolean, report: Report): void {
  const isOfClient = ({ skill, copyOf }: Candidate): boolean => skill?.client !== undefined && !copyOf;
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
function rankIn({ scope, explicit }: Root): number {
  return ["repo", "user", "bundled"].indexOf(scope) * 2 + (explicit ? 0 : 1);
}

/** Two skills with one command: neither gets it, and both are named. */
function dropSharedCommands(candidates: Candidate[], report: Report): void {
  const active = candidates.filter(
    ({ status, skill }) => status === "active" && skill?.command !== undefined,
  );
  for (const [command, group] of Map.groupBy(active, ({ skill }) => skill?.command)) {
    if (group.length < 2) continue;
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

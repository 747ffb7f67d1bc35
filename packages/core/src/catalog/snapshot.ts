import {
  type Diagnostic,
  type Fault,
  isError,
  toDiagnostic,
  type Validation,
} from "../shared/diagnostics.ts";
import { DIALECTS } from "../skill/dialects.ts";
import { refersToAny } from "../skill/refers-to.ts";
import type { SkillMetadata } from "../skill/schema.ts";
import type { Collection, FoundFile } from "./collect.ts";
import { ineligibility, type Machine } from "./eligibility.ts";
import type { Root } from "./scan/roots.ts";

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

export interface SnapshotOptions {
  readonly rulesOf: (root: Root) => Rules;
  readonly machine: Machine;
  /** Names and absolute paths that the user switched off. */
  readonly disabled: readonly string[];
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
    if (faults.length === 0) return { found, skill: toMetadata(found), status: "active", reason: "" };
    const { validation } = rulesOf(found.root);
    for (const fault of faults) report(fault, found.file.path, validation);
    const keptOut = faults.some((fault) => isError(fault, validation));
    return { found, skill: keptOut ? null : toMetadata(found), status: "active", reason: "" };
  });

  shadowSameNames(candidates, report);
  for (const candidate of candidates) {
    const { skill } = candidate;
    if (!skill || candidate.status !== "active") continue;
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
  for (const { skill, found, status, reason } of candidates) {
    if (skill)
      entries.push(
        Object.freeze({ skill: freeze(skill, found.file.facts !== null), root: found.root, status, reason }),
      );
  }
  return { entries, errors, warnings };
}

/** Deeply: what a caller does to a snapshot must not reach the next one. */
function freeze(skill: SkillMetadata, hasFacts: boolean): SkillMetadata {
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

/**
 * Same names, by the dialect's rule. `lily` decides among all its files, the faulty ones too: a broken winner is not
 * replaced. `project` decides among those that were loaded. `agentskills` keeps them all.
 */
function shadowSameNames(candidates: readonly Candidate[], report: Report): void {
  const groups = new Map<string, Candidate[]>();
  for (const candidate of candidates) {
    const { dialect, name } = candidate.found.file;
    const { sameName } = DIALECTS[dialect];
    if (sameName === "keep-all" || (sameName === "last-path-wins" && !candidate.skill)) continue;
    const key = `${dialect}\n${name}`;
    const group = groups.get(key);
    if (group) group.push(candidate);
    else groups.set(key, [candidate]);
  }
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
  const owners = new Map<string, Candidate[]>();
  for (const candidate of candidates) {
    if (!candidate.found.file.facts) continue;
    const command = candidate.status === "active" ? candidate.skill?.command : undefined;
    if (command === undefined) continue;
    const group = owners.get(command);
    if (group) group.push(candidate);
    else owners.set(command, [candidate]);
  }
  for (const [command, group] of owners) {
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

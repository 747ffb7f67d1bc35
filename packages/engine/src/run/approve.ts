import { hash } from "node:crypto";
import { isDeepStrictEqual } from "node:util";
import { refersTo } from "@knack/core/catalog";
import {
  type Approval,
  approvalsOf,
  denies,
  describeRule,
  isApproved,
  type Policy,
  undoCommand,
} from "@knack/core/config";
import { isInside } from "@knack/core/files";
import { KnackError } from "@knack/core/text";
import { BUILTIN_SKILLS } from "../builtin/index.ts";
import { canonicalJson, type JsonObject } from "../json/json.ts";
import { framed, type ImplementationDigest } from "../registry/implementation-digest.ts";
import { redeclared } from "../registry/load-registry.ts";
import type { Registered } from "../registry/typed-skills.ts";
import type { EngineProject } from "../shared/engine-project.ts";
import type { TypedSkill } from "../shared/typed-skill.ts";

/** A typed skill as its entry would declare it: the keys and their order are the file's, with inherited values and defaults. */
export function entryWords(skill: TypedSkill) {
  const { name, description, implementation, params, idempotency, tags } = skill;
  const inputs = skill.inputs.map(({ role, kind, required, many, schema }) => {
    return { role, kind, required, multiple: many, ...(schema && { schema }) };
  });
  const artifacts = skill.outputs.artifacts.map(({ name, format, pathTemplate }) => {
    return { name, format, path_template: pathTemplate };
  });
  const evidences = skill.outputs.evidences.map(({ kind, fields }) => ({ kind, schema: { fields } }));
  const outputs = { artifacts, evidences };
  const words = { name, description, implementation, inputs, outputs, params, idempotency };
  return { ...words, ...(tags.length > 0 && { tags }) };
}

/** What is not as the user approved it, of one typed skill. */
export interface ApprovalChange {
  readonly skill: string;
  readonly change: "new" | "changed" | "gone";
  /** A line each: `env: [] → ["HOME"]`. */
  readonly lines: readonly string[];
}

/** What would be approved now against what was approved before, by the names of the skills. */
export function approvalChanges(
  before: readonly Approval[],
  now: readonly Approval[],
): readonly ApprovalChange[] {
  const old = new Map(before.map((approval) => [approval.skill, approval]));
  const there = new Set(now.map(({ skill }) => skill));
  const changes = now.flatMap((approval): ApprovalChange[] => {
    const { skill, digest } = approval;
    const known = old.get(skill);
    if (known?.digest === digest) return [];
    return known
      ? [{ skill, change: "changed", lines: differences(known, approval) }]
      : [{ skill, change: "new", lines: summary(approval) }];
  });
  const gone = before.filter(({ skill }) => !there.has(skill));
  return [
    ...changes,
    ...gone.map(({ skill }): ApprovalChange => ({ skill, change: "gone", lines: [] })),
  ].sort((a, b) => (a.skill < b.skill ? -1 : 1));
}

/** What the code of a new one is, and what it is given. */
function summary({ code, entry }: Approval): string[] {
  const told = ["implementation", "env", "inputs", "timeout_seconds"]
    .filter((key) => entry?.[key] !== undefined && entry[key] !== null)
    .map((key) => `${key}: ${shownValue(entry?.[key])}`);
  return [...told, `code: ${code.slice(0, 16)}`];
}

function differences(before: Approval, now: Approval): string[] {
  const lines: string[] = [];
  if (before.code !== now.code) lines.push(`code: ${before.code.slice(0, 16)} → ${now.code.slice(0, 16)}`);
  const [old, next] = [before.entry, now.entry];
  if (!old || !next) {
    lines.push("entry: too long to show; compare the registry with its earlier version");
    return lines;
  }
  for (const key of [...new Set([...Object.keys(old), ...Object.keys(next)])].sort())
    if (!isDeepStrictEqual(old[key], next[key]))
      lines.push(`${key}: ${shownValue(old[key])} → ${shownValue(next[key])}`);
  return lines;
}

const MAX_SHOWN = 200;

/** A value in a line that shows a change. */
export function shownValue(value: unknown): string {
  const text = value === undefined ? "nothing" : JSON.stringify(value);
  return text.length > MAX_SHOWN ? `${text.slice(0, MAX_SHOWN)}…` : text;
}

/** Counted up when it covers other things: then everything is asked for again. */
const FORMAT = "knack-approval-1";

/**
 * What a user approves: the code, and the entry, which says what it is given and what is believed of it. Not the
 * description, and not tags, which only choose among workers.
 */
export function approvalOf(skill: TypedSkill, code: string): Approval {
  const { name, description: _, tags: __, ...words } = entryWords(skill);
  const stated = { ...words, version: skill.version, env: skill.env, timeout_seconds: skill.timeoutSeconds };
  // As data that a file can keep: the same object after it was written and read.
  const entry: JsonObject = JSON.parse(JSON.stringify(stated));
  return {
    skill: name,
    digest: hash("sha256", framed(FORMAT, name, code, canonicalJson(entry))),
    code,
    entry,
  };
}

/** Whether the project decides what the skill does: with its own code, or by changing a built-in skill. */
export function needsApproval({ skill, implementation }: Registered, projectRoot: string): boolean {
  const { executable } = implementation;
  if (executable.kind === "file") return true;
  if (skill.declared === null || !isInside(skill.declared.file, projectRoot)) return false;
  const builtin = BUILTIN_SKILLS.get(skill.name);
  return !builtin || redeclared(skill, builtin.skill, executable.name === skill.name).length > 0;
}

/** Refuses a skill that the project defines or changes until the user trusts its current code and entry. */
export function permitEntry(
  registered: Registered,
  { sources }: ImplementationDigest,
  { projectRoot, trusted, isTrusted, place }: EngineProject,
): void {
  const { skill, implementation } = registered;
  if (!needsApproval(registered, projectRoot)) return;
  const { declared } = skill;
  const isBuiltin = implementation.executable.kind === "builtin";
  if (isBuiltin && !isTrusted && declared !== null)
    throw new KnackError(
      "ACCESS_DENIED",
      `${skill.name} is a built-in skill that this project changes, and the project is not trusted. Read its entry (${declared.file}:${declared.line}), then run "knack trust".`,
    );
  const now = approvalOf(skill, sources);
  if (trusted === true || (trusted === "ask" && isApproved(projectRoot, now.digest, place))) return;
  const before = trusted === "ask" ? approvalsOf(projectRoot, place) : [];
  const known = before.filter((approval) => approval.skill === skill.name);
  const [change] = known.length > 0 ? approvalChanges(known, [now]) : [];
  const what = change
    ? `has changed since you trusted it: ${change.lines.join("; ")}. Look at it`
    : isBuiltin
      ? "is a built-in skill that this project changes, and you have not trusted its current entry. Read it"
      : "runs code of this project that you have not trusted in its current form. Read the code and its entry";
  throw new KnackError("ACCESS_DENIED", `${skill.name} ${what}, then run "knack trust".`);
}

/** Every run checks it here. A rule matches by its tool or by `skill_name`; one against reading skills does not count. */
export function refuseDenied(policy: Policy, name: string): void {
  if ("problem" in policy)
    throw new KnackError(
      "ACCESS_DENIED",
      `Nothing is allowed while the configuration has an error. ${policy.problem}`,
    );
  const rule = policy.permissions.deny.find(
    (one) =>
      (one.skill_name !== undefined && refersTo(one.skill_name, { name })) ||
      denies(one, { tool: name, skill: { name } }),
  );
  if (!rule) return;
  const command = undoCommand({ file: "", isOfProject: false, what: rule }, { name });
  const undo = command ? `Run "${command}".` : "Remove the rule from the configuration to allow it.";
  const message = `Policy denies the typed skill ${name}: the rule ${describeRule("deny", rule)} forbids it. ${undo}`;
  throw new KnackError("ACCESS_DENIED", message);
}

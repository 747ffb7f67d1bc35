import { approvalsOf, isApproved, type TrustPlace } from "@knack/core";
import { isInside } from "@knack/core/internal/engine";
import { BUILTIN_SKILLS } from "../../builtin/index.ts";
import { redeclared } from "../../registry/entry/redeclared.ts";
import type { ImplementationDigest } from "../../registry/implementation/implementation-digest.ts";
import type { Registered } from "../../registry/registered.ts";
import { EngineError } from "../../shared/engine-error.ts";
import { approvalChanges } from "./approval-changes.ts";
import { approvalOf } from "./approval-of.ts";

export interface Trusting {
  readonly projectRoot: string;
  /** As the engine was opened: `"ask"` is what the user trusted, code and entry as they were. */
  readonly trusted?: boolean | "ask";
  readonly isTrusted: boolean;
  readonly place: TrustPlace;
}

/**
 * Whether the project decides what the skill does: with its own code, or by changing a built-in skill. An unchanged built-in
 * skill needs no approval.
 */
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
  { projectRoot, trusted = true, isTrusted, place }: Trusting,
): void {
  const { skill, implementation } = registered;
  if (!needsApproval(registered, projectRoot)) return;
  const { declared } = skill;
  const isBuiltin = implementation.executable.kind === "builtin";
  if (isBuiltin && !isTrusted && declared !== null)
    throw new EngineError(
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
  throw new EngineError("ACCESS_DENIED", `${skill.name} ${what}, then run "knack trust".`);
}

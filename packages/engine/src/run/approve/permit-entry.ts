import { approvalsOf, isApproved, type TrustPlace } from "@knack/core";
import { isInside } from "@knack/core/internal/engine";
import { BUILTIN_SKILLS } from "../../builtin/index.ts";
import { EngineError } from "../../engine-error.ts";
import type { ImplementationDigest } from "../../registry/implementation-digest.ts";
import type { Registered } from "../../registry/registered.ts";
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
 * Until the user trusts it, code and entry as they are, none of a project's code runs. A built-in skill under a name and
 * rules of the project's own needs a trusted project; one that is as Knack has it runs for everyone.
 */
export function permitEntry(
  { skill, implementation }: Registered,
  { sources }: ImplementationDigest,
  { projectRoot, trusted = true, isTrusted, place }: Trusting,
): void {
  if (implementation.executable.kind === "builtin") {
    const { declared } = skill;
    const isOfProject = declared !== null && isInside(declared.file, projectRoot);
    // What an untrusted registry says of a built-in under its own name was compared when it was read.
    if (isTrusted || !isOfProject || BUILTIN_SKILLS.has(skill.name)) return;
    throw new EngineError(
      "ACCESS_DENIED",
      `${skill.name} is a built-in skill with rules of this project, which is not trusted. Read its entry (${declared.file}:${declared.line}), then run "knack trust".`,
    );
  }
  const now = approvalOf(skill, sources);
  if (trusted === true || (trusted === "ask" && isApproved(projectRoot, now.digest, place))) return;
  const before = trusted === "ask" ? approvalsOf(projectRoot, place) : [];
  const known = before.filter((approval) => approval.skill === skill.name);
  const [change] = known.length > 0 ? approvalChanges(known, [now]) : [];
  const what = change
    ? `is not as you trusted it; changed: ${change.lines.join("; ")}. Look at it`
    : "runs code of this project that you have not trusted as it is now. Read it and its entry";
  throw new EngineError("ACCESS_DENIED", `${skill.name} ${what}, then run "knack trust".`);
}

import { hash } from "node:crypto";
import { framed } from "../registry/implementation/framed.ts";
import { approvalOf } from "../run/approve/approval-of.ts";
import type { TypedSkill } from "../shared/typed-skill.ts";

/** What must be the same on two machines for one to run what the other asks for. */
export interface Version {
  readonly skill: string;
  /** Of the code with its runtime, and of the entry. */
  readonly digest: string;
  readonly tags: readonly string[];
}

export function versionOf(skill: TypedSkill, codeDigest: string): Version {
  return { skill: skill.name, digest: approvalOf(skill, codeDigest).digest, tags: skill.tags };
}

/**
 * The queue of pg-boss for one version of a skill: a worker takes jobs only from the lanes that it may run, because pg-boss
 * cannot choose jobs by their content. What nobody may run waits.
 */
export function laneOf({ skill, digest, tags }: Version): string {
  return `${skill.replaceAll(/[^\w-]/g, "_")}.${hash("sha256", framed(digest, ...tags)).slice(0, 32)}`;
}

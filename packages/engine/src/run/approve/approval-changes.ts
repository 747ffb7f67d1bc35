import { isDeepStrictEqual } from "node:util";
import type { Approval } from "@knack/core";

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
    .map((key) => `${key}: ${shown(entry?.[key])}`);
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
      lines.push(`${key}: ${shown(old[key])} → ${shown(next[key])}`);
  return lines;
}

const MAX_SHOWN = 200;

function shown(value: unknown): string {
  const text = value === undefined ? "nothing" : JSON.stringify(value);
  return text.length > MAX_SHOWN ? `${text.slice(0, MAX_SHOWN)}…` : text;
}

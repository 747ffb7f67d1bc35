import { AsyncLocalStorage } from "node:async_hooks";
import { KnackError } from "@knack/core/text";
import { LINEAGE } from "../isolate/execution.ts";
import type { PreparedRun } from "./prepare-run.ts";

export interface Ancestor {
  readonly skill: string;
  readonly key: string;
}

const running = new AsyncLocalStorage<readonly Ancestor[]>();
const ENTRY = /^([^,@]{1,200})@([0-9a-f]{64})$/;
const MAX_DEPTH = 100;

/** The runs that started this process, or this call in it. An invalid list counts as empty. */
export function lineageOf(env: NodeJS.ProcessEnv): readonly Ancestor[] {
  const told = (env[LINEAGE] ?? "").split(",").slice(-MAX_DEPTH);
  const outer = told.flatMap((text): Ancestor[] => {
    const [, skill, key] = ENTRY.exec(text) ?? [];
    return skill === undefined || key === undefined ? [] : [{ skill, key }];
  });
  return [...outer, ...(running.getStore() ?? [])];
}

export function ownOf({ skill, key }: Pick<PreparedRun, "skill" | "key">): Ancestor {
  return { skill: skill.name, key };
}

export function writeLineage(lineage: readonly Ancestor[]): string {
  return lineage.map(({ skill, key }) => `${skill}@${key}`).join(",");
}

/** Marks every run that `work` starts in this process as started by this run. */
export function within<T>(ancestor: Ancestor, work: () => Promise<T>): Promise<T> {
  return running.run([...(running.getStore() ?? []), ancestor], work);
}

/** A run that depends on its own result would wait until it times out. */
export function refuseOwnKey(prepared: PreparedRun, lineage: readonly Ancestor[]): void {
  const { skill, key } = ownOf(prepared);
  const first = lineage.findIndex((ancestor) => ancestor.key === key);
  if (first === -1) return;
  const way = [...lineage.slice(first).map((ancestor) => ancestor.skill), skill].join(" → ");
  throw new KnackError(
    "CONFLICT",
    `${skill} would wait for itself: the run that called it has the same inputs and parameters (${way}). Remove that call, or change its inputs.`,
  );
}

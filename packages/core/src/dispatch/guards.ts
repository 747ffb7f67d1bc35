import type { EdgeType } from "../graph/edge.ts";
import type { DispatchCaller } from "./running-frames.ts";

type GuardCode =
  | "E_ROOT_RELOAD_BLOCKED"
  | "E_SKILL_REENTRY_BLOCKED"
  | "E_DEPTH_LIMIT"
  | "E_EDGE_NOT_EXECUTABLE";

/** Why a skill was not dispatched, and where it stood. The values are the caller's. */
export interface Refusal {
  /** Of the four checks; `E_BUDGET` for the tree's budget; else what a load is refused by (`ACCESS_DENIED`, …). */
  readonly code: string;
  readonly message: string;
  readonly request_id: string;
  readonly current_skill: string | null;
  readonly target_skill: string;
  readonly depth: number;
  readonly skill_stack: readonly string[];
}

export interface DispatchTarget {
  readonly name: string;
  readonly path: string;
}

/** The first check that fails is the answer. */
export function checkDispatch(
  caller: DispatchCaller,
  target: DispatchTarget,
  edge: EdgeType,
): Refusal | undefined {
  const { policy, visited } = caller;
  const name = JSON.stringify(target.name);
  const no = (code: GuardCode, message: string): Refusal => refuse(caller, target.name, code, message);
  if (caller.rootLoaded && policy.forbid_root_reload && caller.rootSkills.includes(target.path))
    return no(
      "E_ROOT_RELOAD_BLOCKED",
      `The root skill ${name} is loaded once, by the outermost request. Continue without it.`,
    );
  if (visited.includes(target.path) && !policy.allow_reentry)
    return no(
      "E_SKILL_REENTRY_BLOCKED",
      `The skill ${name} was already visited in this dispatch. Continue without it; a person can start it again with --allow-reentry.`,
    );
  const depth = depthBelow(caller);
  const limit = `the limit is ${policy.max_depth}. Do the work here, or raise dispatch.maxDepth in the configuration.`;
  if (depth > policy.max_depth)
    return no("E_DEPTH_LIMIT", `The skill ${name} would be at depth ${depth}; ${limit}`);
  if (edge !== "requires_now")
    return no(
      "E_EDGE_NOT_EXECUTABLE",
      `The edge to ${name} is ${edge}; only requires_now is followed. Load the skill yourself if you need it (skill_load).`,
    );
  return undefined;
}

export function depthBelow({ depth }: Pick<DispatchCaller, "depth">): number {
  return depth === null ? 0 : depth + 1;
}

export function refuse(caller: DispatchCaller, target: string, code: string, message: string): Refusal {
  return {
    code,
    message,
    request_id: caller.requestId,
    current_skill: caller.skill,
    target_skill: target,
    depth: caller.depth ?? 0,
    skill_stack: caller.stack,
  };
}

/** A refusal in one line, with its five fields. */
export function refusalLine(refusal: Refusal): string {
  const { code, message, request_id, current_skill, target_skill, depth, skill_stack } = refusal;
  const from = current_skill ?? "the outermost request";
  const stack = skill_stack.join(" > ") || "empty";
  return `${code}: ${message} (${from} → ${target_skill}, depth ${depth}, stack ${stack}, ${request_id})`;
}

export function isRefusal(outcome: object | string | undefined): outcome is Refusal {
  return typeof outcome === "object" && "code" in outcome;
}

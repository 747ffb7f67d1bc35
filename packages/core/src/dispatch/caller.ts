import type { Skills } from "../access/find-target.ts";
import type { Caller, DispatchTarget } from "./guards.ts";
import type { DispatchPolicy, ExecutionMode, RuntimeHeader } from "./header.ts";
import { type Known, recognise } from "./resolve-caller.ts";

/** Where a request says that it comes from. Its words are names, paths or ids; what counts is which skills they mean. */
export interface Origin {
  readonly requestId: string;
  readonly mode: ExecutionMode;
  readonly depth: number;
  readonly parent: string | undefined;
  readonly visited: readonly string[];
  readonly stack: readonly string[];
  readonly policy: DispatchPolicy;
}

export function callerOf(
  origin: Origin,
  skills: Skills,
  rootSkills: readonly string[],
  runnersAround: number,
): Caller {
  const { requestId, mode, depth, parent, policy } = origin;
  const knownBy = (word: string): Known => recognise(skills, word);
  const top = parent === undefined ? undefined : knownBy(parent);
  const given = origin.visited.map(knownBy);
  const isTop = ({ key }: Known): boolean => key === top?.key;
  // Without a stack it is made of what was visited, the caller last.
  const stack = origin.stack.length > 0 ? origin.stack.map(knownBy) : given.filter((one) => !isTop(one));
  if (top && !stack.some(isTop)) stack.push(top);
  const visited = unique([...given, ...stack]);
  return {
    requestId,
    skill: top?.name ?? null,
    depth: mode === "root" ? null : depth,
    stack: stack.map(({ name }) => name),
    visitedNames: visited.map(({ name }) => name),
    visited: new Set(visited.flatMap(({ paths }) => paths)),
    rootLoaded: mode === "delegated",
    policy,
    rootSkills,
    runnersAround,
  };
}

/** The caller that a dispatched skill is for those below it. */
export function callerBelow(caller: Caller, header: RuntimeHeader, target: DispatchTarget): Caller {
  const { trace } = header;
  return {
    ...caller,
    skill: target.name,
    depth: trace.depth,
    stack: trace.skill_stack,
    visitedNames: [...trace.visited_skills, target.name],
    visited: new Set([...caller.visited, target.path]),
    rootLoaded: true,
  };
}

function unique(list: readonly Known[]): Known[] {
  const byKey = new Map<string, Known>();
  for (const one of list) if (!byKey.has(one.key)) byKey.set(one.key, one);
  return [...byKey.values()];
}

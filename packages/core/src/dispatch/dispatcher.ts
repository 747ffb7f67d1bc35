import type { Role } from "../context/role-guide.ts";
import type { SkillMetadata } from "../skill/schema.ts";
import { ToolError } from "../tools/envelope.ts";
import { Budget, type Limits } from "./budget.ts";
import { callerBelow } from "./caller.ts";
import type { DispatchHost } from "./dispatch-host.ts";
import type { Edge, EdgeType } from "./edge.ts";
import { type ContextFile, renderFrame } from "./frame.ts";
import { type Caller, checkDispatch, depthBelow, type Refusal, refuse } from "./guards.ts";
import { freezeHeader, type RuntimeHeader } from "./header.ts";
import { hasFailed, type RunnerResult } from "./run-frame.ts";

/** What is to be dispatched, by whom, and as what. */
export interface Dispatch {
  readonly caller: Caller;
  readonly target: SkillMetadata;
  readonly edge: EdgeType;
  readonly role: Role;
  readonly task: string;
  /** Tools that the skills on the way here allow; `null` where none says. */
  readonly allowedTools: readonly string[] | null;
  readonly limits: Limits;
}

/** A skill that was dispatched, with those that it required. */
export interface Dispatched {
  readonly header: RuntimeHeader;
  readonly frame: string;
  /** The context files, in the order of the frame. */
  readonly files: readonly string[];
  /** `null` where there was no runner. */
  readonly runner: RunnerResult | null;
  readonly children: readonly Dispatched[];
  /** Of this skill and of all below it. */
  readonly refusals: readonly Refusal[];
}

/**
 * Dispatches a skill and, if its runner ends well, those that it requires now, in the order of its text, each with a frame
 * of its own (document 000 §5). Answers the refusal where the skill itself may not be dispatched. Throws `ToolError` where
 * its text may not be had.
 */
export function dispatch(wanted: Dispatch, host: DispatchHost): Promise<Dispatched | Refusal> {
  return dispatchOne(wanted, host, new Budget(wanted.limits, host.now()), false);
}

async function dispatchOne(
  wanted: Dispatch,
  host: DispatchHost,
  budget: Budget,
  bySkill: boolean,
): Promise<Dispatched | Refusal> {
  const { caller, target, edge, role, task } = wanted;
  const refusal = checkDispatch(caller, target, edge);
  if (refusal) return refusal;
  const spent = budget.take(host.now());
  if (spent !== undefined) return refuse(caller, target.name, "E_BUDGET", spent);

  const skill = await host.load(target, bySkill);
  const root = await loadRoot(caller, target, host);
  const header = headerFor(wanted, root === "target" || isFile(root));
  const allowedTools = narrowed(wanted.allowedTools, target.allowedTools);
  const files = [...(isFile(root) ? [root] : []), host.roleGuide(role), skill];
  const frame = renderFrame({ header, files, allowedTools, task });
  const refusals: Refusal[] = isRefusal(root) ? [root] : [];
  const done = { header, frame, files: files.map(({ path }) => path), refusals };
  if (host.run === null) {
    await host.record({ header, status: "framed" });
    return { ...done, runner: null, children: [] };
  }
  await host.record({ header, status: "started" });
  const runner = await host.run(frame, budget.runnerMs(host.now()));
  await host.record({ header, status: "ended", runner });
  if (hasFailed(runner)) return { ...done, runner, children: [] };

  const below = { ...wanted, caller: callerBelow(caller, header, target), allowedTools };
  const children: Dispatched[] = [];
  for (const next of await host.edgesOf(target)) {
    if (next.type !== "requires_now" || next.alternative) continue;
    const child = await dispatchChild(next, below, host, budget);
    if (isRefusal(child)) refusals.push(child);
    else {
      children.push(child);
      refusals.push(...child.refusals);
    }
  }
  return { ...done, runner, children };
}

export function isRefusal(outcome: object | string | undefined): outcome is Refusal {
  return typeof outcome === "object" && "code" in outcome;
}

function isFile(root: object | string | undefined): root is ContextFile {
  return typeof root === "object" && "text" in root;
}

/** A child that may not be had is refused, and its sisters are not. */
async function dispatchChild(
  edge: Edge,
  wanted: Dispatch,
  host: DispatchHost,
  budget: Budget,
): Promise<Dispatched | Refusal> {
  const target = edge.toPath === null ? undefined : host.skillAt(edge.toPath);
  const no = (code: string, message: string): Refusal => refuse(wanted.caller, edge.to, code, message);
  if (!target)
    return no("NOT_FOUND", `The skill ${JSON.stringify(edge.to)} is not there, or is not only one.`);
  try {
    return await dispatchOne({ ...wanted, target, edge: edge.type }, host, budget, true);
  } catch (error) {
    if (error instanceof ToolError) return no(error.code, error.message);
    throw error;
  }
}

/**
 * Once, by the outermost request; a delegated skill gets its role and its own text alone (document 000 §1). Where the root
 * skill may not be had the request goes on without it, and says so.
 */
async function loadRoot(
  caller: Caller,
  target: SkillMetadata,
  host: DispatchHost,
): Promise<ContextFile | Refusal | "target" | undefined> {
  const [path, second] = caller.rootSkills;
  if (caller.rootLoaded || path === undefined) return undefined;
  if (caller.rootSkills.includes(target.path)) return "target";
  const root = host.skillAt(path);
  if (!root || second !== undefined)
    return refuse(
      caller,
      root?.name ?? path,
      "AMBIGUOUS",
      `The root skill is not only one; see "knack list".`,
    );
  try {
    return { ...(await host.load(root, false)), title: "Root skill" };
  } catch (error) {
    if (error instanceof ToolError) return refuse(caller, root.name, error.code, error.message);
    throw error;
  }
}

function headerFor({ caller, target, role }: Dispatch, hasRoot: boolean): RuntimeHeader {
  const { requestId, visitedNames, stack, policy } = caller;
  const isOutermost = caller.depth === null;
  return freezeHeader({
    execution_mode: isOutermost ? "root" : "delegated",
    identity: {
      role,
      current_skill: target.name,
      origin_skill: caller.skill,
      root_loaded: !isOutermost || hasRoot,
    },
    policy,
    trace: {
      request_id: requestId,
      depth: depthBelow(caller),
      skill_stack: [...stack, target.name],
      visited_skills: visitedNames.filter((name) => name !== target.name),
    },
  });
}

/** Along the way from skill to skill tools are only taken away. */
export function narrowed(
  before: readonly string[] | null,
  own: readonly string[] | undefined,
): readonly string[] | null {
  if (own === undefined) return before;
  return before === null ? own : before.filter((tool) => own.includes(tool));
}

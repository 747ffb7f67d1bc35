import { ToolError } from "../access/envelope.ts";
import type { Role } from "../context/guides/role-guide.ts";
import type { EdgeType } from "../graph/extract/edge.ts";
import { answerTo, KnackError } from "../shared/errors.ts";
import { quote } from "../shared/quote.ts";
import type { SkillMetadata } from "../skill/schema.ts";
import type { DispatchLimits } from "./budget.ts";
import type { DispatchPorts } from "./dispatch-ports.ts";
import { type ContextFile, renderCall, renderFrame } from "./frame.ts";
import { type Caller, depthBelow, isRefusal, type Refusal, refuse } from "./guards.ts";
import { freezeHeader, type RuntimeHeader } from "./header.ts";
import { notCalled, type ToolCall } from "./outcome.ts";
import type { RunnerResult } from "./runner/run-frame.ts";

/** What is to be dispatched, by whom, and as what. */
export interface Dispatch {
  readonly caller: Caller;
  readonly target: SkillMetadata;
  readonly edge: EdgeType;
  readonly role: Role;
  readonly task: string;
  /** Tools that the skills on the way here allow; `null` where none says. */
  readonly allowedTools: readonly string[] | null;
  readonly limits: DispatchLimits;
}

/** A skill that was dispatched, with those that it required. */
export interface Dispatched {
  readonly header: RuntimeHeader;
  readonly frame: string;
  /** The context files, in the order of the frame. */
  readonly files: readonly string[];
  /** `null` where there was no runner, and for a skill that calls a tool. */
  readonly runner: RunnerResult | null;
  /** Of a skill that calls a tool instead of being read: `tool_dispatch`, or a typed skill. */
  readonly tool?: ToolCall;
  readonly children: readonly Dispatched[];
  /** Of this skill and of all below it. */
  readonly refusals: readonly Refusal[];
}

/** The skills of a tree, each before those that it required. */
export function allOf(tree: Dispatched): Dispatched[] {
  return [tree, ...tree.children.flatMap(allOf)];
}

/** A skill for a model: its text, with the role guide and, the first time, the root skill. */
export async function prepareFrame(
  wanted: Dispatch,
  allowedTools: readonly string[] | null,
  world: DispatchPorts,
  as: "target" | "child",
): Promise<Dispatched> {
  const { caller, target, role, task } = wanted;
  const skill = await world.load(target, as);
  const root = await loadRoot(caller, target, world);
  const header = headerFor(wanted, root === "target" || isFile(root));
  const files = [...(isFile(root) ? [root] : []), world.roleGuide(role), skill];
  return {
    header,
    frame: renderFrame({ header, files, allowedTools, task }),
    files: files.map(({ path }) => path),
    runner: null,
    children: [],
    refusals: isRefusal(root) ? [root] : [],
  };
}

/** A skill that calls a tool: nobody reads anything, and what the skills on the way here do not allow is not called. */
export async function prepareCall(
  wanted: Dispatch,
  allowedTools: readonly string[] | null,
  world: DispatchPorts,
  as: "target" | "child",
  tool: string,
): Promise<Dispatched> {
  const { target, task } = wanted;
  await world.permitCall(target, as);
  if (allowedTools !== null && !allowedTools.includes(tool))
    throw new ToolError(
      "ACCESS_DENIED",
      `The skill ${quote(target.name)} calls ${tool}, which the allowed-tools of the skills that led here do not include. Dispatch it on its own, or add the tool there.`,
    );
  const header = headerFor(wanted, false);
  const call = notCalled(tool, world.argumentsOf(target, task));
  const frame = renderCall(header, tool, call.arguments);
  return { header, frame, files: [], runner: null, tool: call, children: [], refusals: [] };
}

function isFile(root: object | string | undefined): root is ContextFile {
  return typeof root === "object" && "text" in root;
}

/**
 * Once, by the outermost request; a delegated skill gets its role and its own text alone (document 000 §1). Where the root
 * skill may not be had the request goes on without it, and says so.
 */
async function loadRoot(
  caller: Caller,
  target: SkillMetadata,
  world: DispatchPorts,
): Promise<ContextFile | Refusal | "target" | undefined> {
  const [path, second] = caller.rootSkills;
  if (caller.rootLoaded || path === undefined) return undefined;
  if (caller.rootSkills.includes(target.path)) return "target";
  const root = world.skillAt(path);
  if (!root || second !== undefined)
    return refuse(
      caller,
      root?.name ?? path,
      "AMBIGUOUS",
      `Several skills have the name of the root skill; rename one, or set dispatch.root to a path. "knack list" shows them.`,
    );
  try {
    return { ...(await world.load(root, "root")), title: "Root skill" };
  } catch (error) {
    world.throwIfCancelled();
    if (error instanceof KnackError) return refuse(caller, root.name, answerTo(error).tool, error.message);
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

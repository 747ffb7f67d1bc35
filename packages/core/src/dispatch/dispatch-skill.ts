import { ToolError } from "../access/envelope.ts";
import type { SkillWanted } from "../access/find-skill.ts";
import { findTarget } from "../access/find-target.ts";
import type { ToolContext } from "../access/tool.ts";
import { DEFAULT_CONFIG } from "../config/config.ts";
import type { Role } from "../context/guides/role-guide.ts";
import type { EdgeType } from "../graph/extract/edge.ts";
import { quote } from "../shared/quote.ts";
import type { SkillMetadata } from "../skill/schema.ts";
import { type DispatchLimits, LIMITS } from "./budget.ts";
import { callerOf } from "./caller.ts";
import { catalogWorld, type DispatchPlace, type Workers } from "./catalog-ports.ts";
import type { DispatchPorts } from "./dispatch-ports.ts";
import { dispatch, narrowed } from "./dispatcher.ts";
import { isRefusal, type Refusal } from "./guards.ts";
import type { ExecutionMode } from "./header.ts";
import { failureOf } from "./outcome.ts";
import { allOf, type Dispatched } from "./prepare-dispatch.ts";
import { recognise } from "./resolve-caller.ts";
import { runnersAround } from "./runner/runner.ts";

/** One dispatch as a caller asks for it (the flags of document 000 §8). Skills are named by name, path or id. */
export interface DispatchRequest {
  readonly role: Role;
  readonly skill: SkillWanted;
  readonly prompt?: string | undefined;
  readonly requestId: string;
  /** By default `root` where neither a parent nor a depth is given. */
  readonly mode?: ExecutionMode | undefined;
  /** The caller's own. */
  readonly depth?: number | undefined;
  readonly parent?: string | undefined;
  /** By default what the caller's edges say; `requires_now` in root mode. */
  readonly edgeType?: EdgeType | undefined;
  readonly visited?: readonly string[] | undefined;
  readonly stack?: readonly string[] | undefined;
  readonly maxDepth?: number | undefined;
  readonly allowReentry?: boolean | undefined;
}

export interface DispatchOptions extends Workers {
  readonly limits?: Partial<DispatchLimits> | undefined;
}

/** Dispatches a skill of the catalog; throws `ToolError` where it is not there or may not be had. */
export async function dispatchSkill(
  request: DispatchRequest,
  options: DispatchOptions,
  context: ToolContext,
  place: DispatchPlace,
): Promise<Dispatched | Refusal> {
  const { catalog } = context;
  const { parent, depth = 0, visited = [], stack = [] } = request;
  const mode = request.mode ?? (parent === undefined && request.depth === undefined ? "root" : "delegated");
  if (mode === "root" && (parent !== undefined || depth > 0))
    throw new ToolError(
      "INVALID_PARAM",
      "Root mode is for the outermost request, which has no parent skill and no depth. Omit them, or use delegated mode.",
    );
  const target = findTarget(context, request.skill);
  const config = catalog.config.dispatch;
  const policy = {
    forbid_root_reload: true,
    max_depth: request.maxDepth ?? config.maxDepth,
    allow_reentry: request.allowReentry ?? false,
  };
  const root = recognise(context, config.root);
  const mayWait = catalog.waitingForTrust > 0;
  if (root.paths.length === 0 && config.root !== DEFAULT_CONFIG.dispatch.root && !mayWait)
    throw new ToolError(
      "NOT_FOUND",
      `dispatch.root names the skill ${quote(config.root)}, which does not exist; fix it in the configuration, or add the skill.`,
    );
  const { requestId } = request;
  const origin = { requestId, mode, depth, parent, visited, stack, policy };
  const caller = callerOf(origin, context, root.paths, runnersAround(place.env));
  const world = catalogWorld(options, context, place);
  const onTheWay = [...caller.visited].map((path) => world.skillAt(path)?.allowedTools);
  const outcome = await dispatch(
    {
      caller,
      target,
      edge:
        request.edgeType ??
        (mode === "root" ? "requires_now" : await edgeBetween(parent, target, context, world)),
      role: request.role,
      task: request.prompt ?? "",
      allowedTools: onTheWay.reduce<readonly string[] | null>(narrowed, null),
      limits: { ...LIMITS, ...options.limits },
    },
    world,
  );
  for (const refusal of isRefusal(outcome) ? [outcome] : outcome.refusals)
    await context.observe("DISPATCHED", { status: "refused", ...refusal });
  if (!isRefusal(outcome) && (outcome.runner || outcome.tool?.result))
    await context.observe("DISPATCHED", { status: "finished", request_id: requestId, ...sumOf(outcome) });
  return outcome;
}

/** What a whole tree came to. */
function sumOf(tree: Dispatched): object {
  const all = allOf(tree);
  const failed = all.filter((one) => failureOf(one) !== undefined);
  return {
    current_skill: tree.header.identity.current_skill,
    dispatched: all.length,
    failed: failed.map(({ header }) => header.identity.current_skill),
    refused: tree.refusals.length,
  };
}

/** What the graph says of the way from the caller to the target; nothing is a reference. */
async function edgeBetween(
  parent: string | undefined,
  target: SkillMetadata,
  context: ToolContext,
  world: DispatchPorts,
): Promise<EdgeType> {
  const paths = parent === undefined ? [] : recognise(context, parent).paths;
  const from = paths.length === 1 && paths[0] !== undefined ? world.skillAt(paths[0]) : undefined;
  const edges = from ? await world.edgesOf(from) : [];
  return edges.find(({ toPath }) => toPath === target.path)?.type ?? "reference_only";
}

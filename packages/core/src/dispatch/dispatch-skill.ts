import { DEFAULT_CONFIG } from "../config/config.ts";
import { type Role, roleGuideFile } from "../context/role-guide.ts";
import { escapeWrapperTags } from "../context/wrapper-tags.ts";
import type { Catalog } from "../open-catalog.ts";
import type { SkillMetadata } from "../skill/schema.ts";
import { ToolError } from "../tools/envelope.ts";
import { findSkill, type SkillWanted } from "../tools/find-skill.ts";
import { giveText, permittedSkill } from "../tools/give-skill.ts";
import type { ToolContext } from "../tools/tool.ts";
import { LIMITS, type Limits } from "./budget.ts";
import { callerOf, recognise } from "./caller.ts";
import type { DispatchEvent, DispatchHost } from "./dispatch-host.ts";
import { type Dispatched, dispatch, isRefusal, narrowed } from "./dispatcher.ts";
import type { Edge, EdgeType } from "./edge.ts";
import type { Refusal } from "./guards.ts";
import type { ExecutionMode } from "./header.ts";
import { edgesIn } from "./load-graph.ts";
import { type RunFrameOptions, runFrame } from "./run-frame.ts";
import type { Runner } from "./runner.ts";

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

export interface DispatchOptions {
  /** Without one the frame is made and nothing runs. */
  readonly runner?: Runner | undefined;
  readonly limits?: Partial<Limits> | undefined;
  /** Where the edges of a skill come from. */
  readonly edgesOf?: ((skill: SkillMetadata) => Promise<readonly Edge[]>) | undefined;
  readonly onOutput?: RunFrameOptions["onOutput"];
}

export interface DispatchPlace {
  readonly env: NodeJS.ProcessEnv;
  readonly trusted: boolean;
}

const TOOL = "skill_dispatch";

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
      "The root mode is for the outermost request: it has no parent skill and no depth.",
    );
  const target = findSkill(catalog, request.skill).skill;
  const config = catalog.config.dispatch;
  const policy = {
    forbid_root_reload: true,
    max_depth: request.maxDepth ?? config.maxDepth,
    allow_reentry: request.allowReentry ?? false,
  };
  const root = recognise(catalog, config.root);
  const mayWait = catalog.waitingForTrust > 0;
  if (root.paths.length === 0 && config.root !== DEFAULT_CONFIG.dispatch.root && !mayWait)
    throw new ToolError(
      "NOT_FOUND",
      `dispatch.root names the skill ${JSON.stringify(config.root)}, which is not there.`,
    );
  const { requestId } = request;
  const caller = callerOf({ requestId, mode, depth, parent, visited, stack, policy }, catalog, root.paths);
  const host = hostOf(options, context, place);
  const onTheWay = [...caller.visited].map((path) => host.skillAt(path)?.allowedTools);
  const outcome = await dispatch(
    {
      caller,
      target,
      edge:
        request.edgeType ??
        (mode === "root" ? "requires_now" : await edgeBetween(parent, target, context, host)),
      role: request.role,
      task: request.prompt ?? "",
      allowedTools: onTheWay.reduce<readonly string[] | null>(narrowed, null),
      limits: { ...LIMITS, ...options.limits },
    },
    host,
  );
  for (const refusal of isRefusal(outcome) ? [outcome] : outcome.refusals)
    await context.observe("DISPATCHED", { status: "refused", ...refusal });
  return outcome;
}

/** What the graph says of the way from the caller to the target; nothing is a reference. */
async function edgeBetween(
  parent: string | undefined,
  target: SkillMetadata,
  { catalog }: ToolContext,
  host: DispatchHost,
): Promise<EdgeType> {
  const paths = parent === undefined ? [] : recognise(catalog, parent).paths;
  const from = paths.length === 1 && paths[0] !== undefined ? host.skillAt(paths[0]) : undefined;
  const edges = from ? await host.edgesOf(from) : [];
  return edges.find(({ toPath }) => toPath === target.path)?.type ?? "reference_only";
}

function hostOf(
  options: DispatchOptions,
  context: ToolContext,
  { env, trusted }: DispatchPlace,
): DispatchHost {
  const { catalog, signal } = context;
  const { runner, onOutput } = options;
  const skills = new Map(catalog.entries.map(({ skill }) => [skill.path, skill]));
  return {
    skillAt: (path) => skills.get(path),
    edgesOf: options.edgesOf ?? ((skill) => ownEdges(catalog, skill)),
    load: async (skill, bySkill) => {
      const executes = runner !== undefined;
      if (bySkill && skill.disableModelInvocation)
        throw new ToolError(
          "ACCESS_DENIED",
          `The skill ${JSON.stringify(skill.name)} is for people to call (disable-model-invocation); no skill starts it.`,
        );
      const permitted = await permittedSkill(TOOL, { path: skill.path }, context, executes);
      const { text } = await giveText(permitted, "", { ...context, always: true });
      return { title: "Skill", path: skill.path, text: text?.block ?? "" };
    },
    roleGuide: (role) => {
      const guide = roleGuideFile(role, { root: catalog.projectRoot, trusted });
      return { title: "Role guide", path: guide.path, text: escapeWrapperTags(guide.text) };
    },
    run: runner
      ? (frame, timeoutMs) => runFrame(runner, frame, { cwd: catalog.cwd, env, timeoutMs, signal, onOutput })
      : null,
    record: (event) => context.observe("DISPATCHED", eventData(event, runner)),
    now: () => performance.now(),
  };
}

function eventData(event: DispatchEvent, runner: Runner | undefined): Readonly<Record<string, unknown>> {
  const { identity, trace, execution_mode } = event.header;
  return {
    status: event.status,
    execution_mode,
    ...identity,
    request_id: trace.request_id,
    depth: trace.depth,
    skill_stack: trace.skill_stack,
    ...(runner ? { runner: runner.name } : {}),
    ...(event.status === "ended" ? event.runner : {}),
  };
}

/** A text may also say who calls its skill; that makes nobody call it. */
async function ownEdges(catalog: Catalog, skill: SkillMetadata): Promise<readonly Edge[]> {
  const { edges } = await edgesIn(catalog, skill);
  return edges.filter(({ fromPath }) => fromPath === skill.path);
}

import { findTarget, type Skills, type SkillWanted } from "../access/find-skill.ts";
import { type ToolContext, typedSkillsOf } from "../access/tool.ts";
import { typedTarget } from "../catalog/typed-skill-names.ts";
import { DEFAULT_CONFIG } from "../config/config.ts";
import type { Role } from "../context/guides/role-guide.ts";
import type { EdgeType } from "../graph/edge.ts";
import { bareWords, typedNameOf } from "../resolve/resolve.ts";
import { KnackError } from "../shared/errors.ts";
import { quote } from "../shared/quote.ts";
import type { SkillMetadata } from "../skill/schema.ts";
import {
  allOf,
  type Dispatched,
  Dispatcher,
  type DispatchOptions,
  type DispatchPlace,
  failureOf,
  narrowed,
} from "./dispatcher.ts";
import { type DispatchTarget, isRefusal, type Refusal } from "./guards.ts";
import type { ExecutionMode } from "./header.ts";
import { callerAround, type DispatchCaller } from "./running-frames.ts";

/** One dispatch as a caller asks for it. Skills are named by name, path or id. */
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

/** Throws `KnackError` where the skill does not exist or is not allowed. */
export async function dispatchSkill(
  request: DispatchRequest,
  options: DispatchOptions,
  context: ToolContext,
  place: DispatchPlace,
): Promise<Dispatched | Refusal> {
  const { role, prompt: task = "" } = request;
  const around = callerAround(place.frames, place.env);
  // An agent's own statements can only add to what is known.
  const parent = around ? around.visited.at(-1) : request.parent;
  const depth = request.depth;
  const isOutermost = parent === undefined && depth === undefined;
  const mode = around ? "delegated" : (request.mode ?? (isOutermost ? "root" : "delegated"));
  if (mode === "root" && (parent !== undefined || (depth ?? 0) > 0))
    throw new KnackError(
      "INVALID_PARAM",
      "Root mode is for the outermost request, which has no parent skill and no depth. Omit them, or use delegated mode.",
    );
  const target = findTarget(context, request.skill);
  const here = { catalog: context.catalog, typedSkills: typedSkillsOf(context.picture.now) };
  const stated = callerOf(request, mode, here);
  const caller = around ? continued(around, stated) : stated;
  const dispatcher = new Dispatcher(options, context, place);
  const said = request.edgeType ?? (mode === "root" ? "requires_now" : undefined);
  const edge = said ?? (await edgeBetween(parent, target, here, dispatcher));
  const onTheWay = caller.visited.map((path) => dispatcher.skillAt(path)?.allowedTools);
  const allowedTools = onTheWay.reduce<readonly string[] | null>(narrowed, null);
  const outcome = await dispatcher.dispatch({ caller, target, edge, role, task, allowedTools });
  await recordOutcome(outcome, context);
  return outcome;
}

async function recordOutcome(outcome: Dispatched | Refusal, { observe }: ToolContext): Promise<void> {
  for (const refusal of isRefusal(outcome) ? [outcome] : outcome.refusals)
    await observe("DISPATCHED", { status: "refused", ...refusal });
  if (isRefusal(outcome) || !(outcome.runner || outcome.tool?.result)) return;
  const { identity, trace } = outcome.header;
  const all = allOf(outcome);
  const failed = all.filter((one) => failureOf(one) !== undefined);
  await observe("DISPATCHED", {
    status: "finished",
    request_id: trace.request_id,
    current_skill: identity.current_skill,
    dispatched: all.length,
    failed: failed.map(({ header }) => header.identity.current_skill),
    refused: outcome.refusals.length,
  });
}

/** The graph's edge from caller to target; a reference where there is none. */
async function edgeBetween(
  parent: string | undefined,
  target: SkillMetadata,
  here: Skills,
  dispatcher: Dispatcher,
): Promise<EdgeType> {
  const [path, second] = parent === undefined ? [] : recognise(here, parent).paths;
  const from = path === undefined || second !== undefined ? undefined : dispatcher.skillAt(path);
  const edges = from ? await dispatcher.edgesOf(from) : [];
  return edges.find(({ toPath }) => toPath === target.path)?.type ?? "reference_only";
}

/** A request names skills in words; what counts is which skills they mean. */
function callerOf(request: DispatchRequest, mode: ExecutionMode, here: Skills): DispatchCaller {
  const { config, waitingForTrust } = here.catalog;
  const { root, maxDepth, forbidRootReload, allowReentry } = config.dispatch;
  const rootSkills = recognise(here, root).paths;
  if (rootSkills.length === 0 && root !== DEFAULT_CONFIG.dispatch.root && waitingForTrust === 0)
    throw new KnackError(
      "NOT_FOUND",
      `dispatch.root names the skill ${quote(root)}, which does not exist; fix it in the configuration, or add the skill.`,
    );
  const meant = (word: string): Recognised => recognise(here, word);
  const top = request.parent === undefined ? undefined : meant(request.parent);
  const isTop = ({ key }: Recognised): boolean => key === top?.key;
  const given = (request.visited ?? []).map(meant);
  // By default all visited skills, the caller last.
  const stack = request.stack?.length ? request.stack.map(meant) : given.filter((one) => !isTop(one));
  if (top && !stack.some(isTop)) stack.push(top);
  const visited = [...given, ...stack].filter(
    ({ key }, place, all) => all.findIndex((one) => one.key === key) === place,
  );
  return {
    requestId: request.requestId,
    skill: top?.name ?? null,
    depth: mode === "root" ? null : (request.depth ?? 0),
    stack: stack.map(({ name }) => name),
    visitedNames: visited.map(({ name }) => name),
    visited: visited.flatMap(({ paths }) => paths),
    rootLoaded: mode === "delegated",
    policy: {
      forbid_root_reload: forbidRootReload,
      max_depth: request.maxDepth ?? maxDepth,
      allow_reentry: request.allowReentry ?? allowReentry,
    },
    rootSkills,
  };
}

/** An agent that Knack started continues from its frame; its own statements only narrow that. */
function continued(around: DispatchCaller, stated: DispatchCaller): DispatchCaller {
  return {
    ...around,
    depth: Math.max(around.depth ?? 0, stated.depth ?? 0),
    visitedNames: [...new Set([...around.visitedNames, ...stated.visitedNames])],
    visited: [...new Set([...around.visited, ...stated.visited])],
    rootSkills: [...new Set([...around.rootSkills, ...stated.rootSkills])],
    policy: {
      forbid_root_reload: around.policy.forbid_root_reload || stated.policy.forbid_root_reload,
      max_depth: Math.min(around.policy.max_depth, stated.policy.max_depth),
      allow_reentry: around.policy.allow_reentry && stated.policy.allow_reentry,
    },
  };
}

type Recognised = ReturnType<typeof recognise>;

/** `paths`: every skill that the word could mean; all count as visited. */
export function recognise(here: Skills, word: string) {
  const meant = skillsMeant(here, word);
  const [first] = meant;
  if (!first) return { key: `word ${bareWords(word).whole}`, name: word, paths: [] };
  return { key: first.path, name: first.name, paths: meant.map(({ path }) => path) };
}

function skillsMeant({ catalog, typedSkills }: Skills, word: string): readonly DispatchTarget[] {
  if (word.trim() === "") return [];
  const named = catalog.couldMean(word);
  if (named.length > 1)
    try {
      return [catalog.resolveEntry(word, { includeInactive: true }).skill];
    } catch (error) {
      if (!(error instanceof KnackError)) throw error;
    }
  if (named.length > 0) return named.map(({ skill }) => skill);
  const { whole, last } = bareWords(word);
  const typed = typedNameOf(typedSkills, whole) ?? typedNameOf(typedSkills, last);
  return typed === undefined ? [] : [typedTarget(typed)];
}

import { ToolError } from "../access/envelope.ts";
import { findTarget, type Skills, type SkillWanted } from "../access/find-skill.ts";
import { type ToolContext, typedSkillsOf } from "../access/tool.ts";
import { typedTarget } from "../catalog/typed-skill-names.ts";
import { DEFAULT_CONFIG } from "../config/config.ts";
import type { Role } from "../context/guides/role-guide.ts";
import type { EdgeType } from "../graph/edge.ts";
import { bareWords, typedNameOf } from "../resolve/resolve.ts";
import { SkillError } from "../shared/errors.ts";
import { quote } from "../shared/quote.ts";
import type { SkillMetadata } from "../skill/schema.ts";
import {
  allOf,
  type Dispatched,
  Dispatcher,
  type DispatchOptions,
  failureOf,
  narrowed,
} from "./dispatcher.ts";
import { type DispatchCaller, type DispatchTarget, isRefusal, type Refusal } from "./guards.ts";
import type { ExecutionMode } from "./header.ts";
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

/** Dispatches a skill of the catalog; throws `ToolError` where it is not there or may not be had. */
export async function dispatchSkill(
  request: DispatchRequest,
  options: DispatchOptions,
  context: ToolContext,
  env: NodeJS.ProcessEnv,
): Promise<Dispatched | Refusal> {
  const { catalog } = context;
  const { requestId, parent, depth = 0 } = request;
  const mode = request.mode ?? (parent === undefined && request.depth === undefined ? "root" : "delegated");
  if (mode === "root" && (parent !== undefined || depth > 0))
    throw new ToolError(
      "INVALID_PARAM",
      "Root mode is for the outermost request, which has no parent skill and no depth. Omit them, or use delegated mode.",
    );
  const target = findTarget(context, request.skill);
  const here = { catalog, typedSkills: typedSkillsOf(context.picture.now) };
  const config = catalog.config.dispatch;
  const policy = {
    forbid_root_reload: true,
    max_depth: request.maxDepth ?? config.maxDepth,
    allow_reentry: request.allowReentry ?? false,
  };
  const root = recognise(here, config.root);
  const mayWait = catalog.waitingForTrust > 0;
  if (root.paths.length === 0 && config.root !== DEFAULT_CONFIG.dispatch.root && !mayWait)
    throw new ToolError(
      "NOT_FOUND",
      `dispatch.root names the skill ${quote(config.root)}, which does not exist; fix it in the configuration, or add the skill.`,
    );
  const caller: DispatchCaller = {
    ...waySoFar(request, here),
    requestId,
    depth: mode === "root" ? null : depth,
    rootLoaded: mode === "delegated",
    policy,
    rootSkills: root.paths,
    runnersAround: runnersAround(env),
  };
  const dispatcher = new Dispatcher(options, context, env);
  const onTheWay = [...caller.visited].map((path) => dispatcher.skillAt(path)?.allowedTools);
  const outcome = await dispatcher.dispatch({
    caller,
    target,
    edge:
      request.edgeType ??
      (mode === "root" ? "requires_now" : await edgeBetween(parent, target, here, dispatcher)),
    role: request.role,
    task: request.prompt ?? "",
    allowedTools: onTheWay.reduce<readonly string[] | null>(narrowed, null),
  });
  for (const refusal of isRefusal(outcome) ? [outcome] : outcome.refusals)
    await context.observe("DISPATCHED", { status: "refused", ...refusal });
  if (!isRefusal(outcome) && (outcome.runner || outcome.tool?.result))
    await context.observe("DISPATCHED", { status: "finished", request_id: requestId, ...sumOf(outcome) });
  return outcome;
}

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
  here: Skills,
  dispatcher: Dispatcher,
): Promise<EdgeType> {
  const paths = parent === undefined ? [] : recognise(here, parent).paths;
  const from = paths.length === 1 && paths[0] !== undefined ? dispatcher.skillAt(paths[0]) : undefined;
  const edges = from ? await dispatcher.edgesOf(from) : [];
  return edges.find(({ toPath }) => toPath === target.path)?.type ?? "reference_only";
}

type WaySoFar = Pick<DispatchCaller, "stack" | "visitedNames" | "visited" | "skill">;

/** Where a request says that it comes from. Its words are names, paths or ids; what counts is which skills they mean. */
function waySoFar(
  { parent, visited: been = [], stack: above = [] }: DispatchRequest,
  here: Skills,
): WaySoFar {
  const meant = (word: string): Recognised => recognise(here, word);
  const top = parent === undefined ? undefined : meant(parent);
  const given = been.map(meant);
  const isTop = ({ key }: Recognised): boolean => key === top?.key;
  // Without a stack it is made of what was visited, the caller last.
  const stack = above.length > 0 ? above.map(meant) : given.filter((one) => !isTop(one));
  if (top && !stack.some(isTop)) stack.push(top);
  const visited = [...given, ...stack].filter(
    ({ key }, place, all) => all.findIndex((one) => one.key === key) === place,
  );
  return {
    skill: top?.name ?? null,
    stack: stack.map(({ name }) => name),
    visitedNames: visited.map(({ name }) => name),
    visited: new Set(visited.flatMap(({ paths }) => paths)),
  };
}

interface Recognised {
  readonly key: string;
  readonly name: string;
  /** Every skill that the word could mean: what may have been visited counts as visited. */
  readonly paths: readonly string[];
}

/** Which skill a word means, however it is written; where it could mean several, all of them. */
export function recognise(here: Skills, word: string): Recognised {
  const meant = skillsMeant(here, word);
  const [first] = meant;
  if (!first) return { key: `word ${bareWords(word).whole}`, name: word, paths: [] };
  return { key: first.path, name: first.name, paths: meant.map(({ path }) => path) };
}

function skillsMeant({ catalog, typedSkills }: Skills, word: string): readonly DispatchTarget[] {
  if (word.trim() === "") return [];
  try {
    return [catalog.resolveEntry(word, { includeInactive: true }).skill];
  } catch (error) {
    if (!(error instanceof SkillError)) throw error;
  }
  const named = catalog.couldMean(word);
  if (named.length > 0) return named.map(({ skill }) => skill);
  const { whole, last } = bareWords(word);
  const typed = typedNameOf(typedSkills, whole) ?? typedNameOf(typedSkills, last);
  return typed === undefined ? [] : [typedTarget(typed)];
}

import { ToolError } from "../access/envelope.ts";
import type { Observe } from "../access/observe.ts";
import {
  type Authorizer,
  type Confirm,
  checkTrust,
  isVisibleTo,
  mustBeLocked,
  type PermitRequest,
  permit,
  unverifiedError,
  type Visibility,
} from "../access/permit.ts";
import type { Tool, ToolContext } from "../access/tool.ts";
import type { Config } from "../config/config.ts";
import type { LoadedSkills } from "../context/loaded-skills.ts";
import type { Catalog } from "../open-catalog.ts";
import type { Actor } from "../policy/permissions.ts";
import { KnackError } from "../shared/errors.ts";
import { quote } from "../shared/quote.ts";
import type { SkillMetadata } from "../skill/schema.ts";
import { orCancelled } from "./call-tool.ts";
import { dispatchToTool } from "./dispatch-to-tool.ts";

/** Everything of a runtime that its sessions share. */
export interface RuntimeParts {
  readonly tools: ReadonlyMap<string, Tool>;
  readonly env: NodeJS.ProcessEnv;
  readonly isTrusted: () => boolean;
  readonly observe: Observe;
  readonly begun: ToolContext["begun"];
}

export interface CallOptions {
  /** Who wants it. What a person does is their own consent; `model` by default. */
  readonly actor?: Actor;
  readonly signal?: AbortSignal;
  /** Asks in place of the session's own way, for this call. */
  readonly confirm?: Confirm;
  /** Who the records name for what the call does. */
  readonly by?: string;
  /** How many bytes of text the answer may have; what is longer comes in parts. No limit by default. */
  readonly maxTextBytes?: number;
  /** Whether the model has a tool, where its host does not offer all of them. */
  readonly offers?: (tool: string) => boolean;
  /** Called with what a long call is doing. */
  readonly onProgress?: (message: string) => void;
}

/** What one conversation brings to each of its calls. */
export interface Conversation {
  readonly snapshot: Catalog;
  readonly loaded: LoadedSkills;
  readonly authorizer: Authorizer;
}

/** What a tool may use in one call, with these skills. */
export async function makeContext(
  { tools, begun, observe }: RuntimeParts,
  { snapshot, loaded, authorizer: own }: Conversation,
  options: CallOptions,
  catalog: Catalog,
): Promise<ToolContext> {
  const { actor = "model", signal, by, onProgress, confirm = own.confirm } = options;
  const visibility = await visibilityNow(own, catalog.config);
  const typedSkills = [...tools.values()]
    .filter((tool) => tool.typed && tool.leftOut === undefined)
    .map(({ name }) => name);
  const context: ToolContext = {
    catalog,
    snapshot,
    actor,
    signal,
    by,
    progress: onProgress ?? (() => {}),
    begun,
    loaded,
    always: actor === "person",
    maxTextBytes: options.maxTextBytes ?? Number.POSITIVE_INFINITY,
    checkTrust: (skill) => checkTrust({ skill }, own),
    checkLocked: async (skill, file, sha256) => {
      if (!mustBeLocked(skill, await own.policy())) return;
      const fault = await own.locks.fileFaultOf(skill, file, sha256);
      if (fault !== undefined) throw unverifiedError(skill, fault);
    },
    ready: async (name) => tools.get(name)?.ready?.(),
    permit: (request) => orCancelled(permitTold(actor, request, { ...own, confirm }, observe), signal),
    observe: (type, data) => observe({ type, actor, data }),
    typedSkills,
    whyLeftOut: (name) => tools.get(name)?.leftOut,
    runsAs: ({ name }) => (typedSkills.includes(name) && (options.offers?.(name) ?? true) ? name : undefined),
    isVisibleTo: (who, skill) => isVisibleTo(who, skill, visibility),
    dispatch: (skill, args, ended = signal) =>
      dispatchToTool(tools, skill, args, { ...context, signal: ended, dispatch: refuseDispatch }),
  };
  return context;
}

/** By the rules as they are now; where they cannot be understood nothing is permitted, and the old ones say what is visible. */
export async function visibilityNow(authorizer: Authorizer, config: Config): Promise<Visibility> {
  const policy = await authorizer.policy();
  const { permissions, skills } = config;
  const rules = "problem" in policy ? { permissions, disabled: skills.disabled } : policy;
  return { ...rules, hasProject: authorizer.hasProject() };
}

/** Every decision is told, the refusals with their reason. */
async function permitTold(
  actor: Actor,
  request: PermitRequest,
  authorizer: Authorizer,
  observe: Observe,
): Promise<void> {
  const { tool, skill, calledBy } = request;
  const name = (skill ?? calledBy)?.name;
  const told = { tool, ...(name === undefined ? {} : { skill: name }) };
  const decided = (data: object): Promise<void> =>
    observe({ type: "PERMISSION_DECIDED", actor, data: { ...told, ...data } });
  try {
    await permit(actor, request, authorizer);
  } catch (error) {
    if (error instanceof KnackError) await decided({ allowed: false, reason: error.message });
    throw error;
  }
  await decided({ allowed: true });
}

/** A tool that a skill called does not call a skill's tool again: so no circle of them can begin. */
async function refuseDispatch({ name }: SkillMetadata): Promise<never> {
  const message = `The skill ${quote(name)} calls a tool, but a skill's tool called it; such calls cannot be chained. Call its tool yourself.`;
  throw new ToolError("INVALID_PARAM", message);
}

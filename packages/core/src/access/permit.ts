import { isTypedTarget } from "../catalog/typed-skill-names.ts";
import type { Config } from "../config/config.ts";
import type { LockGate } from "../lock/lock-gate.ts";
import { type Actor, type Decision, decide } from "../policy/permissions.ts";
import type { Policy } from "../policy/policy-now.ts";
import { quote, shorten } from "../shared/quote.ts";
import { refersToAny } from "../skill/refers-to.ts";
import type { SkillMetadata } from "../skill/schema.ts";
import { ToolError } from "./envelope.ts";

/** What somebody is asked before a model gets what it wants. */
export interface Question {
  readonly tool: string;
  readonly skill?: SkillMetadata;
  /** The skill whose tool it is. */
  readonly calledBy?: SkillMetadata;
  /** It runs code or starts a program. An answer that is to last can be kept only for what is about one skill. */
  readonly executes?: boolean;
  /** Why the policy asks. */
  readonly reason: string;
}

/**
 * `remember`: yes, and always from now on. `dismissed`: the question was closed without an answer, which is no "no".
 * `declined`: a no that may be the client's own; Codex and Copilot CLI decline by themselves when nobody watches.
 */
export type Confirmation = "yes" | "no" | "remember" | "dismissed" | "declined";
export type Confirm = (question: Question) => Promise<Confirmation>;

export interface PermitRequest {
  readonly tool: string;
  /** Whose text is wanted. */
  readonly skill?: SkillMetadata;
  /** Whose tool it is (`tool_dispatch`): rules for this tool may name the skill, rules for reading it say nothing here. */
  readonly calledBy?: SkillMetadata;
  readonly executes?: boolean;
}

/** Who decides: the current configuration, and a person who can be asked. */
export interface Authorizer {
  readonly confirm: Confirm | undefined;
  /** Whether the project's own skills may be had: trust can be taken back while a conversation lasts. */
  hasProject(): boolean;
  policy(): Promise<Policy>;
  /** What the locks say, for `skills.locked`. */
  readonly locks: LockGate;
  /** Writes down that the skill may be had by this tool without a question. */
  remember(skill: SkillMetadata, tool: string): Promise<void>;
}

/** Returns if the policy allows it, or if somebody who was asked did. Throws `ToolError` with the reason otherwise. */
export async function permit(actor: Actor, request: PermitRequest, authorizer: Authorizer): Promise<void> {
  const { tool, skill, calledBy, executes = false } = request;
  const { decision, reason } = await authorize(actor, request, authorizer);
  if (decision === "allow") return;
  const what = subjectOf(request);
  const answer = await authorizer.confirm?.({
    tool,
    reason,
    ...(skill ? { skill } : {}),
    ...(calledBy ? { calledBy } : {}),
    ...(executes ? { executes } : {}),
  });
  // An answer may take minutes, and trust may be gone by then.
  checkTrust(request, authorizer);
  // Leave to read a skill is for every way to its text; leave to run something with it is for that tool alone.
  if (answer === "remember" && skill) await authorizer.remember(skill, executes ? tool : "skill_load");
  if (answer === "yes" || answer === "remember") return;
  if (answer === "no")
    throw new ToolError(
      "ACCESS_DENIED",
      `The user refused ${what}. Do not try another way; ask what to do instead.`,
    );
  if (answer === "declined")
    throw new ToolError(
      "ACCESS_DENIED",
      `The question about ${what} was declined, by the user or by a client that cannot show it. Do not try another way; ask the user. ${howToAllow(request)}`,
    );
  const why =
    answer === "dismissed"
      ? `Nobody answered the question about ${what}: it was closed or could not be shown`
      : `Policy requires confirmation for ${what}, and nobody can be asked here`;
  throw new ToolError("ACCESS_DENIED", `${why}. The user has not refused: ask them. ${howToAllow(request)}`);
}

/**
 * What trust, switches and rules say, before anybody is asked: `allow` or `confirm`. Trust is first: who is asked whether
 * something is allowed must not hear afterwards that it could not be had at all. Throws `ToolError` where it is refused.
 */
export async function authorize(
  actor: Actor,
  request: PermitRequest,
  authorizer: Pick<Authorizer, "hasProject" | "policy" | "locks">,
): Promise<Decision> {
  checkTrust(request, authorizer);
  const { tool, skill, calledBy, executes = false } = request;
  const policy = await authorizer.policy();
  if ("problem" in policy) {
    const message = `The configuration is invalid, so nothing is allowed. ${policy.problem} Fix it; "knack doctor" checks it.`;
    throw new ToolError("ACCESS_DENIED", message);
  }
  if (skill && refersToAny(policy.disabled, skill))
    throw disabledError(skill, "it is listed in skills.disabled in the configuration");
  for (const one of [skill, calledBy]) {
    if (!one || !mustBeLocked(one, policy)) continue;
    const fault = await authorizer.locks.faultOf(one);
    if (fault !== undefined) throw unverifiedError(one, fault);
  }
  const about = skill ? { skill, readsSkill: true } : calledBy ? { skill: calledBy } : {};
  const decided = decide(policy.permissions, { tool, actor, executes, ...about });
  if (decided.decision !== "deny") return decided;
  const undo =
    skill && !executes
      ? `The user can allow it with "knack allow ${shorten(skill.name)}".`
      : "To allow it, the user has to remove that rule from the configuration.";
  throw new ToolError("ACCESS_DENIED", `Policy denies ${subjectOf(request)}: ${decided.reason} ${undo}`);
}

/** Trust can be taken back while a conversation lasts. Throws `ToolError`. */
export function checkTrust(
  { skill, calledBy }: Pick<PermitRequest, "skill" | "calledBy">,
  { hasProject }: Pick<Authorizer, "hasProject">,
): void {
  const own = [skill, calledBy].find((one) => one?.scope === "repo");
  if (!own || hasProject()) return;
  const message = `The project is no longer trusted. Its skill ${quote(own.name)} is unavailable until the user runs "knack trust" there.`;
  throw new ToolError("ACCESS_DENIED", message);
}

function subjectOf({ tool, skill, calledBy }: PermitRequest): string {
  const ofSkill = calledBy ? ` of the skill ${quote(calledBy.name)}` : "";
  return skill ? `the skill ${quote(skill.name)}` : `the tool ${tool}${ofSkill}`;
}

function howToAllow({ tool, skill, executes = false }: PermitRequest): string {
  if (skill && !executes) return `The user can allow it with "knack allow ${shorten(skill.name)}".`;
  const rule = skill ? `{tool: ${tool}, skill_name: ${quote(skill.name)}}` : `{tool: ${tool}}`;
  return `To allow it, the user can add the rule ${rule} to permissions.allow in ~/.knack/config.yaml.`;
}

/** What decides who may know of a skill. */
export interface Visibility {
  readonly permissions: Config["permissions"];
  readonly disabled: readonly string[];
  /** Whether the project's own skills may be had. */
  readonly hasProject: boolean;
}

/**
 * Whether a model, or a person, may know of a skill: nobody knows of one that they could not have, and a model of none that
 * is for people alone.
 */
export function isVisibleTo(actor: Actor, skill: SkillMetadata, visibility: Visibility): boolean {
  const { permissions, disabled, hasProject } = visibility;
  if (actor === "model" && skill.disableModelInvocation) return false;
  if ((skill.scope === "repo" && !hasProject) || refersToAny(disabled, skill)) return false;
  const request = { tool: "skill_load", skill, actor, readsSkill: true } as const;
  return decide(permissions, request).decision !== "deny";
}

/** Under `skills.locked`; a typed skill has no files to lock. */
export function mustBeLocked(skill: SkillMetadata, policy: Policy): boolean {
  if ("problem" in policy || isTypedTarget(skill)) return false;
  return skill.scope === "repo" ? policy.locked.repo : policy.locked.user;
}

/** A skill that is not as it was locked, with the way on. */
export function unverifiedError({ name }: Pick<SkillMetadata, "name">, fault: string): ToolError {
  const shown = shorten(name);
  const message = `The skill ${quote(name)} is not available: ${fault}, and skills.locked is on. The user can look at it with "knack diff ${shown}" and accept it with "knack lock ${shown}".`;
  return new ToolError("ACCESS_DENIED", message);
}

export function disabledError({ name }: SkillMetadata, reason: string): ToolError {
  const message = `The skill ${quote(name)} is disabled: ${reason}. "knack enable ${shorten(name)}" switches it on.`;
  return new ToolError("ACCESS_DENIED", message);
}

import { isTypedTarget } from "../catalog/typed-skill-names.ts";
import { type RuledCall, skillNameFault } from "../config/rules.ts";
import { callsTool } from "../context/load-skill.ts";
import { shellReference, undoCommand } from "../policy/change-policy.ts";
import { type Actor, type Decision, decide, type Policy } from "../policy/permissions.ts";
import { answerTo, KnackError } from "../shared/errors.ts";
import { quote } from "../shared/quote.ts";
import { refersToAny } from "../skill/name.ts";
import type { SkillMetadata } from "../skill/schema.ts";
import { type Authority, checkReady, type PermitRequest, type Picture, type ToolContext } from "./tool.ts";

/**
 * Returns if the policy, or somebody who was asked, allows it; else throws `KnackError`. Every decision is recorded.
 * `before`: checks that hold whatever the policy says.
 */
export async function permit(
  context: ToolContext,
  request: PermitRequest,
  before?: () => Promise<void> | undefined,
): Promise<void> {
  const name = (request.skill ?? request.calledBy)?.name;
  const about = { tool: request.tool, ...(name === undefined ? {} : { skill: name }) };
  const record = (data: object): Promise<void> =>
    context.observe("PERMISSION_DECIDED", { ...about, ...data });
  const decide = async (): Promise<void> => {
    try {
      await before?.();
      await allowOrAsk(context, request);
    } catch (error) {
      if (error instanceof KnackError && !error.isOfHost)
        await record({ allowed: false, code: answerTo(error).tool, reason: error.message });
      throw error;
    }
    await record({ allowed: true });
    if (context.isTrial && request.executes) throw trialEnds();
  };
  await orCancelled(decide(), context.signal);
}

async function allowOrAsk(context: ToolContext, request: PermitRequest): Promise<void> {
  const { tool, skill, executes } = request;
  const { picture, authority } = context;
  const { decision, reason } = await authorize(context, request);
  if (decision === "allow") return;
  const what = subjectOf(request);
  const answer = await authority.confirm?.({ ...request, reason });
  // An answer may take minutes, and trust may be gone by then.
  if (answer !== undefined) checkTrust(request, await picture.renew());
  // Leave to read holds for every way to the text, leave to run for one tool.
  if (answer === "remember" && skill) await authority.remember(skill, executes ? tool : "skill_load");
  if (answer === "yes" || answer === "remember") return;
  if (answer === "no")
    throw new KnackError(
      "ACCESS_DENIED",
      `The user refused ${what}. Do not try another way; ask what to do instead.`,
    );
  if (skill) context.loaded.nobodyAllowed(skill.path);
  if (answer === "declined")
    throw new KnackError(
      "ACCESS_DENIED",
      `The question about ${what} was declined, by the user or by a client that cannot show it. Do not try another way; ask the user. ${howToAllow(request, authority)}`,
    );
  const why =
    answer === "dismissed"
      ? `Nobody answered the question about ${what}: it was closed or could not be shown`
      : `Policy requires confirmation for ${what}, and nobody can be asked here`;
  const how = howToAllow(request, authority);
  throw new KnackError("ACCESS_DENIED", `${why}. The user has not refused: ask them. ${how}`);
}

/** Trust, switches and rules; trust first, so that nobody is asked about what cannot be given. Throws `KnackError`. */
async function authorize(
  { actor, picture, authority }: ToolContext,
  request: PermitRequest,
): Promise<Decision> {
  checkTrust(request, picture.now);
  const { tool, skill, calledBy, executes = false } = request;
  const { policy } = picture.now;
  if ("problem" in policy) {
    const message = `The configuration is invalid, so nothing is allowed. ${policy.problem} Fix it; "knack doctor" checks it.`;
    throw new KnackError("ACCESS_DENIED", message);
  }
  if (skill && refersToAny(policy.disabled, skill))
    throw await disabledError(skill, "it is listed in skills.disabled in the configuration", authority);
  for (const one of [skill, calledBy]) {
    if (!one || !mustBeLocked(one, policy)) continue;
    const fault = await authority.locks.faultOf(one);
    if (fault !== undefined) throw unverifiedError(one, fault);
  }
  const about = skill ? { skill, readsSkill: true } : calledBy ? { skill: calledBy } : {};
  const decided = decide(policy.permissions, { tool, actor, executes, ...about });
  if (decided.decision !== "deny") return decided;
  const undo = await howToUndo({ tool, ...about }, authority);
  throw new KnackError("ACCESS_DENIED", `Policy denies ${subjectOf(request)}: ${decided.reason}${undo}`);
}

/** How the user removes every deny rule in the way; empty where the rule is the host's own. */
async function howToUndo(call: RuledCall, authority: Authority): Promise<string> {
  const { denials } = await authority.obstacles(call);
  const { skill = { name: "" } } = call;
  const commands = new Set(denials.flatMap((denial) => undoCommand(denial, skill) ?? []));
  const files = new Set(denials.flatMap((denial) => (undoCommand(denial, skill) ? [] : denial.file)));
  const rules = files.size > 1 ? "such rules" : "that rule";
  if (denials.length === 0) return "";
  if (commands.size === 0)
    return ` To allow it, the user has to remove ${rules} from ${[...files].join(" and ")}.`;
  const also =
    files.size > 0
      ? ` They also have to remove the rule for all skills from ${[...files].join(" and ")}.`
      : "";
  return ` The user can allow it with ${quoted(commands)}.${also}`;
}

function quoted(commands: ReadonlySet<string>): string {
  return [...commands].map((command) => `"${command}"`).join(" and ");
}

/** Trust can be taken back while a conversation lasts. Throws `KnackError`. */
export function checkTrust(
  { skill, calledBy }: Pick<PermitRequest, "skill" | "calledBy">,
  { hasProject }: Pick<Picture, "hasProject">,
): void {
  const own = [skill, calledBy].find((one) => one?.scope === "repo");
  if (!own || hasProject) return;
  const message = `The project is no longer trusted. Its skill ${quote(own.name)} is unavailable until the user runs "knack trust" there.`;
  throw new KnackError("ACCESS_DENIED", message);
}

function subjectOf({ tool, skill, calledBy }: PermitRequest): string {
  const ofSkill = calledBy ? ` of the skill ${quote(calledBy.name)}` : "";
  return skill ? `the skill ${quote(skill.name)}` : `the tool ${tool}${ofSkill}`;
}

function howToAllow(
  { tool, skill, executes = false }: PermitRequest,
  { userFile }: Pick<Authority, "userFile">,
): string {
  const isNameable = skill && skillNameFault(skill.name) === undefined;
  if (isNameable && !executes) return `The user can allow it with "knack allow ${shellReference(skill)}".`;
  const about = executes ? tool : "skill_load";
  const named = isNameable ? skill?.name : skill?.dir;
  const rule = skill ? `{tool: ${about}, skill_name: ${quote(named)}}` : `{tool: ${tool}}`;
  return `To allow it, the user can add the rule ${rule} to permissions.allow in ${userFile}.`;
}

/** Why a person cannot use a skill now. Nobody is asked, and nothing is recorded. */
export async function whyNot(skill: SkillMetadata, context: ToolContext): Promise<string | undefined> {
  try {
    await authorize({ ...context, actor: "person" }, { tool: "Skill", skill });
    if (callsTool(skill)) await checkReady(context, skill.commandTool ?? "");
    return undefined;
  } catch (error) {
    if (error instanceof KnackError) return error.message;
    throw error;
  }
}

/** Whether somebody may know of a skill. Where the rules cannot be read, the configuration decides. */
export function isVisibleTo(
  actor: Actor,
  skill: SkillMetadata,
  { config, policy, hasProject = true }: Pick<Picture, "config"> & Partial<Picture>,
): boolean {
  const { permissions, disabled } =
    policy && "permissions" in policy ? policy : { ...config, disabled: config.skills.disabled };
  if (actor === "model" && skill.disableModelInvocation) return false;
  if ((skill.scope === "repo" && !hasProject) || refersToAny(disabled, skill)) return false;
  const denies = (tool: string, readsSkill: boolean): boolean =>
    decide(permissions, { tool, skill, actor, readsSkill }).decision === "deny";
  // A person who asks for such a skill is told which rule is in the way.
  if (actor === "model" && callsTool(skill) && denies(skill.commandTool ?? "", false)) return false;
  return !denies("skill_load", true);
}

/** Under `skills.locked`: throws where these bytes are not those that were locked. `sha256` is absent for a part of a file. */
export async function checkLockedFile(
  { picture, authority }: ToolContext,
  skill: SkillMetadata,
  file: string,
  sha256: string | undefined,
): Promise<void> {
  if (!mustBeLocked(skill, picture.now.policy)) return;
  const fault = await authority.locks.fileFaultOf(skill, file, sha256);
  if (fault !== undefined) throw unverifiedError(skill, fault);
}

/** Under `skills.locked`; a typed skill has no files to lock. */
function mustBeLocked(skill: SkillMetadata, policy: Policy): boolean {
  if ("problem" in policy || isTypedTarget(skill)) return false;
  return skill.scope === "repo" ? policy.locked.repo : policy.locked.user;
}

export function unverifiedError(skill: Pick<SkillMetadata, "name" | "id">, fault: string): KnackError {
  const shown = shellReference(skill);
  const message = `The skill ${quote(skill.name)} is not available: ${fault}, and skills.locked is on. The user can look at it with "knack diff ${shown}" and accept it with "knack lock ${shown}".`;
  return new KnackError("ACCESS_DENIED", message);
}

export async function disabledError(
  skill: SkillMetadata,
  reason: string,
  { obstacles }: Pick<Authority, "obstacles">,
): Promise<KnackError> {
  const { switches } = await obstacles({ tool: "skill_load", skill });
  const commands = new Set(switches.flatMap((one) => undoCommand(one, skill) ?? []));
  const how = `${quoted(commands)} ${commands.size > 1 ? "switch" : "switches"} it on.`;
  const message = `The skill ${quote(skill.name)} is disabled: ${reason}.${commands.size > 0 ? ` ${how}` : ""}`;
  return new KnackError("ACCESS_DENIED", message);
}

/** A cancelled call is answered even if a tool or a person never answers. */
export async function orCancelled<T>(work: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (!signal) return work;
  const end = Promise.withResolvers<never>();
  const cancel = (): void => end.reject(cancelled());
  if (signal.aborted) cancel();
  else signal.addEventListener("abort", cancel, { once: true });
  try {
    return await Promise.race([work, end.promise]);
  } finally {
    signal.removeEventListener("abort", cancel);
  }
}

/** Ends a trial, of which only the questions are wanted. */
export function trialEnds(): KnackError {
  return new KnackError("CONFLICT", "Nothing was done: only the questions of the call were wanted.");
}

export function cancelled(): KnackError {
  return new KnackError(
    "TIMEOUT",
    "The call was cancelled before the tool finished; call it again, with more time if it needs it.",
  );
}

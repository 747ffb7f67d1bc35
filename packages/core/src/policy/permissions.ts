import type { Config, PermissionRule } from "../config/config.ts";
import { fold } from "../shared/fold.ts";
import { isExactly, type Named, refersTo } from "../skill/refers-to.ts";

export type Actor = "model" | "person";

export interface PermissionRequest {
  readonly tool: string;
  /** The resolved skill, never the words that it was asked for by; absent for tools about no one skill. */
  readonly skill?: Named;
  readonly actor: Actor;
  /** It reads a skill's text, so `skill_load` rules apply too. */
  readonly readsSkill?: boolean;
  /** It runs code or a runner, so it is confirmed by default. */
  readonly executes?: boolean;
}

export interface Decision {
  readonly decision: "allow" | "deny" | "confirm";
  /** One sentence: the rule or the default that decided. */
  readonly reason: string;
}

/** Deny before allow before the default. A person who asks has thereby agreed, so that only a deny stops them. */
export function decide(permissions: Config["permissions"], request: PermissionRequest): Decision {
  const denied = permissions.deny.find((rule) => denies(rule, request));
  if (denied) return { decision: "deny", reason: `The rule ${describeRule("deny", denied)} forbids it.` };
  if (request.actor === "person") return { decision: "allow", reason: "A person asked for it." };
  const allowed = permissions.allow.find((rule) => allows(rule, request));
  if (allowed) return { decision: "allow", reason: `The rule ${describeRule("allow", allowed)} allows it.` };
  if (permissions.default !== null) {
    return {
      decision: permissions.default,
      reason: `No rule matches, and permissions.default is ${permissions.default}.`,
    };
  }
  return request.executes
    ? { decision: "confirm", reason: "No rule matches, and running code needs confirmation by default." }
    : { decision: "allow", reason: "No rule matches, and actions that run no code are allowed by default." };
}

/** As in the configuration: `permissions.deny { tool: skill_load, skill_name: "x" }`. */
export function describeRule(list: "allow" | "deny", { tool, skill_name: skill }: PermissionRule): string {
  const name = skill === undefined ? "" : `, skill_name: ${JSON.stringify(skill)}`;
  return `permissions.${list} { tool: ${tool}${name} }`;
}

/** A deny that is missed because of a capital is worse than one that catches too much, so names are folded. */
export function denies(rule: PermissionRule, request: PermissionRequest): boolean {
  const isTool =
    fold(rule.tool) === fold(request.tool) || (rule.tool === "skill_load" && request.readsSkill === true);
  return isTool && isAbout(rule, request, refersTo);
}

/** Leave to read a skill is none to run something with it: for that a rule must name the tool itself. */
function allows(rule: PermissionRule, request: PermissionRequest): boolean {
  const isRead = request.readsSkill === true && !request.executes;
  const isTool = rule.tool === request.tool || (rule.tool === "skill_load" && isRead);
  return isTool && isAbout(rule, request, isExactly);
}

function isAbout(
  { skill_name: entry }: PermissionRule,
  { skill }: PermissionRequest,
  is: typeof refersTo,
): boolean {
  return entry === undefined || (skill !== undefined && is(entry, skill));
}

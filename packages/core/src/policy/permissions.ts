import type { ConfigLook, LiveConfig } from "../catalog/settings.ts";
import type { Config } from "../config/config.ts";
import { denies, describeRule, isAbout, type PermissionRule, type RuledCall } from "../config/rules.ts";
import { isExactly } from "../skill/name.ts";

export type Actor = "model" | "person";

export interface PermissionRequest extends RuledCall {
  readonly actor: Actor;
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

/** Leave to read a skill is not leave to run something with it. */
function allows(rule: PermissionRule, request: PermissionRequest): boolean {
  const isRead = request.readsSkill === true && !request.executes;
  const isTool = rule.tool === request.tool || (rule.tool === "skill_load" && isRead);
  return isTool && isAbout(rule, request, isExactly);
}

/** `problem`: the rules cannot be read, so nothing may be loaded. */
export type Policy =
  | {
      readonly permissions: Config["permissions"];
      readonly disabled: readonly string[];
      /** Whether skills must be as they were locked: the project's own, and all others. */
      readonly locked: { readonly repo: boolean; readonly user: boolean };
    }
  | { readonly problem: string };

/** Rules change while a session lasts, and hold from the next call on. */
export function policyOf({ loaded, error }: ConfigLook): Policy {
  if (error) return { problem: error.message };
  const { config, userConfig, unclearRules } = loaded;
  // An unreadable rule of an untrusted project may be one that forbids.
  if (unclearRules !== undefined) return { problem: unclearRules };
  return {
    permissions: config.permissions,
    disabled: config.skills.disabled,
    locked: { repo: config.skills.locked, user: userConfig.skills.locked },
  };
}

export async function policyNow(config: LiveConfig): Promise<Policy> {
  return policyOf(await config.look());
}

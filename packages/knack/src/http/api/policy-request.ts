import { quote } from "@knack/core/internal";
import * as z from "zod";
import type { PolicyAction } from "../../host/change-policy.ts";
import { HttpError } from "../server/http-error.ts";
import * as schema from "./schemas.ts";

const ACTIONS = ["allow", "deny", "enable", "disable"] as const satisfies readonly PolicyAction[];
const SUBJECTS = ["skill", "id", "name", "path"] as const;
const WISHES = ["action", "decision", "enabled"] as const;

/** A change of policy. */
interface PolicyRequest {
  readonly action: PolicyAction;
  /** An id, a name or a path. */
  readonly skill: string;
  readonly project: boolean;
}

/** The documented properties; the others are aliases taken from the answers. */
export const policyBody = z.strictObject({
  action: z.enum(ACTIONS),
  skill: schema.text,
  project: schema.yes.exactOptional(),
});

/**
 * Reads the body of a change. The skill can also be given as `id`, `name` or `path`, and the action as `decision` or
 * `enabled`, the names that answers use. Two properties for the same thing are refused.
 */
export function readPolicyRequest(body: Readonly<Record<string, unknown>>): PolicyRequest {
  const known: readonly string[] = [...SUBJECTS, ...WISHES, "project"];
  const unknown = Object.keys(body).find((key) => !known.includes(key));
  if (unknown !== undefined) throw wrong(`unknown property ${quote(unknown)}`);
  const { project = false } = body;
  if (typeof project !== "boolean") throw wrong('"project" must be true or false');
  const skill = body[only(body, SUBJECTS)];
  if (typeof skill !== "string" || skill === "") throw wrong('"skill" must be an id, a name or a path');
  return { action: actionOf(body), skill, project };
}

function actionOf(body: Readonly<Record<string, unknown>>): PolicyAction {
  const wish = only(body, WISHES);
  const value = body[wish];
  if (wish === "enabled" && typeof value === "boolean") return value ? "enable" : "disable";
  const action = ACTIONS.find((one) => one === value);
  if (wish === "action" && action !== undefined) return action;
  if (wish === "decision" && (action === "allow" || action === "deny")) return action;
  throw wrong(`"action" must be ${ACTIONS.join(", ")}`);
}

/** The property that the body has; the first name if it has none. */
function only<T extends string>(body: Readonly<Record<string, unknown>>, names: readonly [T, ...T[]]): T {
  const [first = names[0], second] = names.filter((name) => Object.hasOwn(body, name));
  if (second !== undefined) throw wrong(`"${first}" and "${second}" mean the same; use only one of them`);
  return first;
}

function wrong(what: string): HttpError {
  return new HttpError(400, "INVALID_PARAM", `${what}. Example: {"action": "deny", "skill": "name"}.`);
}

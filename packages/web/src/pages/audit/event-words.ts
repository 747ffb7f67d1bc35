import type { Answer } from "../../api/client.ts";

export type LoggedEvent = Answer<"/api/audit">["events"][number];

const TYPES: Readonly<Record<string, string>> = {
  SKILL_RUN: "Run",
  ARTIFACT_CREATED: "Artifact",
  EVIDENCE_ADDED: "Evidence",
  STATUS_CHANGED: "Task",
  ERROR: "Error",
  SKILL_LOADED: "Load",
  SKILL_SEARCHED: "Search",
  PERMISSION_DECIDED: "Permission",
  DISPATCHED: "Dispatch",
  TOOL_CALLED: "Tool",
  TURN_ENDED: "Answer",
  TOKEN_ADDED: "Token",
  TOKEN_REVOKED: "Token",
  REQUESTED: "Request",
};

/** A short word for a type of record; an unknown type is its own word. */
export const typeWord = (type: string): string => TYPES[type] ?? type;

export function eventWords({ event_type, payload, task_id, plan_id }: LoggedEvent): string {
  const said = (typeof payload === "object" && payload !== null ? payload : {}) as Record<string, unknown>;
  const text = (name: string): string => (typeof said[name] === "string" ? (said[name] as string) : "");
  const task = [plan_id, task_id].filter(Boolean).join("/");
  switch (event_type) {
    case "SKILL_RUN":
      return join(text("skill"), said.cached === true ? "from cache" : lower(text("status")));
    case "ARTIFACT_CREATED":
      return join(text("name"), text("path"));
    case "EVIDENCE_ADDED":
      return join(text("requirementId") || task, lower(text("type")), text("refPath"));
    case "STATUS_CHANGED":
      return said.applied !== undefined
        ? `${plan_id ?? text("plan")} was applied`
        : join(task, `${lower(text("from"))} → ${lower(text("to"))}`, lower(text("reason")));
    case "PERMISSION_DECIDED":
      return join(
        text("skill") || text("tool"),
        said.allowed === true ? "allowed" : "refused",
        text("skill") && text("tool"),
        text("reason"),
      );
    case "SKILL_LOADED":
      return join(text("name"), said.already_loaded === true ? "again" : "");
    case "TOOL_CALLED":
    case "TURN_ENDED":
      return text("tool");
    case "DISPATCHED":
      return join(text("skill") || text("tool"), lower(text("status")), text("role"));
    case "SKILL_SEARCHED":
      return text("query") || text("q") || summary(said);
    case "TOKEN_ADDED":
    case "TOKEN_REVOKED":
      return join(text("name"), text("role"), event_type === "TOKEN_ADDED" ? "added" : "revoked");
    case "REQUESTED":
      return text("request");
    case "ERROR":
      return join(task, text("message"));
    default:
      return text("name") || text("skill") || summary(said);
  }
}

/** How a record went, for its icon: what failed or was refused stands out. */
export function eventMeaning({ event_type, payload }: LoggedEvent): "failed" | "plain" {
  const said = (payload ?? {}) as Record<string, unknown>;
  const isBad =
    event_type === "ERROR" || said.status === "FAILED" || said.allowed === false || said.to === "FAILED";
  return isBad ? "failed" : "plain";
}

const join = (...parts: readonly string[]): string => parts.filter((part) => part !== "").join(" · ");
const lower = (word: string): string => word.toLowerCase().replaceAll("_", " ");

function summary(said: Readonly<Record<string, unknown>>): string {
  return JSON.stringify(said).slice(0, 200);
}

import { type Tool, ToolError } from "@knack/core";
import type { Role } from "@knack/engine";
import { type Caller, currentCaller } from "./caller.ts";

const RANK: Readonly<Record<Role, number>> = { reader: 0, runner: 1, approver: 2, owner: 3 };

/**
 * The role that each request needs: a reader reads, a runner also runs, an approver also confirms and attaches evidence, an
 * owner may do everything. What is not in the table needs an owner, and a test fails until it is.
 */
export const ROUTE_ROLES: Readonly<Record<string, Role>> = {
  "GET /api/openapi.json": "reader",
  "GET /api/me": "reader",
  "GET /api/status": "reader",
  "GET /api/events": "reader",
  "GET /api/skills": "reader",
  "GET /api/skill-list": "reader",
  "GET /api/left-out": "reader",
  "GET /api/skills/{id}": "reader",
  "GET /api/skills/{id}/load": "reader",
  "GET /api/skills/{id}/files/{path...}": "reader",
  "GET /api/skills/{id}/edges": "reader",
  "GET /api/skills/{id}/findings": "reader",
  "GET /api/skills/{id}/lock": "reader",
  "GET /api/skills/{id}/triggers": "reader",
  "GET /api/skills/{id}/policy": "reader",
  "GET /api/skills/{id}/use": "reader",
  "GET /api/search": "reader",
  "GET /api/route": "reader",
  "GET /api/try": "reader",
  "GET /api/graph": "reader",
  "GET /api/graph/outline": "reader",
  "GET /api/graph/part": "reader",
  "GET /api/registry": "reader",
  "GET /api/registry/{name}": "reader",
  "GET /api/runs": "reader",
  "GET /api/runs/{id}": "reader",
  "GET /api/runs/{id}/key": "reader",
  "GET /api/runs/{id}/log": "reader",
  "GET /api/runs/{id}/artifacts/{name}": "reader",
  "GET /api/runs/{id}/artifacts/{name}/versions": "reader",
  "GET /api/runs/{id}/artifacts/{name}/diff": "reader",
  "GET /api/plans": "reader",
  "GET /api/plans/{id}": "reader",
  "GET /api/plans/{id}/view": "reader",
  "GET /api/plans/{id}/drawing": "reader",
  "GET /api/queue": "reader",
  "GET /api/audit": "reader",
  "GET /api/audit/filters": "reader",
  "GET /api/audit/verify": "reader",
  "GET /api/audit/export": "reader",
  "GET /api/needs": "reader",
  "GET /api/use": "reader",
  "GET /api/cost": "reader",
  "GET /api/clients": "reader",
  "GET /api/questions": "reader",
  "GET /api/connect": "reader",
  "GET /api/queue/{id}": "reader",
  "GET /metrics": "reader",
  "GET /mcp": "reader",
  "POST /mcp": "reader",
  "DELETE /mcp": "reader",

  "POST /api/registry/{name}/check": "runner",
  "POST /api/run": "runner",
  "POST /api/runs/{id}/cancel": "runner",
  "POST /api/queue/{id}/retry": "runner",
  "POST /api/queue/{id}/cancel": "runner",
  "POST /api/plans": "runner",
  "POST /api/plans/{id}/run": "runner",
  "POST /api/plans/{id}/stop": "runner",
  "POST /api/queue/retry": "runner",

  "POST /api/plans/{id}/tasks/{task}/evidence": "approver",
  "POST /api/plans/{id}/tasks/{task}/files": "approver",
  // An answer that lasts changes the policy and needs an owner; the route checks that.
  "POST /api/questions/{id}": "approver",

  "POST /api/policy": "owner",
  "POST /api/policy/undo": "owner",
  "POST /api/skills/{id}/policy": "owner",
  // Shows and changes files in the home folder of the user who started the server.
  "GET /api/connect/{client}": "owner",
  "POST /api/connect/{client}": "owner",
  "GET /api/tokens": "owner",
  "POST /api/tokens": "owner",
  "DELETE /api/tokens/{name}": "owner",
};

/** The methods of MCP; `tools/call` needs what its tool needs. */
export const MCP_METHOD_ROLES: Readonly<Record<string, Role>> = {
  initialize: "reader",
  ping: "reader",
  "server/discover": "reader",
  "logging/setLevel": "reader",
  "tools/list": "reader",
  "tools/call": "reader",
  "prompts/list": "reader",
  "prompts/get": "reader",
  "resources/list": "reader",
  "resources/read": "reader",
  "resources/templates/list": "reader",
  "resources/directory/read": "reader",
  "resources/subscribe": "reader",
  "resources/unsubscribe": "reader",
  "subscriptions/listen": "reader",
  "completion/complete": "reader",
  "skills/list": "reader",
  "skills/get": "reader",
};

/** The tools that only read. All others run something, each typed skill among them. */
export const MCP_TOOL_ROLES: Readonly<Record<string, Role>> = {
  skill_search: "reader",
  skill_load: "reader",
  skill_read_file: "reader",
  Skill: "reader",
  skill_dispatch: "runner",
};

export function roleForRoute(method: string, path: string): Role {
  return ROUTE_ROLES[`${method === "HEAD" ? "GET" : method} ${path}`] ?? "owner";
}

export function roleForMethod(method: string): Role {
  if (method.startsWith("notifications/")) return "reader";
  return MCP_METHOD_ROLES[method] ?? "owner";
}

export function roleForTool(name: string): Role {
  return MCP_TOOL_ROLES[name] ?? "runner";
}

/** Why a caller may not do something; `undefined` where they may. Outside of a request nobody is refused. */
export function whyRefused(needed: Role, caller: Caller | undefined = currentCaller()): string | undefined {
  if (!caller || RANK[caller.role] >= RANK[needed]) return undefined;
  return `This needs the role ${needed}; your token ${caller.name ?? ""} has the role ${caller.role}. Ask the owner of this server for another token.`;
}

/**
 * A typed skill for those who may run it. A skill's text may call it (`command_tool`) and so may a prompt, so that looking at
 * the name of the tool that was called is not enough.
 */
export function forRunners<T extends Pick<Tool, "name" | "ready" | "run">>(tool: T): T {
  const check = (): void => {
    const why = whyRefused(roleForTool(tool.name));
    if (why !== undefined) throw new ToolError("ACCESS_DENIED", why);
  };
  return {
    ...tool,
    ready: async () => {
      check();
      await tool.ready?.();
    },
    run: async (...given: Parameters<Tool["run"]>) => {
      check();
      return tool.run(...given);
    },
  };
}

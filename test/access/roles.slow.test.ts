import { symlinkSync } from "node:fs";
import type { Client } from "@modelcontextprotocol/client";
import { afterEach, describe, expect, it } from "vitest";
import { routes } from "../../packages/knack/src/http/api/routes.ts";
import { knack } from "../cli/run.ts";
import { connectClient } from "../http/mcp-client.ts";
import { Server } from "../http/server.ts";
import { addToken, addTokens, bearer, logOf, makeTeamProject, PLAN, ROLES, type Role } from "./team.ts";

const folder = makeTeamProject();
const tokens = addTokens(folder);
const server = await Server.forFile(folder, { args: ["--listen", "127.0.0.1:0"] });
const SIGN = "/api/plans/report/tasks/sign";

const post = (role: Role, path: string, body: unknown = {}): Promise<Response> =>
  server.post(path, body, bearer(tokens[role]));
const send = (role: Role, method: string, path: string, body?: object): Promise<Response> =>
  method === "POST"
    ? post(role, path, body)
    : fetch(`${server.url}${path}`, { method, headers: bearer(tokens[role]) });

async function isRefused(response: Response): Promise<boolean> {
  if (response.status !== 403) {
    await response.body?.cancel();
    return false;
  }
  const { error } = (await response.json()) as { error: { code: string; message: string } };
  return error.code === "ACCESS_DENIED" && error.message.includes("This needs the role");
}

expect((await post("owner", "/api/plans", { file: "plan.yaml" })).status).toBe(200);

/** What a role may do, as the contract has it, and those above it: a reader reads, a runner also runs, and so on. */
const ACTIONS: readonly (readonly [what: string, least: Role, request: string, body?: object])[] = [
  ["reads skills", "reader", "GET /api/skills"],
  ["reads runs", "reader", "GET /api/runs"],
  ["reads the log", "reader", "GET /api/audit"],
  ["reads a plan", "reader", "GET /api/plans/report"],
  ["follows events", "reader", "GET /api/events"],
  ["reads the metrics", "reader", "GET /metrics"],
  ["looks who they are", "reader", "GET /api/me"],
  ["runs a skill", "runner", "POST /api/run", { skill: "says" }],
  ["applies a plan", "runner", "POST /api/plans", { file: "plan.yaml" }],
  ["runs a plan", "runner", "POST /api/plans/report/run"],
  ["stops a plan", "runner", "POST /api/plans/report/stop"],
  ["confirms a task", "approver", `POST ${SIGN}/evidence`, { requirement: "ok", confirm: true }],
  ["changes policy", "owner", "POST /api/policy", { action: "disable", skill: "good" }],
  ["reads what is kept from models", "owner", "GET /api/review/good"],
  ["lists tokens", "owner", "GET /api/tokens"],
  ["adds a token", "owner", "POST /api/tokens", { name: "another", role: "reader" }],
  ["revokes a token", "owner", "DELETE /api/tokens/another"],
];

/** The log, with what the server still has to write: its own list waits for that. */
async function log(): Promise<ReturnType<typeof logOf>> {
  await (await server.get("/api/audit")).text();
  return logOf(folder);
}

describe("interfaces Team: what each role may do", () => {
  afterEach(() => post("owner", "/api/plans/report/stop"));

  for (const [what, least, request, body] of ACTIONS)
    for (const role of ROLES) {
      const may = ROLES.indexOf(role) >= ROLES.indexOf(least);
      it(`${role}: ${may ? "" : "never "}${what}`, async () => {
        const [method = "", path = ""] = request.split(" ");
        const response = await send(role, method, path, body);
        expect(response.status).toBe(may ? 200 : 403);
        expect(await isRefused(response)).toBe(!may);
      });
    }

  it("approvers and owners attach files", async () => {
    const attach = async (role: Role): Promise<number> => {
      const headers = { ...bearer(tokens[role]), "Content-Type": "application/octet-stream" };
      const path = `${SIGN}/files?requirement=sources&name=${role}.md`;
      return (await server.post(path, `# ${role}\n`, headers)).status;
    };
    expect(await Promise.all(ROLES.map(attach))).toEqual([403, 403, 200, 200]);
  });

  it("every route that changes something is recorded under the token's name", () => {
    const withEvents = [
      "POST /api/run",
      "POST /api/plans",
      "POST /api/plans/{id}/run",
      "POST /api/plans/{id}/tasks/{task}/evidence",
      "POST /api/plans/{id}/tasks/{task}/files",
      "POST /api/tokens",
      "DELETE /api/tokens/{name}",
      // Its calls have events of their own.
      "POST /mcp",
      "DELETE /mcp",
    ];
    const readsOnly = ["POST /api/registry/{name}/check"];
    const unrecorded = routes.filter(({ method, isRecorded }) => method !== "GET" && !isRecorded);
    expect(unrecorded.map(({ name }) => name).sort()).toEqual([...withEvents, ...readsOnly].sort());
  });

  it("every route is refused to each role below its own, and to no other", async () => {
    for (const { method, path, role: needed, isOpen } of routes) {
      if (isOpen) continue;
      for (const role of ROLES) {
        const response = await send(role, method, path.replaceAll(/\{[^}]+\}/g, "none"));
        const isBelow = ROLES.indexOf(role) < ROLES.indexOf(needed);
        expect(await isRefused(response), `${role} ${method} ${path}`).toBe(isBelow);
      }
    }
  });

  it("an answer that lasts is policy", async () => {
    const answer = { answer: "allow", always: true };
    expect(await isRefused(await post("approver", "/api/questions/none", answer))).toBe(true);
    expect((await post("owner", "/api/questions/none", answer)).status).toBe(404);
    expect((await post("approver", "/api/questions/none", { answer: "allow" })).status).toBe(404);
  });

  it("a named token names files of the project alone, whatever its role; the user's own any file", async () => {
    folder.write({ "outside.md": "SECRET\n", "repo/workspace/plan.yaml": PLAN });
    symlinkSync(folder.at("outside.md"), folder.at("repo/link.md"));
    for (const path of [folder.at("outside.md"), "../outside.md", "link.md"]) {
      const run = { skill: "file_fingerprint", inputs: [{ path }] };
      const answers = [
        await post("owner", "/api/run", run),
        await post("owner", "/api/registry/file_fingerprint/check", { inputs: [{ role: "file", path }] }),
        await post("owner", "/api/plans/report/tasks/sign/evidence", { requirement: "sources", file: path }),
        await post("owner", "/api/plans", { file: path }),
      ];
      expect([path, ...answers.map(({ status }) => status)]).toEqual([path, 403, 403, 403, 403]);
      expect((await server.post("/api/run", run)).status, path).toBe(200);
    }
    expect((await post("owner", "/api/plans", { file: "workspace/plan.yaml" })).status).toBe(403);
    expect((await server.post("/api/plans", { file: "workspace/plan.yaml" })).status).toBe(200);
    expect(
      (await post("runner", "/api/run", { skill: "file_fingerprint", inputs: [{ path: "a.md" }] })).status,
    ).toBe(200);
  });
});

const connect = (token: string, revision: string): Promise<Client> =>
  connectClient(server, { revision, headers: bearer(token) });

describe.each(["2025-11-25", "2026-07-28"])("interfaces Team: MCP over HTTP, revision %s", (revision) => {
  const call = (client: Client, name: string, args: Record<string, unknown>) =>
    client.callTool({ name, arguments: args });

  it("a reader searches and loads, sees no tool that runs, and runs nothing", async () => {
    const client = await connect(tokens.reader, revision);
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name).sort()).toEqual([
      "Skill",
      "skill_load",
      "skill_read_file",
      "skill_search",
    ]);
    expect(await call(client, "skill_search", { query: "good" })).toMatchObject({ isError: false });
    expect(await call(client, "skill_load", { name: "mine" })).toBeDefined();
    const before = (await log()).filter(({ event_type }) => event_type === "SKILL_RUN").length;
    for (const [name, args] of [
      ["says", {}],
      ["file_fingerprint", { inputs: [{ path: "a.md" }] }],
      ["skill_dispatch", { role: "coder", skill: "good" }],
      ["Skill", { name: "caller" }],
      ["skill_load", { name: "caller" }],
    ] as const) {
      const refused = await call(client, name, args);
      expect(refused, name).toMatchObject({ isError: true, _meta: { "knack/code": "ACCESS_DENIED" } });
      expect(JSON.stringify(refused.content)).toContain("role");
    }
    await expect(client.getPrompt({ name: "caller" })).rejects.toThrow("role");
    expect((await log()).filter(({ event_type }) => event_type === "SKILL_RUN")).toHaveLength(before);
    await client.close();
  });

  it.each(["runner", "approver", "owner"] as const)("a %s sees the tools that run", async (role) => {
    const client = await connect(tokens[role], revision);
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toContain("says");
    await client.close();
  });
});

describe("002 §3.2 tool_dispatch over HTTP", () => {
  it("looking at a skill that calls a tool neither calls it nor gives its text", async () => {
    const before = (await log()).length;
    const loaded = await send("owner", "GET", "/api/skills/caller/load?args=%7B%7D");
    expect([loaded.status, await loaded.text()]).toEqual([
      403,
      expect.stringContaining("calls the tool says"),
    ]);
    const tried = await send("owner", "GET", "/api/search?q=calls%20says&try=true&skill=caller");
    const { trial } = (await tried.json()) as { trial: { answers: { tool: string; text: string }[] } };
    expect(trial.answers[1]).toMatchObject({
      tool: "skill_load",
      text: expect.stringContaining("calls the tool says"),
    });
    expect(await log()).toHaveLength(before);
  });
});

describe("interfaces Team: the log", () => {
  it("names the token for every change", async () => {
    const alice = addToken(folder, "alice", "owner");
    const as = bearer(alice);
    const before = (await log()).length;
    await server.post("/api/run", { skill: "says", params: { text: "by alice" } }, as);
    await server.post("/api/plans/report/tasks/sign/evidence", { requirement: "ok", confirm: true }, as);
    await server.post("/api/policy", { action: "enable", skill: "good" }, as);
    await server.post("/api/tokens", { name: "carol", role: "reader" }, as);
    await fetch(`${server.url}/api/tokens/carol`, { method: "DELETE", headers: as });
    const client = await connect(alice, "2025-11-25");
    await client.callTool({ name: "skill_load", arguments: { name: "good" } });
    await client.close();
    const events = (await log()).slice(before);
    expect(new Set(events.map(({ actor }) => actor))).toEqual(new Set(["token:alice"]));
    const types = events.map(({ event_type }) => event_type);
    for (const type of [
      "SKILL_RUN",
      "EVIDENCE_ADDED",
      "REQUESTED",
      "TOKEN_ADDED",
      "TOKEN_REVOKED",
      "SKILL_LOADED",
    ])
      expect(types).toContain(type);
    expect(events.find(({ event_type }) => event_type === "REQUESTED")?.payload).toMatchObject({
      request: "POST /api/policy",
      body: { action: "enable", skill: "good" },
    });
    const view = await server.json<{ tasks: { requirements: { evidences: { by: string }[] }[] }[] }>(
      "/api/plans/report",
    );
    expect(view.tasks[0]?.requirements[0]?.evidences.at(-1)?.by).toBe("alice");
  });

  it("holds against the tokens in the store", () => {
    const { code, stderr, stdout } = knack(folder, ["audit", "verify"], { env: { KNACK_TRUST: "all" } });
    expect([code, `${stdout}${stderr}`]).toEqual([0, expect.stringContaining("valid")]);
  });
});

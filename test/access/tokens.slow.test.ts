import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { knack } from "../cli/run.ts";
import { openState } from "../cli/typed-skills.ts";
import { Api } from "../http/api.ts";
import { Server } from "../http/server.ts";
import { addToken, bearer, makeTeamProject } from "./team.ts";

const folder = makeTeamProject();
const owner = addToken(folder, "olga", "owner");
const server = await Server.forFile(folder, { args: ["--listen", "127.0.0.1:0"] });
const api = await Api.of(server);

const cli = (...args: string[]) => knack(folder, ["token", ...args], { env: { KNACK_TRUST: "all" } });
const status = async (token: string): Promise<number> =>
  (await server.get("/api/status", bearer(token))).status;

describe("knack token", () => {
  it("prints a new token alone on standard output, and never again", () => {
    const { code, stdout, stderr } = cli("add", "printed", "--role", "runner");
    expect(code).toBe(0);
    expect(stdout).toMatch(/^knack_[\w-]{43}\n$/);
    expect(stderr).not.toContain(stdout.trim());
    const { stdout: listed } = cli("list", "--json");
    expect(listed).not.toContain(stdout.trim().slice(6));
    expect(JSON.parse(listed).tokens).toContainEqual({
      name: "printed",
      role: "runner",
      created_at: expect.any(String),
      created_by: "cli",
      revoked_at: null,
    });
  });

  it("refuses a second one of the same name, a wrong role and a wrong name", () => {
    expect(cli("add", "olga", "--role", "reader")).toMatchObject({ code: 1 });
    expect(cli("add", "bob", "--role", "boss")).toMatchObject({ code: 2 });
    expect(cli("add", "bob")).toMatchObject({ code: 2 });
    expect(cli("add", "a b", "--role", "reader")).toMatchObject({ code: 2 });
    expect(cli("revoke", "nobody")).toMatchObject({ code: 1 });
  });

  it("does not repeat a token that was given in place of a name", () => {
    for (const words of [
      ["revoke", owner],
      ["add", owner, "--role", "reader"],
    ]) {
      const { code, stdout, stderr } = cli(...words);
      expect(code).toBe(2);
      expect(`${stdout}${stderr}`).not.toContain(owner.slice(6));
    }
  });
});

describe("/api/me and /api/tokens", () => {
  it("add, list and revoke as described", async () => {
    expect((await api.get("/api/me")).data).toEqual({ name: null, role: "owner" });
    const { data } = await api.post<{ token: string }>("/api/tokens", {
      name: "made-here",
      role: "approver",
    });
    expect(data).toMatchObject({ name: "made-here", role: "approver", created_by: "serve" });
    expect(await status(data.token)).toBe(200);
    expect((await api.post("/api/tokens", { name: "made-here", role: "owner" })).status).toBe(409);
    for (const body of [{}, { name: "x" }, { name: "x", role: "boss" }, { name: "a b", role: "owner" }])
      expect((await api.post("/api/tokens", body)).status).toBe(400);
    const listed = await api.get("/api/tokens");
    expect(JSON.stringify(listed.data)).not.toContain(data.token.slice(6));
    const revoke = async () =>
      api.check(
        await fetch(`${server.url}/api/tokens/made-here`, { method: "DELETE", headers: server.bearer }),
        "DELETE",
        "/api/tokens/{name}",
      );
    expect(await revoke()).toMatchObject({
      status: 200,
      data: { name: "made-here", revoked_at: expect.any(String) },
    });
    expect((await revoke()).status).toBe(404);
    expect(await status(data.token)).toBe(401);
  });
});

describe("revocation", () => {
  it("by another process holds from the next request on", async () => {
    const token = addToken(folder, "bob", "reader");
    expect(await status(token)).toBe(200);
    expect(cli("revoke", "bob").code).toBe(0);
    expect(await status(token)).toBe(401);
  });

  it("ends the open streams of the token, and no others", async () => {
    const token = addToken(folder, "streams", "reader");
    const open = async (headers: Record<string, string>) => {
      const { body } = await server.get("/api/events", headers);
      return body!.getReader();
    };
    const drain = async (reader: ReadableStreamDefaultReader<Uint8Array>): Promise<string> => {
      try {
        for (;;) if ((await reader.read()).done) return "ended";
      } catch {
        return "ended";
      }
    };
    const mine = drain(await open(bearer(token)));
    const others = await open(bearer(owner));
    expect(cli("revoke", "streams").code).toBe(0);
    expect(await mine).toBe("ended");
    const next = server.post("/api/tokens", { name: "still-there", role: "reader" });
    let text = "";
    while (!text.includes("TOKEN_ADDED")) text += Buffer.from((await others.read()).value ?? []).toString();
    expect((await next).status).toBe(200);
    await others.cancel();
  });

  it("a token with the name of a revoked one is another: it has no part in its sessions", async () => {
    const first = addToken(folder, "again", "reader");
    const headers = { Accept: "application/json, text/event-stream" };
    const hello = {
      jsonrpc: "2.0",
      id: 1,
      method: "initialize",
      params: { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "x", version: "1" } },
    };
    const opened = await server.post("/mcp", hello, { ...headers, ...bearer(first) });
    const session = opened.headers.get("mcp-session-id") ?? "";
    expect(session).not.toBe("");
    cli("revoke", "again");
    const second = addToken(folder, "again", "reader");
    const ping = { jsonrpc: "2.0", id: 2, method: "ping" };
    const ask = async (token: string): Promise<number> =>
      (await server.post("/mcp", ping, { ...headers, ...bearer(token), "mcp-session-id": session })).status;
    expect([await ask(first), await ask(second)]).toEqual([401, 403]);
  });
});

describe("no token leaks", () => {
  it("into the log, the database, the standard error of the server or an error", async () => {
    const token = addToken(folder, "secret", "owner");
    const answers: string[] = [];
    const ask = async (path: string, init: RequestInit = {}): Promise<void> => {
      const response = await fetch(`${server.url}${path}`, {
        ...init,
        headers: { ...bearer(token), "Content-Type": "application/json" },
      });
      answers.push(JSON.stringify([...response.headers]), await response.text());
    };
    for (const path of [
      "/none",
      `/api/skills/${token}`,
      "/api/search?q=%00",
      "/api/me",
      "/api/tokens",
      "/api/audit",
    ])
      await ask(path);
    await ask("/api/policy", { method: "POST", body: "{" });
    await ask("/api/policy", { method: "POST", body: JSON.stringify({ action: "deny", skill: token }) });
    await ask("/mcp", { method: "POST", body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "none" }) });
    // Wrong by its last character, and not to be repeated either.
    const wrong = `${token.slice(0, -1)}${token.endsWith("A") ? "B" : "A"}`;
    answers.push(await (await server.get("/api/status", bearer(wrong))).text());
    const told = answers.join("\n");
    for (const text of [told, server.stderr]) {
      expect(text).not.toContain(token.slice(6));
      expect(text).not.toContain(wrong.slice(6));
    }
    using state = openState(folder);
    const rows = state.prepare("SELECT * FROM task_events").all();
    expect(JSON.stringify([...rows, ...state.prepare("SELECT * FROM access_tokens").all()])).not.toContain(
      token.slice(6),
    );
    expect(JSON.stringify(rows)).toContain("[redacted]");
    const ps = readFileSync(`/proc/${server.process.pid}/cmdline`, "utf8");
    expect(ps).not.toContain("knack_");
  });
});

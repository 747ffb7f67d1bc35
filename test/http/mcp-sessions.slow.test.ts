import type { Client } from "@modelcontextprotocol/client";
import { describe, expect, it } from "vitest";
import { makeProject } from "../cli/run.ts";
import { callText, connectClient } from "./mcp-client.ts";
import { Server } from "./server.ts";

const folder = makeProject();
const server = await Server.forFile(folder);

describe("MCP over knack serve", () => {
  it("answers 100 sessions at once, each its own conversation, and others meanwhile", async () => {
    const load = (client: Client): Promise<string> => callText(client, "skill_load", { name: "good" });
    const clients = await Promise.all(Array.from({ length: 100 }, () => connectClient(server)));
    const texts = await Promise.all(
      clients.map(async (client) => {
        const { tools } = await client.listTools();
        const found = await client.callTool({ name: "skill_search", arguments: { query: "good" } });
        const [loaded, again] = [await load(client), await load(client)];
        return `${tools.length} ${found.isError ?? false} ${loaded.includes("skill_context")} ${again.includes("already loaded")}`;
      }),
    );
    expect(new Set(texts).size).toBe(1);
    expect(texts[0]).toMatch(/^\d+ false true true$/);
    expect((await server.get("/api/status")).status).toBe(200);
    await Promise.all(clients.map((client) => client.close()));
  });

  it("is guarded as everything is: Host, Origin, type, size, token", async () => {
    const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "ping" });
    const post = (headers: Record<string, string>, text = body) =>
      fetch(`${server.url}/mcp`, { method: "POST", body: text, headers });
    const json = { "Content-Type": "application/json" };
    expect((await post({ "Content-Type": "text/plain" })).status).toBe(415);
    expect((await post({ ...json, Authorization: "Bearer wrong-wrong-wrong" })).status).toBe(401);
    for (const method of ["POST", "GET", "DELETE", "OPTIONS"]) {
      const sent = method === "POST" ? { body, headers: json } : {};
      expect((await fetch(`${server.url}/mcp`, { method, ...sent })).status, method).toBe(401);
    }
    expect((await post(json, `"${"x".repeat(4 * 1024 * 1024)}"`)).status).toBe(413);
    const raw = (header: string) =>
      server.raw(
        `POST /mcp HTTP/1.1\r\n${header}Content-Type: application/json\r\nContent-Length: ${body.length}\r\nConnection: close\r\n\r\n${body}`,
      );
    expect(await raw("Host: evil.com\r\n")).toMatch(/^HTTP\/1\.1 403/);
    expect(await raw(`Host: 127.0.0.1:${server.port}\r\nOrigin: http://evil.com\r\n`)).toMatch(
      /^HTTP\/1\.1 403/,
    );
  });

  it("ends with its streams open", async () => {
    const other = await Server.start(folder);
    const clients = await Promise.all(Array.from({ length: 5 }, () => connectClient(other)));
    expect(await other.end("SIGTERM")).toBe(0);
    await Promise.allSettled(clients.map((client) => client.close()));
  });
});

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

  it("ends with its streams open", async () => {
    const other = await Server.start(folder);
    const clients = await Promise.all(Array.from({ length: 5 }, () => connectClient(other)));
    expect(await other.end("SIGTERM")).toBe(0);
    await Promise.allSettled(clients.map((client) => client.close()));
  });
});

import { rmSync } from "node:fs";
import { setTimeout as delay } from "node:timers/promises";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { describe, expect, it } from "vitest";
import { type Folder, makeFolder, skillText } from "../../packages/core/src/testing/files.ts";
import { REPO } from "../cli/run.ts";
import { Server } from "./server.ts";

const project = (): Folder =>
  makeFolder({ "repo/.git/": "", "home/": "", [`${REPO}/one/SKILL.md`]: skillText("one") });

const addTwo = (folder: Folder): void =>
  folder.write({ [`${REPO}/two/SKILL.md`]: skillText("two"), [`${REPO}/two/notes.md`]: "notes\n" });

/** Whether the skill is there, by every way that a server has to it, all asked at once. */
async function isThere(server: Server, client: Client, name: string): Promise<Record<string, boolean>> {
  const has = async (path: string): Promise<boolean> => (await server.get(path)).status === 200;
  const call = async (tool: string, params: object): Promise<boolean> => {
    const { isError } = await client.callTool({ name: tool, arguments: { ...params } });
    return isError !== true;
  };
  const [show, file, load, listed, search, mcpLoad, mcpFile, mcpSearch] = await Promise.all([
    has(`/api/skills/${name}`),
    has(`/api/skills/${name}/files/notes.md`),
    has(`/api/skills/${name}/load`),
    server.get("/api/skills").then((answer) => answer.text()),
    server.get(`/api/search?q=${name}`).then((answer) => answer.text()),
    call("skill_load", { name }),
    call("skill_read_file", { name, file: "notes.md" }),
    client.callTool({ name: "skill_search", arguments: { query: name } }),
  ]);
  const named = `/${name}/SKILL.md`;
  return {
    show,
    file,
    load,
    list: listed.includes(named),
    search: search.includes(named),
    mcpLoad,
    mcpFile,
    mcpSearch: JSON.stringify(mcpSearch).includes(named),
  };
}

const everywhere = (there: boolean): Record<string, boolean> =>
  Object.fromEntries(
    ["show", "file", "load", "list", "search", "mcpLoad", "mcpFile", "mcpSearch"].map((way) => [way, there]),
  );

async function connect(server: Server): Promise<Client> {
  const client = new Client({ name: "test", version: "1.0.0" });
  const requestInit = { headers: server.bearer };
  await client.connect(new StreamableHTTPClientTransport(new URL("/mcp", server.url), { requestInit }));
  return client;
}

describe("the skills as they are now, by every way of one server", () => {
  it("a new skill is there for the very next request, and a removed one is not", async () => {
    using folder = project();
    await using server = await Server.start(folder);
    const client = await connect(server);
    for (let round = 0; round < 5; round++) {
      addTwo(folder);
      expect(await isThere(server, client, "two")).toEqual(everywhere(true));
      rmSync(folder.at(REPO, "two"), { recursive: true });
      expect(await isThere(server, client, "two")).toEqual(everywhere(false));
      await delay(round * 150);
    }
    await client.close();
  });

  it("SKILLS_REFRESH_ON_CALL=false: all keep to one snapshot until the skills are read again", async () => {
    using folder = project();
    await using server = await Server.start(folder, {
      env: { KNACK_TRUST: "all", SKILLS_REFRESH_ON_CALL: "false" },
    });
    const client = await connect(server);
    addTwo(folder);
    for (const until = Date.now() + 3_000; Date.now() < until; await delay(200))
      expect(await isThere(server, client, "two")).toEqual(everywhere(false));
    expect((await server.post("/api/policy", { action: "allow", skill: "one" })).status).toBe(200);
    expect(await isThere(server, client, "two")).toEqual(everywhere(true));
    await client.close();
  });
});

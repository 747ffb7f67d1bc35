import { describe, expect, it } from "vitest";

import { openHost } from "../../packages/knack/src/host/host.ts";
import { Connection, McpHub } from "../../packages/knack/src/mcp/connection.ts";
import { MCP_METHODS } from "../../packages/knack/src/mcp/messages.ts";
import { makeServer } from "../../packages/knack/src/mcp/server.ts";
import { environment } from "../cli/run.ts";
import { makeTeamProject } from "./team.ts";

describe("interfaces Team: the table of roles for MCP", () => {
  it("has every method that the server handles, and every tool that is not a typed skill", async () => {
    using folder = makeTeamProject();
    folder.write({ "home/": "" });
    Object.assign(process.env, environment(folder), { KNACK_TRUST: "all" });
    const host = await openHost({ cwd: folder.at("repo") }, "test");
    const hub = new McpHub(host);
    const connection = new Connection(hub, { caller: "", way: "request" });
    const { server } = makeServer(connection);
    // The SDK tells nobody which handlers it has.
    const handled = [
      ...(server as unknown as { _requestHandlers: Map<string, unknown> })._requestHandlers.keys(),
    ];
    expect(handled).toContain("tools/call");
    expect(handled.filter((method) => !MCP_METHODS.has(method))).toEqual([]);
    const tools = connection.session.tools.filter(({ typed }) => typed === undefined);
    expect(Object.fromEntries(tools.map((tool) => [tool.name, tool.role]))).toEqual({
      skill_search: "reader",
      skill_load: "reader",
      skill_read_file: "reader",
      Skill: "reader",
      skill_dispatch: "runner",
      plan_status: "runner",
      plan_run: "runner",
    });
    hub.close();
    await host.close();
  });
});

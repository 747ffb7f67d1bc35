import { describe, expect, it } from "vitest";
import { MCP_METHOD_ROLES, MCP_TOOL_ROLES } from "../../packages/knack/src/host/access/required-role.ts";
import { openHost } from "../../packages/knack/src/host/host.ts";
import { Connection } from "../../packages/knack/src/mcp/server/connection.ts";
import { makeServer } from "../../packages/knack/src/mcp/server/make-server.ts";
import { McpHub } from "../../packages/knack/src/mcp/server/mcp-hub.ts";
import { environment } from "../cli/run.ts";
import { makeTeamProject } from "./team.ts";

describe("interfaces Team: the table of roles for MCP", () => {
  it("has every method that the server handles, and every tool that is not a typed skill", async () => {
    using folder = makeTeamProject();
    folder.write({ "home/": "" });
    Object.assign(process.env, environment(folder), { KNACK_TRUST: "all" });
    const host = await openHost({ cwd: folder.at("repo"), color: false }, "test");
    const hub = new McpHub(host);
    const connection = new Connection(hub, { caller: "", way: "request" });
    const { server } = makeServer(connection);
    // The SDK tells nobody which handlers it has.
    const handled = [
      ...(server as unknown as { _requestHandlers: Map<string, unknown> })._requestHandlers.keys(),
    ];
    expect(handled).toContain("tools/call");
    expect(handled.filter((method) => !(method in MCP_METHOD_ROLES))).toEqual([]);
    const tools = connection.session.toolsWithoutList.filter(({ typed }) => typed === undefined);
    expect(tools.map(({ name }) => name).sort()).toEqual(Object.keys(MCP_TOOL_ROLES).sort());
    hub.close();
    await host.close();
  });
});

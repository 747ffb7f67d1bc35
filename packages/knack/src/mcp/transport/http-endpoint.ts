import { createMcpHandler, isLegacyRequest } from "@modelcontextprotocol/server";
import type { Host } from "../../host/host.ts";
import { Connection } from "../server/connection.ts";
import { makeServer } from "../server/make-server.ts";
import { McpHub } from "../server/mcp-hub.ts";
import { HttpSessions, type SessionLimits } from "./http-sessions.ts";

export interface McpEndpoint {
  /** Answers one request. Whether it may come at all (Host, Origin, token, size, type) was decided before; `caller` names its token. */
  fetch(request: Request, info: { readonly caller: string }): Promise<Response>;
  close(): Promise<void>;
}

/** MCP over HTTP: revision 2026-07-28 without sessions, those before it with. */
export function openMcpEndpoint(host: Host, limits?: SessionLimits): McpEndpoint {
  const mcp = new McpHub(host, () => {
    stateless.notify.toolsChanged();
    stateless.notify.promptsChanged();
    stateless.notify.resourcesChanged();
  });
  const stateless = createMcpHandler(
    ({ authInfo }) => makeServer(new Connection(mcp, { caller: authInfo?.clientId ?? "" })),
    { legacy: "reject" },
  );
  const sessions = new HttpSessions(mcp, limits);
  return {
    fetch: async (request, { caller }) => {
      if (await isLegacyRequest(request)) return sessions.fetch(request, caller);
      // The token itself is not needed here.
      return stateless.fetch(request, { authInfo: { token: "", clientId: caller, scopes: [] } });
    },
    close: async () => {
      mcp.close();
      await sessions.close();
      await stateless.close();
    },
  };
}

import { createMcpHandler, isLegacyRequest } from "@modelcontextprotocol/server";
import type { Host } from "../host/host.ts";
import { Connection } from "./connection.ts";
import { HttpSessions, type SessionLimits } from "./http-sessions.ts";
import { makeServer } from "./make-server.ts";
import { McpHub } from "./mcp-hub.ts";

export interface McpEndpoint {
  /** Answers one request. Whether it may come at all (Host, Origin, size, type) was decided before. */
  fetch(request: Request, info: { readonly hasToken: boolean }): Promise<Response>;
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
    ({ authInfo }) => makeServer(new Connection(mcp, { isOwner: authInfo !== undefined })),
    { legacy: "reject" },
  );
  const sessions = new HttpSessions(mcp, limits);
  return {
    fetch: async (request, { hasToken }) => {
      if (await isLegacyRequest(request)) return sessions.fetch(request, hasToken);
      return stateless.fetch(request, hasToken ? { authInfo: OWNER } : {});
    },
    close: async () => {
      mcp.close();
      await sessions.close();
      await stateless.close();
    },
  };
}

/** The request carries the server's token; the token itself is nobody's business here. */
const OWNER = { token: "", clientId: "owner", scopes: [] };

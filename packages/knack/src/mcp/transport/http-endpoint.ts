import { createMcpHandler, isLegacyRequest, type Tool } from "@modelcontextprotocol/server";
import type { Host } from "../../host/host.ts";
import type { ConnectedClients } from "../clients/connected-clients.ts";
import type { PageQuestions } from "../elicitation/page-questions.ts";
import { offeredTools } from "../methods/offered-tools.ts";
import { defineTool } from "../methods/tool-definition.ts";
import { Connection } from "../server/connection.ts";
import { instructions } from "../server/instructions.ts";
import { makeServer } from "../server/make-server.ts";
import { McpHub } from "../server/mcp-hub.ts";
import { HttpSessions, type SessionLimits } from "./http-sessions.ts";

export interface McpEndpoint {
  /** Answers one request. Whether it may come at all (Host, Origin, token, size, type) was decided before; `caller` names its token. */
  fetch(request: Request, info: { readonly caller: string }): Promise<Response>;
  /** What a client gets before its model has called anything. */
  offer(): Offer;
  /** Who is connected to it. */
  readonly clients: ConnectedClients;
  close(): Promise<void>;
}

interface Offer {
  readonly instructions: string;
  readonly tools: readonly Tool[];
}

interface EndpointOptions {
  readonly limits?: SessionLimits | undefined;
  /** Asks on the page what a client cannot ask its user. */
  readonly questions?: PageQuestions;
}

/** MCP over HTTP: revision 2026-07-28 without sessions, those before it with. */
export function openMcpEndpoint(host: Host, { limits, questions }: EndpointOptions = {}): McpEndpoint {
  const mcp = new McpHub(host, () => {
    stateless.notify.toolsChanged();
    stateless.notify.promptsChanged();
    stateless.notify.resourcesChanged();
  });
  mcp.questions = questions;
  const stateless = createMcpHandler(
    ({ authInfo }) => makeServer(new Connection(mcp, { caller: authInfo?.clientId ?? "", way: "request" })),
    { legacy: "reject" },
  );
  const sessions = new HttpSessions(mcp, limits);
  return {
    clients: mcp.clients,
    offer: () => {
      const connection = new Connection(mcp, { caller: "", way: "request" });
      const tools = offeredTools(connection);
      return {
        instructions: instructions(connection.session, tools),
        tools: [...tools].map(([name, tool]) => defineTool(name, tool)),
      };
    },
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

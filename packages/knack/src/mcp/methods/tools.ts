import type { ToolDescription } from "@knack/core";
import { quote } from "@knack/core/internal";
import {
  type CallToolResult,
  type McpServer,
  ProtocolError,
  ProtocolErrorCode,
} from "@modelcontextprotocol/server";
import { roleForTool, whyRefused } from "../../host/access/required-role.ts";
import { callAsking } from "../elicitation/asking.ts";
import type { Connection } from "../server/connection.ts";
import { guarded } from "../server/guarded.ts";
import { offeredTools } from "./offered-tools.ts";
import { defineTool } from "./tool-definition.ts";
import { MAX_TEXT_BYTES, toResult } from "./tool-result.ts";

/** The tools of the conversation, as the protocol has them. */
export function serveTools({ server }: McpServer, connection: Connection): void {
  server.setRequestHandler("tools/list", (_request, ctx) =>
    guarded(async () => {
      await connection.refresh();
      await connection.offered(ctx);
      const tools = [...offeredTools(connection)].filter(([, { name }]) => !whyRefused(roleForTool(name)));
      return { tools: tools.map(([name, tool]) => defineTool(name, tool)) };
    }),
  );

  server.setRequestHandler("tools/call", ({ params: { name, arguments: params = {} } }, ctx) =>
    guarded(async () => {
      const tool = await findTool(connection, name);
      if (!tool) {
        const why =
          connection.session.whyLeftOut(name) ??
          `There is no tool ${quote(name)}; tools/list lists them all.`;
        throw new ProtocolError(ProtocolErrorCode.InvalidParams, why);
      }
      const why = whyRefused(roleForTool(tool.name));
      if (why !== undefined) return refusal(why);
      const made = await callAsking(connection, ctx, { called: tool.name, params }, (means) =>
        connection.session.call(tool.name, params, {
          by: connection.by(ctx),
          maxTextBytes: MAX_TEXT_BYTES,
          offers: (called) => [...offeredTools(connection).values()].some((one) => one.name === called),
          ...means,
        }),
      );
      return "question" in made ? made.question : toResult(tool, made.result);
    }),
  );
}

/** What the role of the caller's token does not allow. A model can read it, unlike an error of the protocol. */
function refusal(why: string): CallToolResult {
  const _meta = { "knack/status": "error", "knack/code": "ACCESS_DENIED" };
  return { content: [{ type: "text", text: `ACCESS_DENIED: ${why}` }], isError: true, _meta };
}

/** One that is not known may have come with a registry that changed a moment ago. */
async function findTool(connection: Connection, name: string): Promise<ToolDescription | undefined> {
  const known = offeredTools(connection).get(name);
  if (known) return known;
  await connection.refresh();
  return offeredTools(connection).get(name);
}

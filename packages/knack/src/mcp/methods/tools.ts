import { createHash } from "node:crypto";
import type { Catalog, Envelope, ToolDescription } from "@knack/core";
import { fewOf, quote } from "@knack/core/internal";
import {
  type CallToolResult,
  type McpServer,
  ProtocolError,
  ProtocolErrorCode,
  type Tool,
} from "@modelcontextprotocol/server";
import { callAsking } from "../elicitation/asking.ts";
import type { Connection } from "../server/connection.ts";
import { guarded } from "../server/guarded.ts";
import { uniqueNames } from "../server/unique-names.ts";

/** Lets a client notice that a tool is no longer the one that its user agreed to. */
const DIGEST_KEY = "knack/digest";

/** Every tool of the conversation, as the protocol has them. */
export function serveTools({ server }: McpServer, connection: Connection): void {
  server.setRequestHandler("tools/list", (_request, ctx) =>
    guarded(async () => {
      await connection.refresh();
      await connection.offered(ctx);
      return { tools: [...namedTools(connection)].map(([name, tool]) => describe(name, tool)) };
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
      const made = await callAsking(connection, ctx, { called: tool.name, params }, (means) =>
        connection.session.call(tool.name, params, { by: connection.by(ctx), ...means }),
      );
      return "question" in made ? made.question : toResult(made.result);
    }),
  );
}

/** One that is not known may have come with a registry that changed a moment ago. */
async function findTool(connection: Connection, name: string): Promise<ToolDescription | undefined> {
  const known = namedTools(connection).get(name);
  if (known) return known;
  await connection.refresh();
  return namedTools(connection).get(name);
}

function toResult(envelope: Envelope): CallToolResult {
  return {
    content: [{ type: "text", text: envelope.text }],
    structuredContent: { ...envelope },
    isError: envelope.status === "error",
  };
}

/** The descriptions of thousands of skills are not put together for each call: a snapshot has one list. */
const known = new WeakMap<Catalog, Map<string, ToolDescription>>();

/** Tools by the names that clients take. Two that would become one are kept apart, and told. */
function namedTools({ session, mcp }: Connection): Map<string, ToolDescription> {
  const before = known.get(session.catalog);
  if (before) return before;
  const named = uniqueNames(
    session.tools,
    ({ name }) => name.replace(/[^A-Za-z0-9_-]/g, "_").slice(0, 64),
    ({ name }) => name,
    (name, tools) =>
      mcp.warnings.tell(
        `E_TOOL_NAME_COLLISION: ${fewOf(tools.map((tool) => tool.name))} would all be called ${name}, so each gets a suffix.`,
      ),
  );
  known.set(session.catalog, named);
  return named;
}

function describe(name: string, tool: ToolDescription): Tool {
  const { description, inputSchema, outputSchema, readOnly, idempotent, executes } = tool;
  const described = {
    name,
    description,
    inputSchema: inputSchema as Tool["inputSchema"],
    outputSchema: outputSchema as NonNullable<Tool["outputSchema"]>,
    annotations: {
      readOnlyHint: readOnly,
      idempotentHint: idempotent,
      // What a program does that somebody else wrote is not promised.
      ...(executes ? {} : { destructiveHint: false, openWorldHint: false }),
    },
  };
  const sha256 = createHash("sha256").update(JSON.stringify(described)).digest("hex");
  return { ...described, _meta: { [DIGEST_KEY]: `sha256:${sha256}` } };
}

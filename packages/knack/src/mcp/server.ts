import { McpServer } from "@modelcontextprotocol/server";
import { SkillsExtension } from "@modelcontextprotocol/server/ext/skills";
import { version } from "../version.ts";
import type { Connection } from "./connection.ts";
import { instructions } from "./instructions.ts";
import { watchMessages } from "./messages.ts";
import { servePrompts } from "./prompts.ts";
import { ConnectionSkills, serveResources } from "./resources.ts";
import { offeredTools, serveTools } from "./tools.ts";

/** A server for one connection, of whichever revision. */
export function makeServer(connection: Connection): McpServer {
  const { mcp, session } = connection;
  const server = new McpServer(
    { name: "knack", title: "Knack", version },
    {
      capabilities: {
        tools: { listChanged: true },
        prompts: { listChanged: true },
        resources: { listChanged: true },
        completions: {},
      },
      instructions: instructions(session, offeredTools(connection)),
      requestState: { verify: mcp.states.verify },
    },
  );
  connection.serve(server);
  const source = new ConnectionSkills(connection);
  const onWarning = ({ path, message }: { path: string; message: string }): void =>
    mcp.warnings.tell(`${path}: ${message}`);
  new SkillsExtension({ source, onWarning }).attach(server);
  serveTools(server, connection);
  servePrompts(server, connection);
  serveResources(server, connection, source);
  watchMessages(server, connection);
  server.server.oninitialized = () => connection.offered();
  return server;
}

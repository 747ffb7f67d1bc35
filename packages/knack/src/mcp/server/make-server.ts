import { McpServer } from "@modelcontextprotocol/server";
import { SkillsExtension } from "@modelcontextprotocol/server/ext/skills";
import { version } from "../../version.ts";
import { hearMessages } from "../clients/hear-messages.ts";
import { offeredTools } from "../methods/offered-tools.ts";
import { servePrompts } from "../methods/prompts.ts";
import { serveReading } from "../methods/read-resource.ts";
import { serveResources } from "../methods/resources.ts";
import { serveTools } from "../methods/tools.ts";
import { ConnectionSkills } from "../skills-extension/skill-source.ts";
import type { Connection } from "./connection.ts";
import { guarded } from "./guarded.ts";
import { instructions } from "./instructions.ts";
import { recordDiscovery } from "./record-discovery.ts";
import { traceRequests } from "./trace-requests.ts";

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
  serveReading(server, connection, source);
  recordDiscovery(server, connection);
  hearMessages(server, connection);
  traceRequests(server, connection);
  server.server.oninitialized = () => void guarded(() => connection.offered()).catch(() => {});
  return server;
}

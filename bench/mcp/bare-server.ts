import { McpServer } from "@modelcontextprotocol/server";
import { serveStdio } from "@modelcontextprotocol/server/stdio";
import * as z from "zod";

/** The smallest server with the same SDK: one tool that answers at once. The baseline for Knack. */
serveStdio(() => {
  const server = new McpServer({ name: "bare", version: "1.0.0" });
  for (const name of ["skill_search", "skill_load"])
    server.registerTool(name, { description: name, inputSchema: z.looseObject({}) }, async () => ({
      content: [{ type: "text", text: "nothing" }],
    }));
  return server;
});

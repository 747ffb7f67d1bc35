import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import type { Folder } from "../../packages/core/src/testing/files.ts";
import { homeEnv, PROGRAM } from "./project.ts";

/** What Knack says of itself, to compare with what arrives. */
export interface ServerFacts {
  readonly instructions: string;
  /** The definition of each tool as a model needs it: name, description, parameters. */
  readonly tools: ReadonlyMap<string, string>;
}

export async function readServerFacts(folder: Folder): Promise<ServerFacts> {
  const client = new Client({ name: "test-agents", version: "1.0.0" });
  await client.connect(
    new StdioClientTransport({
      command: process.execPath,
      args: [PROGRAM, "mcp"],
      cwd: folder.at("repo"),
      env: homeEnv(folder),
      stderr: "ignore",
    }),
  );
  const { tools } = await client.listTools();
  const facts = {
    instructions: client.getInstructions() ?? "",
    tools: new Map(
      tools.map(({ name, description, inputSchema }) => [
        name,
        JSON.stringify({ name, description, inputSchema }),
      ]),
    ),
  };
  await client.close();
  return facts;
}

import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
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

export interface Serving extends AsyncDisposable {
  readonly url: string;
  readonly token: string;
}

/** `knack serve` on the project, on any free port. */
export async function serve(folder: Folder): Promise<Serving> {
  const child = spawn(process.execPath, [PROGRAM, "serve", "--port", "0"], {
    cwd: folder.at("repo"),
    env: homeEnv(folder),
    stdio: ["ignore", "pipe", "pipe"],
  });
  const ended = new Promise<void>((done) => child.on("exit", () => done()));
  let said = "";
  const url = await new Promise<string>((done, fail) => {
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding("utf8").on("data", (text: string) => {
        said += text;
        const found = said.match(/http:\/\/\S+\/mcp/)?.[0];
        if (found) done(found);
      });
    child.on("exit", (code) => fail(new Error(`knack serve ended with ${code}: ${said}`)));
  });
  return {
    url,
    token: readFileSync(folder.at("home/.knack/token"), "utf8").trim(),
    [Symbol.asyncDispose]: async () => {
      child.kill("SIGTERM");
      await ended;
    },
  };
}

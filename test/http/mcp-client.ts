import type { ElicitRequest, ElicitResult } from "@modelcontextprotocol/client";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import type { Server } from "./server.ts";

interface ClientOptions {
  readonly name?: string;
  readonly version?: string;
  readonly revision?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Without it the client cannot ask its user. */
  readonly elicit?: ((params: ElicitRequest["params"]) => ElicitResult) | undefined;
}

/** A real MCP client of a running `knack serve`. */
export async function connectClient(
  server: Server,
  {
    name = "scripted",
    version = "2.0.0",
    revision = "2025-11-25",
    headers = server.bearer,
    elicit,
  }: ClientOptions = {},
): Promise<Client> {
  const capabilities = elicit ? { elicitation: { form: {} } } : {};
  const client = new Client(
    { name, version },
    revision === "2026-07-28"
      ? { capabilities, versionNegotiation: { mode: { pin: revision } } }
      : { capabilities, supportedProtocolVersions: [revision] },
  );
  if (elicit) client.setRequestHandler("elicitation/create", ({ params }) => elicit(params));
  const transport = new StreamableHTTPClientTransport(new URL(`${server.url}/mcp`), {
    requestInit: { headers },
  });
  await client.connect(transport);
  return client;
}

/** The text that a model gets from a tool. */
export async function callText(client: Client, name: string, args: Record<string, unknown>): Promise<string> {
  const { content } = await client.callTool({ name, arguments: args });
  const [block] = content as { readonly text: string }[];
  return block?.text ?? "";
}

import { createServer as createHttpServer } from "node:http";
import type { AddressInfo } from "node:net";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import type { ReadableStream } from "node:stream/web";
import {
  Client,
  type ClientCapabilities,
  type ElicitRequest,
  type ElicitResult,
  StreamableHTTPClientTransport,
} from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import type { Folder } from "../../packages/core/src/testing/files.ts";
import { openHost } from "../../packages/knack/src/host/host.ts";
import { openMcpEndpoint, type SessionLimits } from "../../packages/knack/src/mcp/http-endpoint.ts";
import { environment, PROGRAM } from "../cli/run.ts";

/** The ways to reach the server: two transports, and the protocol's revisions with and without sessions. */
export interface Way {
  readonly transport: "stdio" | "http";
  readonly revision: "2025-06-18" | "2025-11-25" | "2026-07-28";
}

export const WAYS: readonly (Way & { readonly name: string })[] = (["stdio", "http"] as const).flatMap(
  (transport) =>
    (["2025-06-18", "2025-11-25", "2026-07-28"] as const).map((revision) => ({
      transport,
      revision,
      name: `${transport}, ${revision}`,
    })),
);

/** Both transports, with and without sessions. That all six answer the same is one test of its own (parity.slow.test.ts). */
export const SOME_WAYS = WAYS.filter(
  ({ name }) => name === "stdio, 2025-11-25" || name === "http, 2026-07-28",
);

export interface Options {
  /** How the user answers; without it the client declares that it cannot ask. */
  readonly elicit?: (params: ElicitRequest["params"]) => ElicitResult | Promise<ElicitResult>;
  readonly env?: Readonly<Record<string, string>>;
  /** What the client calls itself, and can do besides. */
  readonly name?: string;
  readonly capabilities?: ClientCapabilities;
  /** `false`: over HTTP the client opens no stream of its own, as many do not. */
  readonly listens?: boolean;
}

/** The lists of which the client has heard that they changed. */
export async function hearChanges(client: Client, { revision }: Way): Promise<Set<string>> {
  const heard = new Set<string>();
  for (const what of ["tools", "prompts", "resources"] as const)
    client.setNotificationHandler(`notifications/${what}/list_changed`, () => void heard.add(what));
  if (revision === "2026-07-28")
    await client.listen({ toolsListChanged: true, promptsListChanged: true, resourcesListChanged: true });
  return heard;
}

/** A user who answers the questions in turn and closes all others; `asked` and `boxes`: what was shown. */
export function user(...answers: (ElicitResult["action"] | ElicitResult)[]) {
  const asked: string[] = [];
  const boxes: object[] = [];
  const elicit = (params: ElicitRequest["params"]): ElicitResult => {
    const answer = answers[asked.length] ?? "cancel";
    asked.push(params.message);
    if ("requestedSchema" in params) boxes.push(params.requestedSchema.properties);
    return typeof answer === "string" ? { action: answer, content: {} } : answer;
  };
  return { asked, boxes, elicit };
}

export const ALWAYS: ElicitResult = { action: "accept", content: { remember: true } };

export interface Opened extends AsyncDisposable {
  readonly client: Client;
  /** The server's standard error; empty for one in this process. */
  readonly stderr: () => string;
}

/** A real client, connected. */
export async function open(folder: Folder, way: Way, options: Options = {}): Promise<Opened> {
  const client = new Client(
    { name: options.name ?? "test-client", version: "1.0.0" },
    {
      capabilities: { ...options.capabilities, ...(options.elicit ? { elicitation: { form: {} } } : {}) },
      ...(way.revision === "2026-07-28"
        ? { versionNegotiation: { mode: { pin: way.revision } } }
        : { supportedProtocolVersions: [way.revision] }),
    },
  );
  const { elicit } = options;
  if (elicit) client.setRequestHandler("elicitation/create", ({ params }) => elicit(params));
  if (way.transport === "stdio") return openStdio(folder, client, options);
  const server = await serveHttp(folder, options);
  const postsOnly: typeof fetch = async (url, init) =>
    init?.method === "GET" ? new Response(null, { status: 405 }) : fetch(url, init);
  const how = options.listens === false ? { fetch: postsOnly } : {};
  await client.connect(new StreamableHTTPClientTransport(server.url, how));
  return {
    client,
    stderr: () => "",
    [Symbol.asyncDispose]: async () => {
      await client.close();
      await server[Symbol.asyncDispose]();
    },
  };
}

async function openStdio(folder: Folder, client: Client, { env = {} }: Options): Promise<Opened> {
  folder.write({ "home/": "" });
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [PROGRAM, "mcp"],
    cwd: folder.at("repo"),
    env: { ...trustedEnvironment(folder), ...env },
    stderr: "pipe",
  });
  let stderr = "";
  transport.stderr?.on("data", (chunk) => {
    stderr += chunk;
  });
  await client.connect(transport);
  return { client, stderr: () => stderr, [Symbol.asyncDispose]: () => client.close() };
}

/** As in all program tests, in a trusted project. */
export function trustedEnvironment(folder: Folder): Record<string, string> {
  return { ...environment(folder), KNACK_TRUST: "all" };
}

export interface HttpServer extends AsyncDisposable {
  readonly url: URL;
}

/** Only the endpoint, on a bare server: its guards are tested with `knack serve`. */
export async function serveHttp(
  folder: Folder,
  { env = {} }: Options = {},
  limits?: SessionLimits,
): Promise<HttpServer> {
  folder.write({ "home/": "" });
  Object.assign(process.env, trustedEnvironment(folder), env);
  const host = await openHost({ cwd: folder.at("repo") }, "serve");
  const endpoint = openMcpEndpoint(host, { limits });
  const server = createHttpServer(async (incoming, outgoing) => {
    const stop = new AbortController();
    outgoing.on("close", () => stop.abort());
    const request = new Request(`http://localhost${incoming.url}`, {
      method: incoming.method ?? "GET",
      headers: incoming.headers as Record<string, string>,
      signal: stop.signal,
      ...(incoming.method === "POST"
        ? { body: Readable.toWeb(incoming) as ReadableStream, duplex: "half" }
        : {}),
    } as RequestInit);
    const response = await endpoint.fetch(request, incoming.headers.authorization ?? "first");
    outgoing.writeHead(response.status, Object.fromEntries(response.headers)).flushHeaders();
    if (!response.body) outgoing.end();
    // The client disconnected.
    else await pipeline(Readable.fromWeb(response.body as ReadableStream), outgoing).catch(() => {});
  });
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  const { port } = server.address() as AddressInfo;
  return {
    url: new URL(`http://127.0.0.1:${port}/mcp`),
    [Symbol.asyncDispose]: async () => {
      await endpoint.close();
      server.closeAllConnections();
      await new Promise((done) => server.close(done));
      await host.close();
    },
  };
}

import { isObserved, isTraced, measure, type Span, span, type TraceHeaders } from "@knack/core/telemetry";
import {
  CLIENT_CAPABILITIES_META_KEY,
  CLIENT_INFO_META_KEY,
  type ClientCapabilities,
  isJSONRPCNotification,
  isJSONRPCRequest,
  type JSONRPCMessage,
  type JSONRPCRequest,
  type McpServer,
  type ServerCapabilities,
} from "@modelcontextprotocol/server";
import { SKILLS_EXTENSION_ID } from "@modelcontextprotocol/server/ext/skills";
import { type ClientInfo, clientText } from "./connected-clients.ts";
import type { Connection } from "./connection.ts";
import { isOpening } from "./first-answers.ts";
import { offeredTools } from "./tools.ts";

/** Sees each message before the SDK does: who is connected, what the client was offered, and a span for each request. */
export function watchMessages(server: McpServer, connection: Connection): void {
  const connect = server.connect.bind(server);
  server.connect = async (transport) => {
    await connect(transport);
    const spans = isObserved() ? new RequestSpans(connection) : undefined;
    const { onmessage, onclose } = transport;
    const send = transport.send.bind(transport);
    /** The request by which the client asks what the server can do. */
    let opening: unknown;
    transport.onmessage = (message, extra) => {
      const pass = (): void => onmessage?.(message, extra);
      if (isJSONRPCRequest(message) || isJSONRPCNotification(message)) {
        const { method, params } = message;
        // A first message says who sends it; those of the newer revision say it each time.
        const client = (params?._meta?.[CLIENT_INFO_META_KEY] ?? params?.clientInfo ?? {}) as ClientInfo;
        connection.onMessage(method, client);
        if (isJSONRPCRequest(message) && isOpening(message) && gainsNoResources(client, params))
          opening = message.id;
        // Its answer has the list of skills, and the SDK gives it itself, whatever handler there is.
        if (method === "server/discover") connection.offered(undefined, client);
      }
      if (spans) spans.received(message, pass);
      else pass();
    };
    transport.send = (message, options) => {
      spans?.sent(message);
      return send(
        opening !== undefined && (message as Answered).id === opening ? withoutResources(message) : message,
        options,
      );
    };
    if (!spans) return;
    transport.onclose = () => {
      spans.close();
      onclose?.();
    };
  };
}

/**
 * Clients that give the model tools of their own to list and read resources where a server has some, so that it pays for their
 * definitions and has a second way to read a skill, which is not one to load it (`npm run test:agents`).
 */
const WITH_RESOURCE_TOOLS = /^(?:claude-code|codex|opencode)\b/i;

/** The skills extension reads by resources, so a client that knows it has them whatever its name. */
function gainsNoResources({ name }: ClientInfo, params: JSONRPCRequest["params"]): boolean {
  const { capabilities, _meta } = params ?? {};
  const said = Object(capabilities ?? _meta?.[CLIENT_CAPABILITIES_META_KEY]) as ClientCapabilities;
  return WITH_RESOURCE_TOOLS.test(clientText(name)) && said.extensions?.[SKILLS_EXTENSION_ID] === undefined;
}

/** What the server says that it can do, without what this client should not ask for. Who asks all the same is answered. */
function withoutResources(message: JSONRPCMessage): JSONRPCMessage {
  const { result } = message as { readonly result?: { readonly capabilities?: ServerCapabilities } };
  if (!result?.capabilities) return message;
  const { resources, extensions, ...capabilities } = result.capabilities;
  return { ...message, result: { ...result, capabilities } } as JSONRPCMessage;
}

/**
 * All methods that the server has. Every role may call them; for `tools/call` the role of the tool decides. No other word of a
 * client is named in metrics and spans.
 */
export const MCP_METHODS: ReadonlySet<string> = new Set([
  ...["initialize", "ping", "server/discover", "subscriptions/listen", "logging/setLevel"],
  ...["tools/list", "tools/call", "prompts/list", "prompts/get", "completion/complete"],
  ...["resources/list", "resources/read", "resources/templates/list", "resources/directory/read"],
  ...["resources/subscribe", "resources/unsubscribe", "skills/list", "skills/get"],
]);

/** What of an answer says how it went. */
interface Answered {
  readonly id?: unknown;
  readonly error?: { readonly code: number };
  readonly result?: { readonly isError?: boolean; readonly _meta?: Readonly<Record<string, unknown>> };
}

/** Each request of the client as a span, from its message to its answer, by the conventions for MCP. */
class RequestSpans {
  readonly #connection: Connection;
  readonly #pending = new Map<unknown, { readonly traced: Span; readonly done: () => void }>();

  constructor(connection: Connection) {
    this.#connection = connection;
  }

  received(message: JSONRPCMessage, deliver: () => void): void {
    if (!isJSONRPCRequest(message)) {
      // A cancelled request gets no answer.
      if (isJSONRPCNotification(message) && message.method === "notifications/cancelled")
        this.#end(message.params?.requestId, "CANCELLED");
      deliver();
      return;
    }
    // An id that is used twice is a mistake of the client.
    this.#end(message.id, "CANCELLED");
    void traceRequest(message, this.#connection, (traced) => {
      const { promise, resolve } = Promise.withResolvers<void>();
      this.#pending.set(message.id, { traced, done: resolve });
      deliver();
      return promise;
    });
  }

  sent(message: JSONRPCMessage): void {
    const { id, error, result } = message as Answered;
    if (error) this.#end(id, `JSONRPC_${Math.abs(error.code)}`);
    else if (result)
      this.#end(id, result.isError ? String(result._meta?.["knack/code"] ?? "tool_error") : null);
  }

  close(): void {
    for (const id of [...this.#pending.keys()]) this.#end(id, "CANCELLED");
  }

  #end(id: unknown, fault: string | null): void {
    const { traced, done } = this.#pending.get(id) ?? {};
    this.#pending.delete(id);
    if (fault !== null) traced?.fail(fault);
    done?.();
  }
}

async function traceRequest(
  { method, params, id }: JSONRPCRequest,
  connection: Connection,
  work: (traced: Span) => Promise<void>,
): Promise<void> {
  const began = performance.now();
  const name = MCP_METHODS.has(method) ? method : "_OTHER";
  const tool = isTraced() && method === "tools/call" ? toolOf(params?.name, connection) : undefined;
  const attributes = { "mcp.method.name": name, "gen_ai.tool.name": tool };
  const from = headersOf(params?._meta);
  await span(
    tool === undefined ? name : `${name} ${tool}`,
    { ...attributes, "jsonrpc.request.id": String(id), "network.transport": connection.transport },
    work,
    { kind: "server", ...(from ? { from } : {}) },
  );
  // Typed skills are named by strangers, and each has its own metrics as a run.
  measure("mcp.server.operation.duration", began, { "mcp.method.name": name });
}

/** A tool that is offered; any other name is only a word of the client. */
function toolOf(name: unknown, connection: Connection): string | undefined {
  return typeof name === "string" && offeredTools(connection).has(name) ? name : undefined;
}

function headersOf(meta: Readonly<Record<string, unknown>> | undefined): TraceHeaders | undefined {
  const { traceparent, tracestate } = meta ?? {};
  if (typeof traceparent !== "string") return undefined;
  return { traceparent, ...(typeof tracestate === "string" ? { tracestate } : {}) };
}

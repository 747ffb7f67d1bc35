import { isObserved, isTraced, measure, type Span, span, type TraceHeaders } from "@knack/core/internal";
import {
  isJSONRPCNotification,
  isJSONRPCRequest,
  type JSONRPCNotification,
  type JSONRPCRequest,
  type McpServer,
} from "@modelcontextprotocol/server";
import { offeredTools } from "../methods/offered-tools.ts";
import type { Connection } from "./connection.ts";

/** The methods that are named in metrics and spans; a client could send any word. */
const METHODS = new Set([
  ...["initialize", "ping", "server/discover", "subscriptions/listen", "logging/setLevel"],
  ...["tools/list", "tools/call", "prompts/list", "prompts/get", "completion/complete"],
  ...["resources/list", "resources/read", "resources/templates/list", "resources/subscribe"],
  ...["resources/unsubscribe", "skills/list", "skills/get"],
]);

interface Pending {
  readonly traced: Span;
  readonly done: () => void;
}

/** What of an answer says how it went. */
interface Answered {
  readonly id?: unknown;
  readonly error?: { readonly code: number };
  readonly result?: { readonly isError?: boolean; readonly _meta?: Readonly<Record<string, unknown>> };
}

/** Each request of the client as a span, from its message to its answer, by the conventions for MCP. */
export function traceRequests(server: McpServer, connection: Connection): void {
  if (!isObserved()) return;
  const connect = server.connect.bind(server);
  server.connect = async (transport) => {
    await connect(transport);
    const pending = new Map<unknown, Pending>();
    const forget = (id: unknown, fault: string | null): void => {
      const { traced, done } = pending.get(id) ?? {};
      pending.delete(id);
      if (fault !== null) traced?.fail(fault);
      done?.();
    };
    const { onmessage, onclose } = transport;
    const send = transport.send.bind(transport);
    transport.onmessage = (message, extra) => {
      if (!isJSONRPCRequest(message)) {
        if (isJSONRPCNotification(message)) forget(cancelledBy(message), "CANCELLED");
        return onmessage?.(message, extra);
      }
      // An id that is used twice is a mistake of the client.
      forget(message.id, "CANCELLED");
      void traceRequest(message, connection, (traced) => {
        const { promise, resolve } = Promise.withResolvers<void>();
        pending.set(message.id, { traced, done: resolve });
        onmessage?.(message, extra);
        return promise;
      });
    };
    transport.send = (message, options) => {
      const { id, error, result } = message as Answered;
      if (error) forget(id, `JSONRPC_${Math.abs(error.code)}`);
      else if (result)
        forget(id, result.isError ? String(result._meta?.["knack/code"] ?? "tool_error") : null);
      return send(message, options);
    };
    transport.onclose = () => {
      for (const id of [...pending.keys()]) forget(id, "CANCELLED");
      onclose?.();
    };
  };
}

async function traceRequest(
  { method, params, id }: JSONRPCRequest,
  connection: Connection,
  work: (traced: Span) => Promise<void>,
): Promise<void> {
  const began = performance.now();
  const name = METHODS.has(method) ? method : "_OTHER";
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

/** A cancelled request gets no answer. */
function cancelledBy({ method, params }: JSONRPCNotification): unknown {
  return method === "notifications/cancelled" ? params?.requestId : undefined;
}

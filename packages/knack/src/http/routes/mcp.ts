import { parseJsonStrict } from "@knack/engine";
import { actFor, type Caller } from "../../host/access.ts";
import { MCP_METHODS } from "../../mcp/messages.ts";
import { type Route, route } from "../api/route.ts";

const METHOD_NOT_FOUND = -32_601;

/** MCP over HTTP. It describes itself, so OpenAPI does not. */
export const mcpRoutes: readonly Route[] = (["GET", "POST", "DELETE"] as const).map((method) =>
  route(`${method} /mcp`, "reader", {
    summary: "MCP.",
    handle: ({ caller, bytes, toRequest }, { mcp }) =>
      refuseMethod(bytes, caller) ?? actFor(caller, () => mcp.fetch(toRequest(), caller.id)),
  }),
);

/** A method that is in no table is answered as one that does not exist, which for all but an owner is so. */
function refuseMethod(bytes: Buffer, caller: Caller): Response | undefined {
  if (caller.role === "owner" || bytes.length === 0) return undefined;
  const read = parseJsonStrict(bytes.toString("utf8"));
  // What is not a message is the protocol's own to refuse.
  if ("problem" in read || typeof read.value !== "object" || read.value === null) return undefined;
  const { method, id } = read.value as { readonly method?: unknown; readonly id?: unknown };
  if (typeof method !== "string" || method.startsWith("notifications/") || MCP_METHODS.has(method))
    return undefined;
  const error = { code: METHOD_NOT_FOUND, message: `Method not found: ${method.slice(0, 100)}` };
  return Response.json({ jsonrpc: "2.0", id: id ?? null, error });
}

import { parseJsonStrict } from "@knack/engine";
import type { Caller } from "../host/access/caller.ts";
import { roleForMethod, whyRefused } from "../host/access/required-role.ts";

const METHOD_NOT_FOUND = -32_601;

/**
 * Refuses a message of MCP whose method needs another role. A method that is in no table is answered as one that does not
 * exist, which for all but an owner is so.
 */
export function refuseMethod(bytes: Buffer, caller: Caller | null): Response | undefined {
  if (!caller || caller.role === "owner" || bytes.length === 0) return undefined;
  const read = parseJsonStrict(bytes.toString("utf8"));
  // What is not a message is the protocol's own to refuse.
  if ("problem" in read || typeof read.value !== "object" || read.value === null) return undefined;
  const { method, id } = read.value as { readonly method?: unknown; readonly id?: unknown };
  if (typeof method !== "string" || whyRefused(roleForMethod(method), caller) === undefined) return undefined;
  const error = { code: METHOD_NOT_FOUND, message: `Method not found: ${method.slice(0, 100)}` };
  return Response.json({ jsonrpc: "2.0", id: id ?? null, error });
}

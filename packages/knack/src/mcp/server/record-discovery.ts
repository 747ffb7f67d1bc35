import {
  CLIENT_INFO_META_KEY,
  type Implementation,
  isJSONRPCRequest,
  type McpServer,
} from "@modelcontextprotocol/server";
import type { Connection } from "./connection.ts";
import { guarded } from "./guarded.ts";

/**
 * Revision 2026-07-28 begins with `server/discover`, whose answer has the instructions and with them the list of skills. The
 * SDK answers it itself, whatever handler there is, so that the offer is recorded on its way there.
 */
export function recordDiscovery(server: McpServer, connection: Connection): void {
  const connect = server.connect.bind(server);
  server.connect = async (transport) => {
    await connect(transport);
    const { onmessage } = transport;
    transport.onmessage = (message, extra) => {
      if (!isJSONRPCRequest(message) || message.method !== "server/discover") {
        onmessage?.(message, extra);
        return;
      }
      const client = message.params?._meta?.[CLIENT_INFO_META_KEY] as Implementation | undefined;
      guarded(() => connection.offered(undefined, client?.name))
        .catch(() => {})
        .finally(() => onmessage?.(message, extra));
    };
  };
}

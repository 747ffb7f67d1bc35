import {
  CLIENT_INFO_META_KEY,
  isJSONRPCNotification,
  isJSONRPCRequest,
  type McpServer,
} from "@modelcontextprotocol/server";
import type { Connection } from "../server/connection.ts";
import type { ClientInfo } from "./connected-clients.ts";

/** Notes each message of the client, so that people can see who is connected. */
export function hearMessages(server: McpServer, connection: Connection): void {
  const connect = server.connect.bind(server);
  server.connect = async (transport) => {
    await connect(transport);
    const { onmessage } = transport;
    transport.onmessage = (message, extra) => {
      if (isJSONRPCRequest(message) || isJSONRPCNotification(message)) {
        const { method, params } = message;
        // A first message says who sends it; those of the newer revision say it each time.
        const info = (params?._meta?.[CLIENT_INFO_META_KEY] ?? params?.clientInfo ?? {}) as ClientInfo | null;
        connection.heard(method, info ?? {});
      }
      onmessage?.(message, extra);
    };
  };
}

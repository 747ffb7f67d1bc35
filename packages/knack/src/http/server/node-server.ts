import { createServer, type Server, STATUS_CODES } from "node:http";
import { createServer as createTlsServer, type Server as TlsServer } from "node:https";
import type { Socket } from "node:net";
import type { ServerLimits } from "./limits.ts";
import { SECURITY_HEADERS } from "./send-response.ts";
import type { Tls } from "./tls-files.ts";

/** How long to keep reading a connection that is being closed, so that its client sees the answer instead of a reset. */
const LINGER_MS = 500;

/** A server of Node with the limits on connections and headers, which answers in our format what is no valid request. */
export function makeServer(
  limits: ServerLimits,
  tls: Tls | undefined,
  hasAnswer: (socket: Socket) => boolean,
): Server | TlsServer {
  const settings = {
    headersTimeout: limits.headersMs,
    requestTimeout: limits.requestMs,
    keepAliveTimeout: limits.keepAliveMs,
    connectionsCheckingInterval: Math.min(1_000, limits.headersMs / 2),
    maxHeaderSize: limits.headerBytes,
    // Checked in our code, so that the answer has our format.
    requireHostHeader: false,
    noDelay: true,
  };
  const server = tls
    ? createTlsServer({ ...settings, ...secure(tls), handshakeTimeout: limits.headersMs })
    : createServer(settings);
  server.maxConnections = limits.connections;
  // With a limit Node silently drops headers above it, such as a second Host; count them instead.
  server.maxHeadersCount = 0;
  return (
    server
      .on(tls ? "secureConnection" : "connection", lingerAtEnd)
      // Without a handshake nothing can be answered.
      .on("tlsClientError", (_error: Error, socket: Socket) => socket.destroy())
      .on("connect", (_request, socket: Socket) => answerRaw(socket, 405, "CONNECT is not supported."))
      .on("clientError", (error: Error & { code?: string }, socket: Socket) => {
        // Once an answer has begun, no error can be sent.
        if (hasAnswer(socket)) socket.destroy();
        else answerRaw(socket, ...(FAULTS[error.code ?? ""] ?? INVALID));
      })
  );
}

export function renewTls(server: Server | TlsServer, tls: Tls): void {
  if ("setSecureContext" in server) server.setSecureContext(secure(tls));
}

function secure({ cert, key }: Tls): { cert: Buffer; key: Buffer; minVersion: "TLSv1.2" } {
  return { cert, key, minVersion: "TLSv1.2" };
}

const FAULTS: Readonly<Record<string, readonly [status: number, message: string]>> = {
  ERR_HTTP_REQUEST_TIMEOUT: [408, "The request timed out."],
  HPE_HEADER_OVERFLOW: [431, "The header is too large."],
  HPE_CHUNK_EXTENSIONS_OVERFLOW: [413, "The body is too large."],
};
const INVALID = [400, "This is not a valid HTTP request."] as const;

function answerRaw(socket: Socket, status: number, message: string): void {
  if (!socket.writable) {
    socket.destroy();
    return;
  }
  const body = JSON.stringify({ error: { code: "INVALID_PARAM", message } });
  const headers = {
    ...SECURITY_HEADERS,
    "Content-Type": "application/json; charset=utf-8",
    "Content-Length": String(Buffer.byteLength(body)),
    Connection: "close",
  };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.write(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join("")}\r\n${body}`);
  socket.destroySoon();
}

/**
 * Node closes a connection as soon as the last answer is written. If the client is still sending, it then gets a reset, and
 * the answer (such as 413) is lost. So close only our side first.
 */
function lingerAtEnd(socket: Socket): void {
  socket.destroySoon = () => {
    if (socket.destroyed) return;
    socket.end();
    socket.resume();
    const timer = setTimeout(() => socket.destroy(), LINGER_MS);
    socket.once("close", () => clearTimeout(timer));
  };
}

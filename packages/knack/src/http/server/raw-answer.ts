import { STATUS_CODES } from "node:http";
import type { Socket } from "node:net";
import { SECURITY_HEADERS } from "./security-headers.ts";

/** Answers something that is not a valid request, and closes the connection. */
export function answerRaw(socket: Socket, status: number, message: string): void {
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

/** The HTTP parser's error as a status and a message. */
export function faultOf(error: Error & { code?: string }): { status: number; message: string } {
  switch (error.code) {
    case "ERR_HTTP_REQUEST_TIMEOUT":
      return { status: 408, message: "The request timed out." };
    case "HPE_HEADER_OVERFLOW":
      return { status: 431, message: "The header is too large." };
    case "HPE_CHUNK_EXTENSIONS_OVERFLOW":
      return { status: 413, message: "The body is too large." };
    default:
      return { status: 400, message: "This is not a valid HTTP request." };
  }
}

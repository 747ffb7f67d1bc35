import { createServer, type Server, type ServerOptions } from "node:http";
import { createServer as createTlsServer, type Server as TlsServer } from "node:https";
import type { Socket } from "node:net";
import type { Connections } from "./connections.ts";
import type { ServerLimits } from "./limits.ts";
import type { Tls } from "./tls-files.ts";

export type Listener = Server | TlsServer;

/** A server of Node's with our limits, whose connections are counted; with `tls` over HTTPS. */
export function listener(limits: ServerLimits, tls: Tls | undefined, connections: Connections): Listener {
  const options: ServerOptions = {
    headersTimeout: limits.headersMs,
    requestTimeout: limits.requestMs,
    keepAliveTimeout: limits.keepAliveMs,
    connectionsCheckingInterval: Math.min(1_000, limits.headersMs / 2),
    maxHeaderSize: limits.headerBytes,
    // Checked in our code, so that the answer has our format.
    requireHostHeader: false,
    noDelay: true,
  };
  if (!tls) return createServer(options).on("connection", (socket: Socket) => connections.add(socket));
  const server = createTlsServer({ ...options, ...secure(tls), handshakeTimeout: limits.headersMs });
  // A connection counts from its first byte; after the handshake requests come on a socket of their own.
  const shaking = new Map<string, Socket>();
  return (
    server
      .on("connection", (socket: Socket) => {
        const name = nameOf(socket);
        connections.add(socket);
        shaking.set(name, socket);
        socket.once("close", () => shaking.delete(name));
      })
      // Without a handshake nothing can be answered.
      .on("tlsClientError", (_error, socket) => socket.destroy())
      .on("secureConnection", (socket) => {
        const name = nameOf(socket);
        const bare = shaking.get(name);
        shaking.delete(name);
        if (bare) connections.replace(bare, socket);
        else connections.add(socket);
      })
  );
}

/** For connections from now on. */
export function setCertificate(server: Listener, tls: Tls): void {
  if ("setSecureContext" in server) server.setSecureContext(secure(tls));
}

function secure({ cert, key }: Tls): { cert: Buffer; key: Buffer; minVersion: "TLSv1.2" } {
  return { cert, key, minVersion: "TLSv1.2" };
}

function nameOf({ remoteAddress, remotePort }: Socket): string {
  return `${remoteAddress} ${remotePort}`;
}

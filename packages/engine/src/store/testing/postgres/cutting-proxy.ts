import { connect, createServer, type Server, type Socket } from "node:net";

/** Where a connection is cut: before a statement reaches the server, or before its answer reaches the client. */
export type Cut = "before" | "after" | null;

/** A proxy before a PostgreSQL server that cuts the connection at the next COMMIT, once for each time that it is asked to. */
export class CuttingProxy implements AsyncDisposable {
  next: Cut = null;
  cuts = 0;
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();

  private constructor(port: number) {
    this.#server = createServer((client) => {
      const server = connect(port, "127.0.0.1");
      let isToCut = false;
      const end = (): void => {
        client.destroy();
        server.destroy();
      };
      for (const socket of [client, server]) {
        this.#sockets.add(socket);
        socket.on("error", end).on("close", end);
      }
      client.on("data", (bytes) => {
        if (this.next !== null && bytes.includes("COMMIT\0")) {
          this.cuts++;
          isToCut = true;
          const before = this.next === "before";
          this.next = null;
          if (before) return end();
        }
        server.write(bytes);
      });
      server.on("data", (bytes) => (isToCut ? end() : client.write(bytes)));
    });
  }

  static async before(port: number): Promise<CuttingProxy> {
    const proxy = new CuttingProxy(port);
    await new Promise<void>((done) => proxy.#server.listen(0, "127.0.0.1", done));
    return proxy;
  }

  /** The same address through the proxy. */
  through(url: string): string {
    const changed = new URL(url);
    changed.port = String((this.#server.address() as { port: number }).port);
    return changed.href;
  }

  /** Cuts every connection, as a network that fails. */
  cutAll(): void {
    for (const socket of this.#sockets) socket.destroy();
    this.#sockets.clear();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.cutAll();
    await new Promise((done) => this.#server.close(done));
  }
}

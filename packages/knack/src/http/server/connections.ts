import type { Socket } from "node:net";

/** How long to keep reading a connection that is being closed, so that its client sees the answer instead of a reset. */
const LINGER_MS = 500;

/**
 * Limits the connections of a server. For a grace period up to twice the limit is accepted, because a client that opens a
 * hundred connections at once needs time to send on all of them. Then connections without a complete request are closed,
 * oldest first, so clients that open many connections and send little only compete with each other. Above half of the limit,
 * connections close after their answer; idle ones stay open, because their clients may be about to use them.
 */
export class Connections {
  readonly #limit: number;
  readonly #graceMs: number;
  readonly #all = new Set<Socket>();
  /** Connections without a complete request so far, in order of arrival, with the time. */
  readonly #silent = new Map<Socket, number>();
  /** Idle connections, in the order of their last answer. */
  readonly #idle = new Set<Socket>();
  readonly #requests = new Map<Socket, number>();
  /** Number of complete requests per connection. */
  readonly #brought = new WeakMap<Socket, number>();
  #timer: NodeJS.Timeout | undefined;

  /** `graceMs`: how long a new connection may be silent before it can be closed to make room. */
  constructor(limit: number, graceMs: number) {
    this.#limit = limit;
    this.#graceMs = graceMs;
  }

  add(socket: Socket): void {
    this.#all.add(socket);
    this.#silent.set(socket, performance.now());
    socket.once("close", () => this.#forget(socket));
    // A connection that is closing has its answer and no longer counts.
    lingerAtEnd(socket, () => this.#forget(socket));
    this.#makeRoom();
  }

  /** The same connection goes on under another socket, after a TLS handshake. */
  replace(before: Socket, socket: Socket): void {
    this.#forget(before);
    this.add(socket);
  }

  /** A complete request has arrived. */
  begin(socket: Socket): void {
    if (!this.#all.has(socket)) return;
    this.#brought.set(socket, this.brought(socket) + 1);
    this.#silent.delete(socket);
    this.#idle.delete(socket);
    this.#requests.set(socket, (this.#requests.get(socket) ?? 0) + 1);
  }

  /** Its answer was sent. */
  end(socket: Socket): void {
    const left = (this.#requests.get(socket) ?? 1) - 1;
    if (!this.#all.has(socket)) return;
    this.#requests.set(socket, left);
    if (left === 0) this.#idle.add(socket);
  }

  /** Number of complete requests on this connection. */
  brought(socket: Socket): number {
    return this.#brought.get(socket) ?? 0;
  }

  /** Whether an answer is being sent on this connection. */
  isBusy(socket: Socket): boolean {
    return (this.#requests.get(socket) ?? 0) > 0;
  }

  get size(): number {
    return this.#all.size;
  }

  /** Whether connections should close after their answer. A client that gets `Connection: close` loses no request. */
  get isCrowded(): boolean {
    return this.#all.size > this.#limit / 2;
  }

  /** At once above twice the limit, otherwise after the grace period. */
  #makeRoom(): void {
    while (this.#all.size > this.#limit * 2) {
      const [[silent, since] = []] = this.#silent;
      const [idle] = this.#idle;
      // A connection that has just arrived has not been read yet and may bring a request.
      const isNew = performance.now() - (since ?? 0) < this.#graceMs / 4;
      const next = isNew ? (idle ?? silent) : (silent ?? idle);
      if (!next) break;
      this.#letGo(next);
    }
    if (this.#all.size <= this.#limit) return;
    this.#timer ??= setTimeout(() => this.#watch(), this.#graceMs / 2).unref();
  }

  /**
   * Close only a connection that is still silent after half a grace period. One check is not enough: a busy server reads
   * late.
   */
  #watch(): void {
    const suspects = [...this.#silent.keys()];
    const trim = (): void => {
      for (const socket of suspects)
        if (this.#all.size > this.#limit && this.#silent.has(socket)) this.#letGo(socket);
      this.#timer = undefined;
      this.#makeRoom();
    };
    setTimeout(() => setImmediate(trim), this.#graceMs / 2).unref();
  }

  #letGo(socket: Socket): void {
    socket.destroy();
    // Forget it now; `close` is emitted a little later.
    this.#forget(socket);
  }

  #forget(socket: Socket): void {
    this.#all.delete(socket);
    this.#silent.delete(socket);
    this.#idle.delete(socket);
    this.#requests.delete(socket);
  }
}

/**
 * Node closes a connection as soon as the last answer is written. If the client is still sending, it then gets a reset, and
 * the answer (such as 413) is lost. So close only our side first.
 */
function lingerAtEnd(socket: Socket, ending: () => void): void {
  socket.destroySoon = () => {
    if (socket.destroyed) return;
    ending();
    socket.end();
    socket.resume();
    const timer = setTimeout(() => socket.destroy(), LINGER_MS);
    socket.once("close", () => clearTimeout(timer));
  };
}

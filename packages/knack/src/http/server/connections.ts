import type { Socket } from "node:net";

/** How long a connection that is being closed is still read, so that its client sees the answer and not a reset. */
const LINGER_MS = 500;

/**
 * The connections of a server, at most so many; for a grace up to twice as many, because a client that opens a hundred at
 * once has not had the time to speak. Then those go that have not brought a whole request, the oldest first. So clients that
 * open many and say little take the room from each other, not from one that asks at once. Where half of the room is taken,
 * connections end with their answers, so that none idle; one that idles already is left to its client, who may be about to
 * use it.
 */
export class Connections {
  readonly #limit: number;
  readonly #graceMs: number;
  readonly #all = new Set<Socket>();
  /** Without a whole request yet, in the order in which they came, with the time. */
  readonly #silent = new Map<Socket, number>();
  /** Without one now, in the order in which their last answer was sent. */
  readonly #idle = new Set<Socket>();
  readonly #requests = new Map<Socket, number>();
  /** How many whole requests each has brought. */
  readonly #brought = new WeakMap<Socket, number>();
  #timer: NodeJS.Timeout | undefined;

  /** `graceMs`: how long a connection may be silent before it has to make room for others. */
  constructor(limit: number, graceMs: number) {
    this.#limit = limit;
    this.#graceMs = graceMs;
  }

  add(socket: Socket): void {
    this.#all.add(socket);
    this.#silent.set(socket, performance.now());
    socket.once("close", () => this.#forget(socket));
    // One that ends has had its answer, and takes nobody's room.
    lingerAtEnd(socket, () => this.#forget(socket));
    this.#makeRoom();
  }

  /** A whole request has come. */
  begin(socket: Socket): void {
    if (!this.#all.has(socket)) return;
    this.#brought.set(socket, this.brought(socket) + 1);
    this.#silent.delete(socket);
    this.#idle.delete(socket);
    this.#requests.set(socket, (this.#requests.get(socket) ?? 0) + 1);
  }

  /** Its answer is sent. */
  end(socket: Socket): void {
    const left = (this.#requests.get(socket) ?? 1) - 1;
    if (!this.#all.has(socket)) return;
    this.#requests.set(socket, left);
    if (left === 0) this.#idle.add(socket);
  }

  /** How many whole requests have come on this connection. */
  brought(socket: Socket): number {
    return this.#brought.get(socket) ?? 0;
  }

  /** Whether an answer to somebody on this connection is on its way. */
  isBusy(socket: Socket): boolean {
    return (this.#requests.get(socket) ?? 0) > 0;
  }

  get size(): number {
    return this.#all.size;
  }

  /** Whether there is so little room that connections should end with their answers: a client that is told so loses none. */
  get isCrowded(): boolean {
    return this.#all.size > this.#limit / 2;
  }

  /** At once beyond twice the limit, else after the grace. */
  #makeRoom(): void {
    while (this.#all.size > this.#limit * 2) {
      const [[silent, since] = []] = this.#silent;
      const [idle] = this.#idle;
      // One that came just now has not been read yet, and may well bring a request.
      const isNew = performance.now() - (since ?? 0) < this.#graceMs / 4;
      const next = isNew ? (idle ?? silent) : (silent ?? idle);
      if (!next) break;
      this.#letGo(next);
    }
    if (this.#all.size <= this.#limit) return;
    this.#timer ??= setTimeout(() => this.#watch(), this.#graceMs / 2).unref();
  }

  /**
   * Who is silent now and in half a grace still has had its time. One look is not enough: a busy server reads late what its
   * clients wrote in time.
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
    // It is gone at once; `close` comes a little later.
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
 * Node closes a connection as soon as the last answer is written. Where the client still sends, the system then tells it
 * that the connection was reset, and the answer (413, say) is lost. So only our side is closed first.
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

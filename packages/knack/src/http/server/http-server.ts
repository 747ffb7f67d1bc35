import { once } from "node:events";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import { setTimeout as delay } from "node:timers/promises";
import type { Bind } from "../access/address.ts";
import { Gate } from "../access/gate.ts";
import { checkHeader } from "../access/guard.ts";
import { BodyRoom, type BodyShare } from "./body-room.ts";
import { Connections } from "./connections.ts";
import { HttpError } from "./http-error.ts";
import type { ServerLimits } from "./limits.ts";
import { answerRaw, faultOf } from "./raw-answer.ts";
import { checkBody, hasBody, readBody } from "./read-body.ts";
import { type RequestTarget, readTarget } from "./request-target.ts";
import { sendResponse } from "./send-response.ts";

/** So many may wait to be taken: whoever finds no place there tries again only after a second. */
const BACKLOG = 4096;
/** How long the last answers may take to be sent. */
const LAST_MS = 500;

/** A request that has passed every guard and is here as a whole. */
export interface WholeRequest extends RequestTarget {
  readonly method: string;
  readonly url: string;
  readonly incoming: IncomingMessage;
  /** Whose token it has; nobody's for what is open to all. */
  readonly caller: string | null;
  readonly bytes: Buffer;
  /** Ends when the client has gone. */
  readonly signal: AbortSignal;
}

export interface HttpServerOptions {
  readonly bind: Bind;
  readonly port: number;
  readonly token: string;
  readonly limits: ServerLimits;
  /** Whether anybody may ask for it: the page's own files, which say nothing of this machine. */
  readonly isOpen: (path: string) => boolean;
  /** Throws `HttpError` where nothing is there for this method. */
  readonly admit: (request: Pick<WholeRequest, "method" | "segments">) => void;
  readonly answer: (request: WholeRequest) => Promise<Response>;
  readonly refuse: (error: unknown) => Response;
}

/** HTTP with its limits and guards; what is asked and answered is not its business. */
export class HttpServer {
  readonly #options: HttpServerOptions;
  readonly #server: Server;
  readonly #connections: Connections;
  readonly #room: BodyRoom;
  readonly #gate: Gate;
  readonly #answering = new Set<Promise<void>>();
  #streams = 0;

  constructor(options: HttpServerOptions) {
    this.#options = options;
    const { limits } = options;
    this.#connections = new Connections(limits.connections, limits.silentMs);
    this.#room = new BodyRoom(limits.allBodiesBytes);
    this.#gate = new Gate(options.token, limits);
    this.#server = createServer({
      headersTimeout: limits.headersMs,
      requestTimeout: limits.requestMs,
      keepAliveTimeout: limits.keepAliveMs,
      connectionsCheckingInterval: Math.min(1_000, limits.headersMs / 2),
      maxHeaderSize: limits.headerBytes,
      // Checked by hand, so that the answer is one of ours.
      requireHostHeader: false,
      noDelay: true,
    });
    // Node would leave out what is beyond such a number, a second Host for example; they are counted instead.
    this.#server.maxHeadersCount = 0;
    this.#server
      .on("connection", (socket: Socket) => this.#connections.add(socket))
      .on("request", (request, response) => this.#take(request, response, false))
      .on("checkContinue", (request, response) => this.#take(request, response, true))
      .on("checkExpectation", (request, response) => this.#take(request, response, false))
      .on("connect", (_request, socket: Socket) => answerRaw(socket, 405, "CONNECT is not supported."))
      .on("clientError", (error: Error, socket: Socket) => this.#fault(error, socket));
  }

  /** The port. Rejects with the system's error where it cannot be had. */
  async listen(): Promise<number> {
    const { bind, port } = this.#options;
    this.#server.listen({ host: bind.host, port, backlog: BACKLOG, exclusive: true });
    await once(this.#server, "listening");
    return this.port;
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  /** No new connections, and none without a request. */
  stop(): void {
    this.#server.close();
    this.#server.closeIdleConnections();
  }

  /** Whoever gets an answer just now gets it whole; then no connection is left. */
  async close(): Promise<void> {
    this.#server.close();
    await Promise.race([Promise.all(this.#answering), delay(LAST_MS, undefined, { ref: false })]);
    this.#server.closeAllConnections();
  }

  #take(request: IncomingMessage, response: ServerResponse, awaits: boolean): void {
    const work = this.#handle(request, response, awaits).finally(() => this.#answering.delete(work));
    this.#answering.add(work);
  }

  #fault(error: Error, socket: Socket): void {
    const { status, message } = faultOf(error);
    const tell = (): void => {
      // In the middle of an answer nothing else can be said.
      if (this.#connections.isBusy(socket)) socket.destroy();
      else answerRaw(socket, status, message);
    };
    status === 408 ? this.#onceLate(socket, tell) : tell();
  }

  /** Who seems late may be another: a server that was busy, or a client of many connections that has yet to write on this one. */
  #onceLate(socket: Socket, tell: () => void): void {
    const { connections, keepAliveMs, headersMs } = this.#options.limits;
    if (socket.bytesRead === 0 && this.#connections.size > connections / 4) {
      const timer = setTimeout(() => (socket.bytesRead === 0 ? tell() : undefined), keepAliveMs - headersMs);
      socket.once("close", () => clearTimeout(timer));
      return;
    }
    // Node looks at its clock before it reads: first what was written in time is read.
    const brought = this.#connections.brought(socket);
    setImmediate(() => (this.#connections.brought(socket) === brought ? tell() : undefined));
  }

  async #handle(request: IncomingMessage, response: ServerResponse, awaits: boolean): Promise<void> {
    const { socket } = request;
    const { limits } = this.#options;
    let hasBegun = false;
    const begin = (): void => {
      hasBegun = true;
      this.#connections.begin(socket);
    };
    const share = this.#room.open();
    let isStream = false;
    try {
      let answer: Response;
      try {
        answer = await this.#answer(request, response, awaits, begin, share);
        isStream = answer.headers.get("content-type")?.startsWith("text/event-stream") ?? false;
        if (isStream && this.#streams >= limits.streams) {
          isStream = false;
          await answer.body?.cancel();
          throw new HttpError(503, "CONFLICT", "Too many streams are open; try again later.");
        }
      } catch (error) {
        answer = this.#options.refuse(error);
      }
      if (!hasBegun) begin();
      if (isStream) this.#streams++;
      if (this.#connections.isCrowded) response.shouldKeepAlive = false;
      // The rest of a body is thrown away for the moment that its client needs to see the answer; then the connection ends.
      if (hasBody(request) && !request.readableEnded) {
        response.shouldKeepAlive = false;
        request.resume();
      }
      await sendResponse(answer, response, {
        isHead: request.method === "HEAD",
        stalledMs: limits.stalledMs,
      });
    } finally {
      share.free();
      if (isStream) this.#streams--;
      if (hasBegun) this.#connections.end(socket);
    }
  }

  async #answer(
    incoming: IncomingMessage,
    response: ServerResponse,
    awaits: boolean,
    begin: () => void,
    share: BodyShare,
  ): Promise<Response> {
    const { limits, bind, isOpen, admit } = this.#options;
    const { method = "", url = "" } = incoming;
    checkHeader(incoming, { bind, limits, port: this.port });
    // By its header alone: what a foreign page can send without asking is told as what it is, token or not.
    if (hasBody(incoming)) checkBody(incoming, limits.bodyBytes);
    // Before the path: without the token nobody learns what there is.
    const caller = isOpen(url.replace(/\?.*$/s, "")) ? null : await this.#gate.pass(incoming);
    const request = { ...readTarget(url, limits.pathBytes), method, url, incoming, caller };
    admit(request);
    let bytes: Buffer = Buffer.alloc(0);
    if (hasBody(incoming) || method === "POST") {
      checkBody(incoming, limits.bodyBytes);
      if (awaits) response.writeContinue();
      bytes = await readBody(incoming, limits.bodyBytes, share);
    }
    begin();
    const gone = new AbortController();
    response.once("close", () => gone.abort());
    return this.#options.answer({ ...request, bytes, signal: gone.signal });
  }
}

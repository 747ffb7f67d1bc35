import { once } from "node:events";
import type { IncomingMessage, ServerResponse } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import { setTimeout as delay } from "node:timers/promises";
import type { ErrorCode } from "@knack/core";
import { codeOf } from "@knack/core/internal";
import type { Caller } from "../../host/access/caller.ts";
import { type Bind, isShared } from "../access/address.ts";
import type { Authenticate } from "../access/authenticate.ts";
import { Gate } from "../access/gate.ts";
import { checkHeader } from "../access/guard.ts";
import { BodyRoom, type BodyShare } from "./body-room.ts";
import { Connections } from "./connections.ts";
import { HttpError } from "./http-error.ts";
import type { ServerLimits } from "./limits.ts";
import { type Listener, listener, setCertificate } from "./listener.ts";
import { answerRaw, faultOf } from "./raw-answer.ts";
import { announcedKind, type BodyKind, checkBody, hasBody, readBody, readPieces } from "./read-body.ts";
import { type RequestTarget, readTarget } from "./request-target.ts";
import { sendResponse } from "./send-response.ts";
import type { Tls } from "./tls-files.ts";
import { type TracedRequest, traceRequest } from "./trace-request.ts";

/** Length of the accept queue: a client that does not fit in it retries only after a second. */
const BACKLOG = 4096;
/** How long the last answers may take to be sent. */
const LAST_MS = 500;
/** What a request gets that uses the database or another part after it was closed. */
const CLOSED: ReadonlySet<ErrorCode> = new Set(["INTERNAL_ERROR", "MISUSE"]);

/** A complete request that passed every guard. */
export interface WholeRequest extends RequestTarget {
  readonly method: string;
  readonly url: string;
  readonly incoming: IncomingMessage;
  /** Whose token it has; null for routes without a token. */
  readonly caller: Caller | null;
  readonly bytes: Buffer;
  /** Reads the body of an upload as it arrives; empty for other requests. */
  readonly upload: () => AsyncIterable<Buffer>;
  /** Aborted when the client disconnects. */
  readonly signal: AbortSignal;
}

export interface HttpServerOptions {
  readonly bind: Bind;
  readonly port: number;
  readonly tls?: Tls | undefined;
  readonly authenticate: Authenticate;
  readonly limits: ServerLimits;
  /** Whether a path needs no token: the page's static files, which reveal nothing about this machine. */
  readonly isOpen: (path: string) => boolean;
  /** The pattern of the path that matched, for telemetry. */
  readonly routeOf: (request: Pick<WholeRequest, "method" | "segments">) => string | undefined;
  /** What kind of body the route takes. Throws `HttpError` if no route matches path and method, or the caller may not use it. */
  readonly admit: (request: Pick<WholeRequest, "method" | "segments" | "caller">) => BodyKind;
  readonly answer: (request: WholeRequest) => Promise<Response>;
  readonly refuse: (error: unknown) => Response;
}

/** An HTTP server with limits and guards; the routes are passed in. */
export class HttpServer {
  readonly #options: HttpServerOptions;
  readonly #server: Listener;
  readonly #connections: Connections;
  readonly #room: BodyRoom;
  readonly #gate: Gate;
  readonly #answering = new Set<Promise<void>>();
  #streams = 0;
  #isStopping = false;

  constructor(options: HttpServerOptions) {
    this.#options = options;
    const { limits } = options;
    this.#connections = new Connections(limits.connections, limits.silentMs);
    this.#room = new BodyRoom(limits.allBodiesBytes);
    const { authenticate, bind } = options;
    const isBehindProxy = bind.proxy !== undefined;
    this.#gate = new Gate({ authenticate, limits, isShared: isShared(bind), isBehindProxy });
    this.#server = listener(limits, options.tls, this.#connections);
    // With a limit Node silently drops headers above it, such as a second Host; count them instead.
    this.#server.maxHeadersCount = 0;
    this.#server
      .on("request", (request, response) => this.#take(request, response, false))
      .on("checkContinue", (request, response) => this.#take(request, response, true))
      .on("checkExpectation", (request, response) => this.#take(request, response, false))
      .on("connect", (_request, socket: Socket) => answerRaw(socket, 405, "CONNECT is not supported."))
      .on("clientError", (error: Error, socket: Socket) => this.#fault(error, socket));
  }

  /** Resolves with the port. Rejects with the system's error if it is not available. */
  async listen(): Promise<number> {
    const { bind, port } = this.#options;
    this.#server.listen({ host: bind.host, port, backlog: BACKLOG, exclusive: true });
    await once(this.#server, "listening");
    return this.port;
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  /** Uses a renewed certificate for connections from now on. */
  renew(tls: Tls): void {
    setCertificate(this.#server, tls);
  }

  /** Accept no new connections and no new requests, and close the connections without a request. */
  stop(): void {
    this.#isStopping = true;
    this.#server.close();
    this.#server.closeIdleConnections();
  }

  /** Let answers that are being sent finish; then close their connections. */
  async close(): Promise<void> {
    this.#server.close();
    await Promise.race([Promise.all(this.#answering), delay(LAST_MS, undefined, { ref: false })]);
    this.#server.closeAllConnections();
  }

  #take(request: IncomingMessage, response: ServerResponse, awaits: boolean): void {
    const work = traceRequest(request, (traced) => this.#handle(request, response, awaits, traced)).finally(
      () => this.#answering.delete(work),
    );
    this.#answering.add(work);
  }

  #fault(error: Error, socket: Socket): void {
    const { status, message } = faultOf(error);
    const tell = (): void => {
      // Once an answer has begun, no error can be sent.
      if (this.#connections.isBusy(socket)) socket.destroy();
      else answerRaw(socket, status, message);
    };
    status === 408 ? this.#onceLate(socket, tell) : tell();
  }

  /**
   * A timeout may be our fault: the server was busy, or the client opened many connections and has not written on this one
   * yet.
   */
  #onceLate(socket: Socket, tell: () => void): void {
    const { connections, keepAliveMs, headersMs } = this.#options.limits;
    if (socket.bytesRead === 0 && this.#connections.size > connections / 4) {
      const timer = setTimeout(() => (socket.bytesRead === 0 ? tell() : undefined), keepAliveMs - headersMs);
      socket.once("close", () => clearTimeout(timer));
      return;
    }
    // Node checks timeouts before it reads: first read what arrived in time.
    const brought = this.#connections.brought(socket);
    setImmediate(() => (this.#connections.brought(socket) === brought ? tell() : undefined));
  }

  async #handle(
    request: IncomingMessage,
    response: ServerResponse,
    awaits: boolean,
    traced: TracedRequest,
  ): Promise<void> {
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
        answer = await this.#answer(request, response, awaits, begin, share, traced);
        isStream = answer.headers.get("content-type")?.startsWith("text/event-stream") ?? false;
        if (isStream && this.#streams >= limits.streams) {
          isStream = false;
          await answer.body?.cancel();
          throw new HttpError(503, "CONFLICT", "Too many streams are open; try again later.");
        }
      } catch (error) {
        // What a request in progress needs may be closed already.
        answer = this.#options.refuse(this.#isStopping && CLOSED.has(codeOf(error)) ? stopping() : error);
      }
      traced.answered(answer.status, isStream && request.method === "GET");
      if (!hasBegun) begin();
      if (isStream) this.#streams++;
      const unwatch = isStream ? this.#watch(request, response) : undefined;
      if (this.#connections.isCrowded || this.#isStopping) response.shouldKeepAlive = false;
      // Discard the rest of the body until the client has seen the answer; then close the connection.
      if (hasBody(request) && !request.readableEnded) {
        response.shouldKeepAlive = false;
        request.resume();
      }
      await sendResponse(answer, response, {
        isHead: request.method === "HEAD",
        stalledMs: limits.stalledMs,
      }).finally(unwatch);
    } finally {
      share.free();
      if (isStream) this.#streams--;
      if (hasBegun) this.#connections.end(socket);
    }
  }

  /** Ends a stream whose token was revoked meanwhile. */
  #watch(request: IncomingMessage, response: ServerResponse): () => void {
    const timer = setInterval(async () => {
      // While the database does not answer nothing can be said, and nothing is refused.
      if (!(await this.#gate.isStillValid(request).catch(() => true))) response.destroy();
    }, this.#options.limits.recheckMs);
    timer.unref();
    return () => clearInterval(timer);
  }

  async #answer(
    incoming: IncomingMessage,
    response: ServerResponse,
    awaits: boolean,
    begin: () => void,
    share: BodyShare,
    traced: TracedRequest,
  ): Promise<Response> {
    if (this.#isStopping) throw stopping();
    const { limits, bind, isOpen, admit, routeOf } = this.#options;
    const { method = "", url = "" } = incoming;
    const maxBytes = { json: limits.bodyBytes, upload: limits.uploadBytes };
    const path = url.replace(/\?.*$/s, "");
    checkHeader(incoming, { bind, limits, port: this.port, isOpen: isOpen(path) });
    // Checked by headers before the token: a request that a foreign page can send without preflight gets a clear error.
    const announced = announcedKind(incoming);
    if (hasBody(incoming)) checkBody(incoming, maxBytes[announced], announced);
    // Before the path, so that nobody without the token learns which paths exist.
    const caller = isOpen(path) ? null : await this.#gate.pass(incoming);
    const request = { ...readTarget(url, limits.pathBytes), method, url, incoming, caller };
    traced.found(routeOf(request));
    const kind = admit(request);
    let bytes: Buffer = Buffer.alloc(0);
    if (hasBody(incoming) || method === "POST") {
      checkBody(incoming, maxBytes[kind], kind);
      if (awaits) response.writeContinue();
      if (kind === "json") bytes = await readBody(incoming, maxBytes.json, share);
    }
    const upload = (): AsyncIterable<Buffer> => readPieces(incoming, maxBytes.upload);
    begin();
    const gone = new AbortController();
    response.once("close", () => gone.abort());
    return this.#options.answer({ ...request, bytes, upload, signal: gone.signal });
  }
}

function stopping(): HttpError {
  return new HttpError(503, "CONFLICT", "The server is stopping; try again when it is back.");
}

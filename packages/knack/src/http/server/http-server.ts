import { once } from "node:events";
import {
  createServer,
  type IncomingMessage,
  type Server,
  type ServerResponse,
  STATUS_CODES,
} from "node:http";
import { createServer as createTlsServer, type Server as TlsServer } from "node:https";
import type { AddressInfo, Socket } from "node:net";
import { setTimeout as delay } from "node:timers/promises";
import type { ErrorCode, KnackError } from "@knack/core";
import { codeOf } from "@knack/core/text";
import { type Caller, whyRefused } from "../../host/access.ts";
import { denied, notFound } from "../../options.ts";
import { type Bind, isShared } from "../access/address.ts";
import { type Authenticate, Gate } from "../access/gate.ts";
import { checkHeader } from "../access/guard.ts";
import { findRoute } from "../api/read-request.ts";
import type { Route } from "../api/route.ts";
import { httpError } from "../error-response.ts";
import { Room, type ServerLimits } from "./limits.ts";
import { announcedKind, checkBody, hasBody, readBody, readPieces } from "./read-body.ts";
import { readTarget } from "./request-target.ts";
import { SECURITY_HEADERS, sendResponse } from "./send-response.ts";
import type { Tls } from "./tls-files.ts";
import { type TracedRequest, traceRequest } from "./trace-request.ts";

/** Length of the accept queue: a client that does not fit in it retries only after a second. */
const BACKLOG = 4096;
/** How long the last answers may take to be sent. */
const LAST_MS = 500;
/** How long to keep reading a connection that is being closed, so that its client sees the answer instead of a reset. */
const LINGER_MS = 500;
/** What a request gets that uses the database or another part after it was closed. */
const CLOSED: ReadonlySet<ErrorCode> = new Set(["INTERNAL_ERROR", "MISUSE"]);

/** A complete request for a route, which passed every guard. */
export interface WholeRequest {
  readonly route: Route;
  readonly params: Readonly<Record<string, string>>;
  readonly query: URLSearchParams;
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
  readonly routes: readonly Route[];
  readonly answer: (request: WholeRequest) => Promise<Response>;
  readonly refuse: (error: unknown) => Response;
}

/** An HTTP server with limits and guards. */
export class HttpServer {
  readonly #options: HttpServerOptions;
  readonly #server: Server | TlsServer;
  readonly #gate: Gate;
  readonly #answering = new Set<Promise<void>>();
  /** Connections on which an answer is being made or sent. */
  readonly #busy = new WeakSet<Socket>();
  readonly #streams: Room;
  #isStopping = false;

  constructor(options: HttpServerOptions) {
    this.#options = options;
    const { authenticate, bind, limits, tls } = options;
    this.#gate = new Gate(authenticate, limits, isShared(bind));
    this.#streams = new Room(limits.streams);
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
    this.#server = tls
      ? createTlsServer({ ...settings, ...secure(tls), handshakeTimeout: limits.headersMs })
      : createServer(settings);
    this.#server.maxConnections = limits.connections;
    // With a limit Node silently drops headers above it, such as a second Host; count them instead.
    this.#server.maxHeadersCount = 0;
    this.#server
      .on(tls ? "secureConnection" : "connection", lingerAtEnd)
      // Without a handshake nothing can be answered.
      .on("tlsClientError", (_error: Error, socket: Socket) => socket.destroy())
      .on("request", (request, response) => this.#take(request, response, false))
      .on("checkContinue", (request, response) => this.#take(request, response, true))
      .on("checkExpectation", (request, response) => this.#take(request, response, false))
      .on("connect", (_request, socket: Socket) => answerRaw(socket, 405, "CONNECT is not supported."))
      .on("clientError", (error: Error & { code?: string }, socket: Socket) => {
        // Once an answer has begun, no error can be sent.
        if (this.#busy.has(socket)) socket.destroy();
        else answerRaw(socket, ...(FAULTS[error.code ?? ""] ?? INVALID));
      });
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
    if ("setSecureContext" in this.#server) this.#server.setSecureContext(secure(tls));
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

  async #handle(
    request: IncomingMessage,
    response: ServerResponse,
    awaits: boolean,
    traced: TracedRequest,
  ): Promise<void> {
    const { limits } = this.#options;
    let leave: (() => void) | undefined;
    try {
      let answer: Response;
      try {
        const { answered, caller } = await this.#answer(request, response, awaits, traced);
        answer = answered;
        if (answer.headers.get("content-type")?.startsWith("text/event-stream")) {
          leave = this.#streams.take(caller ?? { name: "" });
          if (!leave) {
            await answer.body?.cancel();
            throw httpError(503, "CONFLICT", "Too many streams are open; try again later.");
          }
        }
      } catch (error) {
        // What a request in progress needs may be closed already.
        answer = this.#options.refuse(this.#isStopping && CLOSED.has(codeOf(error)) ? stopping() : error);
      }
      traced.answered(answer.status, leave !== undefined && request.method === "GET");
      this.#busy.add(request.socket);
      const unwatch = leave ? this.#watch(request, response) : undefined;
      if (this.#isStopping) response.shouldKeepAlive = false;
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
      leave?.();
      this.#busy.delete(request.socket);
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
    traced: TracedRequest,
  ): Promise<{ readonly answered: Response; readonly caller: Caller | null }> {
    if (this.#isStopping) throw stopping();
    const { limits, bind, routes, answer } = this.#options;
    const { method = "", url = "" } = incoming;
    const maxBytes = { json: limits.bodyBytes, upload: limits.uploadBytes };
    const isOpen = isOpenPath(url.replace(/\?.*$/s, ""), routes);
    checkHeader(incoming, { bind, limits, port: this.port, isOpen });
    // Checked by headers before the token: a request that a foreign page can send without preflight gets a clear error.
    const announced = announcedKind(incoming);
    if (hasBody(incoming)) checkBody(incoming, maxBytes[announced], announced);
    // Before the path, so that nobody without the token learns which paths exist.
    const caller = isOpen ? null : await this.#gate.pass(incoming);
    const { segments, query } = readTarget(url, limits.pathBytes);
    const { route, params, methods } = findRoute(routes, method, segments);
    traced.found(route?.path);
    const Allow = allowed(methods);
    if (method === "OPTIONS" && methods.length > 0)
      return { answered: new Response(null, { status: 204, headers: { Allow } }), caller };
    if (!route) {
      if (methods.length > 0)
        throw httpError(405, "INVALID_PARAM", `Method not allowed. Allowed: ${Allow}.`, { Allow });
      const message = "There is nothing at this path; /api/openapi.json lists the paths.";
      throw notFound(message);
    }
    const why = caller ? whyRefused(route.role, caller) : undefined;
    if (why !== undefined) throw denied(why);
    let bytes: Buffer = Buffer.alloc(0);
    if (hasBody(incoming) || method === "POST") {
      const kind = route.upload ? "upload" : "json";
      checkBody(incoming, maxBytes[kind], kind);
      if (awaits) response.writeContinue();
      if (kind === "json") bytes = await readBody(incoming, maxBytes.json);
    }
    const upload = (): AsyncIterable<Buffer> => readPieces(incoming, maxBytes.upload);
    this.#busy.add(incoming.socket);
    const gone = new AbortController();
    response.once("close", () => gone.abort());
    const request = { route, params, query, incoming, caller, bytes, upload, signal: gone.signal };
    return { answered: await answer(request), caller };
  }
}

/** Whether a path, as it was sent, needs no token: the page's static files, which reveal nothing about this machine. */
function isOpenPath(path: string, routes: readonly Route[]): boolean {
  const segments = path === "/" ? [] : path.slice(1).split("/");
  return path.startsWith("/") && findRoute(routes, "GET", segments).route?.isOpen === true;
}

function allowed(methods: readonly string[]): string {
  return [...methods, ...(methods.includes("GET") ? ["HEAD"] : []), "OPTIONS"].join(", ");
}

function stopping(): KnackError {
  return httpError(503, "CONFLICT", "The server is stopping; try again when it is back.");
}

function secure({ cert, key }: Tls): { cert: Buffer; key: Buffer; minVersion: "TLSv1.2" } {
  return { cert, key, minVersion: "TLSv1.2" };
}

/** What the HTTP parser refuses, as a status and a message. */
const FAULTS: Readonly<Record<string, readonly [status: number, message: string]>> = {
  ERR_HTTP_REQUEST_TIMEOUT: [408, "The request timed out."],
  HPE_HEADER_OVERFLOW: [431, "The header is too large."],
  HPE_CHUNK_EXTENSIONS_OVERFLOW: [413, "The body is too large."],
};
const INVALID = [400, "This is not a valid HTTP request."] as const;

/** Answers something that is not a valid request, and closes the connection. */
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

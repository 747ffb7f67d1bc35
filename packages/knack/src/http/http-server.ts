import { once } from "node:events";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import type { Bind } from "./address.ts";
import { BodyRoom, type BodyShare } from "./body-room.ts";
import { Connections } from "./connections.ts";
import { checkHeader } from "./guard.ts";
import { HttpError } from "./http-error.ts";
import type { Limits } from "./limits.ts";
import { answerRaw, faultOf } from "./raw-answer.ts";
import { checkBody, hasBody, readBody } from "./read-body.ts";
import { readTarget, type Target } from "./request-target.ts";
import { sendResponse } from "./send-response.ts";

/** A request that has passed every guard and is here as a whole. */
export interface WholeRequest extends Target {
  readonly method: string;
  readonly url: string;
  readonly incoming: IncomingMessage;
  readonly hasToken: boolean;
  readonly bytes: Buffer;
  /** Ends when the client has gone. */
  readonly signal: AbortSignal;
}

export interface HttpServerOptions {
  readonly bind: Bind;
  readonly port: number;
  readonly token: string;
  readonly limits: Limits;
  /** Whether this is worth reading the body for: throws `HttpError` where nothing is there, or the token is missing. */
  readonly admit: (request: Omit<WholeRequest, "bytes" | "signal">) => void;
  readonly answer: (request: WholeRequest) => Promise<Response>;
  readonly refuse: (error: unknown) => Response;
}

/** HTTP with its limits and guards; what is asked and answered is not its business. */
export class HttpServer {
  readonly #options: HttpServerOptions;
  readonly #server: Server;
  readonly #connections: Connections;
  readonly #room: BodyRoom;
  #streams = 0;

  constructor(options: HttpServerOptions) {
    this.#options = options;
    const { limits } = options;
    this.#connections = new Connections(limits.connections, limits.headersMs / 2);
    this.#room = new BodyRoom(limits.allBodiesBytes);
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
      .on("request", (request, response) => void this.#handle(request, response, false))
      .on("checkContinue", (request, response) => void this.#handle(request, response, true))
      .on("checkExpectation", (request, response) => void this.#handle(request, response, false))
      .on("connect", (_request, socket: Socket) => answerRaw(socket, 405, "CONNECT is not done here."))
      .on("clientError", (error: Error, socket: Socket) => {
        // In the middle of an answer nothing else can be said.
        if (this.#connections.isBusy(socket)) socket.destroy();
        else answerRaw(socket, faultOf(error).status, faultOf(error).message);
      });
  }

  /** The port. Rejects with the system's error where it cannot be had. */
  async listen(): Promise<number> {
    const { bind, port } = this.#options;
    this.#server.listen({ host: bind.host, port, exclusive: true });
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

  close(): void {
    this.#server.close();
    this.#server.closeAllConnections();
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
    const { limits, bind, token } = this.#options;
    const { method = "", url = "" } = incoming;
    const { hasToken } = checkHeader(incoming, { bind, token, limits, port: this.port });
    const request = { ...readTarget(url, limits.pathBytes), method, url, incoming, hasToken };
    this.#options.admit(request);
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

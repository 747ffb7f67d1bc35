import { once } from "node:events";
import type { IncomingMessage, Server, ServerResponse } from "node:http";
import type { Server as TlsServer } from "node:https";
import type { AddressInfo, Socket } from "node:net";
import { setTimeout as delay } from "node:timers/promises";
import { homeFolder } from "@knack/core/config";
import { codeOf, type ErrorCode, type KnackError } from "@knack/core/text";
import type { Engine } from "@knack/engine";
import { actFor, type Caller, whyRefused } from "../host/access.ts";
import type { Host } from "../host/host.ts";
import { openMcpEndpoint } from "../mcp/http-endpoint.ts";
import { PageQuestions } from "../mcp/page-questions.ts";
import { denied, notFound } from "../options.ts";
import { type Bind, originOf } from "./access/address.ts";
import { gate } from "./access/gate.ts";
import { checkHeader } from "./access/guard.ts";
import { findRoute, readJson, readQuery } from "./api/read-request.ts";
import type { Api, Route } from "./api/route.ts";
import { routes } from "./api/routes.ts";
import { errorResponse, type Hidden, httpError, json } from "./error-response.ts";
import { EventFeed } from "./event-feed.ts";
import { agents } from "./home/agents.ts";
import { lockCheck } from "./home/lock-check.ts";
import { useLog } from "./home/use-log.ts";
import { planRuns } from "./plan-runs.ts";
import { Room, type ServerLimits } from "./server/limits.ts";
import { makeServer, renewTls } from "./server/node-server.ts";
import { announcedKind, checkBody, hasBody, readBody } from "./server/read-body.ts";
import { readTarget } from "./server/request-target.ts";
import { sendResponse } from "./server/send-response.ts";
import type { Tls } from "./server/tls-files.ts";
import { type TracedRequest, traceRequest } from "./server/trace-request.ts";
import { skillRuns } from "./skill-runs.ts";

/** Length of the accept queue: a client that does not fit in it retries only after a second. */
const BACKLOG = 4096;
const LAST_MS = 500;
const MAX_BODY = 2_000;
/** What a request gets that uses the database or another part after it was closed. */
const CLOSED: ReadonlySet<ErrorCode> = new Set(["INTERNAL_ERROR", "MISUSE"]);
/** Who asks for a file of the page, which needs no token. */
const GUEST: Caller = { id: "", name: "", role: "reader" };

export interface WebServerOptions {
  readonly bind: Bind;
  readonly port: number;
  readonly tls?: Tls | undefined;
  /** The user's own token; `null` where only named tokens are accepted. */
  readonly token: string | null;
  readonly limits: ServerLimits;
}

interface Exchange {
  readonly incoming: IncomingMessage;
  readonly response: ServerResponse;
  /** The client sends the body when it is told to go on. */
  readonly awaits: boolean;
  readonly traced: TracedRequest;
  caller: Caller;
}

export class WebServer {
  readonly #options: WebServerOptions;
  readonly #server: Server | TlsServer;
  readonly #gate: ReturnType<typeof gate>;
  readonly #api: Omit<Api, "origin">;
  readonly #hidden: Hidden;
  readonly #answering = new Set<Promise<void>>();
  /** Connections on which an answer is being made or sent. */
  readonly #busy = new WeakSet<Socket>();
  readonly #streams: Room;
  #isStopping = false;

  constructor(host: Host, options: WebServerOptions) {
    const { limits, token, tls } = options;
    this.#options = options;
    this.#gate = gate(token, host.engine, limits);
    this.#streams = new Room(limits.streams);
    this.#hidden = hiddenFolders(host.runtime.catalog.projectRoot);
    const questions = new PageQuestions(limits.questionMs);
    const mcp = openMcpEndpoint(host, { questions });
    const events = new EventFeed(host, limits);
    this.#api = {
      host,
      catalog: async () => {
        await host.live.config.current();
        return host.live.refresh();
      },
      allSkills: () => host.project.catalog(),
      events,
      runs: skillRuns(host, limits.runs),
      plans: planRuns(host, () => events.signal("plans")),
      agents: agents(mcp.clients, questions, events, host.project.place),
      mcp,
      changedSkills: lockCheck(host.project, events),
      recentUse: useLog(() => host.history()),
    };
    this.#server = makeServer(limits, tls, (socket) => this.#busy.has(socket))
      .on("request", (request, response) => this.#take(request, response, false))
      .on("checkContinue", (request, response) => this.#take(request, response, true))
      .on("checkExpectation", (request, response) => this.#take(request, response, false));
  }

  async listen(): Promise<void> {
    const { bind, port } = this.#options;
    this.#server.listen({ host: bind.host, port, backlog: BACKLOG, exclusive: true });
    await once(this.#server, "listening");
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  get origin(): string {
    return this.#options.bind.proxy ?? this.address;
  }

  /** Where it listens, as an address; behind a proxy only the proxy uses it. */
  get address(): string {
    const { host, scheme } = this.#options.bind;
    return originOf(host, this.port, scheme);
  }

  renew(tls: Tls): void {
    renewTls(this.#server, tls);
  }

  /** Closes streams, then waits for runs to be recorded and answered, then closes the connections. */
  async close(): Promise<void> {
    const { host, events, runs, plans, mcp } = this.#api;
    this.#isStopping = true;
    this.#server.close();
    this.#server.closeIdleConnections();
    events.close();
    this.#api.agents.close();
    runs.end();
    await plans.close();
    await mcp.close();
    await host.close();
    await Promise.race([Promise.all(this.#answering), delay(LAST_MS, undefined, { ref: false })]);
    this.#server.closeAllConnections();
  }

  #take(incoming: IncomingMessage, response: ServerResponse, awaits: boolean): void {
    const work = traceRequest(incoming, (traced) =>
      this.#serve({ incoming, response, awaits, traced, caller: GUEST }),
    ).finally(() => this.#answering.delete(work));
    this.#answering.add(work);
  }

  async #serve(exchange: Exchange): Promise<void> {
    const { incoming, response, traced } = exchange;
    let leave: (() => void) | undefined;
    try {
      let answer: Response;
      try {
        answer = await this.#answer(exchange);
        if (answer.headers.get("content-type")?.startsWith("text/event-stream")) {
          leave = this.#streams.take(exchange.caller);
          if (!leave) {
            await answer.body?.cancel();
            throw httpError(503, "CONFLICT", "Too many streams are open; try again later.");
          }
        }
      } catch (error) {
        // What a request in progress needs may be closed already.
        const told = this.#isStopping && CLOSED.has(codeOf(error)) ? stopping() : error;
        answer = errorResponse(told, this.#hidden);
      }
      traced.answered(answer.status, leave !== undefined && incoming.method === "GET");
      this.#busy.add(incoming.socket);
      const unwatch = leave && this.#watch(incoming, response);
      if (this.#isStopping) response.shouldKeepAlive = false;
      // Discard the rest of the body until the client has seen the answer; then close the connection.
      if (hasBody(incoming) && !incoming.readableEnded) {
        response.shouldKeepAlive = false;
        incoming.resume();
      }
      const { stalledMs } = this.#options.limits;
      const isHead = incoming.method === "HEAD";
      await sendResponse(answer, response, { isHead, stalledMs }).finally(unwatch);
    } finally {
      leave?.();
      this.#busy.delete(incoming.socket);
    }
  }

  /** Ends a stream whose token was revoked meanwhile. */
  #watch(incoming: IncomingMessage, response: ServerResponse): () => void {
    const timer = setInterval(async () => {
      // While the database does not answer nothing can be said, and nothing is refused.
      if (!(await this.#gate.isStillValid(incoming).catch(() => true))) response.destroy();
    }, this.#options.limits.recheckMs);
    timer.unref();
    return () => clearInterval(timer);
  }

  /** The guards in the order of their cost, then the route. */
  async #answer(exchange: Exchange): Promise<Response> {
    if (this.#isStopping) throw stopping();
    const { incoming, response, awaits, traced } = exchange;
    const { limits, bind } = this.#options;
    const { method = "", url = "" } = incoming;
    const isOpen = isOpenPath(url.replace(/\?.*$/s, ""));
    checkHeader(incoming, { bind, limits, port: this.port, isOpen });
    // Checked by headers before the token: a request that a foreign page can send without preflight gets a clear error.
    if (hasBody(incoming)) checkBody(incoming, announcedKind(incoming), limits);
    // Before the path, so that nobody without the token learns which paths exist.
    if (!isOpen) exchange.caller = await this.#gate.pass(incoming);
    const { segments, query } = readTarget(url, limits.pathBytes);
    const { route, params, methods } = findRoute(routes, method, segments);
    traced.found(route?.path);
    const Allow = [...methods, ...(methods.includes("GET") ? ["HEAD"] : []), "OPTIONS"].join(", ");
    if (method === "OPTIONS" && methods.length > 0)
      return new Response(null, { status: 204, headers: { Allow } });
    if (!route) {
      if (methods.length > 0)
        throw httpError(405, "INVALID_PARAM", `Method not allowed. Allowed: ${Allow}.`, { Allow });
      throw notFound("There is nothing at this path; /api/openapi.json lists the paths.");
    }
    const why = whyRefused(route.role, exchange.caller);
    if (why !== undefined) throw denied(why);
    const kind = route.upload ? "upload" : "json";
    const pieces: Buffer[] = [];
    if (hasBody(incoming) || method === "POST") {
      checkBody(incoming, kind, limits);
      if (awaits) response.writeContinue();
      if (kind === "json") for await (const piece of readBody(incoming, kind, limits)) pieces.push(piece);
    }
    this.#busy.add(incoming.socket);
    // What a caller changes is in the log under their name; what is noticed while reading is the server's own.
    const handle = () => this.#handle(exchange, route, params, query, Buffer.concat(pieces));
    return route.method === "GET" ? handle() : actFor(exchange.caller, handle);
  }

  async #handle(
    { incoming, response, caller }: Exchange,
    route: Route,
    params: Readonly<Record<string, string>>,
    search: URLSearchParams,
    bytes: Buffer,
  ): Promise<Response> {
    const { method = "", url, headersDistinct } = incoming;
    const gone = new AbortController();
    response.once("close", () => gone.abort());
    const { signal } = gone;
    const query = readQuery(route.query ?? {}, search);
    const body = route.body ? readJson(route.body, bytes) : {};
    if (route.isRecorded && caller.name) await recordRequest(this.#api.host.engine, route, params, body);
    const toRequest = (): Request => {
      const headers = new Headers();
      for (const [name, values = []] of Object.entries(headersDistinct))
        for (const value of values) headers.append(name, value);
      const sent = method === "POST" ? { body: new Uint8Array(bytes) } : {};
      return new Request(`${this.origin}${url}`, { method, headers, signal, ...sent });
    };
    const header = (name: string): string | undefined => headersDistinct[name]?.join(", ");
    const upload = () => readBody(incoming, "upload", this.#options.limits);
    const asked = { params, query, body, header, toRequest, upload, signal, caller };
    const answer = await route.handle(asked, { ...this.#api, origin: this.origin });
    return answer instanceof Response ? answer : json(answer);
  }
}

/** Whether a path, as it was sent, needs no token: the page's static files, which reveal nothing about this machine. */
function isOpenPath(path: string): boolean {
  const segments = path === "/" ? [] : path.slice(1).split("/");
  return path.startsWith("/") && findRoute(routes, "GET", segments).route?.isOpen === true;
}

function stopping(): KnackError {
  return httpError(503, "CONFLICT", "The server is stopping; try again when it is back.");
}

/** Longest first, so that a project inside the home folder is replaced by its own label. */
function hiddenFolders(projectRoot: string): Hidden {
  const folders = [
    [projectRoot, "."],
    [homeFolder(process.env), "~"],
  ] as const;
  return folders.filter(([folder]) => folder.length > 1).sort(([a], [b]) => b.length - a.length);
}

/** Writes a request that changes something into the log, before it is done: nothing is changed that the log does not name. */
async function recordRequest(
  engine: Engine,
  { name }: Pick<Route, "name">,
  params: Readonly<Record<string, string>>,
  body: unknown,
): Promise<void> {
  const store = await engine.store();
  const isSmall = JSON.stringify(body).length <= MAX_BODY;
  const payload = { request: name, params: { ...params }, body: isSmall ? body : "[too long]" };
  const event = { type: "REQUESTED", planId: null, taskId: null, runId: null, payload } as const;
  await store.db.transaction((tx) =>
    store.record(tx, [event], { actor: store.actor, at: store.now().toISOString() }),
  );
}

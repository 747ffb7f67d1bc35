import type { Catalog } from "@knack/core";
import { KnackError, SkillError } from "@knack/core";
import { homeFolder } from "@knack/core/config";
import { type Engine, parseJsonStrict } from "@knack/engine";
import { actFor, type Caller, roleForMethod, whyRefused } from "../host/access.ts";
import type { Host } from "../host/host.ts";
import { type McpEndpoint, openMcpEndpoint } from "../mcp/http-endpoint.ts";
import { PageQuestions } from "../mcp/page-questions.ts";
import { type Bind, originOf } from "./access/address.ts";
import { authenticator } from "./access/gate.ts";
import { findRoute, readJson, readQuery } from "./api/read-request.ts";
import type { Api, Route } from "./api/route.ts";
import { isPagePath, routes } from "./api/routes.ts";
import { errorResponse, type Hidden, httpError, json } from "./error-response.ts";
import { EventFeed } from "./event-feed.ts";
import { Agents } from "./home/agents.ts";
import { LockCheck } from "./home/lock-check.ts";
import { UseLog } from "./home/use-log.ts";
import { PlanRuns } from "./plan-runs.ts";
import { HttpServer, type WholeRequest } from "./server/http-server.ts";
import type { ServerLimits } from "./server/limits.ts";
import type { BodyKind } from "./server/read-body.ts";
import type { Tls } from "./server/tls-files.ts";
import { SkillRuns } from "./skill-runs.ts";

const METHOD_NOT_FOUND = -32_601;
/** What a record quotes of a body. */
const MAX_BODY = 2_000;
const MCP_METHODS = ["GET", "POST", "DELETE"];
/** Who asks for a file of the page, which needs no token. */
const GUEST: Caller = { id: "", name: "", role: "reader" };

export interface WebServerOptions {
  readonly bind: Bind;
  readonly port: number;
  /** The user's own token; `null` where only named tokens are accepted. */
  readonly token: string | null;
  readonly limits: ServerLimits;
  readonly tls?: Tls | undefined;
}

/** Serves the page, the API and MCP over HTTP. */
export class WebServer {
  readonly #host: Host;
  readonly #bind: Bind;
  readonly #http: HttpServer;
  readonly #mcp: McpEndpoint;
  readonly #events: EventFeed;
  readonly #runs: SkillRuns;
  readonly #agents: Agents;
  readonly #plans: PlanRuns;
  readonly #use: UseLog;
  readonly #locks: LockCheck;

  constructor(host: Host, options: WebServerOptions) {
    this.#host = host;
    this.#bind = options.bind;
    const questions = new PageQuestions(options.limits.questionMs);
    this.#mcp = openMcpEndpoint(host, { questions });
    this.#events = new EventFeed(host, options.limits);
    this.#agents = new Agents(this.#mcp.clients, questions, this.#events, host.project.place);
    this.#use = new UseLog(() => host.engine.history());
    this.#locks = new LockCheck(host.project);
    this.#runs = new SkillRuns(host, options.limits.runs);
    this.#plans = new PlanRuns(host);
    const hidden = hiddenFolders(host.runtime.catalog.projectRoot);
    this.#http = new HttpServer({
      ...options,
      authenticate: authenticator(options.token, host.engine),
      isOpen: isPagePath,
      admit,
      routeOf,
      answer: (request) => this.#answer(request),
      refuse: (error) => errorResponse(error, hidden),
    });
  }

  /** Starts to listen; returns the address without a trailing slash. */
  async listen(): Promise<string> {
    await this.#http.listen();
    return this.origin;
  }

  /** The address that people open. */
  get origin(): string {
    return this.#bind.proxy ?? this.address;
  }

  /** Where it listens, as an address; behind a proxy only the proxy uses it. */
  get address(): string {
    return originOf(this.#bind.host, this.#http.port, this.#bind.scheme);
  }

  renew(tls: Tls): void {
    this.#http.renew(tls);
  }

  get port(): number {
    return this.#http.port;
  }

  /** Closes streams, then waits for runs to be recorded and answered, then closes the connections. */
  async close(): Promise<void> {
    this.#http.stop();
    this.#events.close();
    this.#agents.close();
    this.#runs.end();
    await this.#plans.close();
    await this.#mcp.close();
    await this.#host.close();
    await this.#http.close();
  }

  async #catalog(): Promise<Catalog> {
    await this.#host.live.config.current();
    return this.#host.live.refresh();
  }

  /** What a caller changes is in the log under their name; what is noticed while reading is the server's own. */
  #answer(request: WholeRequest): Promise<Response> {
    const { caller, method, segments } = request;
    const isReading = ["GET", "HEAD", "OPTIONS"].includes(method) && !isMcp(segments);
    return caller && !isReading ? actFor(caller, () => this.#route(request)) : this.#route(request);
  }

  async #route(request: WholeRequest): Promise<Response> {
    const { method, segments, query, bytes, upload, incoming, caller, signal } = request;
    const { route, params, methods } = findRoute(routes, method, segments);
    if (method === "OPTIONS") {
      const Allow = allowed(isMcp(segments) ? MCP_METHODS : methods);
      return new Response(null, { status: 204, headers: { Allow } });
    }
    if (!route)
      return (
        refuseMethod(bytes, caller) ?? this.#mcp.fetch(this.#toWeb(request), { caller: caller?.id ?? "" })
      );
    const api: Api = {
      host: this.#host,
      catalog: () => this.#catalog(),
      events: this.#events,
      runs: this.#runs,
      plans: this.#plans,
      agents: this.#agents,
      mcp: this.#mcp,
      locks: this.#locks,
      use: this.#use,
      origin: this.origin,
    };
    const header = (name: string): string | undefined => {
      const value = incoming.headers[name];
      return Array.isArray(value) ? value.join(", ") : value;
    };
    const body = route.body ? readJson(route.body, bytes) : {};
    if (route.isRecorded && caller?.name) await recordRequest(this.#host.engine, route, params, body);
    const asked = { params, query: readQuery(route.query ?? {}, query), body, header, upload, signal };
    const answer = await route.handle({ ...asked, caller: caller ?? GUEST }, api);
    return answer instanceof Response ? answer : json(answer);
  }

  #toWeb({ method, url, bytes, incoming, signal }: WholeRequest): Request {
    const headers = new Headers();
    for (let i = 0; i + 1 < incoming.rawHeaders.length; i += 2)
      headers.append(incoming.rawHeaders[i] ?? "", incoming.rawHeaders[i + 1] ?? "");
    const body = method === "POST" ? { body: new Uint8Array(bytes) } : {};
    return new Request(`${this.origin}${url}`, { method, headers, signal, ...body });
  }
}

/** What kind of body the route takes. Throws if no route matches path and method, or the caller's role is not enough. */
function admit({ method, segments, caller }: Pick<WholeRequest, "method" | "segments" | "caller">): BodyKind {
  const { route, methods: known } = findRoute(routes, method, segments);
  const methods = isMcp(segments) ? MCP_METHODS : known;
  if (methods.length === 0) {
    const message = "There is nothing at this path; /api/openapi.json lists the paths.";
    throw new SkillError("NOT_FOUND", message);
  }
  if (method === "OPTIONS" || (isMcp(segments) && MCP_METHODS.includes(method))) return "json";
  if (!route)
    throw httpError(405, "INVALID_PARAM", `Method not allowed. Allowed: ${allowed(methods)}.`, {
      Allow: allowed(methods),
    });
  const why = caller ? whyRefused(route.role, caller) : undefined;
  if (why !== undefined) throw new KnackError("ACCESS_DENIED", why);
  return route.upload ? "upload" : "json";
}

function routeOf({ method, segments }: Pick<WholeRequest, "method" | "segments">): string | undefined {
  return isMcp(segments) ? "/mcp" : findRoute(routes, method, segments).route?.path;
}

function isMcp(segments: readonly string[]): boolean {
  return segments.length === 1 && segments[0] === "mcp";
}

function allowed(methods: readonly string[]): string {
  return [...methods, ...(methods.includes("GET") ? ["HEAD"] : []), "OPTIONS"].join(", ");
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
  const payload = {
    request: name,
    params: { ...params },
    body: isSmall ? body : "[too long]",
  };
  const event = { type: "REQUESTED", planId: null, taskId: null, runId: null, payload } as const;
  await store.db.transaction((tx) =>
    store.record(tx, [event], { actor: store.actor, at: store.now().toISOString() }),
  );
}

/**
 * Refuses a message of MCP whose method needs another role. A method that is in no table is answered as one that does not
 * exist, which for all but an owner is so.
 */
function refuseMethod(bytes: Buffer, caller: Caller | null): Response | undefined {
  if (!caller || caller.role === "owner" || bytes.length === 0) return undefined;
  const read = parseJsonStrict(bytes.toString("utf8"));
  // What is not a message is the protocol's own to refuse.
  if ("problem" in read || typeof read.value !== "object" || read.value === null) return undefined;
  const { method, id } = read.value as { readonly method?: unknown; readonly id?: unknown };
  if (typeof method !== "string" || whyRefused(roleForMethod(method), caller) === undefined) return undefined;
  const error = { code: METHOD_NOT_FOUND, message: `Method not found: ${method.slice(0, 100)}` };
  return Response.json({ jsonrpc: "2.0", id: id ?? null, error });
}

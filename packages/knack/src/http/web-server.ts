import { homeFolder } from "@knack/core/config";
import type { Engine } from "@knack/engine";
import { actFor, type Caller } from "../host/access.ts";
import type { Host } from "../host/host.ts";
import { openMcpEndpoint } from "../mcp/http-endpoint.ts";
import { PageQuestions } from "../mcp/page-questions.ts";
import { type Bind, originOf } from "./access/address.ts";
import { authenticator } from "./access/gate.ts";
import { readJson, readQuery } from "./api/read-request.ts";
import type { Api, Route } from "./api/route.ts";
import { routes } from "./api/routes.ts";
import { errorResponse, type Hidden, json } from "./error-response.ts";
import { EventFeed } from "./event-feed.ts";
import { agents } from "./home/agents.ts";
import { lockCheck } from "./home/lock-check.ts";
import { useLog } from "./home/use-log.ts";
import { planRuns } from "./plan-runs.ts";
import { HttpServer, type HttpServerOptions, type WholeRequest } from "./server/http-server.ts";
import type { Tls } from "./server/tls-files.ts";
import { skillRuns } from "./skill-runs.ts";

/** What a record quotes of a body. */
const MAX_BODY = 2_000;
/** Who asks for a file of the page, which needs no token. */
const GUEST: Caller = { id: "", name: "", role: "reader" };

export interface WebServerOptions extends Pick<HttpServerOptions, "bind" | "port" | "limits" | "tls"> {
  /** The user's own token; `null` where only named tokens are accepted. */
  readonly token: string | null;
}

/** Serves the page, the API and MCP over HTTP. */
export class WebServer {
  readonly #bind: Bind;
  readonly #http: HttpServer;
  readonly #api: Omit<Api, "origin">;

  constructor(host: Host, options: WebServerOptions) {
    const { bind, limits, token } = options;
    this.#bind = bind;
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
    const hidden = hiddenFolders(host.runtime.catalog.projectRoot);
    this.#http = new HttpServer({
      ...options,
      authenticate: authenticator(token, host.engine),
      routes,
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
    const { host, events, runs, plans, mcp } = this.#api;
    this.#http.stop();
    events.close();
    this.#api.agents.close();
    runs.end();
    await plans.close();
    await mcp.close();
    await host.close();
    await this.#http.close();
  }

  /** What a caller changes is in the log under their name; what is noticed while reading is the server's own. */
  #answer(request: WholeRequest): Promise<Response> {
    const { caller, route } = request;
    return caller && route.method !== "GET"
      ? actFor(caller, () => this.#handle(request))
      : this.#handle(request);
  }

  async #handle({ route, params, incoming, bytes, ...request }: WholeRequest): Promise<Response> {
    const { method = "", url, rawHeaders } = incoming;
    const header = (name: string): string | undefined => {
      const value = incoming.headers[name];
      return Array.isArray(value) ? value.join(", ") : value;
    };
    const toRequest = (): Request => {
      const headers = new Headers();
      for (let i = 0; i + 1 < rawHeaders.length; i += 2)
        headers.append(rawHeaders[i] ?? "", rawHeaders[i + 1] ?? "");
      const body = method === "POST" ? { body: new Uint8Array(bytes) } : {};
      return new Request(`${this.origin}${url}`, { method, headers, signal: request.signal, ...body });
    };
    const caller = request.caller ?? GUEST;
    const query = readQuery(route.query ?? {}, request.query);
    const body = route.body ? readJson(route.body, bytes) : {};
    if (route.isRecorded && caller.name) await recordRequest(this.#api.host.engine, route, params, body);
    const asked = { ...request, params, query, body, header, bytes, toRequest, caller };
    const answer = await route.handle(asked, { ...this.#api, origin: this.origin });
    return answer instanceof Response ? answer : json(answer);
  }
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

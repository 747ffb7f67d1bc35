import type { Catalog } from "@knack/core";
import type { ZodType } from "zod";
import type { Caller } from "../../host/access/caller.ts";
import type { Host } from "../../host/host.ts";
import type { McpEndpoint } from "../../mcp/transport/http-endpoint.ts";
import type { EventFeed } from "../event-feed.ts";
import type { AllClients } from "../home/all-clients.ts";
import type { AllQuestions } from "../home/all-questions.ts";
import type { LockCheck } from "../home/lock-check.ts";
import type { UseLog } from "../home/use-log.ts";
import type { IdempotentRuns } from "../idempotent-runs.ts";
import type { PlanRuns } from "../plan-runs.ts";

/** What every route can use. */
export interface Api {
  readonly host: Host;
  /** The current skills. Throws `SkillError` while the configuration is invalid. */
  catalog(): Promise<Catalog>;
  readonly events: EventFeed;
  readonly runs: IdempotentRuns;
  readonly plans: PlanRuns;
  /** Who is connected, in this process and in others. */
  readonly clients: AllClients;
  /** Questions of agents that wait for a person. */
  readonly questions: AllQuestions;
  /** What `/mcp` offers to a client. */
  readonly mcp: Pick<McpEndpoint, "offer">;
  /** The skills that differ from their locks. */
  readonly locks: LockCheck;
  /** What was used, from the log. */
  readonly use: UseLog;
  /** The address of the server, without a trailing slash. */
  readonly origin: string;
}

/** A request that passed the guards. */
interface Asked {
  /** The path parameters. */
  readonly params: Readonly<Record<string, string>>;
  readonly query: URLSearchParams;
  readonly header: (name: string) => string | undefined;
  /** The parsed body of a POST, an object. */
  readonly body: Readonly<Record<string, unknown>>;
  /** The body as raw bytes. */
  readonly bytes: Buffer;
  /** The body of an upload, piece by piece; throws `HttpError` where it is too large or ends too soon. */
  readonly upload: () => AsyncIterable<Buffer>;
  /** Aborted when the client disconnects or the server stops. */
  readonly signal: AbortSignal;
  /** Whose token the request has; null for the page's static files. */
  readonly caller: Caller | null;
}

export interface Parameter {
  readonly name: string;
  readonly in: "query" | "path" | "header";
  readonly description: string;
  readonly schema: ZodType;
  readonly required?: boolean;
}

/** One route with its description, so that every route is in the OpenAPI document. */
export interface Route {
  readonly method: "GET" | "POST" | "DELETE";
  /** `{name}` matches one segment, `{name...}` the rest of the path. */
  readonly path: string;
  readonly summary: string;
  readonly parameters?: readonly Parameter[];
  /** Changes something of which the log has no event of its own: the request itself is recorded, with the token's name. */
  readonly isRecorded?: true;
  /** Needs no token: a static file of the page. */
  readonly isOpen?: true;
  /** Schema of the body; makes the route a POST. */
  readonly body?: ZodType;
  /** The body is a file of any kind (application/octet-stream), which the route reads as it arrives. */
  readonly upload?: true;
  /** Schema of the answer; absent if the answer is not JSON. */
  readonly answer?: ZodType;
  /** The media type of an answer that is not JSON. */
  readonly type?: string;
  /** Statuses that only this route returns, besides 200. */
  readonly failures?: readonly number[];
  readonly handle: (asked: Asked, api: Api) => Promise<Response> | Response;
}

/** The route for a path with its parameters; `methods` lists the methods that the path supports. */
export function findRoute(
  routes: readonly Route[],
  method: string,
  segments: readonly string[],
): { readonly route?: Route; readonly params: Record<string, string>; readonly methods: readonly string[] } {
  const methods = new Set<string>();
  let found: { route: Route; params: Record<string, string> } | undefined;
  for (const route of routes) {
    const params = match(route.path, segments);
    if (!params) continue;
    methods.add(route.method);
    if (route.method === (method === "HEAD" ? "GET" : method)) found ??= { route, params };
  }
  return { params: {}, ...found, methods: [...methods] };
}

function match(path: string, segments: readonly string[]): Record<string, string> | undefined {
  const parts = path === "/" ? [] : path.slice(1).split("/");
  const params: Record<string, string> = Object.create(null);
  for (const [place, part] of parts.entries()) {
    const rest = /^\{(\w+)\.\.\.\}$/.exec(part)?.[1];
    if (rest !== undefined) {
      if (segments.length <= place) return undefined;
      params[rest] = segments.slice(place).join("/");
      return params;
    }
    const segment = segments[place];
    if (segment === undefined || segment.includes("/")) return undefined;
    const name = /^\{(\w+)\}$/.exec(part)?.[1];
    if (name !== undefined) params[name] = segment;
    else if (segment !== part) return undefined;
  }
  return parts.length === segments.length ? params : undefined;
}

/** A JSON answer. */
export function json(value: unknown, status = 200, headers: Readonly<Record<string, string>> = {}): Response {
  const bytes = Buffer.from(JSON.stringify(value));
  return new Response(bytes, {
    status,
    headers: {
      "Content-Type": "application/json; charset=utf-8",
      "Content-Length": String(bytes.length),
      ...headers,
    },
  });
}

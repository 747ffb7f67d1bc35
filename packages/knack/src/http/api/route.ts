import type { Catalog } from "@knack/core";
import type { ZodType } from "zod";
import type { Host } from "../../host/host.ts";
import type { EventFeed } from "../event-feed.ts";
import type { IdempotentRuns } from "../idempotent-runs.ts";

/** What the routes work with. */
export interface Api {
  readonly host: Host;
  /** The skills as they are now. Throws `SkillError` while the configuration is wrong. */
  catalog(): Promise<Catalog>;
  readonly events: EventFeed;
  readonly runs: IdempotentRuns;
  /** Where the server answers, without a slash at the end. */
  readonly origin: string;
}

/** A request that has passed the guards. */
interface Asked {
  /** The parts of the path that the route names. */
  readonly params: Readonly<Record<string, string>>;
  readonly query: URLSearchParams;
  readonly header: (name: string) => string | undefined;
  /** Of a POST: its body, an object. */
  readonly body: Readonly<Record<string, unknown>>;
  /** The same as it was sent. */
  readonly bytes: Buffer;
  /** Ends when the client has gone or the server ends. */
  readonly signal: AbortSignal;
}

export interface Parameter {
  readonly name: string;
  readonly in: "query" | "path" | "header";
  readonly description: string;
  readonly schema: ZodType;
  readonly required?: boolean;
}

/** One way to ask, with its description: what is not described cannot be asked. */
export interface Route {
  readonly method: "GET" | "POST";
  /** `{name}` is one part of the path, `{name...}` the rest of it. */
  readonly path: string;
  readonly summary: string;
  readonly parameters?: readonly Parameter[];
  /** It needs no token: a file of the page, the same for everyone. */
  readonly isOpen?: true;
  /** The shape of the body; then it is a POST. */
  readonly body?: ZodType;
  /** The shape of the answer; without one it is no JSON. */
  readonly answer?: ZodType;
  /** The media type of an answer that is no JSON. */
  readonly type?: string;
  /** The statuses beyond 200 that are this route's own. */
  readonly failures?: readonly number[];
  readonly handle: (asked: Asked, api: Api) => Promise<Response> | Response;
}

/** The route for a path, with what its names stand for; `methods` has those that the path knows. */
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

/** An answer in JSON. */
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

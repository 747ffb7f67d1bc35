import type { Catalog } from "@knack/core";
import type { Role } from "@knack/engine";
import type * as z from "zod";
import type { Caller } from "../../host/access.ts";
import type { Host } from "../../host/host.ts";
import type { McpEndpoint } from "../../mcp/http-endpoint.ts";
import type { EventFeed } from "../event-feed.ts";
import type { Agents } from "../home/agents.ts";
import type { lockCheck } from "../home/lock-check.ts";
import type { RecentUse } from "../home/use-log.ts";
import type { PlanRuns } from "../plan-runs.ts";
import type { SkillRuns } from "../skill-runs.ts";

export interface Api {
  readonly host: Host;
  /** The current skills. Throws `KnackError` while the configuration is invalid. */
  catalog(): Promise<Catalog>;
  /** The same with what waits for trust: for the owner alone. */
  allSkills(): Promise<Catalog>;
  readonly events: EventFeed;
  readonly runs: SkillRuns;
  readonly plans: PlanRuns;
  /** Who is connected, and which questions wait for a person, in this process and in others. */
  readonly agents: Agents;
  readonly mcp: McpEndpoint;
  readonly changedSkills: ReturnType<typeof lockCheck>;
  readonly recentUse: RecentUse;
  /** The address of the server, without a trailing slash. */
  readonly origin: string;
}

type Method = "GET" | "POST" | "DELETE";
type RouteName = `${Method} /${string}`;
type Fields = Readonly<Record<string, z.ZodType>>;

/** `{name}` matches one segment of a path, `{path}` all that is left. */
export type PathParams<N extends string> = N extends `${string}{${infer P}}${infer Rest}`
  ? { readonly [K in P]: string } & PathParams<Rest>
  : unknown;
type QueryOf<Q extends Fields> = { readonly [K in keyof Q]: z.output<Q[K]> };

interface Asked<N extends string, Q extends Fields, B extends z.ZodType> {
  readonly params: PathParams<N>;
  readonly query: QueryOf<Q>;
  readonly body: z.output<B>;
  readonly header: (name: string) => string | undefined;
  /** The request as the web's own type, for who reads it differently. */
  readonly toRequest: () => Request;
  /** The body of an upload, piece by piece; throws `KnackError` where it is too large or ends too soon. */
  readonly upload: () => AsyncIterable<Buffer>;
  readonly signal: AbortSignal;
  readonly caller: Caller;
}

/** What a handler returns for a schema: the same with lists and objects that nobody may change. */
type Sent<T> = T extends readonly (infer One)[]
  ? readonly Sent<One>[]
  : T extends object
    ? string extends keyof T
      ? object
      : { readonly [K in keyof T]: Sent<T[K]> }
    : T;
type Answered<A extends z.ZodType> = Sent<z.input<A>> | Response;

interface Row<N extends string, Q extends Fields, B extends z.ZodType, A extends z.ZodType> {
  readonly summary: string;
  /** What the route takes after `?`; what it does not name is ignored. Each field describes itself. */
  readonly query?: Q;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: B;
  /** The body is a file of any kind (application/octet-stream), which the route reads as it arrives. */
  readonly upload?: true;
  /** Absent if the answer is not JSON: then `type` is its media type. */
  readonly answer?: A;
  readonly type?: string;
  /** Statuses that only this route returns, besides 200 and those that its path says. */
  readonly failures?: readonly number[];
  /** Changes something of which the log has no event of its own: the request itself is recorded, with the token's name. */
  readonly isRecorded?: true;
  /** Needs no token: a static file of the page. */
  readonly isOpen?: true;
  handle(asked: Asked<N, Q, B>, api: Api): Promise<Answered<A>> | Answered<A>;
}

export interface Route<
  N extends string = string,
  Q extends Fields = Fields,
  B extends z.ZodType = z.ZodType,
  A extends z.ZodType = z.ZodType,
> extends Row<N, Q, B, A> {
  readonly name: N;
  readonly method: Method;
  readonly path: string;
  /** A reader reads, a runner also runs, an approver also confirms and attaches evidence, an owner may do everything. */
  readonly role: Role;
}

export function route<
  const N extends RouteName,
  Q extends Fields = Record<never, never>,
  B extends z.ZodType = z.ZodNever,
  A extends z.ZodType = z.ZodNever,
>(name: N, role: Role, row: Row<N, Q, B, A>): Route<N, Q, B, A> {
  const [method, path] = name.split(" ") as [Method, string];
  return { ...row, name, method, path, role };
}

import { bearer, noteStatus } from "./access.ts";
import type { paths } from "./api.d.ts";

/** Typed requests: paths, parameters, bodies and answers are those of the server's own description. */

type Method = "get" | "post" | "delete";
type Operation<P extends keyof paths, M extends Method> = paths[P] extends Record<M, infer O> ? O : never;
type PathsWith<M extends Method> = {
  [P in keyof paths]: paths[P] extends Record<M, object> ? P : never;
}[keyof paths];

export type GetPath = PathsWith<"get">;
type PostPath = PathsWith<"post">;
type DeletePath = PathsWith<"delete">;

type AnswerOf<O> = O extends { responses: { 200: { content: { "application/json": infer A } } } } ? A : never;
type BodyOf<O> = O extends { requestBody: { content: { "application/json": infer B } } } ? B : never;
type Defined<T> = T extends undefined ? never : T;
type PartOf<O, K extends "path" | "query"> = O extends { parameters: { [one in K]?: infer V } }
  ? Defined<V>
  : never;
/** Required only where the path has parameters. */
type PathPart<O> = [PartOf<O, "path">] extends [never]
  ? { readonly path?: never }
  : { readonly path: PartOf<O, "path"> };
type QueryPart<O> = [PartOf<O, "query">] extends [never]
  ? { readonly query?: never }
  : { readonly query?: Partial<PartOf<O, "query">> };

export type Params<P extends GetPath> = PathPart<Operation<P, "get">> & QueryPart<Operation<P, "get">>;
export type Answer<P extends GetPath> = AnswerOf<Operation<P, "get">>;
type PostParams<P extends PostPath> = PathPart<Operation<P, "post">> & QueryPart<Operation<P, "post">>;
export type PostAnswer<P extends PostPath> = AnswerOf<Operation<P, "post">>;

/** What the server says when it refuses; `status` 0: it did not answer at all. */
export class ApiError extends Error {
  readonly status: number;
  readonly code: string;
  readonly candidates: readonly string[];

  constructor(status: number, code: string, message: string, candidates: readonly string[] = []) {
    super(message);
    this.status = status;
    this.code = code;
    this.candidates = candidates;
  }
}

interface Given {
  readonly path?: Readonly<Record<string, unknown>> | undefined;
  readonly query?: Readonly<Record<string, unknown>> | undefined;
}

/** The address of a request; parts that are undefined are left out. */
export function urlOf(path: string, { path: parts = {}, query = {} }: Given = {}): string {
  const filled = path.replace(/\{(\w+)\}/g, (_whole, name: string) => {
    const segments = String(parts[name] ?? "").split("/");
    // A file's path keeps its slashes; an id has none.
    return (name === "path" ? segments : [segments.join("/")]).map(encodeURIComponent).join("/");
  });
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query))
    for (const one of Array.isArray(value) ? value : [value])
      if (one !== undefined && one !== null) search.append(name, String(one));
  const text = search.toString();
  return text === "" ? filled : `${filled}?${text}`;
}

export async function get<P extends GetPath>(
  path: P,
  ...[params, options]: Params<P> extends { path: object }
    ? [params: Params<P>, options?: { signal?: AbortSignal }]
    : [params?: Params<P>, options?: { signal?: AbortSignal }]
): Promise<Answer<P>> {
  return getUrl<Answer<P>>(urlOf(path, params as Given), options?.signal);
}

/** Like `get`, for an address that `urlOf` made. */
export async function getUrl<T>(url: string, signal?: AbortSignal): Promise<T> {
  return (await (await request(url, signal ? { signal } : {})).json()) as T;
}

export async function post<P extends PostPath>(
  path: P,
  body: BodyOf<Operation<P, "post">>,
  params?: PostParams<P> & { readonly headers?: Readonly<Record<string, string>> },
): Promise<PostAnswer<P>> {
  const response = await request(urlOf(path, params as Given), {
    method: "POST",
    body: JSON.stringify(body ?? {}),
    headers: { "Content-Type": "application/json", ...params?.headers },
  });
  return (await response.json()) as PostAnswer<P>;
}

export async function remove<P extends DeletePath>(
  path: P,
  params: PathPart<Operation<P, "delete">>,
): Promise<void> {
  await request(urlOf(path, params as Given), { method: "DELETE" });
}

/** Any request with the token, for what is not JSON: files, streams. Throws `ApiError` unless it succeeds. */
export async function request(url: string, init: RequestInit = {}): Promise<Response> {
  let response: Response;
  try {
    response = await fetch(url, { ...init, headers: { ...bearer(), ...init.headers } });
  } catch (error) {
    if (init.signal?.aborted) throw error;
    throw new ApiError(0, "UNREACHABLE", 'The server does not answer. Start it again with "knack serve".');
  }
  noteStatus(response.status);
  if (response.ok) return response;
  throw await failureOf(response);
}

async function failureOf(response: Response): Promise<ApiError> {
  const { status } = response;
  try {
    const { error } = await response.json();
    return new ApiError(status, String(error.code), String(error.message), error.candidates ?? []);
  } catch {
    // Not our server: something between it and the page answered.
    return new ApiError(status, "INTERNAL_ERROR", `The server answered with status ${status}.`);
  }
}

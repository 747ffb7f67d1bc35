import { signal } from "@preact/signals";
import type { ApiTypes } from "../../../knack/src/http/api/routes.ts";

/**
 * The token of this tab. It comes in the fragment of the link, which browsers send to nobody, and leaves the address bar at
 * once, so that it is in no history, bookmark or screenshot. sessionStorage ends with the tab and makes a reload work.
 */

const KEY = "knack-token";

/** Whether the server takes our token; "unknown" until it has answered. */
export const access = signal<"missing" | "unknown" | "accepted" | "refused">("missing");

let token = "";

export function takeToken(): void {
  const given = new URLSearchParams(location.hash.slice(1)).get("token");
  if (given) {
    sessionStorage.setItem(KEY, given);
    history.replaceState(history.state, "", location.pathname + location.search);
  }
  token = given ?? sessionStorage.getItem(KEY) ?? "";
  access.value = token === "" ? "missing" : "unknown";
}

/** A token that somebody typed; the page then starts anew. */
export function enterToken(text: string): void {
  sessionStorage.setItem(KEY, text);
  location.reload();
}

/** Typed requests: paths, parameters, bodies and answers are those of the server's own routes. */

type PathsWith<M extends string> = keyof {
  [N in keyof ApiTypes as N extends `${M} ${infer P}` ? P : never]: true;
};
type Row<M extends string, P extends string> = ApiTypes[`${M} ${P}` & keyof ApiTypes];

export type GetPath = PathsWith<"GET">;
type PostPath = PathsWith<"POST">;
type DeletePath = PathsWith<"DELETE">;

/** Required only where the path has parameters. */
type PathPart<P> = P extends `${string}{${string}`
  ? { readonly path: PathParams<P> }
  : { readonly path?: never };
type PathParams<P> = P extends `${string}{${infer Name}}${infer Rest}`
  ? { readonly [K in Name]: string } & PathParams<Rest>
  : unknown;

export type Params<P extends GetPath> = PathPart<P> & { readonly query?: Row<"GET", P>["query"] };
export type Answer<P extends GetPath> = Row<"GET", P>["answer"];
type PostParams<P extends PostPath> = PathPart<P> & { readonly query?: Row<"POST", P>["query"] };
export type PostAnswer<P extends PostPath> = Row<"POST", P>["answer"];

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
  ...[params]: Params<P> extends { path: object } ? [params: Params<P>] : [params?: Params<P>]
): Promise<Answer<P>> {
  return getUrl<Answer<P>>(urlOf(path, params as Given));
}

/** Like `get`, for an address that `urlOf` made. */
export async function getUrl<T>(url: string, signal?: AbortSignal): Promise<T> {
  const text = await (await request(url, { signal })).text();
  // What a run was given is given again as it was.
  return JSON.parse(text, url.startsWith("/api/runs") ? undefined : visible) as T;
}

const CONTROL = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f]/g;

/**
 * For `JSON.parse`: whatever the page shows, puts into a title or copies has no raw control character. A skill's text is a
 * stranger's, and what is copied here may be pasted into a terminal.
 */
export function visible(_key: string, value: unknown): unknown {
  if (typeof value !== "string" || value.search(CONTROL) < 0) return value;
  return value.replace(CONTROL, (one) => `\\x${one.charCodeAt(0).toString(16).padStart(2, "0")}`);
}

export async function post<P extends PostPath>(
  path: P,
  body: Row<"POST", P>["body"],
  params?: PostParams<P> & { readonly headers?: Readonly<Record<string, string>> },
): Promise<PostAnswer<P>> {
  const response = await request(urlOf(path, params as Given), {
    method: "POST",
    body: JSON.stringify(body ?? {}),
    headers: { "Content-Type": "application/json", ...params?.headers },
  });
  return JSON.parse(await response.text(), visible) as PostAnswer<P>;
}

export async function sendDelete<P extends DeletePath>(path: P, params: PathPart<P>): Promise<void> {
  await request(urlOf(path, params as Given), { method: "DELETE" });
}

/** Any request with the token, for what is not JSON: files, streams. Throws `ApiError` unless it succeeds. */
export async function request(url: string, init: RequestInit = {}): Promise<Response> {
  let response: Response;
  try {
    response = await fetch(url, { ...init, headers: { Authorization: `Bearer ${token}`, ...init.headers } });
  } catch (error) {
    if (init.signal?.aborted) throw error;
    throw new ApiError(0, "UNREACHABLE", 'The server does not answer. Start it again with "knack serve".');
  }
  access.value = response.status === 401 ? "refused" : "accepted";
  if (response.status === 401) sessionStorage.removeItem(KEY);
  if (response.ok) return response;
  throw await failureOf(response);
}

async function failureOf(response: Response): Promise<ApiError> {
  const { status } = response;
  try {
    const { error } = JSON.parse(await response.text(), visible);
    return new ApiError(status, String(error.code), String(error.message), error.candidates ?? []);
  } catch {
    // Not our server: something between it and the page answered.
    return new ApiError(status, "INTERNAL_ERROR", `The server answered with status ${status}.`);
  }
}

/** The bytes at an address, which needs the token and so cannot be the source of a picture or link. */
export async function fetchBlob(url: string, signal?: AbortSignal): Promise<Blob> {
  return (await request(url, { signal })).blob();
}

export async function saveFile(url: string, name: string): Promise<void> {
  const address = URL.createObjectURL(await fetchBlob(url));
  const link = document.createElement("a");
  link.href = address;
  link.download = name;
  link.click();
  // The browser has begun to save it by then.
  setTimeout(() => URL.revokeObjectURL(address), 60_000);
}

/** Whatever was thrown, as the one error of this page. */
export function toApiError(error: unknown): ApiError {
  if (error instanceof ApiError) return error;
  return new ApiError(0, "INTERNAL_ERROR", error instanceof Error ? error.message : String(error));
}

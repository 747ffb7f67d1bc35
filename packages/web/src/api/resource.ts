import { useEffect, useReducer, useRef } from "preact/hooks";
import { type Answer, ApiError, type GetPath, getUrl, type Params, urlOf } from "./client.ts";
import { connection, onEvent } from "./events.ts";

/** Data of the API as a view needs it. Old data stay while new ones load, and when the server is gone. */
export interface Resource<T> {
  readonly data: T | undefined;
  readonly error: ApiError | undefined;
  readonly isLoading: boolean;
  /** When the data came. */
  readonly at: Date | undefined;
  readonly reload: () => void;
}

export interface ResourceOptions {
  /** Events that make the data old. All reload when the connection is back. */
  readonly reloadOn?: readonly ("catalog" | "log" | "runs" | "clients" | "questions")[];
  /** Shows the data of the previous address until those of the new one are there. */
  readonly keepPrevious?: boolean;
  /** Loads it again this often while somebody looks: for what has no events. */
  readonly everyMs?: number;
}

const GONE = new ApiError(0, "UNREACHABLE", 'The server does not answer. Start it again with "knack serve".');

interface Loaded {
  readonly data: unknown;
  readonly at: Date;
}

/** Answers by address, so that going back shows a page at once. */
const cache = new Map<string, Loaded>();
const MAX_CACHED = 60;
/** Events come in bursts. */
const BURST_MS = 250;

/** Loads a path of the API, again on events; `null` loads nothing. */
export function useResource<P extends GetPath>(
  path: P | null,
  params?: Params<P>,
  { reloadOn = [], keepPrevious = false, everyMs }: ResourceOptions = {},
): Resource<Answer<P>> {
  const url = path === null ? null : urlOf(path, params as Parameters<typeof urlOf>[1]);
  const [, redraw] = useReducer((count: number) => count + 1, 0);
  const [turn, reload] = useReducer((count: number) => count + 1, 0);
  const state = useRef<{ url: string | null; loaded?: Loaded; error?: ApiError; isLoading: boolean }>(null);
  if (state.current === null || state.current.url !== url) {
    const loaded = cache.get(url ?? "") ?? (keepPrevious ? state.current?.loaded : undefined);
    state.current = { url, isLoading: url !== null, ...(loaded ? { loaded } : {}) };
  }

  const isBusy = useRef(false);
  useEffect(() => {
    if (url === null) return;
    const stop = new AbortController();
    const own = state.current;
    isBusy.current = true;
    const finish = (next: { loaded?: Loaded; error?: ApiError }): void => {
      if (stop.signal.aborted || state.current !== own || !own) return;
      isBusy.current = false;
      delete own.error;
      Object.assign(own, next, { isLoading: false });
      redraw(0 as never);
    };
    getUrl(url, stop.signal).then(
      (data) => finish({ loaded: keep(url, { data, at: new Date() }) }),
      (error: unknown) => finish({ error: toApiError(error) }),
    );
    return () => stop.abort();
  }, [url, turn]);

  useEffect(() => {
    if (everyMs === undefined) return;
    const timer = setInterval(() => {
      // What the server refused it refuses again; one request at a time, so that a slow answer arrives.
      const isRefused = (state.current?.error?.status ?? 0) >= 400;
      const isSeen = document.visibilityState === "visible" && connection.peek().state === "live";
      if (isSeen && !isBusy.current && !isRefused) reload(0 as never);
    }, everyMs);
    return () => clearInterval(timer);
  }, [everyMs]);

  const types = ["returned", ...reloadOn].join(" ");
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const later = (): void => {
      timer ??= setTimeout(() => {
        timer = undefined;
        reload(0 as never);
      }, BURST_MS);
    };
    const stops = types.split(" ").map((type) => onEvent(type, later));
    return () => {
      clearTimeout(timer);
      for (const stop of stops) stop();
    };
  }, [types]);

  const { loaded, error, isLoading } = state.current;
  // Without a connection nobody says when the data become old.
  const isGone = connection.value.state === "gone" && loaded !== undefined;
  return {
    data: loaded?.data as Answer<P> | undefined,
    error: error ?? (isGone ? GONE : undefined),
    isLoading,
    at: loaded?.at,
    reload: () => reload(0 as never),
  };
}

function keep(url: string, loaded: Loaded): Loaded {
  cache.delete(url);
  cache.set(url, loaded);
  const [oldest] = cache.keys();
  if (cache.size > MAX_CACHED && oldest !== undefined) cache.delete(oldest);
  return loaded;
}

function toApiError(error: unknown): ApiError {
  if (error instanceof ApiError) return error;
  return new ApiError(0, "INTERNAL_ERROR", error instanceof Error ? error.message : String(error));
}

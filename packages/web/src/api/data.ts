import { useEffect, useMemo, useReducer, useRef, useState } from "preact/hooks";
import {
  type Answer,
  type ApiError,
  type GetPath,
  get,
  getUrl,
  type Params,
  toApiError,
  urlOf,
} from "./client.ts";
import { connection, onEvent } from "./events.ts";

/** Data of the API as a view needs it. Old data stay while new ones load, and when the server is gone. */
export interface Resource<T> {
  readonly data: T | undefined;
  readonly error: ApiError | undefined;
  /** Whether the data are those of the previous address. */
  readonly isPrevious: boolean;
  readonly at: Date | undefined;
  readonly reload: () => void;
}

interface ResourceOptions {
  /** Events that make the data old: a change of the skills, if nothing else is said. All reload when the connection is back. */
  readonly reloadOn?: readonly ("catalog" | "log" | "runs" | "clients" | "questions" | "plans" | "locks")[];
  /** Shows the data of the previous address until those of the new one are there. */
  readonly keepPrevious?: boolean;
  /** Loads it again this often while somebody looks: for what has no events. */
  readonly everyMs?: number;
}

/** Events come in bursts. */
const BURST_MS = 250;
const MAX_CACHED = 60;

interface Loaded {
  readonly data: unknown;
  readonly at: Date;
}

/** The answer of one address, shared by all views that show it, with at most one request in flight. */
export class SharedAnswer {
  loaded: Loaded | undefined;
  error: ApiError | undefined;
  readonly #url: string;
  readonly #views = new Set<() => void>();
  #request: AbortController | undefined;
  /** Whether the answer that is on its way may be older than what made the data old. */
  #isOld = false;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(url: string) {
    this.#url = url;
  }

  get isUsed(): boolean {
    return this.#views.size > 0;
  }

  get isBusy(): boolean {
    return this.#request !== undefined;
  }

  /** Shows each change in a view; what nobody shows any more is not loaded to its end. */
  join(redraw: () => void): () => void {
    // What another view shows is kept up to date for it.
    const isCurrent = this.isUsed && this.loaded !== undefined && this.error === undefined;
    this.#views.add(redraw);
    // The answer may have come after the view was drawn and before it joined.
    if (isCurrent) redraw();
    else if (!this.isBusy) this.load();
    return () => {
      this.#views.delete(redraw);
      if (this.isUsed) return;
      this.#request?.abort();
      this.#request = undefined;
      clearTimeout(this.#timer);
      this.#timer = undefined;
    };
  }

  /** Asks anew; if a request is on its way, after its answer: on a slow server, events would end each before it is answered. */
  load(): void {
    this.#isOld = this.isBusy;
    if (this.isBusy) return;
    const own = new AbortController();
    this.#request = own;
    const finish = (next: { loaded?: Loaded; error?: ApiError }): void => {
      if (this.#request !== own) return;
      this.#request = undefined;
      this.error = next.error;
      this.loaded = next.loaded ?? this.loaded;
      for (const redraw of this.#views) redraw();
      if (this.#isOld) this.load();
    };
    getUrl(this.#url, own.signal).then(
      (data) => finish({ loaded: { data, at: new Date() } }),
      (error: unknown) => finish({ error: toApiError(error) }),
    );
  }

  loadSoon(): void {
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined;
      this.load();
    }, BURST_MS);
  }
}

/** By address, so that going back shows a page at once. */
const sources = new Map<string, SharedAnswer>();

function sourceOf(url: string): SharedAnswer {
  const source = sources.get(url) ?? new SharedAnswer(url);
  sources.delete(url);
  sources.set(url, source);
  for (const [old, { isUsed }] of sources)
    if (sources.size > MAX_CACHED && !isUsed && old !== url) sources.delete(old);
  return source;
}

/** Loads a path of the API, again on events; `null` loads nothing. */
export function useResource<P extends GetPath>(
  path: P | null,
  params?: Params<P>,
  { reloadOn = ["catalog"], keepPrevious = false, everyMs }: ResourceOptions = {},
): Resource<Answer<P>> {
  const url = path === null ? null : urlOf(path, params as Parameters<typeof urlOf>[1]);
  const [, redraw] = useReducer<number, void>((count) => count + 1, 0);
  const source = useMemo(() => (url === null ? undefined : sourceOf(url)), [url]);
  const previous = useRef<Loaded>(undefined);
  const loaded = source?.loaded ?? (keepPrevious ? previous.current : undefined);
  previous.current = loaded;

  useEffect(() => source?.join(redraw), [source]);
  useEffect(() => {
    if (everyMs === undefined || !source) return;
    const timer = setInterval(() => {
      // What the server refused it refuses again; one request at a time, so that a slow answer arrives.
      const isRefused = (source.error?.status ?? 0) >= 400;
      const isSeen = document.visibilityState === "visible" && connection.peek().state === "live";
      if (isSeen && !source.isBusy && !isRefused) source.load();
    }, everyMs);
    return () => clearInterval(timer);
  }, [source, everyMs]);
  const types = ["returned", ...reloadOn].join(" ");
  useEffect(() => {
    const stops = types.split(" ").map((type) => onEvent(type, () => source?.loadSoon()));
    return () => {
      for (const stop of stops) stop();
    };
  }, [source, types]);

  return {
    data: loaded?.data as Answer<P> | undefined,
    error: source?.error,
    isPrevious: loaded !== source?.loaded,
    at: loaded?.at,
    reload: () => source?.load(),
  };
}

interface Paged {
  readonly next_cursor: string | null;
}

export interface Pages<T, A = unknown> {
  readonly items: readonly T[];
  /** The first page, which is renewed by events. */
  readonly first: Resource<A>;
  readonly hasMore: boolean;
  readonly error: ApiError | undefined;
  readonly more: () => void;
}

/**
 * All pages of a list that were loaded so far. Events renew the first page only: newer items are put before those that are
 * there. If the first page has nothing in common with the rest any more, the rest is loaded again.
 */
export function usePages<P extends GetPath, T>(
  path: P,
  params: Params<P>,
  itemsOf: (answer: Answer<P>) => readonly T[],
  keyOf: (item: T) => string,
  options: ResourceOptions = {},
): Pages<T, Answer<P>> {
  const first = useResource(path, params, { keepPrevious: true, ...options });
  const of = JSON.stringify(params);
  const [rest, setRest] = useState<{ of: string; items: readonly T[]; next: string | null | undefined }>();
  const [loading, setLoading] = useState<string>();
  const [error, setError] = useState<ApiError>();
  const own = rest?.of === of ? rest : undefined;
  const head = first.data ? itemsOf(first.data) : [];
  const firstNext = (first.data as Paged | undefined)?.next_cursor ?? null;
  const next = own?.next === undefined ? firstNext : own.next;

  const items = useMemo(() => {
    const known = new Set(head.map(keyOf));
    return [...head, ...(own?.items ?? []).filter((item) => !known.has(keyOf(item)))];
  }, [first.data, own?.items]);

  // Items that left the first page because newer ones came stay in the list.
  useEffect(() => {
    if (!own || own.items.length === 0 || firstNext === null) return;
    const known = new Set(head.map(keyOf));
    if (own.items.some((item) => known.has(keyOf(item)))) return;
    setRest({ of, items: [], next: undefined });
  }, [first.data]);

  const more = (): void => {
    if (next === null || loading === next) return;
    setLoading(next);
    const before = own?.items ?? [];
    get(path, { ...params, query: { ...params.query, cursor: next } } as never)
      .then(
        (answer: Answer<P>) => {
          setError(undefined);
          // The first page is kept too: it overlaps with its own next version.
          setRest({
            of,
            items: [...(before.length === 0 ? head : before), ...itemsOf(answer)],
            next: (answer as Paged).next_cursor,
          });
        },
        (failure: unknown) => setError(toApiError(failure)),
      )
      .finally(() => setLoading(undefined));
  };
  return { items, first, hasMore: next !== null, error, more };
}

import { useEffect, useMemo, useState } from "preact/hooks";
import { type Answer, ApiError, type GetPath, get, type Params } from "./client.ts";
import { type Resource, type ResourceOptions, useResource } from "./resource.ts";

/** A list that comes in pages. */
interface Paged {
  readonly next_cursor: string | null;
}

export interface Pages<T, A> {
  readonly items: readonly T[];
  /** The first page, which is renewed by events. */
  readonly first: Resource<A>;
  readonly hasMore: boolean;
  readonly error: ApiError | undefined;
  /** Loads the next page, once. */
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
    const known = new Set(items.slice(0, head.length).map(keyOf));
    if (own.items.some((item) => known.has(keyOf(item)))) return;
    setRest({ of, items: [], next: undefined });
  }, [first.data]);

  const more = (): void => {
    if (next === null || loading === next) return;
    setLoading(next);
    const before = own?.items ?? [];
    get(path, { ...params, query: { ...params.query, cursor: next } } as never).then(
      (answer: Answer<P>) => {
        setError(undefined);
        setLoading(undefined);
        // The first page is kept too: it overlaps with its own next version.
        setRest({
          of,
          items: [...(before.length === 0 ? head : before), ...itemsOf(answer)],
          next: (answer as Paged).next_cursor,
        });
      },
      (failure: unknown) => {
        setLoading(undefined);
        setError(failure instanceof ApiError ? failure : new ApiError(0, "INTERNAL_ERROR", String(failure)));
      },
    );
  };
  return { items, first, hasMore: next !== null, error, more };
}

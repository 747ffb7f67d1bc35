import { useEffect, useReducer, useRef } from "preact/hooks";
import { type Answer, ApiError, getUrl, type Params, urlOf } from "../../api/client.ts";
import { onEvent } from "../../api/events.ts";
import type { SkillRow } from "../../parts/skill.tsx";

type Page = Answer<"/api/skills">;
export type ListQuery = NonNullable<Params<"/api/skills">["query"]>;

/** What is known of a list of any length: the windows that were looked at. */
interface SkillList {
  readonly head: Page | undefined;
  readonly rows: readonly (SkillRow | undefined)[];
  /** Whether the rows are those of an earlier query, until the new ones come. */
  readonly isOld: boolean;
  readonly error: ApiError | undefined;
  readonly at: Date | undefined;
  /** Loads what these rows need. */
  readonly need: (first: number, last: number) => void;
  readonly reload: () => void;
}

interface State {
  readonly key: string;
  readonly head: Page;
  rows: (SkillRow | undefined)[];
  at: Date;
}

const WINDOW = 100;
/** By query, so that going back shows the list at once. */
const cache = new Map<string, State>();
const MAX_CACHED = 8;

/** The skills that a query and filters mean, loaded by windows as they come into view. A new query ends the old requests. */
export function useSkillList(query: ListQuery): SkillList {
  const key = urlOf("/api/skills", { query });
  const [turn, reload] = useReducer((count: number) => count + 1, 0);
  const [, redraw] = useReducer((count: number) => count + 1, 0);
  const shown = useRef<State | undefined>(undefined);
  const error = useRef<ApiError | undefined>(undefined);
  const loading = useRef(new Map<number, AbortController>());
  const range = useRef({ first: 0, last: 0 });
  const cached = cache.get(key);
  if (cached && shown.current?.key !== key) shown.current = cached;

  const load = (window: number, isFresh: boolean): void => {
    const stop = new AbortController();
    loading.current.get(window)?.abort();
    loading.current.set(window, stop);
    const url = urlOf("/api/skills", {
      query: { ...query, all: true, offset: window * WINDOW, limit: WINDOW },
    });
    getUrl<Page>(url, stop.signal)
      .then((page) => {
        error.current = undefined;
        shown.current = keep(merge(isFresh ? undefined : shown.current, key, page));
      })
      .catch((failure: unknown) => {
        if (!stop.signal.aborted && failure instanceof ApiError) error.current = failure;
      })
      .finally(() => {
        if (stop.signal.aborted) return;
        loading.current.delete(window);
        redraw(0 as never);
      });
  };

  useEffect(() => {
    const { current } = loading;
    // After an event the windows in view are loaded again; a new query begins at its top.
    const isSame = shown.current?.key === key;
    const window = isSame ? Math.floor(range.current.first / WINDOW) : 0;
    load(window, true);
    return () => {
      for (const stop of current.values()) stop.abort();
      current.clear();
    };
  }, [key, turn]);

  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const later = (): void => {
      timer ??= setTimeout(() => {
        timer = undefined;
        reload(0 as never);
      }, 250);
    };
    const stops = ["catalog", "returned"].map((type) => onEvent(type, later));
    return () => {
      clearTimeout(timer);
      for (const stop of stops) stop();
    };
  }, []);

  const need = (first: number, last: number): void => {
    range.current = { first, last };
    const state = shown.current;
    if (!state || state.key !== key) return;
    const [from, to] = [Math.floor(first / WINDOW), Math.floor(last / WINDOW)];
    for (const [window, stop] of loading.current) {
      if (window >= from - 1 && window <= to + 1) continue;
      stop.abort();
      loading.current.delete(window);
    }
    for (let window = from; window <= to; window++)
      if (
        state.rows[window * WINDOW] === undefined &&
        window * WINDOW < state.rows.length &&
        !loading.current.has(window)
      )
        load(window, false);
  };

  const state = shown.current;
  return {
    head: state?.head,
    rows: state?.rows ?? [],
    isOld: state !== undefined && state.key !== key,
    error: error.current,
    at: state?.at,
    need,
    reload: () => reload(0 as never),
  };
}

function merge(before: State | undefined, key: string, page: Page): State {
  const isSame =
    before?.key === key &&
    before.head.snapshot_version === page.snapshot_version &&
    before.head.total === page.total;
  const rows = isSame ? [...before.rows] : new Array<SkillRow | undefined>(page.total).fill(undefined);
  for (const [place, row] of page.skills.entries()) rows[page.offset + place] = row;
  return { key, head: page, rows, at: new Date() };
}

function keep(state: State): State {
  cache.delete(state.key);
  cache.set(state.key, state);
  const [oldest] = cache.keys();
  if (cache.size > MAX_CACHED && oldest !== undefined) cache.delete(oldest);
  return state;
}

/** A row of the list: a skill, one that is not loaded yet, or a heading. */
export interface Item {
  readonly key: string;
  readonly row?: SkillRow | undefined;
  readonly heading?: string;
}

const HEADINGS: Readonly<Record<SkillRow["group"], string>> = {
  all: "",
  fits: "",
  nearly: "Nearly: an agent is told that these do not quite fit",
  inactive: "Not active",
};

/** The rows of a search with a heading where what fits ends, and where the inactive skills begin. */
export function itemsOf(rows: readonly (SkillRow | undefined)[], fitting: number): Item[] {
  const items: Item[] = [];
  let group: SkillRow["group"] | undefined;
  for (const [place, row] of rows.entries()) {
    if (row && row.group !== group) {
      group = row.group;
      const heading = group === "nearly" && fitting === 0 ? "Nothing fits. The nearest:" : HEADINGS[group];
      if (heading !== "") items.push({ key: `heading ${group}`, heading });
    }
    items.push({ key: row?.id ?? `row ${place}`, row });
  }
  return items;
}

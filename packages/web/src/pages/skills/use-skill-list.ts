import { useMemo, useRef, useState } from "preact/hooks";
import type { Answer, Params } from "../../api/client.ts";
import { type Resource, useResource } from "../../api/data.ts";
import type { SkillRow } from "../../parts/skill.tsx";

type Page = Answer<"/api/skills">;
export type ListQuery = NonNullable<Params<"/api/skills">["query"]>;

const WINDOW = 100;

/**
 * The skills that a query and filters mean. Of a list of any length only the one or two windows in view are loaded; the other rows
 * are undefined. `head` is the answer that says how many there are.
 */
export function useSkillList(query: ListQuery) {
  const [[from, to], setWindows] = useState<readonly [number, number]>([0, 0]);
  const key = JSON.stringify(query);
  const paramsOf = (window: number) => ({
    query: { ...query, all: true, offset: window * WINDOW, limit: WINDOW },
  });
  const options = { keepPrevious: true } as const;
  const head = useResource("/api/skills", paramsOf(from), options);
  const next = useResource("/api/skills", paramsOf(to), options);
  const known = useRef<Known>({ of: "", rows: [] });
  known.current = useMemo(
    () => [next, head].reduce((all, page) => withPage(all, key, page), known.current),
    [key, head.data, next.data, head.isPrevious, next.isPrevious],
  );
  return {
    head,
    rows: known.current.rows,
    need: (first: number, last: number): void => {
      const [start, end] = [Math.floor(first / WINDOW), Math.floor(last / WINDOW)];
      if (start !== from || end !== to) setWindows([start, end]);
    },
    reload: (): void => {
      head.reload();
      if (to !== from) next.reload();
    },
  };
}

/** The rows that were loaded so far of one query, in one snapshot. */
interface Known {
  readonly of: string;
  readonly rows: readonly (SkillRow | undefined)[];
}

function withPage(before: Known, key: string, { data, isPrevious }: Resource<Page>): Known {
  if (!data || isPrevious) return before;
  const { snapshot_version, total, offset, skills } = data;
  const of = `${snapshot_version} ${total} ${key}`;
  const rows = before.of === of ? [...before.rows] : new Array<SkillRow | undefined>(total).fill(undefined);
  for (const [place, row] of skills.entries()) rows[offset + place] = row;
  return { of, rows };
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

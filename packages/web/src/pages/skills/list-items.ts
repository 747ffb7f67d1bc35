import type { SkillRow } from "../../parts/skill/skill-words.ts";

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

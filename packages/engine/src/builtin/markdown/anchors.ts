import type { Outline } from "./outline.ts";

export interface Anchors {
  readonly ids: ReadonlySet<string>;
  /** Ids that are given more than once by hand, at the later place. */
  readonly duplicates: readonly { readonly id: string; readonly line: number }[];
}

const ID = /<[a-z][^<>]*?\s(?:id|name)\s*=\s*(?:"([^"<>]*)"|'([^'<>]*)'|([^\s"'<>]+))/gi;

/** What `#…` can point to: headings, named as code hosts name them, and ids written by hand. */
export function anchorsOf({ headings, prose }: Outline, firstLine: number): Anchors {
  const ids = new Set<string>();
  const counts = new Map<string, number>();
  for (const { text } of headings) {
    const slug = slugOf(text);
    let count = counts.get(slug) ?? 0;
    let id = count === 0 ? slug : `${slug}-${count}`;
    while (ids.has(id)) id = `${slug}-${++count}`;
    counts.set(slug, count + 1);
    ids.add(id);
  }
  const given = new Set<string>();
  const duplicates: { id: string; line: number }[] = [];
  for (const [index, line] of prose.entries()) {
    if (!line.includes("<") || line.length > 10_000) continue;
    for (const [, double, single, bare] of line.matchAll(ID)) {
      const id = double ?? single ?? bare ?? "";
      if (given.has(id)) duplicates.push({ id, line: firstLine + index });
      given.add(id);
    }
  }
  for (const id of given) ids.add(id);
  return { ids, duplicates };
}

function slugOf(heading: string): string {
  return heading
    .toLowerCase()
    .replace(/[^\p{L}\p{M}\p{N}\p{Pc}\- ]/gu, "")
    .replace(/ /g, "-");
}

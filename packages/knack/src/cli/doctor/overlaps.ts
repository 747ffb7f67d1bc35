import { dirname, sep } from "node:path";
import type { Catalog } from "@knack/core";
import { count, pluralize } from "../../terminal/count.ts";
import { type painter, terminalWidth } from "../../terminal/output.ts";
import { table } from "../../terminal/table.ts";
import { escapeControl, visiblePath } from "../../terminal/visible.ts";
import type { Check } from "./check.ts";

interface Place {
  readonly name: string;
  readonly path: string;
}

/** As `--json` tells them. */
export interface DoctorOverlaps {
  readonly pairs: readonly { a: Place; b: Place; overlap: number; words: readonly string[] }[];
  readonly pairCount: number;
  readonly copies: readonly { name: string; paths: readonly string[] }[];
  readonly copyCount: number;
}

/** So many of each for a program, and so many for a person. */
const MAX_TOLD = 100;
const MAX_SHOWN = 10;

export async function findOverlaps(catalog: Catalog): Promise<DoctorOverlaps> {
  const found = await catalog.overlaps({ limit: MAX_TOLD });
  const place = ({ name, path }: Place): Place => ({ name, path });
  return {
    pairs: found.pairs.map(({ a, b, ...rest }) => ({ a: place(a), b: place(b), ...rest })),
    pairCount: found.pairCount,
    copies: found.copies.map((same) => ({ name: same[0]?.name ?? "", paths: same.map(({ path }) => path) })),
    copyCount: found.copyCount,
  };
}

/** Whether descriptions overlap too much is for the author to decide, so it is shown but not an error. */
export function overlapCheck({ pairCount, copyCount }: DoctorOverlaps): Check {
  const name = "overlap";
  if (pairCount + copyCount === 0)
    return { name, ok: true, message: "no two skills claim the same triggers" };
  const claim = pairCount === 1 ? "claims" : "claim";
  const message = `${pluralize(pairCount, "pair")} of skills ${claim} the same triggers, ${pluralize(copyCount, "skill")} in several places`;
  const hint = "An agent may confuse them: say in each description when to use the other one.";
  return pairCount > 0 ? { name, ok: true, message, hint } : { name, ok: true, message };
}

/** The strongest pairs and the first copies as lines that fit the terminal, with how many more there are. */
export function overlapLines(
  { pairs, pairCount, copies, copyCount }: DoctorOverlaps,
  paint: ReturnType<typeof painter>,
): string[] {
  const rows = [
    ...pairs.slice(0, MAX_SHOWN).map(({ a, b, overlap, words }) => {
      const [one = "", other = ""] =
        a.name === b.name ? tellApart([a.path, b.path]) : [escapeControl(a.name), escapeControl(b.name)];
      return [overlap.toFixed(2), one, other, escapeControl(words.join(", "))];
    }),
    ...copies
      .slice(0, MAX_SHOWN)
      .map(({ name, paths }) => [
        "copy",
        escapeControl(name),
        `${count(paths.length)} places`,
        tellApart(paths).join(", "),
      ]),
  ];
  if (rows.length === 0) return [];
  const columns = [
    { title: "OVERLAP" },
    { title: "SKILL" },
    { title: "AND" },
    { title: "SHARED", flexible: true },
  ];
  const [head = "", ...lines] = table(columns, rows, terminalWidth());
  const more = [
    pairCount > MAX_SHOWN ? `${pluralize(pairCount - MAX_SHOWN, "more pair")}` : "",
    copyCount > MAX_SHOWN ? `${pluralize(copyCount - MAX_SHOWN, "more copied skill")}` : "",
  ].filter(Boolean);
  return ["", paint("bold", head), ...lines, ...(more.length > 0 ? [paint("dim", more.join(", "))] : [])];
}

/** Folders without what all of them have in front: where a line is cut, the part that differs must be left. */
function tellApart(paths: readonly string[]): string[] {
  const folders = paths.map((path) => dirname(path).split(sep));
  let same = 0;
  while (folders.every((parts) => same < parts.length - 1 && parts[same] === folders[0]?.[same])) same++;
  return folders.map((parts) => visiblePath(["…", ...parts.slice(same)].join(sep)));
}

import { type Catalog, skillGraph } from "@knack/core";
import { fewOf } from "@knack/core/internal";
import { pluralize } from "../../terminal/count.ts";
import type { Check } from "./check.ts";

const MAX_NAMED = 3;

/** Cycles end at the guards of a dispatch, and a missing skill may be meant to be optional: told, and not wrong. */
export async function graphCheck(catalog: Catalog): Promise<Check> {
  const { edges, cycles, dangling } = await skillGraph(catalog);
  const now = edges.filter(({ type }) => type === "requires_now").length;
  const name = "graph";
  const message = [
    `${pluralize(edges.length, "edge")}, ${now} of them required now`,
    ...told(
      "cycle",
      cycles.map((cycle) => fewOf([...cycle, cycle[0] ?? ""], { separator: " → " })),
    ),
    ...told(
      "dangling reference",
      dangling.map(({ from, name: to }) => `${from} names ${to}`),
    ),
  ].join("; ");
  if (cycles.length + dangling.length === 0) return { name, ok: true, message };
  return { name, ok: true, message, hint: '"knack graph" shows them all, with their lines.' };
}

function told(what: string, all: readonly string[]): string[] {
  if (all.length === 0) return [];
  const more = all.length > MAX_NAMED ? ` and ${all.length - MAX_NAMED} more` : "";
  return [`${pluralize(all.length, what)}: ${all.slice(0, MAX_NAMED).join(", ")}${more}`];
}

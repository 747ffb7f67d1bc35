import { type Catalog, skillGraph } from "@knack/core";
import { fewOf } from "@knack/core/internal";
import { pluralize } from "../../terminal/count.ts";
import { escapeControl } from "../../terminal/visible.ts";
import type { FilePlan } from "./plan-fixes.ts";

export interface Rename {
  readonly path: string;
  readonly from: string;
  readonly to: string;
  /** Names of skills whose text names the old one. */
  readonly usedBy: readonly string[];
}

/** The names that change, with the skills that use the old ones. */
export async function findRenames(plans: readonly FilePlan[], catalog: Catalog): Promise<Rename[]> {
  const renamed = plans.flatMap(({ path, renamed }) => (renamed ? [{ path, ...renamed }] : []));
  if (renamed.length === 0) return [];
  const { edges, dangling } = await skillGraph(catalog);
  const uses = [
    ...edges.map(({ from, to, toPath }) => ({ from, to, toPath })),
    ...dangling.map(({ from, name }) => ({ from, to: name, toPath: null })),
  ];
  return renamed.map((rename) => {
    const users = uses.filter(({ to, toPath }) => toPath === rename.path || (!toPath && to === rename.from));
    return { ...rename, usedBy: [...new Set(users.map(({ from }) => from))].sort() };
  });
}

const MOST = 10;

/** What a person should look at, because a fix changes names. */
export function describeRenames(renames: readonly Rename[]): string[] {
  if (renames.length === 0) return [];
  const used = renames.filter(({ usedBy }) => usedBy.length > 0);
  const lines = used
    .slice(0, MOST)
    .map(
      ({ from, to, usedBy }) =>
        `${escapeControl(from)} becomes ${escapeControl(to)}, but ${fewOf(usedBy.map(escapeControl))} still ${usedBy.length === 1 ? "uses" : "use"} the old name.`,
    );
  const more =
    used.length > MOST
      ? [`… and ${pluralize(used.length - MOST, "more renamed skill")} that others use.`]
      : [];
  return [
    ...lines,
    ...more,
    `${pluralize(renames.length, "skill")} ${renames.length === 1 ? "gets" : "get"} a new name. Other skills, prompts and permission rules may still use the old one.`,
  ];
}

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
  /** Whether another skill has the new name already. */
  readonly isTaken: boolean;
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
    return {
      ...rename,
      usedBy: [...new Set(users.map(({ from }) => from))].sort(),
      isTaken: catalog.entries.some(({ skill }) => skill.name === rename.to && skill.path !== rename.path),
    };
  });
}

const MOST = 10;

/** What a person should look at, because a fix changes names. */
export function describeRenames(renames: readonly Rename[]): string[] {
  if (renames.length === 0) return [];
  const lines = renames.flatMap(({ from, to, usedBy, isTaken }) => {
    const use = usedBy.length === 1 ? "uses" : "use";
    return [
      ...(usedBy.length > 0
        ? [
            `${escapeControl(from)} becomes ${escapeControl(to)}, but ${fewOf(usedBy.map(escapeControl))} still ${use} the old name.`,
          ]
        : []),
      ...(isTaken
        ? [`Another skill is called ${escapeControl(to)}, too; use their paths to tell them apart.`]
        : []),
    ];
  });
  const more =
    lines.length > MOST ? [`… and ${pluralize(lines.length - MOST, "more line")} like these.`] : [];
  const get = renames.length === 1 ? "gets" : "get";
  return [
    ...lines.slice(0, MOST),
    ...more,
    `${pluralize(renames.length, "skill")} ${get} a new name. Other skills, prompts and permission rules may still use the old one.`,
  ];
}

import type { Catalog, Entry } from "@knack/core";
import { typedSkillNames } from "@knack/core/catalog";
import { homeFolder, type IdleSetting, idleSettings } from "@knack/core/config";
import { isInside } from "@knack/core/files";
import { count, pluralize } from "../terminal/visible.ts";

/** How many skills are there and cannot be used by agents, each with the first reason that applies. */
export interface Missing extends Readonly<Record<Exclude<Entry["status"], "active">, number>> {
  readonly skipped: number;
  readonly unsearched: number;
  readonly waiting: number;
}

/** The same for `knack list`, `knack doctor` and a server that starts. */
export function countMissing(
  { whole: { entries, errors }, files, roots }: Catalog,
  isTrusted: boolean,
  scope?: string,
): Missing {
  const isOfScope = (path: string): boolean =>
    scope === undefined || roots.some((root) => root.scope === scope && isInside(path, root.real));
  const paths = new Set(errors.filter(({ code }) => code !== "E_INELIGIBLE").map(({ path }) => path));
  const known = new Set(files);
  const wrong = [...paths].filter(isOfScope);
  const skipped = wrong.filter((path) => known.has(path)).length;
  const having = (status: Entry["status"], of = scope): number =>
    entries.filter((entry) => entry.status === status && (of === undefined || entry.skill.scope === of))
      .length;
  const mayWait = !isTrusted && (scope === undefined || scope === "repo");
  return {
    skipped,
    unsearched: wrong.length - skipped,
    disabled: having("disabled"),
    ineligible: having("ineligible"),
    shadowed: having("shadowed"),
    unverified: having("unverified"),
    waiting: mayWait ? having("active", "repo") : 0,
  };
}

/** At most so many lines of the configuration are named where a server starts; `knack doctor` names all. */
const MAX_SETTINGS = 3;

/** What whoever starts a server should know of what its clients do not get: a line each, none where there is nothing. */
export async function serverRemarks(catalog: Catalog, isTrusted: boolean): Promise<string[]> {
  if (!catalog.config.skills.enabled)
    return ["All skills are disabled by skills.enabled in the configuration."];
  const { skipped, unsearched, ineligible, shadowed, unverified, waiting } = countMissing(catalog, isTrusted);
  const reasons: readonly (readonly [number, string])[] = [
    [skipped, "skipped"],
    [ineligible, "ineligible"],
    [shadowed, "shadowed"],
    [unverified, "changed or not locked"],
    [waiting, "waiting for trust (knack trust)"],
  ];
  const total = reasons.reduce((sum, [many]) => sum + many, 0);
  const parts = reasons.filter(([many]) => many > 0).map(([many, reason]) => `${count(many)} ${reason}`);
  const missing = [
    ...(total > 0 ? [`${pluralize(total, "skill")} cannot be used: ${parts.join(", ")}`] : []),
    ...(unsearched > 0 ? [`${pluralize(unsearched, "path")} not searched`] : []),
  ];
  const idle = await idleIn(catalog);
  const shown = idle.slice(0, MAX_SETTINGS).map(({ file, line, message }) => `${file}:${line}: ${message}`);
  const more = idle.length - shown.length;
  return [
    ...(missing.length > 0 ? [`${missing.join("; ")}. See why: knack doctor`] : []),
    ...shown,
    ...(more > 0 ? [`${count(more)} more settings have no effect. See which: knack doctor`] : []),
  ];
}

export async function idleIn({ whole, config, configFiles, files }: Catalog): Promise<IdleSetting[]> {
  if (configFiles.length === 0) return [];
  const typedSkills = await typedSkillNames(config.registry);
  const home = homeFolder(process.env);
  return idleSettings({ home, config, configFiles, entries: whole.entries, files, typedSkills });
}

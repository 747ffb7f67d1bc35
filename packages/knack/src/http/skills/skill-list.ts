import type { Catalog, Entry, SearchResult, SkillScope, Status } from "@knack/core";
import { compareText, decide } from "@knack/core/internal";
import type { Api } from "../api/route.ts";
import { byName, byPath } from "../home/use-log.ts";
import { type Language, languageOf } from "./language-of.ts";
import { leftOut } from "./left-out.ts";

/** Whether a skill can be used, and if not, why: its status in the catalog, or a deny. */
export type SkillState = Status | "denied";

export interface ListFilters {
  readonly scope?: SkillScope | undefined;
  readonly state?: SkillState | undefined;
  readonly language?: Language | undefined;
  /** A client whose folder it is in; "" means Knack's own folders. */
  readonly client?: string | undefined;
}

interface Row {
  readonly entry: Entry;
  readonly state: SkillState;
  readonly language: Language;
}

interface Found extends Row {
  readonly group: "all" | "fits" | "nearly" | "inactive";
  readonly result?: SearchResult;
  readonly matched?: readonly string[];
}

/** A list shows the beginning of a description. */
const MAX_DESCRIPTION = 400;

/** Sorting ten thousand names takes longer than everything else together. */
const sorted = new WeakMap<Catalog, readonly Entry[]>();
const languages = new WeakMap<object, Language>();

/** A window of the skills: all by name, or those that a query finds, with the server's own ranking. */
export async function listSkills(
  { catalog, host, use }: Pick<Api, "catalog" | "host" | "use">,
  query: string,
  filters: ListFilters,
  { offset, limit }: { readonly offset: number; readonly limit: number },
) {
  const current = await catalog();
  const { permissions } = (await host.live.config.current()).config;
  await use.refresh();
  const lastUse = use.lastDays();
  const isOpen = permissions.deny.length === 0;
  const row = (entry: Entry): Row => ({
    entry,
    language: languageOfEntry(entry),
    state: entry.status !== "active" || isOpen || !isDenied(entry) ? entry.status : "denied",
  });
  const isDenied = ({ skill }: Entry): boolean =>
    decide(permissions, { tool: "skill_load", skill, actor: "model", readsSkill: true }).decision === "deny";
  const all = byNames(current).map(row);
  const wanted = all.filter((one) => isWanted(one, filters));
  const found =
    query.trim() === ""
      ? wanted.map((one) => ({ ...one, group: "all" as const }))
      : search(current, query, wanted);
  return {
    total: found.length,
    fitting: found.filter(({ group }) => group === "fits").length,
    offset,
    rows: found.slice(offset, offset + limit).map((one) => shown(one, lastUse)),
    filters: countFilters(all),
    skills: all.length,
    left_out: leftOut(current).size,
    waiting_for_trust: current.waitingForTrust,
    snapshot_version: current.snapshot_version,
  };
}

function byNames(catalog: Catalog): readonly Entry[] {
  const known = sorted.get(catalog);
  if (known) return known;
  const order = catalog.entries.toSorted(
    (a, b) => compareText(a.skill.name, b.skill.name) || compareText(a.skill.path, b.skill.path),
  );
  sorted.set(catalog, order);
  return order;
}

function languageOfEntry({ skill }: Entry): Language {
  const known = languages.get(skill) ?? languageOf(skill.description);
  languages.set(skill, known);
  return known;
}

function isWanted({ entry: { skill }, state, language }: Row, filters: ListFilters): boolean {
  return (
    (filters.scope === undefined || skill.scope === filters.scope) &&
    (filters.state === undefined || state === filters.state) &&
    (filters.language === undefined || language === filters.language) &&
    (filters.client === undefined || (skill.client ?? "") === filters.client)
  );
}

/** The ranking knows the active skills; of the others, those that have every word of the query are at the end. */
function search(catalog: Catalog, query: string, wanted: readonly Row[]): Found[] {
  const rows = new Map(wanted.map((one) => [one.entry.skill.id, one]));
  const { results } = catalog.search(query, { limit: catalog.config.skills.search.maxLimit });
  const ranked = results.flatMap((result): Found[] => {
    const one = rows.get(result.skill.id);
    return one ? [{ ...one, group: result.fits ? "fits" : "nearly", result }] : [];
  });
  const words = query.toLowerCase().split(/\s+/).filter(Boolean);
  const inactive = wanted.filter(({ entry: { skill, status } }) => {
    const text = status === "active" ? "" : `${skill.name} ${skill.description}`.toLowerCase();
    return text !== "" && words.every((word) => text.includes(word));
  });
  return [...ranked, ...inactive.map((one): Found => ({ ...one, group: "inactive", matched: words }))];
}

function shown(
  { entry: { skill, reason }, state, language, group, result, matched }: Found,
  lastUse: ReadonlyMap<string, string>,
) {
  const { id, name, description, path, scope, client, disableModelInvocation } = skill;
  const [a, b] = [lastUse.get(byPath(path)), lastUse.get(byName(name))];
  return {
    id,
    name,
    description: description.slice(0, MAX_DESCRIPTION),
    path,
    scope,
    client: client ?? null,
    state,
    reason,
    language,
    for_people_only: disableModelInvocation === true,
    last_used: a !== undefined && b !== undefined ? (a > b ? a : b) : (a ?? b ?? null),
    group,
    match: result
      ? { reason: result.reason, matched: [...result.matched], score: result.score }
      : matched
        ? { reason: "words" as const, matched: [...matched], score: 0 }
        : null,
  };
}

/** How many skills each choice of a filter has, over all skills. */
function countFilters(all: readonly Row[]) {
  const count = (keyOf: (row: Row) => string) =>
    Object.fromEntries([...Map.groupBy(all, keyOf)].map(([key, rows]) => [key, rows.length]));
  return {
    scope: count(({ entry }) => entry.skill.scope),
    state: count(({ state }) => state),
    language: count(({ language }) => language),
    client: count(({ entry }) => entry.skill.client ?? ""),
  };
}

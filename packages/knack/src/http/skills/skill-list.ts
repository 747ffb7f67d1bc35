import type { Catalog, Config, Entry, SearchResult, SkillScope, Status } from "@knack/core";
import { compareText, decide } from "@knack/core/internal";
import type { Api } from "../api/route.ts";
import { byName, byPath } from "../home/use-log.ts";
import { type Language, languageOf } from "./language-of.ts";
import { leftOut } from "./left-out.ts";

/** Whether a skill can be used, and if not, why: its status in the catalog, or a deny. */
type SkillState = Status | "denied";

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
  /** Absent where nothing was searched for. */
  readonly group?: "fits" | "nearly" | "inactive";
  readonly result?: SearchResult;
  readonly matched?: readonly string[];
}

/** A list shows the beginning of a description. */
const MAX_DESCRIPTION = 400;

/** What does not depend on the request, made once per catalog and rules: there may be ten thousand skills. */
interface Prepared {
  readonly permissions: Config["permissions"];
  /** By name. */
  readonly rows: readonly Row[];
  readonly byId: ReadonlyMap<string, Row>;
  readonly inactive: readonly Row[];
  readonly filters: ReturnType<typeof countFilters>;
}

const prepared = new WeakMap<Catalog, Prepared>();
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
  const all = prepare(current, permissions);
  const isFiltered = Object.values(filters).some((value) => value !== undefined);
  const wanted = (row: Row): boolean => !isFiltered || isWanted(row, filters);
  const found: readonly Found[] =
    query.trim() === "" ? all.rows.filter(wanted) : search(current, query, all, wanted);
  return {
    total: found.length,
    fitting: found.filter(({ group }) => group === "fits").length,
    offset,
    rows: found.slice(offset, offset + limit).map((one) => shown(one, lastUse)),
    filters: all.filters,
    skills: all.rows.length,
    left_out: leftOut(current).size,
    waiting_for_trust: current.waitingForTrust,
    snapshot_version: current.snapshot_version,
  };
}

function prepare(catalog: Catalog, permissions: Config["permissions"]): Prepared {
  const known = prepared.get(catalog);
  if (known?.permissions === permissions) return known;
  const entries = known?.rows.map(({ entry }) => entry) ?? byNames(catalog);
  const isDenied = ({ skill }: Entry): boolean =>
    decide(permissions, { tool: "skill_load", skill, actor: "model", readsSkill: true }).decision === "deny";
  const isOpen = permissions.deny.length === 0;
  const rows = entries.map((entry): Row => {
    const state = entry.status !== "active" || isOpen || !isDenied(entry) ? entry.status : "denied";
    return { entry, state, language: languageOfEntry(entry) };
  });
  const next = {
    permissions,
    rows,
    byId: new Map(rows.map((row) => [row.entry.skill.id, row])),
    inactive: rows.filter(({ entry }) => entry.status !== "active"),
    filters: countFilters(rows),
  };
  prepared.set(catalog, next);
  return next;
}

function byNames({ entries }: Catalog): readonly Entry[] {
  return entries.toSorted(
    (a, b) => compareText(a.skill.name, b.skill.name) || compareText(a.skill.path, b.skill.path),
  );
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
function search(catalog: Catalog, query: string, all: Prepared, wanted: (row: Row) => boolean): Found[] {
  const { results } = catalog.search(query, { limit: catalog.config.skills.search.maxLimit });
  const ranked = results.flatMap((result): Found[] => {
    const row = all.byId.get(result.skill.id);
    return row && wanted(row) ? [{ ...row, group: result.fits ? "fits" : "nearly", result }] : [];
  });
  const words = query.toLowerCase().split(/\s+/).filter(Boolean);
  const inactive = all.inactive.filter((row) => {
    const { name, description } = row.entry.skill;
    const text = `${name} ${description}`.toLowerCase();
    return words.every((word) => text.includes(word)) && wanted(row);
  });
  return [...ranked, ...inactive.map((row): Found => ({ ...row, group: "inactive", matched: words }))];
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
    group: group ?? ("all" as const),
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

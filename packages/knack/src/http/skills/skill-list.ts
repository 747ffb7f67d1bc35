import type { Catalog, Config, Entry, SearchResult } from "@knack/core";
import { decide } from "@knack/core/config";
import { compareText, KnackError } from "@knack/core/text";
import * as z from "zod";
import { leftOut } from "../../host/reports.ts";
import type { Api } from "../api/route.ts";
import { offset, scope, skillStatus, text, upTo, yes } from "../api/schemas.ts";
import { lastUse, MAX_DAYS } from "../home/use-log.ts";

/** Whether a skill can be used, and if not, why: its status in the catalog, a deny, or a name that means several. */
export const skillState = z.enum([...skillStatus.options, "denied", "ambiguous"]);
/** The languages that a filter can name: those that their script tells. */
export const scriptLanguage = z.enum(["latin", "chinese", "japanese", "korean", "cyrillic", "other"]);
type Language = z.infer<typeof scriptLanguage>;

export const skillListQuery = {
  q: text.default("").describe("Words to search for."),
  all: yes.default(false).describe("Include inactive skills."),
  scope: scope.optional().describe("Only skills of this scope."),
  state: skillState.optional().describe("Only skills in this state, inactive ones too."),
  language: scriptLanguage
    .optional()
    .describe("Only skills whose description is in this language, by its letters."),
  client: text.optional().describe("Only skills of this client's folder; empty: of Knack's own folders."),
  offset,
  limit: upTo(1_000).optional().describe("How many at most, up to 1000; without it all of them."),
};
type SkillListQuery = z.output<z.ZodObject<typeof skillListQuery>>;

interface Row {
  readonly entry: Entry;
  readonly state: z.infer<typeof skillState>;
  readonly reason: string;
  readonly language: Language;
}

interface Found extends Row {
  /** Absent where nothing was searched for. */
  readonly group?: "fits" | "nearly" | "inactive";
  readonly result?: SearchResult;
  readonly matched?: readonly string[];
}

/** What does not depend on the request, made once per catalog and rules: there may be ten thousand skills. */
interface Prepared {
  readonly permissions: Config["permissions"];
  readonly rows: readonly Row[];
  readonly byId: ReadonlyMap<string, Row>;
  readonly inactive: readonly Row[];
  readonly filters: ReturnType<typeof countFilters>;
}

const prepared = new WeakMap<Catalog, Prepared>();
const languages = new WeakMap<object, Language>();

/** The skills by name, or those that a query finds, with the server's own ranking. */
export async function listSkills(
  { catalog, host, recentUse }: Pick<Api, "catalog" | "host" | "recentUse">,
  query: SkillListQuery,
) {
  const { q, offset, limit = Number.POSITIVE_INFINITY } = query;
  const current = await catalog();
  const { permissions } = (await host.live.config.current()).config;
  const lastUseOf = lastUse(await recentUse(MAX_DAYS));
  const all = prepare(current, permissions);
  const wanted = (row: Row): boolean => isWanted(row, query);
  const found: readonly Found[] = q.trim() === "" ? all.rows.filter(wanted) : search(current, q, all, wanted);
  return {
    skills: found.slice(offset, offset + limit).map((one) => shown(one, lastUseOf)),
    // They belong to the whole list, so only its beginning has them.
    errors: offset === 0 ? current.errors : [],
    warnings: offset === 0 ? current.warnings : [],
    truncated: current.truncated,
    snapshot_version: current.snapshot_version,
    total: found.length,
    fitting: found.filter(({ group }) => group === "fits").length,
    offset,
    filters: all.filters,
    known: all.rows.length,
    left_out: leftOut(current).size,
    waiting_for_trust: current.waitingForTrust,
  };
}

function prepare(catalog: Catalog, permissions: Config["permissions"]): Prepared {
  const known = prepared.get(catalog);
  if (known?.permissions === permissions) return known;
  const entries = known?.rows.map(({ entry }) => entry) ?? byNames(catalog);
  const sameNames = ambiguousNames(catalog, entries);
  const rows = entries.map((entry): Row => {
    const { skill, status, reason } = entry;
    const language = languageOfEntry(entry);
    if (status !== "active") return { entry, state: status, reason, language };
    const decided = decide(permissions, { tool: "skill_load", skill, actor: "model", readsSkill: true });
    if (decided.decision === "deny") return { entry, state: "denied", reason: decided.reason, language };
    const count = skill.disableModelInvocation ? undefined : sameNames.get(skill.name);
    if (count === undefined) return { entry, state: status, reason, language };
    const why = `${count} skills have this name, so no agent can load it by its name, only by its path. Disable the others, or let the nearest folder decide: skills.duplicates: nearest in the configuration.`;
    return { entry, state: "ambiguous", reason: why, language };
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

function ambiguousNames(catalog: Catalog, entries: readonly Entry[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const { skill, status } of entries)
    if (status === "active" && !skill.disableModelInvocation)
      counts.set(skill.name, (counts.get(skill.name) ?? 0) + 1);
  const decides = catalog.config.skills.duplicates === "nearest";
  for (const [name, count] of counts) if (count < 2 || (decides && isOne(catalog, name))) counts.delete(name);
  return counts;
}

function isOne(catalog: Catalog, name: string): boolean {
  try {
    catalog.resolve({ name });
    return true;
  } catch (error) {
    if (error instanceof KnackError && error.code === "AMBIGUOUS") return false;
    throw error;
  }
}

export function stateOf(catalog: Catalog, permissions: Config["permissions"], { skill }: Entry) {
  const { state, reason } = prepare(catalog, permissions).byId.get(skill.id) ?? {
    state: "active",
    reason: "",
  };
  return { state, reason };
}

function languageOfEntry({ skill }: Entry): Language {
  const known = languages.get(skill) ?? languageOf(skill.description);
  languages.set(skill, known);
  return known;
}

function isWanted({ entry: { skill, status }, state, language }: Row, filters: SkillListQuery): boolean {
  return (
    (filters.all || filters.state !== undefined || status === "active") &&
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
  { entry: { skill, status }, state, reason, language, group, result, matched }: Found,
  lastUseOf: ReturnType<typeof lastUse>,
) {
  return {
    ...skill,
    status,
    reason,
    state,
    language,
    for_people_only: skill.disableModelInvocation === true,
    last_used: lastUseOf(skill),
    group: group ?? ("all" as const),
    match: result
      ? { reason: result.reason, matched: result.matched, score: result.score }
      : matched
        ? { reason: "words" as const, matched, score: 0 }
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

const SCRIPTS: readonly (readonly [Language, RegExp])[] = [
  ["japanese", /[\p{Script=Hiragana}\p{Script=Katakana}]/gu],
  ["korean", /\p{Script=Hangul}/gu],
  ["chinese", /\p{Script=Han}/gu],
  ["cyrillic", /\p{Script=Cyrillic}/gu],
  ["latin", /\p{Script=Latin}/gu],
];

/** A character of these says as much as several letters. */
const WIDE = 3;
const MAX_READ = 400;

/** What a description is written in, by its letters: Japanese has kana, and Chinese none. */
export function languageOf(text: string): Language {
  const start = text.slice(0, MAX_READ);
  const counts = new Map(SCRIPTS.map(([name, letters]) => [name, start.match(letters)?.length ?? 0]));
  const of = (name: Language): number => counts.get(name) ?? 0;
  const latin = of("latin") + of("cyrillic");
  const wide = of("japanese") + of("korean") + of("chinese");
  if (wide * WIDE > latin) {
    if (of("japanese") > 0) return "japanese";
    return of("korean") > of("chinese") ? "korean" : "chinese";
  }
  if (of("cyrillic") > of("latin")) return "cyrillic";
  return of("latin") > 0 ? "latin" : "other";
}

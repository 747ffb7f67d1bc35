import { setImmediate as nextTurn } from "node:timers/promises";
import type { SkillMetadata } from "@knack/core";
import { type Engine, lastSeq, lastSeqBefore, type UseEvent, useEventsAfter } from "@knack/engine";
import { loadedSkill } from "../../host/recent-loads.ts";

/** `found`: a search whose answer named the skill. */
type Kind = "loads" | "searches" | "runs" | "found";

interface Use {
  readonly day: string;
  readonly client: string;
  readonly kind: Kind;
  /** By what a record says of the skill: `byPath` of a load, `byName` of a run or of a search result. */
  readonly skill: string | null;
  count: number;
}

export const MAX_DAYS = 90;
const MAX_LISTED = 10;
const BATCH = 500;
const DAY_MS = 24 * 60 * 60_000;

export type RecentUse = (days: number) => Promise<readonly Use[]>;

/**
 * Counts what the log says was used. The log is read once, from the first day that counts, and then only what is new:
 * nothing of it is kept but the counts.
 */
export function useLog(history: Engine["history"]): RecentUse {
  const uses = new Map<string, Use>();
  let seq: number | undefined;
  let turn: Promise<void> = Promise.resolve();

  const count = (event: UseEvent): void => {
    const day = dayOf(new Date(event.at));
    const client = clientOf(event.actor);
    for (const [kind, skill] of usesIn(event)) {
      const key = JSON.stringify([day, client, kind, skill]);
      const use = uses.get(key) ?? { day, client, kind, skill, count: 0 };
      use.count++;
      uses.set(key, use);
    }
  };

  const read = async (): Promise<void> => {
    const db = await history();
    // A log that is shorter than before is another one.
    if (seq !== undefined && (await lastSeq(db)) < seq) seq = undefined;
    if (seq === undefined) {
      uses.clear();
      seq = await lastSeqBefore(db, new Date(Date.now() - (MAX_DAYS + 1) * DAY_MS).toISOString());
    }
    const first = dayBefore(MAX_DAYS - 1);
    for (const [key, { day }] of uses) if (day < first) uses.delete(key);
    let events: UseEvent[];
    do {
      events = await useEventsAfter(db, seq, BATCH);
      events.forEach(count);
      seq = events.at(-1)?.seq ?? seq;
      // A long log takes a second the first time; others are answered meanwhile.
      await nextTurn();
    } while (events.length === BATCH);
  };

  return async (days) => {
    // One reader at a time: two would count the same records twice.
    const next = turn.then(read);
    turn = next.catch(() => undefined);
    await next;
    const first = dayBefore(days - 1);
    return [...uses.values()].filter(({ day }) => day >= first);
  };
}

function usesIn(event: UseEvent): (readonly [Kind, Use["skill"]])[] {
  const { type, payload } = event;
  const data = Object(payload) as Readonly<Record<string, unknown>>;
  switch (type) {
    case "SKILL_LOADED": {
      const loaded = loadedSkill(event);
      return loaded ? [["loads", typeof loaded.path === "string" ? byPath(loaded.path) : null]] : [];
    }
    case "SKILL_RUN":
      return [["runs", typeof data.skill === "string" ? byName(data.skill) : null]];
    default: {
      // The catalog was only shown.
      if (data.offered !== undefined) return [];
      const results: unknown[] = Array.isArray(data.results) ? data.results : [];
      const names = results.filter((name) => typeof name === "string");
      return [["searches", null], ...names.map((name) => ["found", byName(name)] as const)];
    }
  }
}

const byPath = (path: string): string => `path ${path}`;
const byName = (name: string): string => `name ${name}`;

/** `mcp:claude-code` is the client `claude-code`, `token:alice` is alice; other names are those of Knack's own commands. */
function clientOf(actor: string): string {
  if (actor === "cli") return "knack";
  return /^(?:mcp|token):/.test(actor) ? actor.replace(/^\w+:/, "") : `knack ${actor}`;
}

/** The days of this machine's own time zone: a person looks at them. */
function dayOf(date: Date): string {
  const pad = (number: number): string => String(number).padStart(2, "0");
  return `${date.getFullYear()}-${pad(date.getMonth() + 1)}-${pad(date.getDate())}`;
}

function dayBefore(days: number): string {
  const day = new Date();
  // At noon no change of the clocks moves it to another day.
  day.setHours(12, 0, 0, 0);
  day.setDate(day.getDate() - days);
  return dayOf(day);
}

function byDay(uses: readonly Use[], days: number): [day: string, uses: readonly Use[]][] {
  const known = Map.groupBy(uses, ({ day }) => day);
  const all = Array.from({ length: days }, (_, back) => dayBefore(days - 1 - back));
  return all.map((day) => [day, known.get(day) ?? []]);
}

function byClient(uses: readonly Use[]): [client: string, uses: readonly Use[]][] {
  return [...Map.groupBy(uses, ({ client }) => client)];
}

function sums<K extends Kind>(uses: readonly Use[], kinds: readonly K[]): Record<K, number> {
  const sum = (kind: K): number => total(uses.filter((use) => use.kind === kind));
  return Object.fromEntries(kinds.map((kind) => [kind, sum(kind)])) as Record<K, number>;
}

const total = (uses: readonly Use[]): number => uses.reduce((sum, { count }) => sum + count, 0);

function bySkill(uses: readonly Use[]): Map<string, Use[]> {
  const given = uses.filter(({ kind }) => kind === "loads" || kind === "runs");
  const skills = Map.groupBy(given, ({ skill }) => skill ?? "");
  skills.delete("");
  return skills;
}

export function useReport(uses: readonly Use[], days: number, skills: readonly SkillMetadata[]) {
  const kinds = ["loads", "searches", "runs"] as const;
  const clients = byClient(uses).map(([client, own]) => ({ client, ...sums(own, kinds) }));
  const busy = ({ loads, searches, runs }: (typeof clients)[number]): number => loads + searches + runs;
  return {
    days: byDay(uses, days).map(([day, own]) => ({ day, ...sums(own, kinds) })),
    clients: clients.sort((a, b) => busy(b) - busy(a) || (a.client < b.client ? -1 : 1)),
    ...usedSkills(uses, skills),
  };
}

/** Skills that are gone stay in the ranking, without an id: what was used does not change with the catalog. */
function usedSkills(uses: readonly Use[], skills: readonly SkillMetadata[]) {
  const byKey = new Map([
    ...skills.map((skill) => [byName(skill.name), skill] as const),
    ...skills.map((skill) => [byPath(skill.path), skill] as const),
  ]);
  const used = [...bySkill(uses)].map(([key, own]) => ({ key, uses: total(own) }));
  const ranked = used.sort((a, b) => b.uses - a.uses || (a.key < b.key ? -1 : 1));
  const keys = new Set(ranked.map(({ key }) => key));
  const never = skills.filter(({ path, name }) => !keys.has(byPath(path)) && !keys.has(byName(name)));
  return {
    most_used: ranked.slice(0, MAX_LISTED).map(({ key, uses }) => {
      const skill = byKey.get(key);
      return { id: skill?.id ?? null, name: skill?.name ?? nameIn(key), uses };
    }),
    never_used: {
      count: never.length,
      first: never.slice(0, MAX_LISTED).map(({ id, name, description }) => ({ id, name, description })),
    },
  };
}

function nameIn(key: string): string {
  const [, kind, rest = ""] = /^(path|name) (.*)$/s.exec(key) ?? [];
  return kind === "path" ? (rest.split(/[/\\]/).at(-2) ?? rest) : rest;
}

export function useOfSkill(uses: readonly Use[], days: number, { name, path }: SkillMetadata) {
  const own = uses.filter(({ skill }) => skill === byName(name) || skill === byPath(path));
  return byDay(own, days).map(([day, ofDay]) => ({
    day,
    clients: byClient(ofDay).map(([client, given]) => ({
      client,
      ...sums(given, ["loads", "found", "runs"]),
    })),
  }));
}

/** The last day on which a skill was loaded or run; null where it was not. */
export function lastUse(uses: readonly Use[]): (skill: SkillMetadata) => string | null {
  const last = new Map<string, string>();
  for (const [key, own] of bySkill(uses))
    last.set(
      key,
      own
        .map(({ day }) => day)
        .sort()
        .at(-1) ?? "",
    );
  return ({ name, path }) => {
    const [first = "", second = ""] = [last.get(byName(name)), last.get(byPath(path))];
    return (first > second ? first : second) || null;
  };
}

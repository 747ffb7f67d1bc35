import { setImmediate as nextTurn } from "node:timers/promises";
import type { SkillMetadata } from "@knack/core";
import { type Engine, lastSeq, lastSeqBefore, type UseEvent, useEventsAfter } from "@knack/engine";

/** What happened on one day. */
interface Uses {
  loads: number;
  searches: number;
  runs: number;
}

/** One skill on one day, with one client. */
interface SkillUses {
  loads: number;
  /** Searches whose answer named it. */
  found: number;
  runs: number;
}

interface Day {
  readonly total: Uses;
  readonly clients: Map<string, Uses>;
  /** By what a record says of the skill: the path of a load, the name of a run or of a search result. */
  readonly skills: Map<string, Map<string, SkillUses>>;
}

/** What the caller wants to know of a skill: records name it by its path or by its name. */
interface SkillKeys {
  readonly name: string;
  readonly path?: string;
}

export const MAX_DAYS = 90;
const MAX_LISTED = 10;
const BATCH = 500;
const DAY_MS = 24 * 60 * 60_000;

/**
 * Counts what the log says was used, by day. The log is read once, from the first day that counts, and then only what is new:
 * nothing of it is kept but the counts.
 */
export class UseLog {
  readonly #history: Engine["history"];
  readonly #days = new Map<string, Day>();
  #seq: number | undefined;
  #turn: Promise<void> = Promise.resolve();

  constructor(history: Engine["history"]) {
    this.#history = history;
  }

  /** Reads what is new. One reader at a time: two would count the same records twice. */
  refresh(now = new Date()): Promise<void> {
    const next = this.#turn.then(() => this.#read(now));
    this.#turn = next.catch(() => undefined);
    return next;
  }

  /** The last days, oldest first, each with its counts. */
  days(count: number, now = new Date()): ({ readonly day: string } & Uses)[] {
    return lastDays(count, now).map((day) => ({ day, ...(this.#days.get(day)?.total ?? noUses()) }));
  }

  /** By client, over the last days, the busiest first. */
  clients(count: number, now = new Date()): ({ readonly client: string } & Uses)[] {
    const sums = new Map<string, Uses>();
    for (const day of this.#last(count, now))
      for (const [client, uses] of day.clients) addUses(entry(sums, client, noUses), uses);
    const all = [...sums].map(([client, uses]) => ({ client, ...uses }));
    return all.sort((a, b) => totalOf(b) - totalOf(a) || (a.client < b.client ? -1 : 1));
  }

  /** Loads by path and runs by name, over the last days. */
  totals(count: number, now = new Date()): Map<string, number> {
    const sums = new Map<string, number>();
    for (const day of this.#last(count, now))
      for (const [key, clients] of day.skills)
        for (const { loads, runs } of clients.values())
          if (loads + runs > 0) sums.set(key, (sums.get(key) ?? 0) + loads + runs);
    return sums;
  }

  /** The last day on which each skill was loaded or run, by path or name. */
  lastDays(): Map<string, string> {
    const last = new Map<string, string>();
    for (const [day, { skills }] of this.#days)
      for (const [key, clients] of skills)
        if ([...clients.values()].some(({ loads, runs }) => loads + runs > 0) && day > (last.get(key) ?? ""))
          last.set(key, day);
    return last;
  }

  /** One skill, by day and client. */
  skill(
    { name, path }: SkillKeys,
    count: number,
    now = new Date(),
  ): { readonly day: string; readonly clients: ({ readonly client: string } & SkillUses)[] }[] {
    return lastDays(count, now).map((day) => {
      const clients = new Map<string, SkillUses>();
      for (const key of [byName(name), ...(path === undefined ? [] : [byPath(path)])])
        for (const [client, uses] of this.#days.get(day)?.skills.get(key) ?? [])
          addSkillUses(entry(clients, client, noSkillUses), uses);
      return { day, clients: [...clients].map(([client, uses]) => ({ client, ...uses })) };
    });
  }

  #last(count: number, now: Date): Day[] {
    return lastDays(count, now).flatMap((day) => this.#days.get(day) ?? []);
  }

  async #read(now: Date): Promise<void> {
    const db = await this.#history();
    const first = lastDays(MAX_DAYS, now)[0] ?? "";
    // A log that is shorter than before is another one.
    if (this.#seq !== undefined && (await lastSeq(db)) < this.#seq) this.#seq = undefined;
    if (this.#seq === undefined) {
      this.#days.clear();
      this.#seq = await lastSeqBefore(db, new Date(now.getTime() - (MAX_DAYS + 1) * DAY_MS).toISOString());
    }
    for (const day of this.#days.keys()) if (day < first) this.#days.delete(day);
    let events: UseEvent[];
    do {
      events = await useEventsAfter(db, this.#seq, BATCH);
      for (const event of events) this.#count(event, first);
      this.#seq = events.at(-1)?.seq ?? this.#seq;
      // A long log takes a second the first time; others are answered meanwhile.
      await nextTurn();
    } while (events.length === BATCH);
  }

  #count({ type, actor, payload, at }: UseEvent, first: string): void {
    const day = dayOf(new Date(at));
    if (day < first || typeof payload !== "object" || payload === null) return;
    const data = payload as Readonly<Record<string, unknown>>;
    const counted = entry(this.#days, day, () => ({
      total: noUses(),
      clients: new Map(),
      skills: new Map(),
    }));
    const client = clientOf(actor);
    const add = (kind: keyof Uses): void => {
      counted.total[kind]++;
      entry(counted.clients, client, noUses)[kind]++;
    };
    const of = (key: string): SkillUses =>
      entry(
        entry(counted.skills, key, () => new Map<string, SkillUses>()),
        client,
        noSkillUses,
      );
    if (type === "SKILL_LOADED") {
      // A reminder gives no text, and a text in parts is one load.
      if (data.already_loaded === true || data.last === false) return;
      add("loads");
      if (typeof data.path === "string") of(byPath(data.path)).loads++;
    } else if (type === "SKILL_RUN") {
      add("runs");
      if (typeof data.skill === "string") of(byName(data.skill)).runs++;
    } else if (data.query !== "" || data.offered === undefined) {
      // With an empty query the catalog was only shown.
      add("searches");
      for (const name of Array.isArray(data.results) ? data.results : [])
        if (typeof name === "string") of(byName(name)).found++;
    }
  }
}

export const byPath = (path: string): string => `path ${path}`;
export const byName = (name: string): string => `name ${name}`;

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

function lastDays(count: number, now: Date): string[] {
  return Array.from({ length: count }, (_, back) => {
    const day = new Date(now);
    // At noon no change of the clocks moves it to another day.
    day.setHours(12, 0, 0, 0);
    day.setDate(day.getDate() - (count - 1 - back));
    return dayOf(day);
  });
}

const noUses = (): Uses => ({ loads: 0, searches: 0, runs: 0 });
const noSkillUses = (): SkillUses => ({ loads: 0, found: 0, runs: 0 });
const totalOf = ({ loads, searches, runs }: Uses): number => loads + searches + runs;

function addUses(to: Uses, { loads, searches, runs }: Uses): void {
  to.loads += loads;
  to.searches += searches;
  to.runs += runs;
}

function addSkillUses(to: SkillUses, { loads, found, runs }: SkillUses): void {
  to.loads += loads;
  to.found += found;
  to.runs += runs;
}

function entry<K, V>(map: Map<K, V>, key: K, make: () => V): V {
  const known = map.get(key) ?? make();
  map.set(key, known);
  return known;
}

/** Skills that are gone stay in the ranking, without an id: what was used does not change with the catalog. */
export function usedSkills(skills: readonly SkillMetadata[], totals: ReadonlyMap<string, number>) {
  const byKey = new Map([
    ...skills.map((skill) => [byName(skill.name), skill] as const),
    ...skills.map((skill) => [byPath(skill.path), skill] as const),
  ]);
  const ranked = [...totals].sort(([a, x], [b, y]) => y - x || (a < b ? -1 : 1)).slice(0, MAX_LISTED);
  const never = skills.filter(({ path, name }) => !totals.has(byPath(path)) && !totals.has(byName(name)));
  return {
    most_used: ranked.map(([key, uses]) => {
      const skill = byKey.get(key);
      return { id: skill?.id ?? null, name: skill?.name ?? nameIn(key), uses };
    }),
    never_used: {
      count: never.length,
      first: never.slice(0, MAX_LISTED).map(({ id, name, description }) => ({ id, name, description })),
    },
  };
}

/** Of a path, the folder of the skill. */
function nameIn(key: string): string {
  const [, kind, rest = ""] = /^(path|name) (.*)$/s.exec(key) ?? [];
  return kind === "path" ? (rest.split(/[/\\]/).at(-2) ?? rest) : rest;
}

import type { Database, Parameter } from "../store/database.ts";
import { type LoggedEvent, shown } from "./records.ts";

export interface EventFilter {
  readonly type?: string | undefined;
  /** Records of runs of this skill, and those that name it. */
  readonly skill?: string | undefined;
  readonly actor?: string | undefined;
  readonly run?: string | undefined;
  readonly plan?: string | undefined;
  /** ISO 8601 UTC, both inclusive. */
  readonly since?: string | undefined;
  readonly until?: string | undefined;
  /** Only records before this one. */
  readonly before?: number | undefined;
  readonly limit: number;
}

/** The records that match, newest first. */
export async function findEvents(db: Database, filter: EventFilter): Promise<LoggedEvent[]> {
  const { where, values } = conditionsOf(filter);
  const rows = await db.all(`SELECT * FROM task_events ${where} ORDER BY seq DESC LIMIT ?`, [
    ...values,
    filter.limit,
  ]);
  return rows.map(shown);
}

/** How many records match, whatever the page. */
export async function countEvents(db: Database, filter: EventFilter): Promise<number> {
  const { where, values } = conditionsOf({ ...filter, before: undefined });
  const row = await db.get(`SELECT COUNT(*) AS count FROM task_events ${where}`, values);
  return Number(row?.count ?? 0);
}

/** The types and the actors that the log has, for a choice. */
export async function eventFacets(
  db: Database,
): Promise<{ readonly types: readonly string[]; readonly actors: readonly string[] }> {
  const values = async (column: string): Promise<string[]> =>
    (await db.all(`SELECT DISTINCT ${column} AS value FROM task_events ORDER BY ${column} LIMIT 500`)).map(
      ({ value }) => String(value),
    );
  return { types: await values("event_type"), actors: await values("actor") };
}

function conditionsOf(filter: EventFilter): {
  readonly where: string;
  readonly values: readonly Parameter[];
} {
  const { type, skill, actor, run, plan, since, until, before } = filter;
  const conditions: string[] = [];
  const values: Parameter[] = [];
  const add = (sql: string, ...given: Parameter[]): void => {
    conditions.push(sql);
    values.push(...given);
  };
  if (type !== undefined) add("event_type = ?", type);
  if (actor !== undefined) add("actor = ?", actor);
  if (run !== undefined) add("run_id = ?", run);
  if (plan !== undefined) add("plan_id = ?", plan);
  if (since !== undefined) add("created_at >= ?", since);
  if (until !== undefined) add("created_at <= ?", until);
  if (before !== undefined) add("seq < ?", before);
  if (skill !== undefined)
    add(
      `(run_id IN (SELECT skill_run_id FROM skill_runs WHERE skill_name = ?)
        OR payload_json LIKE ? ESCAPE '!')`,
      skill,
      naming(skill),
    );
  return { where: conditions.length === 0 ? "" : `WHERE ${conditions.join(" AND ")}`, values };
}

/** A pattern for payloads with exactly this text as a value: the skill itself, its tool, the result of a search. */
function naming(text: string): string {
  return `%${JSON.stringify(text).replace(/[!%_]/g, (character) => `!${character}`)}%`;
}

import { type Database, type Row, rowsOf, whereOf } from "../store/database.ts";
import { type AuditRecord, genesisOf } from "./chain.ts";
import { withoutRowMarks } from "./covered-rows.ts";

const BATCH = 500;

/** The log in order, a batch at a time. `seq` is text: another hand may have put too large a number there. */
export async function* recordsOf(db: Database): AsyncGenerator<Row> {
  let rows: Row[];
  let last: string | null = null;
  do {
    rows = await db.all(
      `SELECT CAST(seq AS TEXT) AS seq, event_type, plan_id, task_id, run_id, actor, payload_json, created_at,
         prev_hash, hash FROM task_events ${last === null ? "" : "WHERE seq > CAST(? AS BIGINT)"}
       ORDER BY task_events.seq LIMIT ${BATCH}`,
      last === null ? [] : [last],
    );
    yield* rows;
    last = String(rows.at(-1)?.seq);
  } while (rows.length === BATCH);
}

/** A record as it is shown. */
export type LoggedEvent = Omit<AuditRecord, "payload_json" | "prev_hash"> & { readonly payload: unknown };

export async function listEvents(db: Database, limit: number): Promise<LoggedEvent[]> {
  return (await findEvents(db, { limit })).reverse();
}

/** The records after a known one, in order, for a reader that follows the log. */
export async function eventsAfter(db: Database, seq: number, limit: number): Promise<LoggedEvent[]> {
  const rows = await db.all("SELECT * FROM task_events WHERE seq > ? ORDER BY seq LIMIT ?", [seq, limit]);
  return rows.map(shown);
}

export async function lastSeq(db: Database): Promise<number> {
  return Number((await db.get("SELECT MAX(seq) AS seq FROM task_events"))?.seq ?? 0);
}

function shown({ payload_json, prev_hash: _, ...row }: Row): LoggedEvent {
  const payload = withoutRowMarks(JSON.parse(String(payload_json)) as unknown);
  return { ...(row as unknown as Omit<LoggedEvent, "payload">), payload };
}

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
  readonly before?: number | undefined;
  readonly limit: number;
}

export async function findEvents(db: Database, filter: EventFilter): Promise<LoggedEvent[]> {
  const { where, values } = conditionsOf(filter);
  const rows = await db.all(`SELECT * FROM task_events ${where} ORDER BY seq DESC LIMIT ?`, [
    ...values,
    filter.limit,
  ]);
  return rows.map(shown);
}

export async function countEvents(db: Database, filter: EventFilter): Promise<number> {
  const { where, values } = conditionsOf({ ...filter, before: undefined });
  const row = await db.get(`SELECT COUNT(*) AS count FROM task_events ${where}`, values);
  return Number(row?.count ?? 0);
}

export async function eventFacets(
  db: Database,
): Promise<{ readonly types: readonly string[]; readonly actors: readonly string[] }> {
  const values = async (column: string): Promise<string[]> =>
    (await db.all(`SELECT DISTINCT ${column} AS value FROM task_events ORDER BY ${column} LIMIT 500`)).map(
      ({ value }) => String(value),
    );
  return { types: await values("event_type"), actors: await values("actor") };
}

function conditionsOf({ type, skill, actor, run, plan, since, until, before }: EventFilter) {
  return whereOf([
    ["event_type = ?", type],
    ["actor = ?", actor],
    ["run_id = ?", run],
    ["plan_id = ?", plan],
    ["created_at >= ?", since],
    ["created_at <= ?", until],
    ["seq < ?", before],
    [
      `(run_id IN (SELECT skill_run_id FROM skill_runs WHERE skill_name = ?)
        OR payload_json LIKE ? ESCAPE '!')`,
      skill,
      skill && naming(skill),
    ],
  ]);
}

/** A pattern for payloads with exactly this text as a value: the skill itself, its tool, the result of a search. */
function naming(text: string): string {
  return `%${JSON.stringify(text).replace(/[!%_]/g, (character) => `!${character}`)}%`;
}

/** A record of the log that says that a skill was searched for, loaded or run. */
export interface UseEvent {
  readonly seq: number;
  readonly type: string;
  readonly actor: string;
  readonly payload: unknown;
  readonly at: string;
}

export async function useEventsAfter(db: Database, seq: number, limit: number): Promise<UseEvent[]> {
  const rows = await rowsOf<UseEvent & { readonly payload: string }>(
    db,
    `SELECT seq, event_type AS type, actor, payload_json AS payload, created_at AS at FROM task_events
     WHERE seq > ? AND event_type IN ('SKILL_LOADED', 'SKILL_SEARCHED', 'SKILL_RUN') ORDER BY seq LIMIT ?`,
    [seq, limit],
  );
  return rows.map((row) => ({ ...row, payload: JSON.parse(row.payload) as unknown }));
}

/** The number of the last record before a moment, by bisection: records are written in order. */
export async function lastSeqBefore(db: Database, moment: string): Promise<number> {
  let [low, high] = [0, await lastSeq(db)];
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    const row = await db.get("SELECT created_at FROM task_events WHERE seq >= ? ORDER BY seq LIMIT 1", [
      middle,
    ]);
    if (row && String(row.created_at) < moment) low = middle;
    else high = middle - 1;
  }
  return low;
}

/** JSON leaves these as they are; a terminal or a reader of lines may take them for an end or a command. */
const UNSAFE = /[\u007f-\u009f\u2028\u2029]/g;

/** The log as lines, a record each, and last `{"head": …}`: kept elsewhere, it shows later that nothing was cut off. */
export async function* exportLog(db: Database): AsyncGenerator<string> {
  // A head that a power cut could undo would later look like a cut log.
  await db.flush();
  let head: unknown = await genesisOf(db);
  for await (const row of recordsOf(db)) {
    yield lineOf({ ...row, seq: Number(row.seq) });
    head = row.hash;
  }
  yield lineOf({ head });
}

function lineOf(value: unknown): string {
  return JSON.stringify(value).replace(
    UNSAFE,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}

import type { Database } from "../store/database.ts";
import type { RunArtifact } from "../store/runs/runs.ts";
import { type AuditRecord, eventHash } from "./chain.ts";
import { nameOf, payloadOf, rowDigest, rowMarksOf, withoutRowMarks } from "./covered-rows.ts";

/**
 * Compares a run's row with the record of its end, which must match its own hash and be followed by one that refers to it:
 * editing both means rewriting the log from there on, which `verifyStore` finds with a saved head. `doubt`: why the row
 * cannot be trusted. `artifacts`: by the log, for making them again; none where the log does not hold.
 */
export async function runRecord(db: Database, runId: string) {
  const first = await db.get(
    "SELECT MIN(seq) AS seq FROM task_events WHERE run_id = ? AND event_type = 'SKILL_RUN'",
    [runId],
  );
  const seq = Number(first?.seq ?? 0);
  const none = async (): Promise<RunArtifact[]> => [];
  if (seq === 0) return { doubt: `The log has no record of the run ${runId}.`, artifacts: none };
  const records = await recordsFrom(db, seq, 2);
  const [record] = records;
  if (!record || !holds(records, 0))
    return { doubt: `Record ${seq} of the log (run ${runId}) was changed.`, artifacts: none };
  const artifacts = async (): Promise<RunArtifact[]> =>
    artifactsIn(await recordsFrom(db, seq, MAX_FOLLOWING), runId);
  return { doubt: await doubtOf(db, runId, record), artifacts };
}

async function doubtOf(db: Database, runId: string, record: AuditRecord): Promise<string | null> {
  const name = nameOf("skill_runs", [runId]);
  const mark = rowMarksOf(payloadOf(record.payload_json)).find(([table, key]) => nameOf(table, key) === name);
  if (!mark) return `Record ${record.seq} of the log does not name the row of the run ${runId}.`;
  const now = await rowDigest(db, { table: "skill_runs", key: [runId] });
  return now === mark[2]
    ? null
    : `The row of the run ${runId} does not match record ${record.seq} of the log.`;
}

async function recordsFrom(db: Database, seq: number, count: number): Promise<AuditRecord[]> {
  const rows = await db.all("SELECT * FROM task_events WHERE seq >= ? ORDER BY seq LIMIT ?", [seq, count]);
  return rows as unknown as AuditRecord[];
}

/** The records of a run's artifacts follow the record of its end. No more than this many are read. */
const MAX_FOLLOWING = 50;

function holds(records: readonly AuditRecord[], place: number): boolean {
  const [record, next] = [records[place], records[place + 1]];
  return (
    record !== undefined &&
    eventHash(record) === record.hash &&
    (next?.prev_hash ?? record.hash) === record.hash
  );
}

function artifactsIn(records: readonly AuditRecord[], runId: string): RunArtifact[] {
  const artifacts: RunArtifact[] = [];
  for (let place = 1; place < records.length; place++) {
    const record = records[place];
    if (record?.run_id !== runId || record.event_type !== "ARTIFACT_CREATED" || !holds(records, place)) break;
    artifacts.push(withoutRowMarks(payloadOf(record.payload_json)) as RunArtifact);
  }
  return artifacts;
}

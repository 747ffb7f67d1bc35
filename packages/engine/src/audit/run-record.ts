import type { Database } from "../store/database.ts";
import type { RunArtifact } from "../store/skill-run.ts";
import { nameOf, rowDigest } from "./covered-rows.ts";
import { type AuditRecord, eventHash } from "./event-hash.ts";
import { rowMarksOf, withoutRowMarks } from "./row-marks.ts";

/** What the log says of a run that is to be served again. */
export interface RunRecord {
  /** Why its row is not believed; `null` where the row is what the log vouches for. */
  readonly doubt: string | null;
  /** Its artifacts by the log, for making them again where they were; `null` where the log does not hold there. */
  readonly artifacts: readonly RunArtifact[] | null;
}

/**
 * Compares a run's row with the record of its end. That record must have its own hash and be followed by a record that
 * knows it: so whoever edits row and record has to write the log anew from there on, which `verifyStore` with a kept head
 * finds. Costs two looks by an index.
 */
export async function runRecord(db: Database, runId: string): Promise<RunRecord> {
  const first = await db.get(
    "SELECT MIN(seq) AS seq FROM task_events WHERE run_id = ? AND event_type = 'SKILL_RUN'",
    [runId],
  );
  const seq = Number(first?.seq ?? 0);
  if (seq === 0) return { doubt: `No record of the log has the run ${runId}.`, artifacts: null };
  const records = (await db.all("SELECT * FROM task_events WHERE seq >= ? AND seq <= ? ORDER BY seq", [
    seq,
    seq + MAX_FOLLOWING,
  ])) as unknown as AuditRecord[];
  const [record] = records;
  if (!record || !holds(records, 0))
    return { doubt: `Record ${seq} of the log, of the run ${runId}, was changed.`, artifacts: null };
  const name = nameOf("skill_runs", [runId]);
  const mark = rowMarksOf(parsed(record))?.find(([table, key]) => nameOf(table, key) === name);
  const artifacts = artifactsIn(records, runId);
  if (!mark)
    return {
      doubt: `The run ${runId} was recorded by a version that did not bind runs to the log.`,
      artifacts,
    };
  const now = await rowDigest(db, { table: "skill_runs", key: [runId] });
  if (now !== mark[2])
    return { doubt: `The row of the run ${runId} is not as record ${seq} of the log says.`, artifacts };
  return { doubt: null, artifacts };
}

/** The records of a run's artifacts follow the record of its end. More than this no run is asked for. */
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
    artifacts.push(withoutRowMarks(parsed(record)) as RunArtifact);
  }
  return artifacts;
}

function parsed({ payload_json }: AuditRecord): unknown {
  try {
    return JSON.parse(payload_json) as unknown;
  } catch {
    // It is not Knack's, and nothing of it is believed.
    return null;
  }
}

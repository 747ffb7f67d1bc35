import type { PostgresDatabase } from "../../postgres/postgres.ts";

/**
 * Fills a database with this many finished runs, each with an artifact and two records, as Knack would have written them in
 * a year, but for the hashes of the log. One in a hundred was returned again from the cache.
 */
export async function fillHistory({ pool }: PostgresDatabase, runs: number): Promise<void> {
  const at =
    "to_char(timestamp '2026-01-01' + n * interval '30 seconds', 'YYYY-MM-DD\"T\"HH24:MI:SS.MS\"Z\"')";
  await pool.query(`
    INSERT INTO skill_runs (skill_run_id, plan_id, task_id, skill_name, skill_version, implementation, implementation_digest,
      idempotency_key, claim_key, status, lease_until, inputs_json, params_json, started_at, finished_at, holder)
    SELECT 'run-' || n, 'plan-' || n / 50, 'task-' || n % 50, 'skill_' || n % 20, '1', 'builtin:x', 'd', 'key-' || n, 'key-' || n,
      CASE WHEN n % 20 = 0 THEN 'FAILED' ELSE 'SUCCEEDED' END, ${at}, '[]', '{}', ${at}, ${at}, ''
    FROM generate_series(1, ${runs}) n;
    INSERT INTO artifacts (artifact_id, skill_run_id, plan_id, task_id, name, path, sha256, size_bytes, format, version, created_at)
    SELECT 'artifact-' || n, 'run-' || n, CASE WHEN n % 2 = 0 THEN 'plan-' || n / 50 END,
      CASE WHEN n % 2 = 0 THEN 'task-' || n % 50 END, 'name-' || n % 1000, 'workspace/artifacts/' || n, 'sha-' || n, n, 'txt', n, ${at}
    FROM generate_series(1, ${runs}) n;
    INSERT INTO task_events (seq, event_type, plan_id, task_id, run_id, actor, payload_json, created_at, prev_hash, hash)
    SELECT 2 * n - 1, 'SKILL_RUN', 'plan-' || n / 50, 'task-' || n % 50, 'run-' || n, 'cli',
      CASE WHEN n % 100 = 0 THEN '{"cached":true}' ELSE '{"cached":false}' END, ${at}, 'p', 'h'
    FROM generate_series(1, ${runs}) n;
    INSERT INTO task_events (seq, event_type, plan_id, task_id, run_id, actor, payload_json, created_at, prev_hash, hash)
    SELECT 2 * n, 'ARTIFACT_CREATED', 'plan-' || n / 50, 'task-' || n % 50, 'run-' || n, 'cli', '{}', ${at}, 'p', 'h'
    FROM generate_series(1, ${runs}) n;`);
  await pool.query("ANALYZE");
}

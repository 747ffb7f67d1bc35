/** Marks the database file as ours: "KNAK". */
export const APPLICATION_ID = 0x4b4e414b;

/** Stored in the database, so that a Knack that does not know the schema leaves it alone. Earlier numbers were never released. */
export const SCHEMA_VERSION = 4;

const HISTORY: readonly string[] = [
  `CREATE TABLE skill_runs (
     skill_run_id TEXT PRIMARY KEY,
     plan_id TEXT,
     task_id TEXT,
     skill_name TEXT NOT NULL,
     skill_version TEXT NOT NULL,
     implementation TEXT NOT NULL,
     implementation_digest TEXT NOT NULL,
     idempotency_key TEXT NOT NULL,
     claim_key TEXT NOT NULL,
     status TEXT NOT NULL CHECK (status IN ('RUNNING', 'SUCCEEDED', 'FAILED')),
     lease_until TEXT NOT NULL,
     -- Boot id, process id and start time: on one machine they show for certain whether the holder is alive.
     holder TEXT NOT NULL DEFAULT '',
     inputs_json TEXT NOT NULL,
     params_json TEXT NOT NULL,
     output_artifacts_json TEXT NOT NULL DEFAULT '[]',
     output_evidences_json TEXT NOT NULL DEFAULT '[]',
     error_code TEXT,
     error_message TEXT,
     isolation TEXT,
     log_tail TEXT NOT NULL DEFAULT '',
     started_at TEXT NOT NULL,
     finished_at TEXT
   )`,
  // One holder per key: the database never accepts a second running row.
  `CREATE UNIQUE INDEX skill_runs_holder ON skill_runs (claim_key) WHERE status = 'RUNNING'`,
  // Each index is one more page to write per claim and finish, so indexes are partial where possible.
  `CREATE INDEX skill_runs_cache ON skill_runs (idempotency_key, finished_at) WHERE status = 'SUCCEEDED'`,
  `CREATE INDEX skill_runs_history ON skill_runs (started_at)`,
  `CREATE INDEX skill_runs_skill ON skill_runs (skill_name, started_at)`,
  `CREATE INDEX skill_runs_task ON skill_runs (task_id, started_at) WHERE task_id IS NOT NULL`,
  `CREATE TABLE artifacts (
     artifact_id TEXT PRIMARY KEY,
     skill_run_id TEXT NOT NULL,
     plan_id TEXT,
     task_id TEXT,
     name TEXT NOT NULL,
     path TEXT NOT NULL,
     sha256 TEXT NOT NULL,
     size_bytes BIGINT NOT NULL,
     format TEXT NOT NULL,
     version INTEGER NOT NULL,
     created_at TEXT NOT NULL
   )`,
  `CREATE INDEX artifacts_version ON artifacts (plan_id, task_id, name, version)`,
  `CREATE INDEX artifacts_bytes ON artifacts (plan_id, task_id, name, sha256)`,
  `CREATE INDEX artifacts_run ON artifacts (skill_run_id)`,
  `CREATE TABLE plans (
     plan_id TEXT PRIMARY KEY,
     title TEXT NOT NULL,
     path TEXT NOT NULL,
     sha256 TEXT NOT NULL,
     data_json TEXT NOT NULL,
     created_at TEXT NOT NULL,
     updated_at TEXT NOT NULL
   )`,
  `CREATE TABLE task_nodes (
     plan_id TEXT NOT NULL,
     task_id TEXT NOT NULL,
     position INTEGER NOT NULL,
     title TEXT NOT NULL,
     status TEXT NOT NULL CHECK (status IN
       ('PENDING', 'READY', 'IN_PROGRESS', 'BLOCKED', 'DONE', 'FAILED', 'ABANDONED')),
     blocked_reason TEXT CHECK (blocked_reason IN
       ('WAITING_INPUT', 'WAITING_APPROVAL', 'WAITING_SKILL', 'WAITING_EXTERNAL')),
     skill_name TEXT,
     data_json TEXT NOT NULL,
     failures INTEGER NOT NULL DEFAULT 0,
     skill_run_id TEXT,
     created_at TEXT NOT NULL,
     updated_at TEXT NOT NULL,
     PRIMARY KEY (plan_id, task_id)
   )`,
  `CREATE INDEX task_nodes_task ON task_nodes (task_id)`,
  `CREATE TABLE task_edges (
     plan_id TEXT NOT NULL,
     task_id TEXT NOT NULL,
     depends_on TEXT NOT NULL,
     PRIMARY KEY (plan_id, task_id, depends_on)
   )`,
  `CREATE TABLE input_requirements (
     requirement_id TEXT PRIMARY KEY,
     plan_id TEXT NOT NULL,
     task_id TEXT NOT NULL,
     position INTEGER NOT NULL,
     name TEXT NOT NULL,
     kind TEXT NOT NULL CHECK (kind IN ('FILE', 'CONFIRMATION', 'SKILL_OUTPUT')),
     required INTEGER NOT NULL,
     min_count INTEGER NOT NULL,
     allowed_types_json TEXT NOT NULL,
     validation_json TEXT NOT NULL,
     skill_name TEXT,
     evidence_kind TEXT,
     created_at TEXT NOT NULL,
     UNIQUE (plan_id, task_id, name)
   )`,
  `CREATE TABLE evidences (
     evidence_id TEXT PRIMARY KEY,
     requirement_id TEXT NOT NULL,
     evidence_type TEXT NOT NULL CHECK (evidence_type IN ('FILE', 'CONFIRMATION', 'SKILL_OUTPUT')),
     kind TEXT,
     ref_id TEXT,
     ref_path TEXT,
     sha256 TEXT,
     data_json TEXT NOT NULL,
     created_at TEXT NOT NULL
   )`,
  // The same bytes count once. A confirmation has no digest and counts each time.
  `CREATE UNIQUE INDEX evidences_once ON evidences (requirement_id, evidence_type, COALESCE(ref_id, ''), sha256)`,
  `CREATE TABLE task_events (
     seq INTEGER PRIMARY KEY,
     event_type TEXT NOT NULL,
     plan_id TEXT,
     task_id TEXT,
     run_id TEXT,
     actor TEXT NOT NULL,
     payload_json TEXT NOT NULL,
     created_at TEXT NOT NULL,
     prev_hash TEXT NOT NULL,
     hash TEXT NOT NULL
   )`,
  // A cached success is checked against the event of its end, the first event of its run.
  `CREATE INDEX task_events_run ON task_events (run_id, seq) WHERE event_type = 'SKILL_RUN'`,
  // Results that were returned again: a page of them must not read the whole log.
  `CREATE INDEX task_events_served ON task_events (created_at, seq)
     WHERE event_type = 'SKILL_RUN' AND payload_json LIKE '%"cached":true%'`,
  // The id of the store tells it from a copy; the log begins with it.
  `CREATE TABLE store_identity (
     only_row INTEGER PRIMARY KEY CHECK (only_row = 1),
     store_id TEXT NOT NULL
   )`,
];

/** What a team shares: who may use the server, what waits to be run, and who runs it. */
const TEAM: readonly string[] = [
  `CREATE TABLE access_tokens (
     name TEXT PRIMARY KEY,
     role TEXT NOT NULL CHECK (role IN ('reader', 'runner', 'approver', 'owner')),
     token_sha256 TEXT NOT NULL UNIQUE,
     created_at TEXT NOT NULL,
     created_by TEXT NOT NULL,
     revoked_at TEXT
   )`,
  // `lane` says who may run it, `turn` whose turn it is among equal priorities; see `queue/`.
  `CREATE TABLE queued_runs (
     queue_id TEXT PRIMARY KEY,
     job_id TEXT NOT NULL,
     lane TEXT NOT NULL,
     state TEXT NOT NULL CHECK (state IN ('WAITING', 'RUNNING', 'SUCCEEDED', 'FAILED', 'DEAD', 'CANCELLED')),
     skill_name TEXT NOT NULL,
     plan_id TEXT,
     task_id TEXT,
     priority INTEGER NOT NULL,
     flow TEXT NOT NULL,
     turn INTEGER NOT NULL,
     tags_json TEXT NOT NULL,
     request_json TEXT NOT NULL,
     queued_by TEXT NOT NULL,
     attempts INTEGER NOT NULL DEFAULT 0,
     worker_id TEXT,
     skill_run_id TEXT,
     cached INTEGER NOT NULL DEFAULT 0,
     error_code TEXT,
     error_message TEXT,
     queued_at TEXT NOT NULL,
     started_at TEXT,
     finished_at TEXT
   )`,
  // The queue shows what is open; what is finished is history and is read by its time.
  `CREATE INDEX queued_runs_open ON queued_runs (state, queued_at) WHERE state IN ('WAITING', 'RUNNING', 'FAILED', 'DEAD')`,
  `CREATE INDEX queued_runs_turn ON queued_runs (lane, priority, turn) WHERE state IN ('WAITING', 'FAILED')`,
  `CREATE INDEX queued_runs_flow ON queued_runs (lane, flow, priority, turn) WHERE state IN ('WAITING', 'FAILED')`,
  `CREATE INDEX queued_runs_finished ON queued_runs (finished_at)`,
  `CREATE INDEX queued_runs_task ON queued_runs (plan_id, task_id, queued_at) WHERE task_id IS NOT NULL`,
  `CREATE TABLE workers (
     worker_id TEXT PRIMARY KEY,
     host TEXT NOT NULL,
     pid INTEGER NOT NULL,
     concurrency INTEGER NOT NULL,
     skills_json TEXT NOT NULL,
     tags_json TEXT NOT NULL,
     holder TEXT NOT NULL,
     started_at TEXT NOT NULL,
     seen_at TEXT NOT NULL,
     lease_until TEXT NOT NULL
   )`,
];

/** The bytes of artifacts by content, where PostgreSQL keeps them (`artifacts.url: postgres`), in parts of bounded size. */
const CONTENT: readonly string[] = [
  `CREATE TABLE contents (
     sha256 TEXT PRIMARY KEY,
     size_bytes BIGINT NOT NULL,
     created_at TEXT NOT NULL
   )`,
  `CREATE TABLE content_parts (
     sha256 TEXT NOT NULL REFERENCES contents (sha256) ON DELETE CASCADE,
     part INTEGER NOT NULL,
     bytes BYTEA NOT NULL,
     PRIMARY KEY (sha256, part)
   )`,
  // What names a content, and whether another machine has the path of an artifact.
  `CREATE INDEX artifacts_content ON artifacts (sha256)`,
  `CREATE INDEX artifacts_path ON artifacts (path)`,
  `CREATE INDEX evidences_content ON evidences (sha256) WHERE sha256 IS NOT NULL`,
];

export const SQLITE_SCHEMA: readonly string[] = [
  ...HISTORY,
  ...TEAM,
  "INSERT INTO store_identity (only_row, store_id) VALUES (1, lower(hex(randomblob(16))))",
];

/** Text sorts by code point, as in SQLite, so that both list in the same order; numbers are wide enough for any count. */
export const POSTGRES_SCHEMA: readonly string[] = [
  ...[...HISTORY, ...TEAM, ...CONTENT, "CREATE TABLE schema_migrations (version INTEGER PRIMARY KEY)"].map(
    (statement) => statement.replaceAll(/\bTEXT\b/g, 'TEXT COLLATE "C"').replaceAll(/\bINTEGER\b/g, "BIGINT"),
  ),
  "INSERT INTO store_identity (only_row, store_id) VALUES (1, replace(gen_random_uuid()::text, '-', ''))",
  `INSERT INTO schema_migrations (version) VALUES (${SCHEMA_VERSION})`,
];

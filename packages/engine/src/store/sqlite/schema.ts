/** Marks the database file as ours: "KNAK". */
export const APPLICATION_ID = 0x4b4e414b;

/** `since`: the first version of Knack with this schema, so that an older one can tell the user to upgrade. */
export interface Migration {
  readonly since: string;
  readonly statements: readonly string[];
}

const FIRST: readonly string[] = [
  `CREATE TABLE schema_migrations (
     version INTEGER PRIMARY KEY,
     since TEXT NOT NULL
   )`,
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
];

/** The id of the store, to tell it from a copy or a foreign file; and the holder of a running row. */
const IDENTITY: readonly string[] = [
  `CREATE TABLE store_identity (
     only_row INTEGER PRIMARY KEY CHECK (only_row = 1),
     store_id TEXT NOT NULL
   )`,
  `INSERT INTO store_identity (only_row, store_id) VALUES (1, lower(hex(randomblob(16))))`,
  // Boot id, process id and start time of the holder: on one machine they show for certain whether it is alive.
  `ALTER TABLE skill_runs ADD COLUMN holder TEXT NOT NULL DEFAULT ''`,
];

/** A cached success is checked against the event of its end, the first event of its run. */
const RECORD_OF_RUN: readonly string[] = [
  `CREATE INDEX task_events_run ON task_events (run_id, seq) WHERE event_type = 'SKILL_RUN'`,
];

/** Migration n makes schema version n + 1. Never change a published migration; add a new one. */
export const MIGRATIONS: readonly Migration[] = [
  { since: "0.1.0", statements: FIRST },
  { since: "0.1.0", statements: IDENTITY },
  { since: "0.1.0", statements: RECORD_OF_RUN },
];

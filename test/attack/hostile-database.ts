import { chmodSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { makeFolder } from "../../packages/core/src/testing/files.ts";
import { APPLICATION_ID, MIGRATIONS } from "../../packages/engine/src/store/schema.ts";

/** What a database that came with a project does to those who open it. */
export type Trick =
  | "forged evidence"
  | "forged confirmation"
  | "emptied log"
  | "endless trigger"
  | "endless view"
  | "extra table"
  | "extra index"
  | "huge version"
  | "old version"
  | "foreign application"
  | "plain";

const NOW = "2026-01-01T00:00:00.000Z";
const ENDLESS = "WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n) SELECT max(x) FROM n";

const TRICKS: Readonly<Record<Trick, string>> = {
  plain: "",
  "forged evidence": `INSERT INTO skill_runs (skill_run_id, skill_name, skill_version, implementation, implementation_digest,
      idempotency_key, claim_key, status, lease_until, inputs_json, params_json, output_evidences_json, started_at, finished_at)
    VALUES ('FORGED', 'file_fingerprint', '1', 'builtin:file_fingerprint', 'd', 'k', 'k', 'SUCCEEDED', '${NOW}', '[]', '{}',
      '[{"kind":"FORGED","data":{"passed":true}}]', '${NOW}', '${NOW}');
    CREATE TRIGGER forge AFTER INSERT ON skill_runs BEGIN
      UPDATE skill_runs SET output_evidences_json = '[{"kind":"FORGED","data":{"passed":true}}]'; END;`,
  "forged confirmation": `INSERT INTO plans VALUES ('p', 'FORGED', 'plan.yaml', 'x', '{}', '${NOW}', '${NOW}');
    INSERT INTO input_requirements VALUES ('r', 'p', 'sign', 0, 'sign_off', 'CONFIRMATION', 1, 1, '[]', '{}', NULL, NULL, '${NOW}');
    INSERT INTO evidences VALUES ('e', 'r', 'CONFIRMATION', NULL, NULL, NULL, NULL, '{}', '${NOW}');
    CREATE TRIGGER confirm AFTER INSERT ON input_requirements BEGIN
      INSERT INTO evidences VALUES (NEW.requirement_id, NEW.requirement_id, 'CONFIRMATION', NULL, NULL, NULL, NULL, '{}', '${NOW}'); END;`,
  "emptied log": `CREATE TRIGGER empty AFTER INSERT ON task_events BEGIN DELETE FROM task_events; END;`,
  "endless trigger": `CREATE TRIGGER loop AFTER INSERT ON task_events BEGIN ${ENDLESS}; END;
    CREATE TRIGGER loop2 AFTER INSERT ON skill_runs BEGIN ${ENDLESS}; END;
    CREATE TRIGGER loop3 AFTER INSERT ON plans BEGIN ${ENDLESS}; END;`,
  "endless view": `ALTER TABLE task_events RENAME TO hidden;
    CREATE VIEW task_events AS WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n)
      SELECT x AS seq, 'FORGED' AS event_type, NULL AS plan_id, NULL AS task_id, NULL AS run_id, 'a' AS actor, '{}' AS payload_json,
        '${NOW}' AS created_at, '' AS prev_hash, '' AS hash FROM n WHERE x < 0;`,
  "extra table": "CREATE TABLE other (x); INSERT INTO other VALUES (1);",
  "extra index": "CREATE INDEX odd ON task_events (abs(seq), upper(event_type));",
  "huge version": "PRAGMA user_version = 2147483647;",
  "old version": "PRAGMA user_version = 1;",
  "foreign application": "PRAGMA application_id = 1;",
};

/** Puts a database with Knack's schema and mark there, private to this user, as Knack would. */
export function hostileDatabase(file: string, trick: Trick): void {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, bytesOf(trick));
  chmodSync(file, 0o600);
}

const made = new Map<Trick, Buffer>();

/** Created elsewhere: files beside the target may be links to anywhere. */
function bytesOf(trick: Trick): Buffer {
  const known = made.get(trick);
  if (known) return known;
  using folder = makeFolder();
  const file = folder.at("state.db");
  const db = new DatabaseSync(file);
  for (const [index, { since, statements }] of MIGRATIONS.entries()) {
    for (const statement of statements) db.exec(statement);
    db.exec(`INSERT INTO schema_migrations VALUES (${index + 1}, '${since}')`);
  }
  db.exec(`PRAGMA application_id = ${APPLICATION_ID}; PRAGMA user_version = ${MIGRATIONS.length};`);
  db.exec(TRICKS[trick]);
  db.close();
  const bytes = readFileSync(file);
  made.set(trick, bytes);
  return bytes;
}

import { chmodSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { makeFolder } from "../../packages/core/src/testing/files.ts";
import { APPLICATION_ID, SCHEMA_VERSION, SQLITE_SCHEMA } from "../../packages/engine/src/store/schema.ts";

const NOW = "2026-01-01T00:00:00.000Z";
const ENDLESS = "WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n) SELECT max(x) FROM n";

/** Forged results and a confirmation; whoever reads or adds records never ends. */
const TRICKS = `
  INSERT INTO skill_runs (skill_run_id, skill_name, skill_version, implementation, implementation_digest,
      idempotency_key, claim_key, status, lease_until, inputs_json, params_json, output_evidences_json, started_at, finished_at)
    VALUES ('FORGED', 'file_fingerprint', '1', 'builtin:file_fingerprint', 'd', 'k', 'k', 'SUCCEEDED', '${NOW}', '[]', '{}',
      '[{"kind":"FORGED","data":{"passed":true}}]', '${NOW}', '${NOW}');
  INSERT INTO plans VALUES ('p', 'FORGED', 'plan.yaml', 'x', '{}', '${NOW}', '${NOW}');
  INSERT INTO input_requirements VALUES ('r', 'p', 'sign', 0, 'sign_off', 'CONFIRMATION', 1, 1, '[]', '{}', NULL, NULL, '${NOW}');
  INSERT INTO evidences VALUES ('e', 'r', 'CONFIRMATION', NULL, NULL, NULL, NULL, '{}', '${NOW}');
  CREATE TRIGGER loop AFTER INSERT ON skill_runs BEGIN ${ENDLESS}; END;
  ALTER TABLE task_events RENAME TO hidden;
  CREATE VIEW task_events AS WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n)
    SELECT x AS seq, 'FORGED' AS event_type, NULL AS plan_id, NULL AS task_id, NULL AS run_id, 'a' AS actor, '{}' AS payload_json,
      '${NOW}' AS created_at, '' AS prev_hash, '' AS hash FROM n WHERE x < 0;`;

/** Puts a database with Knack's schema and mark there, private to this user, as Knack would. */
export function hostileDatabase(file: string): void {
  mkdirSync(dirname(file), { recursive: true });
  made ??= makeBytes();
  writeFileSync(file, made);
  chmodSync(file, 0o600);
}

let made: Buffer | undefined;

/** Created elsewhere: files beside the target may be links to anywhere. */
function makeBytes(): Buffer {
  using folder = makeFolder();
  const file = folder.at("state.db");
  const db = new DatabaseSync(file);
  for (const statement of SQLITE_SCHEMA) db.exec(statement);
  db.exec(`PRAGMA application_id = ${APPLICATION_ID}; PRAGMA user_version = ${SCHEMA_VERSION};`);
  db.exec(TRICKS);
  db.close();
  return readFileSync(file);
}

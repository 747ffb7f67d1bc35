import type { Database } from "../store/database.ts";

/** A queued run that may still start, be tried again or be sent again by a person. */
const IS_OPEN = "state NOT IN ('SUCCEEDED', 'CANCELLED')";
const PAGE = 1000;
const DIGEST = /[0-9a-f]{64}/g;

/** Whether an artifact, an evidence, a queued run or a run in progress names this content. */
export async function isNamed(tx: Database, sha256: string): Promise<boolean> {
  const anywhere = `%${sha256}%`;
  const row = await tx.get(
    `SELECT 1 AS found WHERE
       EXISTS (SELECT 1 FROM artifacts WHERE sha256 = ?)
       OR EXISTS (SELECT 1 FROM evidences WHERE sha256 = ?)
       OR EXISTS (SELECT 1 FROM queued_runs WHERE ${IS_OPEN} AND request_json LIKE ?)
       OR EXISTS (SELECT 1 FROM skill_runs WHERE status = 'RUNNING' AND inputs_json LIKE ?)`,
    [sha256, sha256, anywhere, anywhere],
  );
  return row !== undefined;
}

/** Which of these contents the data of an evidence names: read page by page, because no index finds a text inside it. */
export async function namedInEvidence(db: Database, among: ReadonlySet<string>): Promise<Set<string>> {
  const named = new Set<string>();
  for (let last = ""; ; ) {
    const rows = await db.all(
      "SELECT evidence_id, data_json FROM evidences WHERE evidence_id > ? ORDER BY evidence_id LIMIT ?",
      [last, PAGE],
    );
    for (const { data_json } of rows)
      for (const [digest] of String(data_json).matchAll(DIGEST)) if (among.has(digest)) named.add(digest);
    if (rows.length < PAGE) return named;
    last = String(rows.at(-1)?.evidence_id);
  }
}

import { hash } from "node:crypto";
import { parseJson } from "@knack/core/text";
import type { Database, PagedTable, Row } from "../store/database.ts";
import type { RowRef } from "../store/store.ts";

/** What each digest is made of. A later column needs a new version of the digest: else every older row would seem changed. */
export const COVERED: Readonly<Record<RowRef["table"], Omit<PagedTable, "name">>> = {
  skill_runs: {
    key: ["skill_run_id"],
    columns: [
      ...["skill_run_id", "plan_id", "task_id", "skill_name", "skill_version", "implementation"],
      ...["implementation_digest", "idempotency_key", "claim_key", "status", "lease_until", "inputs_json"],
      ...["params_json", "output_artifacts_json", "output_evidences_json", "error_code", "error_message"],
      ...["isolation", "log_tail", "started_at", "finished_at", "holder"],
    ],
  },
  artifacts: {
    key: ["artifact_id"],
    columns: [
      ...["artifact_id", "skill_run_id", "plan_id", "task_id", "name", "path", "sha256", "size_bytes"],
      ...["format", "version", "created_at"],
    ],
  },
  plans: {
    key: ["plan_id"],
    columns: ["plan_id", "title", "path", "sha256", "data_json", "created_at", "updated_at"],
  },
  task_nodes: {
    key: ["plan_id", "task_id"],
    columns: [
      ...["plan_id", "task_id", "position", "title", "status", "blocked_reason", "skill_name", "data_json"],
      ...["failures", "skill_run_id", "created_at", "updated_at"],
    ],
  },
  task_edges: { key: ["plan_id", "task_id", "depends_on"], columns: ["plan_id", "task_id", "depends_on"] },
  input_requirements: {
    key: ["requirement_id"],
    columns: [
      ...["requirement_id", "plan_id", "task_id", "position", "name", "kind", "required", "min_count"],
      ...["allowed_types_json", "validation_json", "skill_name", "evidence_kind", "created_at"],
    ],
  },
  evidences: {
    key: ["evidence_id"],
    columns: [
      ...["evidence_id", "requirement_id", "evidence_type", "kind", "ref_id", "ref_path", "sha256"],
      ...["data_json", "created_at"],
    ],
  },
  access_tokens: {
    key: ["name"],
    columns: ["name", "role", "token_sha256", "created_at", "created_by", "revoked_at"],
  },
};

export async function rowDigest(db: Database, { table, key }: RowRef): Promise<string | null> {
  const { key: names, columns } = COVERED[table];
  const row = await db.get(
    `SELECT ${columns.join(", ")} FROM ${table} WHERE ${names.map((name) => `${name} = ?`).join(" AND ")}`,
    key,
  );
  return row ? digestOfRow(table, row) : null;
}

/** Each value goes in with its type and its length, so that no two rows have the same encoding. */
export function digestOfRow(table: RowRef["table"], row: Row): string {
  const parts = COVERED[table].columns.map((column) => {
    const value = row[column];
    if (value === null || value === undefined) return "-";
    const text = value instanceof Uint8Array ? Buffer.from(value).toString("hex") : String(value);
    return `${value instanceof Uint8Array ? "blob" : typeof value}:${Buffer.byteLength(text)}:${text}`;
  });
  return hash("sha256", `knack-row-1\n${table}\n${parts.join("\n")}\n`);
}

export function nameOf(table: string, key: readonly unknown[]): string {
  return JSON.stringify([table, ...key.map(String)]);
}

/** Where a record's payload has the digests of the rows that were written with it. */
export const ROWS = "$rows";

/** A row and its digest when the record was written; `null` where it was removed. */
export type RowMark = readonly [table: string, key: readonly string[], sha256: string | null];

/** The payload of a record; `null` where it is not JSON, and so not Knack's. */
export function payloadOf(text: string): unknown {
  const payload = parseJson(text);
  return payload instanceof SyntaxError ? null : payload;
}

export function rowMarksOf(payload: unknown): readonly RowMark[] {
  const marks = (payload as Record<string, unknown> | null)?.[ROWS];
  return Array.isArray(marks) ? marks.filter(isMark) : [];
}

function isMark(mark: unknown): mark is RowMark {
  if (!Array.isArray(mark) || mark.length !== 3) return false;
  const [table, key, sha256] = mark as unknown[];
  return typeof table === "string" && Array.isArray(key) && (sha256 === null || typeof sha256 === "string");
}

export function withoutRowMarks(payload: unknown): unknown {
  if (typeof payload !== "object" || payload === null || !(ROWS in payload)) return payload;
  const { [ROWS]: _, ...rest } = payload as Record<string, unknown>;
  return rest;
}

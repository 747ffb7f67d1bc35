import { createHash } from "node:crypto";

/** A record of the log, as its row has it. */
export interface AuditRecord {
  readonly seq: number;
  readonly event_type: string;
  readonly plan_id: string | null;
  readonly task_id: string | null;
  readonly run_id: string | null;
  readonly actor: string;
  readonly payload_json: string;
  readonly created_at: string;
  readonly prev_hash: string;
  readonly hash: string;
}

/** What the first record followed before logs named their store; such a log still holds, and that is said. */
export const GENESIS = createHash("sha256").update("knack audit log, version 1").digest("hex");

/** What the first record of this store's log follows. */
export function genesisFor(storeId: string): string {
  return createHash("sha256")
    .update(`knack audit log, version 2\n${Buffer.byteLength(storeId)}:${storeId}\n`)
    .digest("hex");
}

/** The fields that a hash covers, in the order of the encoding. */
const COVERED = [
  "seq",
  "event_type",
  "plan_id",
  "task_id",
  "run_id",
  "actor",
  "payload_json",
  "created_at",
  "prev_hash",
] as const;

/**
 * The digest of a record and of the one before it. Each field goes in with its length, and nothing as `-`, so that no two
 * records have the same encoding.
 */
export function eventHash(record: Omit<AuditRecord, "hash">): string {
  const parts = COVERED.map((field) => {
    const value = record[field];
    return value === null ? "-" : `${Buffer.byteLength(String(value))}:${value}`;
  });
  return createHash("sha256")
    .update(`knack-event-1\n${parts.join("\n")}\n`)
    .digest("hex");
}

import { appendEvents } from "../../audit/chain.ts";
import type { Database } from "../database.ts";
import type { ClaimRequest } from "../runs/claim.ts";
import type { RunResult } from "../runs/finish.ts";
import { newId, type Store } from "../store.ts";

/** A store on this database for tests, optionally with its own clock. */
export function storeOn(db: Database, now?: () => Date): Store {
  const monotonic = now ? () => now().getTime() : () => Number(process.hrtime.bigint() / 1000n) / 1000;
  return { db, actor: "test", now: now ?? (() => new Date()), monotonic, record: appendEvents };
}

export const digestOf = (text: string): string =>
  Buffer.from(text.padEnd(32, ".")).toString("hex").slice(0, 64);

/** A claim for this key, as the run stage would make it. */
export function claimFor(key: string, more: Partial<ClaimRequest> = {}): ClaimRequest {
  return {
    id: newId(new Date()),
    planId: null,
    taskId: null,
    skill: "text_extract",
    skillVersion: "1",
    implementation: "builtin:text_extract",
    implementationDigest: digestOf("implementation"),
    key,
    caching: true,
    inputs: [{ role: "input", kind: "FILE", path: "a.txt", sha256: digestOf("a"), size_bytes: 1 }],
    params: { max_chars: 10 },
    leaseMs: 60_000,
    ...more,
  };
}

/** A result with one artifact with this `content`, and one evidence. */
export function successOf(content: string): RunResult {
  const artifact = { name: "text", path: `workspace/artifacts/${content}.txt`, format: "txt" };
  return {
    artifacts: [{ ...artifact, sha256: digestOf(content), size_bytes: content.length }],
    evidences: [{ kind: "FILE_HASH", data: { sha256: digestOf(content) } }],
    isolation: "builtin",
    logTail: "",
  };
}

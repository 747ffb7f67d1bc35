import { appendEvents } from "../../packages/engine/src/audit/chain.ts";
import { openStore } from "../../packages/engine/src/store/open-store.ts";
import { claimRun } from "../../packages/engine/src/store/runs/claim.ts";
import { finishRun } from "../../packages/engine/src/store/runs/finish.ts";
import { newId } from "../../packages/engine/src/store/store.ts";

const DIGEST = "0123456789abcdef".repeat(4);

/** Records runs without executing anything: the claim of a new key, its finish, and the event. */
export async function openRecorder(file: string) {
  const store = await openStore(`sqlite:${file}`, { actor: "bench", record: appendEvents });
  const record = async (): Promise<void> => {
    const id = newId(store.now());
    await claimRun(store, {
      id,
      planId: null,
      taskId: null,
      skill: "file_fingerprint",
      skillVersion: "1",
      implementation: "builtin:file_fingerprint",
      implementationDigest: DIGEST,
      key: id.padStart(64, "0"),
      caching: true,
      inputs: [{ role: "input", kind: "FILE", path: "a.txt", sha256: DIGEST, size_bytes: 7 }],
      params: {},
      leaseMs: 30_000,
    });
    const data = { sha256: DIGEST, path: "a.txt", size_bytes: 7, mime_type: "text/plain" };
    const evidences = [{ kind: "FILE_HASH", data }];
    const success = { isolation: "builtin", logTail: "1 of 1: a.txt", artifacts: [], evidences };
    const { state } = await finishRun(store, id, success);
    if (state !== "recorded") throw new Error(`The run is ${state}.`);
  };
  return { record, close: () => store.db.close() };
}

import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { claimRun, waitForRun } from "../runs/claim.ts";
import { finishRun } from "../runs/finish.ts";
import { listRuns } from "../runs/runs.ts";
import { claimFor, successOf } from "./example-run.ts";
import { openTestStore } from "./open-test-store.ts";
import { listArtifacts } from "./recorded.ts";
import type { StoreName } from "./wrong-stores.ts";

const LEASE_MS = 500;

export interface ZombieOutcome {
  /** What the stopped process got as its answer when it continued. */
  readonly zombie: string;
  readonly succeeded: number;
  /** Whose artifacts remain. */
  readonly artifacts: readonly string[];
}

/** A process claims a key and is stopped; when its lease is over another process runs the key; then the first continues. */
export async function zombieOutcome(name: StoreName, file: string): Promise<ZombieOutcome> {
  const program = join(import.meta.dirname, "children", "zombie-child.ts");
  const child = spawn(process.execPath, [program, file, name, "k", String(LEASE_MS)], {
    stdio: ["pipe", "pipe", "inherit"],
  });
  const closed = once(child, "close");
  const said = async (): Promise<string> => String((await once(child.stdout, "data"))[0]).trim();
  const state = await said();
  if (state !== "claimed") throw new Error(`A new key is ${state}.`);
  child.kill("SIGSTOP");

  const store = await openTestStore(file);
  const request = claimFor("k");
  for (;;) {
    const claim = await claimRun(store, request);
    if (claim.state === "claimed") break;
    await waitForRun(store, claim.run.id, AbortSignal.timeout(30_000));
  }
  const finished = await finishRun(store, request.id, successOf("other"));
  if (finished.state !== "recorded") throw new Error(`The holder's result is ${finished.state}.`);

  const last = said();
  child.kill("SIGCONT");
  child.stdin.end("finish\n");
  const zombie = await last;
  await closed;
  const runs = await listRuns(store.db, { status: "SUCCEEDED", limit: 10 });
  const artifacts = await listArtifacts(store.db, { planId: null, taskId: null });
  await store.db.close();
  return {
    zombie,
    succeeded: runs.length,
    artifacts: artifacts.map(({ path }) => /(\w+)\.txt$/.exec(path)?.[1] ?? path),
  };
}

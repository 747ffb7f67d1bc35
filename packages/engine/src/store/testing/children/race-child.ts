import { appendFileSync, closeSync, openSync, writeSync } from "node:fs";
import { join } from "node:path";
import { waitForRun } from "../../runs/claim.ts";
import { claimFor, successOf } from "../example-run.ts";
import { openTestStore } from "../open-test-store.ts";
import { STORES, type StoreName } from "../wrong-stores.ts";

/**
 * race-child.ts <database> <store> <keys> <folder>: waits for the start on standard input, then makes sure that each key has
 * been executed. An execution appends a byte to the key's file; a second byte shows a second execution.
 */
const [file = "", name = "right", keys = "0", folder = ""] = process.argv.slice(2);
const { claim, finish } = STORES[name as StoreName];
const store = await openTestStore(file);
writeSync(1, "ready\n");
await new Promise((resolve) => process.stdin.once("data", resolve));
process.stdin.destroy();
for (let key = 0; key < Number(keys); key++) {
  for (;;) {
    const request = claimFor(`key-${key}`);
    const { state, run } = await claim(store, request);
    if (state === "succeeded") break;
    if (state === "running") {
      await waitForRun(store, run.id, AbortSignal.timeout(60_000), { pollMs: 2 });
      continue;
    }
    execute(join(folder, String(key)));
    const finished = await finish(store, request.id, successOf(`${key}`));
    if (finished.state !== "recorded") throw new Error(`The result of key ${key} is ${finished.state}.`);
    break;
  }
}
await store.db.close();

function execute(trace: string): void {
  try {
    closeSync(openSync(trace, "ax", 0o600));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
  }
  appendFileSync(trace, "x");
}

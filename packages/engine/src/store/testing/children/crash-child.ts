import { writeSync } from "node:fs";
import { flushCompileCache } from "node:module";
import { claimFor, successOf } from "../example-run.ts";
import { openTestStore } from "../open-test-store.ts";
import { STORES, type StoreName } from "../wrong-stores.ts";

/**
 * crash-child.ts <database> <store> <runs>: claims and finishes runs, and writes the id of each recorded run on a line.
 * After that many runs it ends itself with SIGKILL, so that nothing is cleaned up.
 */
const [file = "", name = "right", runs = "Infinity"] = process.argv.slice(2);
// A process that is killed leaves no compiled code to the next one, which then takes longer to start.
flushCompileCache();
const { claim, finish } = STORES[name as StoreName];
const store = await openTestStore(file);
for (let run = 0; run < Number(runs); run++) {
  const request = claimFor(`${process.pid}-${run}`);
  const { state } = await claim(store, request);
  if (state !== "claimed") throw new Error(`A new key is ${state}.`);
  const finished = await finish(store, request.id, successOf(`${process.pid}-${run}`));
  if (finished.state !== "recorded") throw new Error(`A live run is ${finished.state}.`);
  writeSync(1, `${request.id}\n`);
}
process.kill(process.pid, "SIGKILL");

import { writeSync } from "node:fs";
import { setTimeout as wait } from "node:timers/promises";
import { claimRun, renewLease } from "../../runs/claim.ts";
import { openSqlite } from "../../sqlite/sqlite.ts";
import { claimFor, storeOn } from "../example-run.ts";

/**
 * lease-child.ts <database> <key> <lease ms> <clock shift ms>: claims a key with a clock that is off by the shift, and
 * renews its lease as long as it lives.
 */
const [file = "", key = "", leaseMs = "0", shift = "0"] = process.argv.slice(2);
const store = { ...storeOn(await openSqlite(file)), now: () => new Date(Date.now() + Number(shift)) };
const request = claimFor(key, { leaseMs: Number(leaseMs) });
writeSync(1, `${(await claimRun(store, request)).state}\n`);
for (;;) {
  await wait(Number(leaseMs) / 3);
  if ((await renewLease(store, request.id, Number(leaseMs))) === null) {
    writeSync(1, "lost\n");
    process.exit(3);
  }
}

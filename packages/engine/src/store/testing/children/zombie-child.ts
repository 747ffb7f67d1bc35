import { writeSync } from "node:fs";
import { claimFor, successOf } from "../example-run.ts";
import { openTestStore } from "../open-test-store.ts";
import { STORES, type StoreName } from "../wrong-stores.ts";

/** zombie-child.ts <database> <store> <key> <lease ms>: claims, waits for a line on standard input, then finishes. */
const [file = "", name = "right", key = "", leaseMs = "0"] = process.argv.slice(2);
const { claim, finish } = STORES[name as StoreName];
const store = await openTestStore(file);
const request = claimFor(key, { leaseMs: Number(leaseMs) });
writeSync(1, `${(await claim(store, request)).state}\n`);
await new Promise((resolve) => process.stdin.once("data", resolve));
process.stdin.destroy();
writeSync(1, `${(await finish(store, request.id, successOf("zombie"))).state}\n`);
await store.db.close();

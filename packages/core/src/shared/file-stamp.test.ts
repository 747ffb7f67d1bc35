import { statSync, utimesSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { makeFolder } from "../testing/index.ts";
import { isOlderThanTick, StampCache } from "./file-stamp.ts";

describe("what is kept of a file", () => {
  it("is read again while the file is so fresh that its next change could have the same stamp", () => {
    using folder = makeFolder({ file: "text" });
    const file = folder.at("file");
    // However slow the machine is, this time stamp is not in the past.
    const tomorrow = new Date(Date.now() + 86_400_000);
    utimesSync(file, tomorrow, tomorrow);
    const cache = new StampCache<number>();
    let reads = 0;
    const read = (): number => cache.get(file, () => ++reads);
    expect([read(), read(), read()]).toEqual([1, 2, 3]);
  });

  it("is read once as soon as it is older than a tick, and again for another dependency", async () => {
    using folder = makeFolder({ file: "text" });
    const file = folder.at("file");
    const isOld = (): boolean => isOlderThanTick(0, statSync(file).ctimeMs, Date.now());
    const past = new Date(1_000_000_000_500);
    utimesSync(file, past, past);
    await expect.poll(isOld, { timeout: 10_000 }).toBe(true);
    const cache = new StampCache<number>();
    let reads = 0;
    const read = (dependsOn = ""): number => cache.get(file, () => ++reads, dependsOn);
    expect([read(), read(), read("other"), read("other")]).toEqual([1, 1, 2, 2]);
  });
});

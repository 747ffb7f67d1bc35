import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { makeFolder } from "@knack/core/testing";
import { describe, expect, it } from "vitest";
import type { StoreName } from "../testing/wrong-stores.ts";

const RUNS = 40;
const canTrace = spawnSync("strace", ["-o", "/dev/null", "true"]).status === 0;

/** How many reports were written without a completed sync since the previous report. */
function reportsWithoutSync(name: StoreName): number {
  using folder = makeFolder();
  const trace = folder.at("trace");
  const child = join(import.meta.dirname, "..", "testing", "children", "crash-child.ts");
  const program = [process.execPath, child, folder.at("state.db"), name, String(RUNS)];
  spawnSync("strace", ["-f", "-e", "trace=fsync,fdatasync,write", "-o", trace, ...program]);
  let synced = false;
  let reports = 0;
  let early = 0;
  for (const line of readFileSync(trace, "utf8").split("\n")) {
    if (/\b(fsync|fdatasync)(\(| resumed).*= 0$/.test(line)) synced = true;
    if (!/write\(1, "[0-9a-f]{8}-/.test(line)) continue;
    reports++;
    if (!synced) early++;
    synced = false;
  }
  expect(reports).toBe(RUNS);
  return early;
}

/** A kill cannot tell a synced commit from an unsynced one; the system calls can. */
describe.skipIf(!canTrace)("durable success: system calls", () => {
  it("reports each run after its sync", () => {
    expect(reportsWithoutSync("right")).toBe(0);
  });

  it("would find a store that does not wait for the disk", () => {
    expect(reportsWithoutSync("not-synced")).toBeGreaterThan(RUNS / 2);
  });
});

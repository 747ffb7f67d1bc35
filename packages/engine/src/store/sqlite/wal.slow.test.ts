import { spawnSync } from "node:child_process";
import { copyFileSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { makeFolder } from "@knack/core/testing";
import { KnackError } from "@knack/core/text";
import { describe, expect, it } from "vitest";
import { fixedSeed } from "../../../../core/src/shared/testing/cases.ts";
import { verifyLog } from "../../audit/verify-store.ts";
import { randomFrom } from "../testing/crash-cycles.ts";
import { openSqlite } from "./sqlite.ts";

const HEADER_BYTES = 32;
const FRAME_BYTES = 24 + 4096;
const RUNS = 12;

/** The runs that a damaged copy still has, or null if it is refused. */
async function survivors(file: string): Promise<string[] | null> {
  try {
    const db = await openSqlite(file);
    try {
      expect(await verifyLog(db)).toMatchObject({ ok: true });
      const rows = await db.all(
        `SELECT skill_run_id AS id, status, EXISTS (SELECT 1 FROM task_events WHERE run_id = skill_run_id) AS told
         FROM skill_runs ORDER BY skill_run_id`,
      );
      for (const row of rows) expect(row.told).toBe(row.status === "SUCCEEDED" ? 1 : 0);
      return rows.filter((row) => row.status === "SUCCEEDED").map((row) => String(row.id));
    } finally {
      await db.close();
    }
  } catch (error) {
    expect(error).toBeInstanceOf(KnackError);
    expect(error).toMatchObject({ code: "CORRUPT" });
    return null;
  }
}

describe("a damaged log of SQLite", () => {
  it("opens to what was committed up to some moment, or is refused", async () => {
    using folder = makeFolder();
    const file = folder.at("state.db");
    const child = join(import.meta.dirname, "..", "testing", "children", "crash-child.ts");
    const { stdout } = spawnSync(process.execPath, [child, file, "right", String(RUNS)], {
      encoding: "utf8",
    });
    const all = stdout.trim().split("\n");
    expect(all).toHaveLength(RUNS);
    const log = readFileSync(`${file}-wal`);
    const seed = fixedSeed();
    const random = randomFrom(seed);
    const frames = Math.floor((log.length - HEADER_BYTES) / FRAME_BYTES);
    const borders = Array.from({ length: frames + 1 }, (_, frame) => HEADER_BYTES + frame * FRAME_BYTES);
    const offsets = [...borders, ...Array.from({ length: 60 }, () => Math.floor(random() * log.length))];
    const damaged = [
      ...offsets.map((offset) => log.subarray(0, offset)),
      ...offsets.slice(0, 60).map(() => {
        const copy = Buffer.from(log);
        const at = Math.floor(random() * copy.length);
        copy[at] = copy[at]! ^ (1 << Math.floor(random() * 8));
        return copy;
      }),
    ];
    const lengths = new Set<number>();
    for (const [number, bytes] of damaged.entries()) {
      const copy = folder.at(`${number}.db`);
      copyFileSync(file, copy);
      writeFileSync(`${copy}-wal`, bytes);
      const ids = await survivors(copy);
      expect(ids ?? [], `seed ${seed}, case ${number}`).toEqual(all.slice(0, ids?.length ?? 0));
      lengths.add(ids?.length ?? -1);
    }
    // From none to all: the cuts did reach every commit.
    for (let length = 0; length <= RUNS; length++) expect(lengths).toContain(length);
  });
});

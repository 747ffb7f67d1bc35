import { copyFileSync } from "node:fs";
import { join } from "node:path";
import { makeFolder } from "@knack/core/testing";
import { beforeAll, describe, expect, it } from "vitest";
import { exportLog } from "../audit/events.ts";
import type { Database } from "../store/database.ts";
import { openPostgres } from "../store/postgres/postgres.ts";
import { claimRun } from "../store/runs/claim.ts";
import { openSqlite } from "../store/sqlite/sqlite.ts";
import { claimFor, storeOn } from "../store/testing/example-run.ts";
import { programsOf, type ServerVersion, type SharedServer } from "../store/testing/postgres/server.ts";
import { sharedServer } from "../store/testing/postgres/shared-server.ts";
import { migrateStore } from "./migrate-store.ts";

const FIXTURE = join(import.meta.dirname, "..", "store", "testing", "fixtures", "state-0.1.0.db");

async function logOf(db: Database): Promise<string[]> {
  const lines: string[] = [];
  for await (const line of exportLog(db)) lines.push(line);
  return lines;
}

for (const version of ["18", "15"] satisfies ServerVersion[]) {
  describe.skipIf(programsOf(version) === undefined)(`moving a history to PostgreSQL ${version}`, () => {
    let server: SharedServer;
    beforeAll(async () => {
      server = await sharedServer(version);
    });

    it("copies and compares every row, there and back", async () => {
      using folder = makeFolder();
      copyFileSync(FIXTURE, folder.at("state.db"));
      const url = server.url();
      const there = await migrateStore(`sqlite:${folder.at("state.db")}`, url);
      expect(there).toMatchObject({ records: 36, rows: { skill_runs: 9, task_events: 36, evidences: 1 } });
      const back = await migrateStore(url, `sqlite:${folder.at("back.db")}`);
      expect(back.rows).toEqual(there.rows);
      expect(back.head).toBe(there.head);
      const [before, after] = [
        await openSqlite(folder.at("state.db")),
        await openSqlite(folder.at("back.db")),
      ];
      expect(await logOf(after)).toEqual(await logOf(before));
      await before.close();
      await after.close();
    });

    it("refuses a history that was changed, one with runs in progress, and a target that has one", async () => {
      using folder = makeFolder();
      const file = folder.at("state.db");
      copyFileSync(FIXTURE, file);
      const source = `sqlite:${file}`;
      const url = server.url();
      await migrateStore(source, url);
      await expect(migrateStore(source, url)).rejects.toThrow(/already has a history/);
      const db = await openSqlite(file);
      await claimRun(storeOn(db), claimFor("k"));
      await expect(migrateStore(source, server.url())).rejects.toThrow(/1 run in progress/);
      await db.run("DELETE FROM skill_runs WHERE status = 'RUNNING'");
      await db.run("UPDATE skill_runs SET log_tail = 'forged' WHERE status = 'FAILED'");
      await db.close();
      const empty = server.url();
      await expect(migrateStore(source, empty)).rejects.toThrow(/history is not valid/);
      const target = await openPostgres(empty);
      expect(await target.all("SELECT * FROM skill_runs")).toEqual([]);
      await target.close();
    });
  });
}

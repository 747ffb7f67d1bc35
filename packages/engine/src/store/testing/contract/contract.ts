import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Database } from "../../database.ts";
import { describeAccess } from "./access-contract.ts";
import { describeRecords } from "./record-contract.ts";
import { describeRuns } from "./run-contract.ts";

/** A database of the kind under test: new, migrated, and with a second connection as another process would have. */
export interface DatabaseUnderTest {
  readonly db: Database;
  openAgain(): Promise<Database>;
  dispose(): Promise<void>;
}

/** What every implementation of `Database`, and the store on top of it, must do. */
export function describeDatabase(name: string, open: () => Promise<DatabaseUnderTest>): void {
  let under: DatabaseUnderTest;
  let db: Database;
  const edges = async (on: Database = db): Promise<unknown[]> =>
    (await on.all("SELECT task_id FROM task_edges ORDER BY task_id")).map((row) => row.task_id);
  const add = (on: Database, task: string): Promise<{ readonly changes: number }> =>
    on.run("INSERT INTO task_edges (plan_id, task_id, depends_on) VALUES ('p', ?, 'x')", [task]);

  describe(`the database contract: ${name}`, () => {
    beforeEach(async () => {
      under = await open();
      db = under.db;
    });
    afterEach(() => under.dispose());

    it("gives rows in order, the first row, none, and how many were changed", async () => {
      expect(await add(db, "b")).toEqual({ changes: 1 });
      await add(db, "a");
      expect(await edges()).toEqual(["a", "b"]);
      const first = await db.get("SELECT task_id, plan_id FROM task_edges WHERE task_id = ?", ["a"]);
      expect({ ...first }).toEqual({ task_id: "a", plan_id: "p" });
      expect(await db.get("SELECT 1 AS one FROM task_edges WHERE task_id = 'c'")).toBeUndefined();
      expect(await db.run("DELETE FROM task_edges")).toEqual({ changes: 2 });
    });

    it("keeps text as it is: quotes, NUL, other scripts", async () => {
      for (const text of ["'; DROP TABLE plans; --", "日本語 🦀", "line\nline\r\u2028", ""]) {
        await db.run("DELETE FROM task_edges");
        await add(db, text);
        expect(await edges()).toEqual([text]);
      }
    });

    it("commits a transaction as a whole, and returns what its work returned", async () => {
      const answer = await db.transaction(async (tx) => {
        await add(tx, "a");
        await add(tx, "b");
        return (await edges(tx)).length;
      });
      expect(answer).toBe(2);
      const other = await under.openAgain();
      expect(await edges(other)).toEqual(["a", "b"]);
      await other.close();
    });

    it.each([true, false])("leaves nothing of a transaction that threw (durable: %s)", async (durable) => {
      const failing = db.transaction(
        async (tx) => {
          await add(tx, "a");
          throw new Error("no");
        },
        { durable },
      );
      await expect(failing).rejects.toThrow("no");
      expect(await edges()).toEqual([]);
      await add(db, "after");
      expect(await edges()).toEqual(["after"]);
    });

    it("lets nothing of another caller slip into a transaction that waits", async () => {
      let goOn = (): void => undefined;
      const waiting = new Promise<void>((resolve) => {
        goOn = resolve;
      });
      const failing = db.transaction(async (tx) => {
        await add(tx, "inside");
        await waiting;
        throw new Error("undo");
      });
      const outside = add(db, "outside");
      const seen = edges();
      const second = db.transaction((tx) => add(tx, "second"));
      setTimeout(goOn, 10);
      await expect(failing).rejects.toThrow("undo");
      await outside;
      expect(await seen).toEqual(["outside"]);
      await second;
      expect(await edges()).toEqual(["outside", "second"]);
    });

    it("runs transactions of two connections one after the other", async () => {
      const other = await under.openAgain();
      const count = (on: Database): Promise<void> =>
        on.transaction(async (tx) => {
          const row = await tx.get("SELECT COUNT(*) AS n FROM task_edges");
          await add(tx, String(row?.n).padStart(3, "0"));
        });
      for (let round = 0; round < 20; round++) await Promise.all([count(db), count(other)]);
      expect(await edges()).toHaveLength(40);
      await other.close();
    });

    it("refuses a transaction inside another, and the outer handle inside one, without standing still", async () => {
      await db.transaction(async (tx) => {
        await expect(tx.transaction(async () => 1)).rejects.toMatchObject({ code: "MISUSE" });
        await expect(db.transaction(async () => 1)).rejects.toMatchObject({ code: "MISUSE" });
        await expect(db.get("SELECT 1 AS one")).rejects.toMatchObject({ code: "MISUSE" });
        await expect(tx.close()).rejects.toMatchObject({ code: "MISUSE" });
        await add(tx, "a");
      });
      expect(await edges()).toEqual(["a"]);
    });

    it("refuses a transaction's handle after its end, and a closed database", async () => {
      let kept: Database | undefined;
      await db.transaction(async (tx) => {
        kept = tx;
      });
      await expect(add(kept!, "late")).rejects.toMatchObject({ code: "MISUSE" });
      expect(await edges()).toEqual([]);
      await db.flush();
      await db.close();
      await db.close();
      await expect(add(db, "late")).rejects.toMatchObject({ code: "MISUSE" });
    });
  });

  describeRuns(name, open);
  describeRecords(name, open);
  describeAccess(name, open);
}

import { describe, expect, it } from "vitest";
import type { Database } from "../../database.ts";
import { recordCachedRun, type Worked } from "../../runs/finish.ts";
import { addEvidences, type NewEvidence } from "../../runs/outputs.ts";
import { getRun, listRuns } from "../../runs/runs.ts";
import { digestOf } from "../example-run.ts";
import { listArtifacts, listEvidences } from "../recorded.ts";
import type { DatabaseUnderTest } from "./contract.ts";
import { storeForEach } from "./store-for-each.ts";

/** What the record of runs, artifacts and evidence must be on every database. */
export function describeRecords(name: string, open: () => Promise<DatabaseUnderTest>): void {
  describe(`the records contract: ${name}`, () => {
    const test = storeForEach(open);

    it("003 §4.2: the same bytes keep their version, other bytes get the next, per task and name", async () => {
      const task = { planId: "p", taskId: "t" };
      await test.succeeded("1", "a", task);
      await test.succeeded("2", "b", task);
      await test.succeeded("3", "a", task);
      await test.succeeded("4", "c", task);
      await test.succeeded("5", "b", { planId: "p", taskId: "other" });
      await test.succeeded("6", "b");
      const versions = async (of: { planId: string | null; taskId: string | null }): Promise<number[]> =>
        (await listArtifacts(test.db, of, "text")).map((artifact) => artifact.version);
      expect(await versions(task)).toEqual([1, 2, 1, 3]);
      expect(await versions({ planId: "p", taskId: "other" })).toEqual([1]);
      expect(await versions({ planId: null, taskId: null })).toEqual([1]);
    });

    it("binds evidence once, of a cached run too, and tells it in the log", async () => {
      const evidence = (runId: string): NewEvidence => ({
        taskId: "t",
        requirementId: "r",
        type: "SKILL_OUTPUT",
        kind: "FILE_HASH",
        refId: runId,
        refPath: null,
        sha256: digestOf("data"),
        data: { sha256: "x" },
      });
      const id = await test.succeeded("k");
      const run = (await getRun(test.db, id))!;
      const task = { planId: "p", taskId: "t" };
      const confirmation: NewEvidence = { ...evidence(id), type: "CONFIRMATION", refId: null, sha256: null };
      const work = async (tx: Database): Promise<Worked> => {
        const { added, rows } = await addEvidences(tx, [evidence(id), confirmation], test.store.now());
        return { events: added.map(() => ({ type: "EVIDENCE_ADDED", payload: {} })), rows };
      };
      await recordCachedRun(test.store, run, task, work);
      await recordCachedRun(test.store, run, task, work);
      const bound = await listEvidences(test.db, "r");
      expect(bound.map(({ evidence_type, ref_id }) => [evidence_type, ref_id])).toEqual([
        ["SKILL_OUTPUT", id],
        ["CONFIRMATION", null],
        ["CONFIRMATION", null],
      ]);
      expect(await listArtifacts(test.db, task)).toHaveLength(1);
      expect(await test.events()).toEqual([
        ...["SKILL_RUN", "ARTIFACT_CREATED"],
        ...["SKILL_RUN", "ARTIFACT_CREATED", "EVIDENCE_ADDED", "EVIDENCE_ADDED"],
        ...["SKILL_RUN", "EVIDENCE_ADDED"],
      ]);
    });

    it("lists runs newest first, by skill, state, task and time", async () => {
      const a = await test.succeeded("a", "a", { skill: "one", planId: "p", taskId: "t" });
      const since = new Date(test.now).toISOString();
      const b = await test.claimed("b", { skill: "two" });
      const c = await test.succeeded("c", "c", { skill: "one" });
      const ids = async (filter = {}): Promise<string[]> =>
        (await listRuns(test.db, { limit: 10, ...filter })).map((run) => run.id);
      expect(await ids()).toEqual([c, b, a]);
      expect(await ids({ limit: 2 })).toEqual([c, b]);
      expect(await ids({ skill: "one" })).toEqual([c, a]);
      expect(await ids({ status: "RUNNING" })).toEqual([b]);
      expect(await ids({ planId: "p", taskId: "t" })).toEqual([a]);
      expect(await ids({ since })).toEqual([c, b]);
      expect(await ids({ skill: "one", since })).toEqual([c]);
    });
  });
}

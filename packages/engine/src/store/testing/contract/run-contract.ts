import { describe, expect, it } from "vitest";
import { claimRun, interruptExpired, renewLease, waitForRun } from "../../runs/claim.ts";
import { finishRun, recordCachedRun } from "../../runs/finish.ts";
import { getRun, latestSuccess, runHistory } from "../../runs/runs.ts";
import { claimFor, digestOf, successOf } from "../example-run.ts";
import { listArtifacts } from "../recorded.ts";
import type { DatabaseUnderTest } from "./contract.ts";
import { storeForEach } from "./store-for-each.ts";

const FAILURE = { error: { code: "SKILL_FAILED", message: "no" }, isolation: "none", logTail: "end" };

/** What claims, leases and results must do on every database. */
export function describeRuns(name: string, open: () => Promise<DatabaseUnderTest>): void {
  describe(`the runs contract: ${name}`, () => {
    const test = storeForEach(open);

    it("003 §5: a run is claimed, finished, and there with all that was given", async () => {
      const id = await test.succeeded("k", "made", { planId: "p", taskId: "t" });
      expect(await getRun(test.db, id)).toMatchObject({
        id,
        planId: "p",
        taskId: "t",
        skill: "text_extract",
        skillVersion: "1",
        implementationDigest: digestOf("implementation"),
        key: "k",
        status: "SUCCEEDED",
        inputs: [{ role: "input", path: "a.txt" }],
        params: { max_chars: 10 },
        artifacts: [{ name: "text", version: 1, sha256: digestOf("made"), size_bytes: 4 }],
        evidences: [{ kind: "FILE_HASH", data: { sha256: digestOf("made") } }],
        error: null,
        isolation: "builtin",
        finishedAt: "2026-01-01T00:00:00.001Z",
      });
      expect(await test.events()).toEqual(["SKILL_RUN", "ARTIFACT_CREATED"]);
    });

    it("returns running for a running key, and succeeded for a successful one unless it is excluded", async () => {
      const id = await test.claimed("k");
      expect(await claimRun(test.store, claimFor("k"))).toMatchObject({ state: "running", run: { id } });
      await finishRun(test.store, id, successOf("k"));
      expect(await claimRun(test.store, claimFor("k"))).toMatchObject({ state: "succeeded", run: { id } });
      const healed = await test.succeeded("k", "k", { excludingIds: [id] });
      expect(await claimRun(test.store, claimFor("k"))).toMatchObject({
        state: "succeeded",
        run: { id: healed },
      });
      expect((await latestSuccess(test.db, "k", [healed]))?.id).toBe(id);
      expect(await latestSuccess(test.db, "k", [healed, id])).toBeNull();
    });

    it("shares nothing where caching is off", async () => {
      await test.claimed("k", { caching: false });
      await test.succeeded("k", "k", { caching: false });
      await test.claimed("k", { caching: false });
    });

    it("lets a failed key be claimed again, and keeps the failure", async () => {
      const id = await test.claimed("k");
      const failed = await finishRun(test.store, id, FAILURE);
      expect(failed).toMatchObject({
        state: "recorded",
        run: { status: "FAILED", error: FAILURE.error, logTail: "end" },
      });
      await test.claimed("k");
      expect(await test.events()).toEqual(["SKILL_RUN"]);
    });

    it("interrupts a holder whose lease is over, with its event, and refuses what it brings then", async () => {
      const first = await test.claimed("k", { leaseMs: 1000 });
      test.now += 1000;
      expect(await renewLease(test.store, first, 1000)).toBeNull();
      const second = await test.claimed("k");
      expect(await getRun(test.db, first)).toMatchObject({
        status: "FAILED",
        error: { code: "SKILL_INTERRUPTED" },
      });
      expect(await test.events()).toEqual(["SKILL_RUN"]);
      expect(await finishRun(test.store, first, successOf("late"))).toMatchObject({ state: "lost" });
      expect(await finishRun(test.store, first, FAILURE)).toMatchObject({ state: "lost" });
      expect(await finishRun(test.store, second, successOf("k"))).toMatchObject({ state: "recorded" });
      expect(await finishRun(test.store, second, successOf("twice"))).toMatchObject({ state: "lost" });
      expect(await finishRun(test.store, "nobody", successOf("k"))).toEqual({ state: "lost", run: null });
      expect(await listArtifacts(test.db, { planId: null, taskId: null })).toHaveLength(1);
    });

    it("refuses a holder whose lease is over, even if nobody else claimed the key", async () => {
      const id = await test.claimed("k", { leaseMs: 10 });
      test.now += 10;
      expect(await finishRun(test.store, id, successOf("late"))).toMatchObject({ state: "lost" });
      expect(await interruptExpired(test.store)).toBe(1);
      expect(await interruptExpired(test.store)).toBe(0);
      expect((await getRun(test.db, id))?.status).toBe("FAILED");
    });

    it("renews a lease for as long as it is held", async () => {
      const id = await test.claimed("k", { leaseMs: 1000 });
      test.now += 900;
      expect(await renewLease(test.store, id, 1000)).toBe(new Date(test.now + 1000).toISOString());
      test.now += 900;
      expect(await claimRun(test.store, claimFor("k"))).toMatchObject({ state: "running" });
      expect(await finishRun(test.store, id, successOf("k"))).toMatchObject({ state: "recorded" });
      expect(await renewLease(test.store, id, 1000)).toBeNull();
    });

    it("writes nothing of a run whose task's changes fail", async () => {
      const id = await test.claimed("k");
      const work = async (): Promise<never> => {
        throw new Error("the plan is gone");
      };
      await expect(finishRun(test.store, id, successOf("k"), work)).rejects.toThrow("the plan is gone");
      expect((await getRun(test.db, id))?.status).toBe("RUNNING");
      expect(await listArtifacts(test.db, { planId: null, taskId: null })).toEqual([]);
      expect(await test.events()).toEqual([]);
    });

    it("waits for a run until it is finished, its lease is over, or the caller gives up", async () => {
      const signal = new AbortController().signal;
      const id = await test.claimed("k", { leaseMs: 1000 });
      const waiting = waitForRun(test.store, id, signal, { pollMs: 2 });
      await finishRun(test.store, id, successOf("k"));
      expect((await waiting).run?.status).toBe("SUCCEEDED");
      const dead = await test.claimed("dead", { leaseMs: 1000 });
      const forDead = waitForRun(test.store, dead, signal, { pollMs: 2 });
      test.now += 1000;
      expect((await forDead).run?.status).toBe("RUNNING");
      const long = await test.claimed("long");
      const given = new AbortController();
      const forLong = waitForRun(test.store, long, given.signal, { pollMs: 2 });
      given.abort(new Error("enough"));
      await expect(forLong).rejects.toThrow("enough");
    });

    it("pages of the history have every entry, also after the clock was set back", async () => {
      const request = claimFor("k");
      await claimRun(test.store, request);
      const { run } = await finishRun(test.store, request.id, successOf("k"));
      for (const hour of ["10", "09", "11"]) {
        const now = (): Date => new Date(`2020-01-01T${hour}:00:00.000Z`);
        await recordCachedRun({ ...test.store, now }, run!, { planId: null, taskId: null });
      }
      const first = await runHistory(test.store.db, { limit: 2 });
      const next = await runHistory(test.store.db, { limit: 9, after: first.at(-1) });
      const times = [...first, ...next].map(({ at, served }) => (served ? at.slice(11, 13) : "run"));
      expect(times).toEqual(["run", "11", "10", "09"]);
      expect(await runHistory(test.store.db, { limit: 9, cached: true, after: next[0] })).toHaveLength(1);
    });

    it("of many callers in one process one executes", async () => {
      const states = await Promise.all(
        Array.from({ length: 100 }, async () => (await claimRun(test.store, claimFor("k"))).state),
      );
      expect(states.filter((state) => state === "claimed")).toHaveLength(1);
      expect(states.filter((state) => state === "running")).toHaveLength(99);
    });
  });
}

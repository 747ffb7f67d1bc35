import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { isGone, ownProcess } from "@knack/core/process";
import { makeFolder } from "@knack/core/testing";
import { describe, expect, it } from "vitest";
import { openSqlite } from "../sqlite/sqlite.ts";
import type { Store } from "../store.ts";
import { claimFor, storeOn, successOf } from "../testing/example-run.ts";
import { claimRun, interruptExpired, renewLease, waitForRun } from "./claim.ts";
import { finishRun } from "./finish.ts";
import { getRun } from "./runs.ts";

const DAY = 24 * 60 * 60 * 1000;
const SHIFTS = [
  ["a day ahead", DAY],
  ["a day behind", -DAY],
  ["right", 0],
] as const;

interface Scene extends AsyncDisposable {
  readonly file: string;
  readonly store: Store;
  /** A process that holds `k`, with a clock that is off by this much. */
  holder(shift: number, leaseMs: number): Promise<ChildProcess>;
}

async function scene(): Promise<Scene> {
  const folder = makeFolder();
  const file = folder.at("state.db");
  const store = storeOn(await openSqlite(file));
  const children: ChildProcess[] = [];
  return {
    file,
    store,
    holder: async (shift, leaseMs) => {
      const program = join(import.meta.dirname, "..", "testing", "children", "lease-child.ts");
      const child = spawn(process.execPath, [program, file, "k", String(leaseMs), String(shift)], {
        stdio: ["ignore", "pipe", "inherit"],
      });
      children.push(child);
      expect(String((await once(child.stdout, "data"))[0])).toBe("claimed\n");
      return child;
    },
    [Symbol.asyncDispose]: async () => {
      for (const child of children) child.kill("SIGKILL");
      await store.db.close();
      folder[Symbol.dispose]();
    },
  };
}

/** Claims the key as the run stage does; returns how long that took. */
async function take(store: Store, leaseMs: number): Promise<number> {
  const begin = performance.now();
  for (;;) {
    const { state, run } = await claimRun(store, claimFor("k"));
    if (state === "claimed") return performance.now() - begin;
    const { abandoned } = await waitForRun(store, run.id, AbortSignal.timeout(60_000), { leaseMs });
    if (!abandoned) continue;
    const again = await claimRun(store, { ...claimFor("k"), abandoned: [abandoned] });
    if (again.state === "claimed") return performance.now() - begin;
  }
}

describe.skipIf(process.platform !== "linux")("promise 16: a clock that jumps delays nothing", () => {
  it.each(SHIFTS)(
    "a holder that was killed under a clock that is %s frees its key at once",
    async (_, shift) => {
      await using at = await scene();
      const child = await at.holder(shift, 600_000);
      child.kill("SIGKILL");
      await once(child, "close");
      expect(await take(at.store, 600_000)).toBeLessThan(10_000);
    },
  );

  it.each(SHIFTS)(
    "a holder that lives and renews under a clock that is %s keeps its key",
    async (_, shift) => {
      await using at = await scene();
      const leaseMs = 3000;
      const child = await at.holder(shift, leaseMs);
      const end = performance.now() + 2 * leaseMs;
      while (performance.now() < end) {
        expect((await claimRun(at.store, claimFor("k"))).state).toBe("running");
        expect(await interruptExpired(at.store)).toBe(0);
        await wait(100);
      }
      expect(child.exitCode).toBeNull();
    },
  );

  it.each(SHIFTS)(
    "a holder keeps its lease and its result when its clock jumps until it is %s",
    async (_, shift) => {
      await using at = await scene();
      let jumped = 0;
      const store = { ...at.store, now: () => new Date(Date.now() + jumped) };
      const request = claimFor("k", { leaseMs: 60_000 });
      expect((await claimRun(store, request)).state).toBe("claimed");
      jumped = shift;
      expect(await renewLease(store, request.id, 60_000)).not.toBeNull();
      jumped = 0;
      expect((await finishRun(store, request.id, successOf("k"))).state).toBe("recorded");
    },
  );

  it.each(SHIFTS)(
    "a holder that stands still past its lease under a clock that is %s loses its key",
    async (_, shift) => {
      await using at = await scene();
      const child = await at.holder(shift, 1000);
      child.kill("SIGSTOP");
      await take(at.store, 1000);
      const said = once(child.stdout as NodeJS.ReadableStream, "data");
      child.kill("SIGCONT");
      expect(String((await said)[0])).toBe("lost\n");
    },
  );

  it("a lease of another machine whose clock is a day ahead is over once nobody has renewed it for its length", async () => {
    await using at = await scene();
    const id = claimFor("k", { leaseMs: 1000 });
    const ahead = { ...at.store, now: () => new Date(Date.now() + DAY) };
    expect((await claimRun(ahead, id)).state).toBe("claimed");
    await at.store.db.run("UPDATE skill_runs SET holder = '1 other other 1 1 99999999 1000'");
    const took = await take(at.store, 1000);
    expect(took).toBeGreaterThan(900);
    expect((await getRun(at.store.db, id.id))?.error?.code).toBe("SKILL_INTERRUPTED");
    expect((await finishRun(ahead, id.id, successOf("late"))).state).toBe("lost");
  });

  it("a lease that ends later than any of its length could is watched like one of another machine", async () => {
    await using at = await scene();
    expect((await claimRun(at.store, claimFor("k", { leaseMs: 500 }))).state).toBe("claimed");
    const own = ownProcess();
    await at.store.db.run("UPDATE skill_runs SET lease_until = '9999', holder = ?", [
      `1 ${own.clock} ${own.space} 1 1 ${9_000_000_000_000_000} 500`,
    ]);
    expect(await take(at.store, 500)).toBeLessThan(20_000);
  });

  it("a number that another process has now is a holder that is gone", () => {
    expect(isGone({ pid: process.pid, started: ownProcess().started })).toBe(false);
    expect(isGone({ pid: process.pid, started: "1" })).toBe(true);
  });

  it("a process that is dead and not yet asked for by its parent is gone", async () => {
    // The shell does not wait for its child.
    const shell = spawn("sh", ["-c", "sleep 0 & echo $!; exec sleep 30"], {
      stdio: ["ignore", "pipe", "ignore"],
    });
    const pid = Number(String((await once(shell.stdout, "data"))[0]));
    try {
      await expect.poll(() => isGone({ pid, started: "" })).toBe(true);
    } finally {
      shell.kill("SIGKILL");
      await once(shell, "close");
    }
  });
});

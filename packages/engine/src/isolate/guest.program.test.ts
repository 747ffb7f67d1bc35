import { mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { join } from "node:path";
import { makeFolder } from "@knack/core/testing";
import { afterEach, describe, expect, it } from "vitest";
import { Guest, type GuestAnswer, GuestPool } from "./guest.ts";

const made: Guest[] = [];
function newGuest(): Guest {
  const guest = new Guest("");
  made.push(guest);
  mkdirSync(join(guest.folder, "artifacts"), { recursive: true });
  return guest;
}
afterEach(async () => {
  for (const guest of made.splice(0)) {
    guest.end();
    await guest.gone;
    rmSync(guest.folder, { recursive: true, force: true });
  }
});

function ask(
  guest: Guest,
  path: string,
  {
    artifactsDir = join(guest.folder, "artifacts"),
    timeoutMs = 60_000,
    signal = new AbortController().signal,
  } = {},
): Promise<GuestAnswer> {
  const inputs = [{ role: "input", kind: "FILE" as const, path, sha256: "", size_bytes: 0 }];
  const context = { inputs, params: {}, artifactsDir, taskId: "adhoc" };
  return guest.run({ skill: "text_extract", context }, { timeoutMs, signal, log: () => undefined });
}

/** A file in the folder of a guest. */
function given(guest: Guest, text: string): string {
  const path = join(guest.folder, "1.txt");
  writeFileSync(path, text);
  return path;
}

describe("promise 14: a guest", () => {
  it("reads a file and is gone when it has answered", async () => {
    const guest = newGuest();
    expect(await ask(guest, given(guest, "text\n"))).toMatchObject({ output: { status: "SUCCEEDED" } });
    await guest.gone;
    expect(readFileSync(join(guest.folder, "artifacts", "extracted_text.txt"), "utf8")).toBe("text\n");
  });

  it("reads a file elsewhere by the link that its host made, and no other", async () => {
    using folder = makeFolder({ "linked.txt": "linked\n", "other.txt": "other\n" });
    const [linked, other] = [newGuest(), newGuest()];
    symlinkSync(folder.at("linked.txt"), join(linked.folder, "1.txt"));
    expect(await ask(linked, join(linked.folder, "1.txt"))).toMatchObject({
      output: { status: "SUCCEEDED" },
    });
    expect(await ask(other, folder.at("other.txt"))).toMatchObject({
      code: "SKILL_FAILED",
      message: expect.stringContaining("restricted"),
    });
  });

  it("writes nowhere but into its folder for artifacts", async () => {
    using folder = makeFolder();
    const guest = newGuest();
    const path = given(guest, "text\n");
    expect(await ask(guest, path, { artifactsDir: folder.path })).toMatchObject({
      code: "SKILL_FAILED",
      message: expect.stringContaining("restricted"),
    });
  });

  it.runIf(process.platform === "linux")("sees nothing of its host's environment", async () => {
    process.env.KNACK_TOKEN = "a-secret";
    try {
      const { pid } = newGuest();
      // Empty until the program has started.
      const read = (): string => readFileSync(`/proc/${pid}/environ`, "latin1");
      await expect.poll(read).not.toBe("");
      const environment = read();
      expect(environment).not.toContain("a-secret");
      const names = environment.split("\0").map((line) => line.split("=")[0] ?? "");
      // The shell that sets the limits adds these.
      const shells = ["", "PWD", "OLDPWD", "SHLVL", "_"];
      expect(names.filter((name) => !shells.includes(name)).sort()).toEqual([
        "HOME",
        "LANG",
        "PATH",
        "TMPDIR",
      ]);
    } finally {
      delete process.env.KNACK_TOKEN;
    }
  });

  it("is ended at its time limit, and when it is cancelled", async () => {
    const [slow, cancelled] = [newGuest(), newGuest()];
    // A guest that waits for work can answer within a millisecond; a stopped one cannot.
    process.kill(slow.pid ?? 0, "SIGSTOP");
    expect(await ask(slow, given(slow, "x"), { timeoutMs: 1 })).toMatchObject({
      code: "SKILL_TIMEOUT",
      message: "Timed out after 0.001 seconds.",
    });
    expect(slow.isGone).toBe(true);
    const signal = AbortSignal.abort();
    expect(await ask(cancelled, given(cancelled, "x"), { signal })).toMatchObject({
      code: "SKILL_INTERRUPTED",
    });
    expect(cancelled.isGone).toBe(true);
  });

  it("that is killed by somebody else is a failure that says so", async () => {
    const guest = newGuest();
    const answer = ask(guest, given(guest, "x"));
    process.kill(guest.pid ?? 0, "SIGKILL");
    expect(await answer).toMatchObject({
      code: "SKILL_FAILED",
      message: expect.stringContaining("killed by the system"),
    });
  });
});

describe("promise 14: the guests of an engine", () => {
  it("wait for work where more is expected, each for one run, and end with the engine", async () => {
    const pool = new GuestPool(true);
    const first = pool.take();
    pool.restock();
    pool.restock();
    const second = pool.take();
    const third = pool.take();
    expect(new Set([first.pid, second.pid, third.pid]).size).toBe(3);
    pool.restock();
    await pool.close();
    expect([first.isGone, second.isGone, third.isGone]).toEqual([true, true, true]);
  });

  it("do not wait where a program runs one skill and ends", async () => {
    const pool = new GuestPool(false);
    pool.expect("a.pdf");
    const first = pool.take();
    pool.restock();
    const second = pool.take();
    expect(second.pid).not.toBe(first.pid);
    await pool.close();
  });

  it("are replaced where one died while it waited", async () => {
    const pool = new GuestPool(true);
    pool.restock();
    const died = pool.take();
    died.end();
    await died.gone;
    pool.restock();
    const waiting = pool.take();
    process.kill(waiting.pid ?? 0, "SIGKILL");
    await waiting.gone;
    expect(pool.take().isGone).toBe(false);
    await pool.close();
  });
});

describe("promise 14: so many files are parsed at once as there are processors", () => {
  it("admits waiting runs in order when one is done, and a cancelled one leaves the queue", async () => {
    const pool = new GuestPool(false);
    const { signal } = new AbortController();
    const leave = await Promise.all(
      Array.from({ length: availableParallelism() }, () => pool.slots.enter(signal)),
    );
    const entered: string[] = [];
    const givesUp = new AbortController();
    const first = pool.slots.enter(signal).then((leaves) => {
      entered.push("first");
      return leaves;
    });
    const second = pool.slots.enter(givesUp.signal);
    const third = pool.slots.enter(signal).then((leaves) => {
      entered.push("third");
      return leaves;
    });
    givesUp.abort(new Error("given up"));
    await expect(second).rejects.toThrow("given up");
    expect(entered).toEqual([]);
    leave[0]?.();
    (await first)();
    (await third)();
    expect(entered).toEqual(["first", "third"]);
    for (const one of leave.slice(1)) one();
    await pool.close();
  });
});

import { createHash } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { setTimeout as wait } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { endOf, saysOnStderr, Team, teamSkills } from "./team.ts";

describe("knack run --queue", () => {
  it("gives the result of a worker on another machine, and the same bytes as a run here", async () => {
    await using team = await Team.start();
    const asking = team.machine();
    await using worker = await team.machine().worker();
    const queued = await asking.knack(["run", "file_fingerprint", "a.txt", "--queue", "--json"]);
    expect(queued.stderr).toBe("");
    expect(queued.code).toBe(0);
    const report = queued.json();
    expect(report).toMatchObject({ status: "SUCCEEDED", cached: false, inputs: [{ path: "a.txt" }] });
    expect(report.evidences).toMatchObject([{ kind: "FILE_HASH", data: { path: "a.txt", size_bytes: 2 } }]);
    const here = (await asking.knack(["run", "file_fingerprint", "a.txt", "--json"])).json();
    expect(here).toEqual({ ...report, cached: true });
    await worker.until(({ event }) => event === "end");
    expect(worker.lines.filter(({ event }) => event === "end")).toMatchObject([
      { how: "ended", status: "SUCCEEDED", cached: false },
    ]);
  });

  it("brings the artifact to the machine that asked", async () => {
    await using team = await Team.start();
    const asking = team.machine();
    await using _worker = await team.machine().worker();
    const queued = await asking.knack(["run", "text_extract", "a.txt", "--queue", "--json"]);
    const [{ path, sha256 }] = queued.json().artifacts;
    const bytes = readFileSync(asking.folder.at(`repo/${path}`));
    expect(createHash("sha256").update(bytes).digest("hex")).toBe(sha256);
  });

  it("answers from the cache without a worker", async () => {
    await using team = await Team.start();
    const asking = team.machine();
    await asking.knack(["run", "file_fingerprint", "a.txt"]);
    const { code, stdout } = await asking.knack(["run", "file_fingerprint", "a.txt", "--queue"]);
    expect(code).toBe(0);
    expect(stdout).toContain("from an earlier run");
  });

  it("only queues with --no-wait, and says why nobody takes it", async () => {
    await using team = await Team.start();
    const asking = team.machine();
    const { code, json } = await asking.knack([
      "run",
      "file_fingerprint",
      "a.txt",
      "--queue",
      "--no-wait",
      "--json",
    ]);
    expect(code).toBe(0);
    expect(json()).toMatchObject({ skill: "file_fingerprint", state: "WAITING" });
    const { waiting, workers } = await asking.queue();
    expect(workers).toEqual([]);
    expect(waiting).toMatchObject([
      { id: json().id, error: expect.stringContaining("No worker is running") },
    ]);
    await using _worker = await team.machine().worker();
    const run = await asking.knack(["run", "file_fingerprint", "a.txt", "--queue", "--json"]);
    expect(run.json()).toMatchObject({ status: "SUCCEEDED" });
    await expect
      .poll(async () => (await asking.queue()).counts)
      .toEqual({ waiting: 0, running: 0, failed: 0, dead: 0 });
  });

  it("refuses a parameter that looks like a secret", async () => {
    await using team = await Team.start();
    const asking = team.trusting();
    const { code, stderr } = await asking.knack([
      ...["run", "says", "--queue", "--param", "text=ghp_0123456789abcdefghijABCDEFGHIJ012345"],
    ]);
    expect(code).toBe(2);
    expect(stderr).toContain("looks like a secret");
  });

  it("cancels nothing on Ctrl-C, and says how to go on", async () => {
    await using team = await Team.start();
    const asking = team.machine();
    const child = asking.start(["run", "file_fingerprint", "a.txt", "--queue"]);
    const ended = endOf(child);
    // It has queued the run, and follows it.
    await saysOnStderr(child, "waiting: No worker is running");
    child.kill("SIGINT");
    const { code, stderr } = await ended;
    expect(code).toBe(130);
    expect(stderr).toContain("stays in the queue");
    expect((await asking.queue()).counts.waiting).toBe(1);
  });

  it("needs a PostgreSQL store", async () => {
    await using team = await Team.start();
    const alone = team.machine({ "home/.knack/config.yaml": "" });
    for (const args of [["worker"], ["queue"], ["run", "file_fingerprint", "a.txt", "--queue"]]) {
      const { code, stderr } = await alone.knack(args);
      expect(code).toBe(2);
      expect(stderr).toContain("Set store.url to postgres://");
    }
  });
});

describe("which worker takes a run", () => {
  it("waits until a worker has approved this very code", async () => {
    await using team = await Team.start();
    const asking = team.trusting();
    const other = team.machine(teamSkills("another version"));
    const untrusting = team.machine(teamSkills());
    other.trust();
    await using _first = await other.worker();
    const run = endOf(asking.start(["run", "says", "--param", "text=hello", "--queue", "--json"]));
    const why = async () => (await asking.queue()).waiting[0]?.error ?? "";
    await expect.poll(why).toContain("No worker has this version of says");
    await using _second = await untrusting.worker();
    await expect.poll(why).toContain("No worker has approved this version of says");
    untrusting.trust();
    const ended = await run;
    expect(ended.json()).toMatchObject({ status: "SUCCEEDED", evidences: [{ data: { text: "hello" } }] });
    expect(ended.stderr).toContain('Run "knack trust" on a worker');
  });

  it("gives a skill with tags to a worker with those tags", async () => {
    await using team = await Team.start();
    const asking = team.trusting();
    await using plain = await asking.worker();
    const run = endOf(asking.start(["run", "on_gpu", "--param", "text=fast", "--queue", "--json"]));
    await expect
      .poll(async () => (await asking.queue()).waiting[0]?.error)
      .toBe("No worker with the tag gpu.");
    await using gpu = await asking.worker(["--tags", "gpu,big"]);
    expect((await run).json()).toMatchObject({ status: "SUCCEEDED" });
    await gpu.until(({ event }) => event === "start");
    expect(plain.lines.some(({ event }) => event === "start")).toBe(false);
  });

  it("leaves out what --skills does not name", async () => {
    await using team = await Team.start();
    const asking = team.machine();
    await using _worker = await team.machine().worker(["--skills", "text_extract"]);
    await asking.enqueue("file_fingerprint", "a.txt");
    await wait(300);
    expect((await asking.queue()).waiting).toMatchObject([{ error: expect.stringContaining("--skills") }]);
  });
});

describe("failures", () => {
  it("tries three times with pauses, then keeps it as dead until a person retries it", async () => {
    await using team = await Team.start();
    const asking = team.trusting();
    await using worker = await asking.worker();
    const run = await asking.knack(["run", "fails", "--queue", "--json"]);
    expect(run.code).toBe(1);
    expect(run.json()).toMatchObject({ status: "FAILED", error: { code: "E_NO" } });
    const { runs } = (await asking.knack(["runs", "--json"])).json();
    const starts = runs.map(({ started_at }: { started_at: string }) => Date.parse(started_at)).sort();
    expect(starts).toHaveLength(3);
    const [first = 0, second = 0, third = 0] = starts;
    expect(second - first).toBeGreaterThan(900);
    expect(third - second).toBeGreaterThan(1900);
    const { dead } = await asking.queue();
    expect(dead).toMatchObject([
      { skill: "fails", state: "DEAD", attempts: 3, error: "E_NO: It always fails." },
    ]);
    const again = await asking.knack(["queue", "retry", "--all", "--json"]);
    // The worker may have taken it already.
    const state = expect.stringMatching(/^(?:WAITING|RUNNING)$/);
    expect(again.json().retried).toMatchObject([{ id: dead[0]?.id, state, attempts: 0, error: null }]);
    await worker.until(
      ({ event }) => event === "start" && worker.lines.filter((l) => l.event === "start").length === 4,
    );
    const { code, stderr } = await asking.knack(["queue", "retry", "nothing"]);
    expect({ code, stderr }).toMatchObject({
      code: 1,
      stderr: expect.stringContaining("There is no queued run"),
    });
  });

  it.each([
    ["content_parts", "CORRUPT"],
    ["contents", "NOT_FOUND"],
  ])("is dead at once where another try changes nothing: no %s", async (table, code) => {
    await using team = await Team.start();
    const asking = team.machine();
    await asking.enqueue("file_fingerprint", "a.txt");
    {
      await using db = await team.db();
      await db.run(`DELETE FROM ${table}`);
    }
    await using worker = await asking.worker();
    await worker.until(({ event }) => event === "end");
    await expect
      .poll(async () => (await asking.queue()).dead)
      .toMatchObject([{ attempts: 1, error: expect.stringContaining(code) }]);
  });
});

describe("knack queue cancel", () => {
  it("removes a run that waits", async () => {
    await using team = await Team.start();
    const asking = team.machine();
    const id = await asking.enqueue("file_fingerprint", "a.txt");
    const cancelled = await asking.knack(["queue", "cancel", id, "--json"]);
    expect(cancelled.json()).toMatchObject({ state: "CANCELLED" });
    await using worker = await asking.worker();
    await wait(1500);
    expect(worker.lines.some(({ event }) => event === "start")).toBe(false);
    expect((await asking.knack(["queue", "cancel", id])).code).toBe(1);
  });

  it("reaches the worker that runs it", async () => {
    await using team = await Team.start();
    const asking = team.trusting();
    await using worker = await asking.worker();
    const run = endOf(asking.start(["run", "says", "--param", "ms=60000", "--queue", "--json"]));
    const { id = "" } = await worker.until(({ event }) => event === "start");
    await asking.knack(["queue", "cancel", id]);
    const { status } = await worker.until(({ event }) => event === "end");
    expect(status).toBe("FAILED");
    expect((await run).json().error.message).toContain("was cancelled");
    const { runs } = (await asking.knack(["runs", "--json"])).json();
    expect(runs).toMatchObject([{ status: "FAILED", error: { code: "SKILL_INTERRUPTED" } }]);
  });
});

describe("the end of a worker", () => {
  it("finishes its runs on SIGTERM, takes no more, and exits with 0", async () => {
    await using team = await Team.start();
    const asking = team.trusting();
    for (const ms of [3000, 1]) await asking.enqueue("says", "--param", `ms=${ms}`);
    await using worker = await asking.worker(["--concurrency", "1"]);
    await worker.until(({ event }) => event === "start");
    worker.child.kill("SIGTERM");
    expect(await worker.ended).toEqual({ code: 0, signal: null });
    expect(worker.lines.filter(({ event }) => event === "end")).toMatchObject([{ status: "SUCCEEDED" }]);
    const { waiting, running, workers } = await asking.queue();
    expect({ waiting: waiting.length, running: running.length, workers }).toEqual({
      waiting: 1,
      running: 0,
      workers: [],
    });
  });

  it("gives its runs back on a second SIGTERM, which costs them a try", async () => {
    await using team = await Team.start();
    const asking = team.trusting();
    await using worker = await asking.worker();
    await asking.enqueue("says", "--param", "ms=60000");
    await worker.until(({ event }) => event === "start");
    const isStopping = saysOnStderr(worker.child, "Stopping");
    worker.child.kill("SIGTERM");
    await isStopping;
    worker.child.kill("SIGTERM");
    expect((await worker.ended).code).toBe(0);
    const { failed, running } = await asking.queue();
    expect([failed, running]).toMatchObject([[{ attempts: 1 }], []]);
  });

  it("is noticed when it is killed: another takes its run over", async () => {
    await using team = await Team.start();
    const asking = team.trusting();
    await using first = await asking.worker();
    const run = endOf(asking.start(["run", "says", "--param", "ms=3000", "--queue", "--json"]));
    await first.until(({ event }) => event === "start");
    await wait(300);
    first.child.kill("SIGKILL");
    await using second = await asking.worker();
    expect((await run).json()).toMatchObject({ status: "SUCCEEDED" });
    await second.until(({ event }) => event === "taken-over");
  });

  it("is noticed by its heartbeat where its process is stopped", async () => {
    await using team = await Team.start();
    const asking = team.trusting();
    await using first = await asking.worker();
    await using _second = await asking.worker();
    const run = endOf(asking.start(["run", "says", "--param", "ms=3000", "--queue", "--json"]));
    const holding = await Promise.race([
      first.until(({ event }) => event === "start").then(() => first),
      _second.until(({ event }) => event === "start").then(() => _second),
    ]);
    await wait(200);
    holding.child.kill("SIGSTOP");
    expect((await run).json()).toMatchObject({ status: "SUCCEEDED" });
    await using db = await team.db();
    expect(await db.get("SELECT state, attempts FROM queued_runs")).toEqual({
      state: "SUCCEEDED",
      attempts: 1,
    });
  });

  it("leaves nothing to do where the row says that its run was recorded", async () => {
    await using team = await Team.start();
    const asking = team.machine();
    const id = await asking.enqueue("file_fingerprint", "a.txt");
    // Only by hand: a run and its job end in one transaction.
    await asking.knack(["run", "file_fingerprint", "a.txt"]);
    {
      await using db = await team.db();
      await db.run(
        `UPDATE queued_runs SET state = 'SUCCEEDED', finished_at = queued_at,
           skill_run_id = (SELECT skill_run_id FROM skill_runs) WHERE queue_id = ?`,
        [id],
      );
    }
    await using worker = await asking.worker();
    await wait(1500);
    expect(worker.lines.filter(({ event }) => event !== "ready")).toEqual([]);
    const { runs } = (await asking.knack(["runs", "--json"])).json();
    expect(runs).toHaveLength(1);
  });
});

describe("order", () => {
  it("takes higher priorities first", async () => {
    await using team = await Team.start();
    const asking = team.machine();
    const ids = new Map<string, string>();
    for (const [name, priority] of [
      ["low", "-5"],
      ["normal", "0"],
      ["high", "50"],
    ] as const) {
      writeFileSync(asking.folder.at(`repo/${name}.txt`), name);
      ids.set(await asking.enqueue("file_fingerprint", `${name}.txt`, `--priority=${priority}`), name);
    }
    await using worker = await asking.worker(["--concurrency", "1"]);
    await expect.poll(() => worker.lines.filter(({ event }) => event === "end").length).toBe(3);
    const order = worker.lines.filter(({ event }) => event === "start").map(({ id = "" }) => ids.get(id));
    expect(order).toEqual(["high", "normal", "low"]);
  });
});

import { setTimeout as wait } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { openEngine } from "../../packages/engine/src/open-engine.ts";
import { Team, teamSkills } from "./team.ts";

/** Whoever may connect to the database can write any row, and the machines of the others must get on with it. */

describe("rows that Knack did not write", () => {
  it("stop neither the worker nor the list, and are dead with the reason", async () => {
    await using team = await Team.start();
    const machine = team.machine();
    const queued = (): Promise<string> => machine.enqueue("file_fingerprint", "a.txt");
    const ids = [await queued(), await queued(), await queued(), await queued()];
    await using db = await team.db();
    const set = async (column: string, value: string, id = ""): Promise<void> => {
      await db.run(`UPDATE queued_runs SET ${column} = ? WHERE queue_id = ?`, [value, id]);
    };
    await set("request_json", "{", ids[0]);
    await set("request_json", "null", ids[1]);
    const row = await db.get("SELECT request_json FROM queued_runs WHERE queue_id = ?", [ids[2] ?? ""]);
    const request = JSON.parse(String(row?.request_json));
    await set(
      "request_json",
      JSON.stringify({ ...request, inputs: [{ ...request.inputs[0], sha256: "../../x" }] }),
      ids[2],
    );
    await db.run(
      `INSERT INTO workers (worker_id, host, pid, concurrency, skills_json, tags_json, holder, started_at, seen_at, lease_until)
       VALUES ('w', 'h', 1, 1, 'null', '{', '', '2026', '2026', '9999')`,
    );
    expect((await machine.queue()).waiting).toHaveLength(4);
    await using worker = await machine.worker();
    await worker.until(({ event, id }) => event === "end" && id === ids[3]);
    const { dead, waiting, running } = await machine.queue();
    expect([dead.map(({ id }) => id).sort(), waiting, running]).toEqual([ids.slice(0, 3).sort(), [], []]);
    expect(dead[0]?.error).toBe(
      "INVALID_PARAM: The entry in the queue is damaged: its request cannot be read.",
    );
  });
});

describe("a run that is cancelled and retried at once", () => {
  it("is executed once more, although its worker still ends the first try", async () => {
    await using team = await Team.start();
    const machine = team.trusting();
    await using worker = await machine.worker();
    const projectRoot = machine.folder.at("repo");
    const engine = await openEngine({ projectRoot, registry: [], store: team.url });
    try {
      const queue = await engine.queue();
      const id = await machine.enqueue("says", "--param", "ms=4000");
      await worker.until(({ event }) => event === "start");
      await wait(500);
      await queue.cancel(id);
      await queue.retry(id);
      await worker.until(({ event, status }) => event === "end" && status === "SUCCEEDED");
    } finally {
      await engine.close();
    }
    const events = (): string[] => worker.lines.map(({ event }) => event);
    await expect.poll(events).toEqual(["ready", "start", "start", "end", "end"]);
  });
});

describe("a worker that was stopped past its lease", () => {
  it("does not run again what another worker has run meanwhile, also if the skill is not cached", async () => {
    await using team = await Team.start();
    const skills = teamSkills();
    const registry = skills["repo/skills/registry.yaml"]?.replaceAll("cache: true", "cache: false") ?? "";
    const files = { ...skills, "repo/skills/registry.yaml": registry };
    const [asking, other] = [team.machine(files), team.machine(files)];
    for (const machine of [asking, other]) machine.trust();
    await using stopped = await asking.worker([], { KNACK_RUN_LEASE_SECONDS: "1" });
    await asking.enqueue("says", "--param", "ms=2000");
    await stopped.until(({ event }) => event === "start");
    await wait(500);
    stopped.child.kill("SIGSTOP");
    await using running = await other.worker([], { KNACK_RUN_LEASE_SECONDS: "1" });
    await running.until(({ event }) => event === "end");
    stopped.child.kill("SIGCONT");
    await stopped.until(({ event }) => event === "end");
    await using db = await team.db();
    expect(await db.all("SELECT status FROM skill_runs WHERE status = 'SUCCEEDED'")).toHaveLength(1);
  });
});

import { describe, expect, it } from "vitest";
import type { PlanStatus } from "../../packages/engine/src/plan/plan-report.ts";
import type { RunReport } from "../../packages/engine/src/run/run-report.ts";
import { ask, makeTypedProject, start, untilRunning } from "./typed-skills.ts";

const TRUST = { env: { KNACK_TRUST: "all" } };
const UNTIL = { timeout: 60_000, interval: 100 };
const standings = ({ tasks }: PlanStatus): string[] => tasks.map(({ id, status }) => `${id} ${status}`);

describe("plan run and processes", () => {
  const chain = (skill: string) =>
    `version: 1\nplan: p\ntasks:\n  - { id: a, skill: says, params: { text: one } }\n  - { id: b, skill: ${skill}, depends_on: [a] }\n  - { id: c, skill: says, depends_on: [b], params: { text: three } }\n`;
  const SLOW =
    "export const run = async () => { await new Promise((done) => setTimeout(done, 1500)); return { status: 'SUCCEEDED' }; };\n";

  it("goes on after SIGKILL in the middle: what was done is kept, what was begun is begun anew", async () => {
    using folder = makeTypedProject({ "repo/plan.yaml": chain("waits") });
    const env = { KNACK_TRUST: "all", KNACK_RUN_LEASE_SECONDS: "3" };
    const { child, closed } = start(folder, ["plan", "run", "plan.yaml"], env);
    await untilRunning(folder, "waits");
    const status = () => standings(ask<PlanStatus>(folder, ["plan", "status", "plan.yaml"], { env }).data);
    await expect.poll(status, UNTIL).toEqual(["a DONE", "b IN_PROGRESS", "c PENDING"]);
    child.kill("SIGKILL");
    await closed;
    await expect.poll(status, UNTIL).toEqual(["a DONE", "b READY", "c PENDING"]);
    folder.write({ "repo/impl/waits.mjs": SLOW });
    const { code, data } = ask<PlanStatus>(folder, ["plan", "run", "plan.yaml"], { env });
    expect({ code, standings: standings(data) }).toEqual({
      code: 0,
      standings: ["a DONE", "b DONE", "c DONE"],
    });
    expect(data.tasks.map(({ cached }) => cached)).toEqual([true, false, false]);
    const { runs } = ask<{ runs: RunReport[] }>(folder, ["runs"]).data;
    expect(runs.map(({ skill, status }) => `${skill} ${status}`)).toEqual([
      "says SUCCEEDED",
      "waits SUCCEEDED",
      "waits FAILED",
      "says SUCCEEDED",
    ]);
    expect(ask<{ ok: boolean }>(folder, ["audit", "verify"]).data.ok).toBe(true);
  });

  it("by two processes at once executes each task once, and both say that all is DONE", async () => {
    using folder = makeTypedProject({ "repo/plan.yaml": chain("waits"), "repo/impl/waits.mjs": SLOW });
    const both = [1, 2].map(() => start(folder, ["plan", "run", "plan.yaml", "--json"], TRUST.env));
    const ended = await Promise.all(both.map(({ closed }) => closed));
    for (const { code, stdout } of ended) {
      expect(code).toBe(0);
      expect(standings(JSON.parse(stdout) as PlanStatus)).toEqual(["a DONE", "b DONE", "c DONE"]);
    }
    const { runs } = ask<{ runs: RunReport[] }>(folder, ["runs"]).data;
    expect(runs.map(({ skill, status }) => `${skill} ${status}`)).toEqual([
      "says SUCCEEDED",
      "waits SUCCEEDED",
      "says SUCCEEDED",
    ]);
  });
});

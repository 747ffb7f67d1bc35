import { describe, expect, it } from "vitest";
import type { RunReport } from "../../packages/engine/src/run/run-report.ts";
import { ask, makeTypedProject, type Refusal, start, untilRunning } from "./typed-skills.ts";

const TRUST = { env: { KNACK_TRUST: "all" } };

describe("knack run", () => {
  it("killed in the middle is FAILED with SKILL_INTERRUPTED when its lease ends, and the key is free", async () => {
    using folder = makeTypedProject();
    const env = { KNACK_TRUST: "all", KNACK_RUN_LEASE_SECONDS: "2" };
    const { child, closed } = start(folder, ["run", "waits"], env);
    await untilRunning(folder, "waits");
    child.kill("SIGKILL");
    await closed;
    await expect
      .poll(() => ask<{ runs: RunReport[] }>(folder, ["runs"]).data.runs, { timeout: 60_000, interval: 100 })
      .toMatchObject([{ status: "FAILED", error: { code: "SKILL_INTERRUPTED" } }]);
    folder.write({ "repo/impl/waits.mjs": "export const run = () => ({ status: 'SUCCEEDED' });\n" });
    expect(ask(folder, ["run", "waits"], { env }).data).toMatchObject({ status: "SUCCEEDED" });
  });

  it("ends what takes longer than KNACK_RUN_TIMEOUT_SECONDS", () => {
    using folder = makeTypedProject();
    const { code, data } = ask(folder, ["run", "waits"], {
      env: { KNACK_TRUST: "all", KNACK_RUN_TIMEOUT_SECONDS: "2" },
    });
    expect({ code, error: data.error?.code }).toEqual({ code: 1, error: "SKILL_TIMEOUT" });
    const wrong = ask<Refusal>(folder, ["run", "waits"], {
      env: { KNACK_TRUST: "all", KNACK_RUN_TIMEOUT_SECONDS: "soon" },
    });
    expect(wrong).toMatchObject({ code: 2, data: { error: { code: "INVALID_PARAM" } } });
  });

  it("twice at once executes once, and both have the result", async () => {
    using folder = makeTypedProject({
      "repo/impl/waits.mjs":
        "export const run = async () => { await new Promise((done) => setTimeout(done, 3000)); return { status: 'SUCCEEDED' }; };\n",
    });
    const first = start(folder, ["run", "waits", "--json"], TRUST.env);
    await untilRunning(folder, "waits");
    const second = start(folder, ["run", "waits", "--json"], TRUST.env);
    const answers = (await Promise.all([first.closed, second.closed])).map(
      ({ stdout }) => JSON.parse(stdout) as RunReport,
    );
    expect(answers.map(({ status, cached }) => [status, cached])).toEqual([
      ["SUCCEEDED", false],
      ["SUCCEEDED", true],
    ]);
    expect(answers[0]?.id).toBe(answers[1]?.id);
    expect(ask<{ count: number }>(folder, ["runs"]).data.count).toBe(1);
  });
});

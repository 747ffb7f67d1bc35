import { spawn } from "node:child_process";
import { once } from "node:events";
import { describe, expect, it } from "vitest";
import type { RunReport } from "../../packages/engine/src/run/run-report.ts";
import { environment, PROGRAM } from "../cli/run.ts";
import { ask, makeTypedProject, SAID, untilRunning } from "../cli/typed-skills.ts";

const DAY = 24 * 60 * 60 * 1000;
/** A second of work the first time, then none: the second process must not wait for the first. */
const SLOW = (ms: number) =>
  `export const run = async () => { await new Promise((done) => setTimeout(done, ${ms})); return ${SAID}; };\n`;

/** The program with a clock that is off by this much: leases use it. */
function clock(shift: number): string {
  const code = `const now = Date.now; Date = class extends Date {
    constructor(...given) { if (given.length === 0) super(now() + ${shift}); else super(...given); }
    static now() { return now() + ${shift}; } };`;
  return `data:text/javascript,${encodeURIComponent(code)}`;
}

function start(folder: ReturnType<typeof makeTypedProject>, args: readonly string[], shift: number) {
  folder.write({ "home/": "" });
  const child = spawn(process.execPath, ["--import", clock(shift), PROGRAM, ...args], {
    cwd: folder.at("repo"),
    env: { ...environment(folder), KNACK_TRUST: "all", KNACK_RUN_LEASE_SECONDS: "60" },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let [stdout, stderr] = ["", ""];
  child.stdout.on("data", (text) => {
    stdout += String(text);
  });
  child.stderr.on("data", (text) => {
    stderr += String(text);
  });
  return { child, closed: once(child, "close").then(() => ({ stdout, stderr })), said: () => stderr };
}

describe("promise 16: whole processes under clocks that differ by a day", () => {
  it.each([
    ["ahead", DAY],
    ["behind", -DAY],
  ])("a run that was killed under a clock a day %s blocks nobody", async (_, shift) => {
    using folder = makeTypedProject();
    const first = start(folder, ["run", "waits"], shift);
    await untilRunning(folder, "waits");
    first.child.kill("SIGKILL");
    await first.closed;
    folder.write({ "repo/impl/waits.mjs": SLOW(0) });
    // Another implementation has another key; the same one must be free too.
    expect(ask<{ runs: RunReport[] }>(folder, ["runs"]).data.runs).toMatchObject([
      { status: "FAILED", error: { code: "SKILL_INTERRUPTED" } },
    ]);
  });

  it.each([
    ["ahead", DAY],
    ["behind", -DAY],
  ])("a run that lives under a clock a day %s is waited for, and who has it is told", async (_, shift) => {
    using folder = makeTypedProject({ "repo/impl/waits.mjs": SLOW(4000) });
    const first = start(folder, ["run", "waits", "--json"], shift);
    await untilRunning(folder, "waits");
    const second = start(folder, ["run", "waits", "--json"], 0);
    const answers = await Promise.all([first.closed, second.closed]);
    const reports = answers.map(({ stdout }) => JSON.parse(stdout) as RunReport);
    expect(reports.map(({ status, cached }) => [status, cached])).toEqual([
      ["SUCCEEDED", false],
      ["SUCCEEDED", true],
    ]);
    expect(answers[1]?.stderr).toMatch(
      new RegExp(`^Waiting for process ${first.child.pid}, which has been running waits with .* since 20`),
    );
  });
});

import { userInfo } from "node:os";
import { describe, expect, it } from "vitest";
import { skillText } from "../../packages/core/src/testing/files.ts";
import { knack, PROGRAM, program, REPO } from "./run.ts";
import { TerminalWindow } from "./terminal-window.ts";
import { ask, makeTypedProject, PUBLISH, type Refusal } from "./typed-skills.ts";

const env = { KNACK_TRUST: "all" };
const RUN = ["run", "publish", "a.md"];
const CONFIRM = ["--confirm", "sign_off"];
const who = userInfo().username;

describe("003 §3.1 knack run --confirm", () => {
  it("with --yes confirms where there is no terminal; the run and the log say who, when and what", () => {
    using folder = makeTypedProject(PUBLISH);
    const { code, data } = ask(folder, [...RUN, ...CONFIRM, "--yes"], { env });
    const word = { role: "sign_off", kind: "CONFIRMATION", path: "", confirmed_by: who };
    expect({ code, data }).toMatchObject({ code: 0, data: { inputs: [{ role: "report" }, word] } });
    const { confirmed_at: at, sha256 } = data.inputs[1] ?? {};
    expect(knack(folder, ["runs", "show", data.id]).stdout).toContain(`confirmed  sign_off: ${who}, ${at}`);
    const events = ask<{ events: object[] }>(folder, ["audit"]).data.events;
    expect(events).toContainEqual(
      expect.objectContaining({
        event_type: "SKILL_RUN",
        payload: expect.objectContaining({ confirmed: [{ role: "sign_off", by: who, at, sha256 }] }),
      }),
    );
    expect(ask(folder, [...RUN, ...CONFIRM, "--yes"], { env }).data).toMatchObject({ cached: true });
    expect(knack(folder, ["audit", "verify"]).code).toBe(0);
  });

  it.each([
    ["without --confirm", RUN, 1, "ACCESS_DENIED", "--confirm sign_off"],
    ["without a terminal and --yes", [...RUN, ...CONFIRM], 2, "INVALID_PARAM", "report = a.md (sha256 "],
    ["with a file", [...RUN, "--input", "sign_off=b.md"], 2, "INVALID_PARAM", "a file is none"],
    ["with a second file", [...RUN, "b.md"], 2, "INVALID_PARAM", "one input too many"],
    ["with a parameter", [...RUN, "--param", "sign_off=true"], 1, "ACCESS_DENIED", "only a person"],
    ["with another role", [...RUN, "--confirm", "report"], 2, "INVALID_PARAM", "it has sign_off"],
    ["with --yes alone", [...RUN, "--yes"], 2, "INVALID_PARAM", "--yes needs --confirm"],
  ])("%s nothing is confirmed, and nothing runs", (_, args, code, error, says) => {
    using folder = makeTypedProject(PUBLISH);
    expect(ask<Refusal>(folder, args, { env })).toMatchObject({
      code,
      data: { error: { code: error, message: expect.stringContaining(says) } },
    });
    expect(ask<{ runs: object[] }>(folder, ["runs"]).data.runs).toEqual([]);
  });

  it("asks on the terminal: no runs nothing, yes runs it", async () => {
    using folder = makeTypedProject(PUBLISH);
    using window = new TerminalWindow(folder, { columns: 120, env });
    window.run("knack run publish a.md --confirm sign_off; echo code $?");
    await window.shows(/needs the confirmation "sign_off" for: report = a\.md[\s\S]*Do you confirm it\?/);
    window.press("Enter");
    await window.shows(/you did not confirm sign_off[\s\S]*code 1/);
    await window.clear();
    window.run("knack run publish a.md --confirm sign_off; echo code $?");
    await window.shows("Do you confirm it?");
    window.type("y");
    await window.shows(/SUCCEEDED publish[\s\S]*confirmed {2}sign_off[\s\S]*code 0/);
  });

  it("--explain shows the key and asks nobody", () => {
    using folder = makeTypedProject(PUBLISH);
    const explained = ask<{ key: string }>(folder, [...RUN, ...CONFIRM, "--explain"], { env });
    const { data } = ask(folder, [...RUN, ...CONFIRM, "--yes"], { env });
    expect(explained.data.key).toBe(data.key);
  });
});

describe("003 §3.1 a model never confirms", () => {
  const refusal = {
    error: { code: "ACCESS_DENIED", message: expect.stringContaining("only a person can confirm") },
  };

  it("in a command of an agent that marks itself", () => {
    using folder = makeTypedProject(PUBLISH);
    knack(folder, ["plan", "apply", "plan.yaml"], { env });
    for (const mark of [
      ...[
        "CLAUDECODE",
        "CODEX_THREAD_ID",
        "CODEX_SANDBOX",
        "CURSOR_AGENT",
        "GEMINI_CLI",
        "QWEN_CODE",
        "OPENCODE",
      ],
      ...["COPILOT_AGENT", "COPILOT_CLI", "GOOSE_TERMINAL", "CLINE_ACTIVE", "AGENT", "AI_AGENT"],
    ])
      for (const args of [
        [...RUN, ...CONFIRM, "--yes"],
        ["evidence", "add", "p/out", "sign_off", "--confirm"],
      ]) {
        const { code, data } = ask<Refusal>(folder, args, { env: { ...env, [mark]: "1" } });
        expect({ mark, code, data }).toMatchObject({ mark, code: 1, data: refusal });
        expect(data.error.message).toContain(`(${mark})`);
      }
    const { code } = ask(folder, [...RUN, ...CONFIRM, "--yes"], { env: { ...env, AGENT: "" } });
    expect(code).toBe(0);
  });

  it.each(["process.env", "{ PATH: process.env.PATH, HOME: process.env.HOME, KNACK_TRUST: 'all' }"])(
    "in a runner that Knack started, also with --yes and with the environment %s",
    (given) => {
      using folder = makeTypedProject({
        ...PUBLISH,
        [`${REPO}/tao-of-coding/SKILL.md`]: skillText("tao-of-coding", "Root."),
        [`${REPO}/alpha/SKILL.md`]: skillText("alpha", "Does alpha."),
        "agent.mjs": `import { spawnSync } from "node:child_process";
          const args = ${JSON.stringify([PROGRAM, ...RUN, ...CONFIRM, "--yes", "--json"])};
          process.stdout.write(spawnSync(process.execPath, args, { env: ${given}, encoding: "utf8" }).stdout);`,
      });
      const runner = `${process.execPath} ${folder.at("agent.mjs")}`;
      const asked = [
        "dispatch",
        "--role",
        "fixer",
        "--skill",
        "alpha",
        "--prompt",
        "x",
        "--runner-cmd",
        runner,
      ];
      const { stdout } = program(folder, asked, { env });
      expect(stdout).toContain("only a person can confirm");
      expect(ask<{ runs: object[] }>(folder, ["runs"]).data.runs).toEqual([]);
    },
  );
});

describe("003 §3.1 a confirmation in a plan", () => {
  const plan = (...args: string[]) => ["plan", ...args];
  const confirm = ["evidence", "add", "p/out", "sign_off", "--confirm"];
  const status = { data: { tasks: [{ id: "out", status: "DONE" }] } };

  it("comes from the task's evidence: one plan run waits, one confirmation, one plan run is done", () => {
    using folder = makeTypedProject(PUBLISH);
    const more = { env };
    expect(ask<object>(folder, plan("run", "plan.yaml"), more)).toMatchObject({
      data: { tasks: [{ status: "BLOCKED", blocked_reason: "WAITING_APPROVAL" }] },
    });
    expect(knack(folder, confirm, more).code).toBe(0);
    expect(ask<object>(folder, plan("run", "plan.yaml"), more)).toMatchObject(status);
    const [run] = ask<{ runs: object[] }>(folder, ["runs"]).data.runs;
    expect(run).toMatchObject({ inputs: [{ role: "report" }, { role: "sign_off", confirmed_by: who }] });
    // The same confirmation is not for what somebody asks of the task by hand.
    expect(ask<Refusal>(folder, ["run", "publish", "b.md", "--task", "p/out"], more)).toMatchObject({
      data: { error: { code: "ACCESS_DENIED" } },
    });
  });

  it("does not count for a task that was changed since, until somebody confirms again", () => {
    using folder = makeTypedProject(PUBLISH);
    const { "repo/plan.yaml": text } = PUBLISH;
    knack(folder, plan("apply", "plan.yaml"), { env });
    knack(folder, confirm, { env });
    folder.write({ "repo/plan.yaml": text.replace("a.md", "b.md") });
    const refused = ask<{ tasks: { error: object }[] }>(folder, plan("run", "plan.yaml"), { env });
    expect(refused).toMatchObject({
      code: 1,
      data: {
        tasks: [{ status: "READY", error: { message: expect.stringContaining("was changed after") } }],
      },
    });
    knack(folder, confirm, { env });
    expect(ask<object>(folder, plan("run", "plan.yaml"), { env })).toMatchObject(status);
  });

  it("is for the files as they were: one that was changed since needs another, also after a run", () => {
    using folder = makeTypedProject(PUBLISH);
    const refused = () =>
      expect(ask<object>(folder, plan("run", "plan.yaml"), { env })).toMatchObject({
        code: 1,
        data: {
          tasks: [{ status: "READY", error: { message: expect.stringMatching(/a\.md was changed after/) } }],
        },
      });
    knack(folder, plan("apply", "plan.yaml"), { env });
    for (const text of ["# Before it ran\n", "# After it ran\n"]) {
      knack(folder, confirm, { env });
      folder.write({ "repo/a.md": text });
      refused();
      knack(folder, confirm, { env });
      expect(ask<object>(folder, plan("run", "plan.yaml"), { env })).toMatchObject(status);
    }
    expect(ask<{ runs: object[] }>(folder, ["runs"]).data.runs).toHaveLength(2);
  });

  it("must be asked for by the plan, and cannot be a file there", () => {
    using folder = makeTypedProject(PUBLISH);
    const { "repo/plan.yaml": text } = PUBLISH;
    folder.write({ "repo/plan.yaml": text.replace(/ {4}requirements.*\n/, "") });
    expect(knack(folder, plan("apply", "plan.yaml"), { env }).stderr).toContain(
      'publish needs the confirmation "sign_off"; add { name: sign_off, kind: CONFIRMATION }',
    );
    folder.write({ "repo/plan.yaml": text.replace("a.md }", "a.md }, { role: sign_off, file: b.md }") });
    expect(knack(folder, plan("apply", "plan.yaml"), { env }).stderr).toContain("a file is none");
  });
});

import { readFileSync, truncateSync, writeFileSync } from "node:fs";
import { setTimeout as wait } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { makeFolder } from "../../packages/core/src/testing/files.ts";
import type { PlanStatus, TaskReport } from "../../packages/engine/src/plan/plan-report.ts";
import { knack, TRUST } from "./run.ts";
import { ask, makeTypedProject, type Refusal, start, untilRunning } from "./typed-skills.ts";

/** As `plan.yaml` is documented. */
const EXAMPLE = `version: 1
plan: quarterly-report
title: Quarterly report
tasks:
  - id: extract
    skill: text_extract
    inputs: [{ file: docs/q3.md }]
  - id: render
    skill: template_render
    depends_on: [extract]
    inputs: [{ role: template, file: report.liquid }, { role: data, task: extract, artifact: extracted_text }]
    params: { title: Q3 }
  - id: sign
    depends_on: [render]
    requirements:
      - { name: sign_off, kind: CONFIRMATION, required: true }
      - { name: sources, kind: FILE, required: true, min_count: 2, allowed_types: [pdf, md], validation: { filename_keywords: [source] } }
      - { name: hash, kind: SKILL_OUTPUT, required: true, skill: file_fingerprint, evidence: FILE_HASH }
`;
const FILES = {
  "repo/.git/": "",
  "repo/plan.yaml": EXAMPLE,
  "repo/docs/q3.md": '{"revenue": 7}\n',
  "repo/report.liquid": "# {{ title }}\n",
};
const standings = ({ tasks }: PlanStatus): string[] =>
  tasks.map(
    ({ id, status, blocked_reason }) => `${id} ${status}${blocked_reason ? ` ${blocked_reason}` : ""}`,
  );

describe("knack plan", () => {
  it("works a plan through, from files and words to DONE", () => {
    using folder = makeFolder(FILES);
    const plan = (what: string) => ask<PlanStatus>(folder, ["plan", what, "plan.yaml"]);
    expect(plan("apply").data).toEqual({
      plan: "quarterly-report",
      tasks: [
        {
          id: "extract",
          title: "extract",
          status: "READY",
          blocked_reason: null,
          depends_on: [],
          requirements: [],
          waits_for: [],
        },
        {
          id: "render",
          title: "render",
          status: "PENDING",
          blocked_reason: null,
          depends_on: ["extract"],
          requirements: [],
          waits_for: [],
        },
        {
          id: "sign",
          title: "sign",
          status: "PENDING",
          blocked_reason: null,
          depends_on: ["render"],
          requirements: [
            {
              name: "sign_off",
              kind: "CONFIRMATION",
              required: true,
              min_count: 1,
              have: 0,
              satisfied: false,
            },
            { name: "sources", kind: "FILE", required: true, min_count: 2, have: 0, satisfied: false },
            { name: "hash", kind: "SKILL_OUTPUT", required: true, min_count: 1, have: 0, satisfied: false },
          ],
          waits_for: [
            {
              requirement: "sign_off",
              kind: "CONFIRMATION",
              command: "knack evidence add quarterly-report/sign sign_off --confirm",
            },
            {
              requirement: "sources",
              kind: "FILE",
              command: "knack evidence add quarterly-report/sign sources --file <path>",
            },
            {
              requirement: "hash",
              kind: "SKILL_OUTPUT",
              skill: "file_fingerprint",
              command: "knack run file_fingerprint --input <path> --task quarterly-report/sign",
            },
          ],
        },
      ],
    });
    const first = plan("run");
    expect(first.code).toBe(0);
    expect(standings(first.data)).toEqual(["extract DONE", "render DONE", "sign BLOCKED WAITING_INPUT"]);
    expect(first.data.tasks[0]).toMatchObject({ run: expect.any(String), cached: false });
    folder.write({
      "repo/workspace/inputs/sources/one.md": "1",
      "repo/workspace/inputs/sources/two.pdf": "2",
      "repo/workspace/inputs/sources/three.exe": "3",
    });
    expect(standings(plan("status").data)[2]).toBe("sign BLOCKED WAITING_APPROVAL");
    const given = ask<{ added: boolean; task: TaskReport }>(folder, [
      "evidence",
      "add",
      "sign",
      "sign_off",
      "--confirm",
    ]);
    expect(given.data).toMatchObject({ added: true, task: { id: "sign", blocked_reason: "WAITING_SKILL" } });
    expect(
      ask(folder, ["run", "file_fingerprint", "--input", "docs/q3.md", "--task", "quarterly-report/sign"])
        .data.task,
    ).toBe("quarterly-report/sign");
    expect(standings(plan("status").data)[2]).toBe("sign READY");
    const second = plan("run");
    expect(second.data.tasks.map(({ status, cached }) => [status, cached])).toEqual([
      ["DONE", true],
      ["DONE", true],
      ["DONE", undefined],
    ]);
    expect(second.code).toBe(0);
  });

  it("003 §5.7, §7.4: one run, one confirmation, one run: the output of a task moves the next, and all are DONE", () => {
    using folder = makeFolder({
      ...FILES,
      "repo/plan.yaml": `version: 1
plan: p
tasks:
  - { id: hash, skill: file_fingerprint, inputs: [{ file: docs/q3.md }] }
  - id: read
    skill: text_extract
    inputs: [{ file: docs/q3.md }]
    requirements: [{ name: of, kind: SKILL_OUTPUT, task: hash, evidence: FILE_HASH }]
  - { id: sign, depends_on: [read], requirements: [{ name: ok, kind: CONFIRMATION }] }
`,
    });
    const plan = (what: string) => ask<PlanStatus>(folder, ["plan", what, "plan.yaml"]).data;
    expect(plan("status").tasks[1]?.waits_for).toEqual([
      {
        requirement: "of",
        kind: "SKILL_OUTPUT",
        skill: "file_fingerprint",
        command: "knack plan run <plan.yaml>",
      },
    ]);
    expect(standings(plan("run"))).toEqual(["hash DONE", "read DONE", "sign BLOCKED WAITING_APPROVAL"]);
    expect(knack(folder, ["plan", "status", "plan.yaml"]).stdout).toMatch(
      /\n\nMISSING +GIVEN BY\nsign: ok +knack evidence add p\/sign ok --confirm\n$/,
    );
    knack(folder, ["evidence", "add", "p/sign", "ok", "--confirm"]);
    expect(standings(plan("run"))).toEqual(["hash DONE", "read DONE", "sign DONE"]);
    expect(knack(folder, ["audit", "verify"]).code).toBe(0);
  });

  it("shows people what each task needs, and draws it", () => {
    using folder = makeFolder(FILES);
    const { stdout } = knack(folder, ["plan", "status", "plan.yaml"]);
    expect(stdout.split("\n")[3]).toMatch(
      /^sign +PENDING +after render; sign_off: CONFIRMATION 0\/1; sources: FILE 0\/2; /,
    );
    expect(knack(folder, ["plan", "status", "plan.yaml", "--format", "mermaid"]).stdout).toMatch(
      /^flowchart LR\n {2}t1\["extract/,
    );
    expect(knack(folder, ["plan", "status", "plan.yaml", "--format", "dot"]).stdout).toMatch(
      /^digraph plan \{\n/,
    );
    expect(knack(folder, ["plan", "status", "plan.yaml", "--format", "svg"]).code).toBe(2);
  });

  it("with faults says each with file and line, exit 2, and applies nothing", () => {
    using folder = makeFolder({
      ...FILES,
      "repo/bad.yaml": "version: 1\ntasks:\n  - id: a\n    skil: x\n  - id: b/c\n",
    });
    const { code, stderr } = knack(folder, ["plan", "apply", "bad.yaml"]);
    expect(code).toBe(2);
    expect(stderr.split("\n").slice(0, 2)).toEqual([
      expect.stringMatching(/^error: .*bad\.yaml:4: unknown key "tasks\[0\]\.skil"; did you mean "skill"\?$/),
      expect.stringMatching(/^ {2}\/.*bad\.yaml:5: "tasks\[1\]\.id" must be /),
    ]);
    expect(ask<Refusal>(folder, ["plan", "run", "none.yaml"])).toMatchObject({
      code: 1,
      data: { error: { code: "NOT_FOUND" } },
    });
    expect(ask<Refusal>(folder, ["plan", "run", "plan.yaml", "--parallel", "0"])).toMatchObject({ code: 2 });
  });

  it("run exits with 1 where a task failed or was refused, and says why", () => {
    using folder = makeTypedProject({
      "repo/plan.yaml":
        "version: 1\ntasks:\n  - { id: a, skill: says }\n  - { id: b, skill: file_fingerprint, inputs: [{ file: none }] }\n",
    });
    const { code, data } = ask<PlanStatus>(folder, ["plan", "run", "plan.yaml"]);
    expect(code).toBe(1);
    expect(data.tasks).toMatchObject([
      { status: "READY", error: { code: "ACCESS_DENIED" } },
      { status: "FAILED", error: { code: "NOT_FOUND" } },
    ]);
    const told = knack(folder, ["plan", "run", "plan.yaml"]).stdout;
    expect(told).toMatch(/^a +READY +ACCESS_DENIED: .*knack trust/m);
    const third = knack(folder, ["plan", "run", "plan.yaml"], TRUST).stdout;
    expect(third).toMatch(/^a +DONE/m);
    expect(third).toMatch(/^b +BLOCKED WAITING_EXTERNAL .*edit the plan/m);
  });

  it("evidence add takes a file or a word, of a task by either name", () => {
    using folder = makeFolder({ ...FILES, "repo/other.yaml": EXAMPLE.replace("quarterly-report", "other") });
    knack(folder, ["plan", "apply", "plan.yaml"]);
    const add = (...args: string[]) =>
      ask<Refusal & { added: boolean }>(folder, ["evidence", "add", ...args]);
    expect(add("sign", "sources", "--file", "docs/q3.md").data).toMatchObject({ added: true });
    expect(add("sign", "sources", "--file", "docs/q3.md").data).toMatchObject({ added: false });
    expect(add("sign", "sources")).toMatchObject({ code: 2 });
    // A file of holes would take hours to read.
    writeFileSync(folder.at("repo/docs/huge.md"), "");
    truncateSync(folder.at("repo/docs/huge.md"), 2 ** 40);
    expect(add("sign", "sources", "--file", "docs/huge.md").data.error.message).toContain("more than 64 GiB");
    expect(add("sign", "sources", "--file", "docs/q3.md", "--confirm")).toMatchObject({ code: 2 });
    expect(add("sign", "sources", "--confirm")).toMatchObject({ code: 2 });
    expect(add("sign", "nothing", "--confirm")).toMatchObject({
      code: 1,
      data: { error: { code: "NOT_FOUND" } },
    });
    expect(add("nobody", "sign_off", "--confirm").data.error.message).toBe(
      'No applied plan has a task "nobody". "knack plan status <plan.yaml>" lists the tasks of a plan, "knack plan apply <plan.yaml>" applies it.',
    );
    knack(folder, ["plan", "apply", "other.yaml"]);
    expect(add("sign", "sign_off", "--confirm")).toMatchObject({
      code: 2,
      data: { error: { code: "INVALID_PARAM", candidates: ["other/sign", "quarterly-report/sign"] } },
    });
    expect(add("other/sign", "sign_off", "--confirm").data).toMatchObject({ added: true });
    const ambiguous = ask<Refusal>(folder, [
      "run",
      "file_fingerprint",
      "--input",
      "docs/q3.md",
      "--task",
      "sign",
    ]);
    expect(ambiguous.data.error.candidates).toEqual(["other/sign", "quarterly-report/sign"]);
    expect(knack(folder, ["evidence", "add", "other/sign", "sign_off", "--confirm"]).stdout).toMatch(
      /^Attached to sign_off of other\/sign, which is PENDING\.\n$/,
    );
  });
});

describe("plan run and processes", () => {
  const chain = (skill: string) =>
    `version: 1\nplan: p\ntasks:\n  - { id: a, skill: says, params: { text: one } }\n  - { id: b, skill: ${skill}, depends_on: [a] }\n  - { id: c, skill: says, depends_on: [b], params: { text: three } }\n`;

  it("on Ctrl-C ends with 130 and leaves the task READY", async () => {
    using folder = makeTypedProject({ "repo/plan.yaml": chain("waits") });
    const { child, closed } = start(folder, ["plan", "run", "plan.yaml"], TRUST.env);
    await untilRunning(folder, "waits");
    await wait(500);
    child.kill("SIGINT");
    expect((await closed).code).toBe(130);
    const { data } = ask<PlanStatus>(folder, ["plan", "status", "plan.yaml"], TRUST);
    expect(standings(data)).toEqual(["a DONE", "b READY", "c PENDING"]);
  });

  it("runs a task anew whose implementation has changed, and what takes from it", () => {
    using folder = makeTypedProject({ "repo/plan.yaml": chain("says") });
    ask(folder, ["plan", "run", "plan.yaml"], TRUST);
    const code = readFileSync(folder.at("repo/impl/says.mjs"), "utf8");
    folder.write({ "repo/impl/says.mjs": `// changed\n${code}` });
    const { data } = ask<PlanStatus>(folder, ["plan", "run", "plan.yaml"], TRUST);
    expect(data.tasks.map(({ status, cached }) => [status, cached])).toEqual([
      ["DONE", false],
      ["DONE", false],
      ["DONE", false],
    ]);
  });
});

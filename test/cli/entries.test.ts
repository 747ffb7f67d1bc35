import { existsSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { type Folder, makeFolder } from "../../packages/core/src/testing/files.ts";
import type { PlanStatus } from "../../packages/engine/src/plan/plan-report.ts";
import { Server } from "../http/server.ts";
import { type Answer, askMcp, knack, TRUST } from "./run.ts";
import { ask, makeTypedProject, type Refusal, stateOf } from "./typed-skills.ts";

/** One valid entry, and one with an unknown kind on line 8. */
const REGISTRY = `version: 1
skills:
  - name: says
    implementation: impl/says.mjs:run
    idempotency: { cache: true }
  - name: broken
    implementation: impl/says.mjs:run
    inputs: [{ kind: FIL }]
    idempotency: { cache: true }
`;
const LEFT_OUT =
  /"broken" was skipped because .*registry\.yaml:8\): "inputs\[0\]\.kind" must be FILE or CONFIRMATION or ARTIFACT.*knack registry/s;

const project = (more: Parameters<typeof makeFolder>[0] = {}): Folder =>
  makeTypedProject({ "repo/skills/registry.yaml": REGISTRY, ...more });

describe("an entry that was skipped is reported with file and line", () => {
  it("by run and run --explain", () => {
    using folder = project();
    for (const more of [[], ["--explain"]]) {
      const { code, data } = ask<Refusal>(folder, ["run", "broken", ...more], TRUST);
      expect(code).toBe(1);
      expect(data.error).toMatchObject({ code: "NOT_FOUND", message: expect.stringMatching(LEFT_OUT) });
    }
  });

  it("by plan apply, of a task and of a requirement", () => {
    using folder = project({
      "repo/plan.yaml":
        "version: 1\nplan: p\ntasks:\n  - id: a\n    skill: broken\n  - id: b\n    requirements: [{ name: h, kind: SKILL_OUTPUT, skill: broken }]\n",
    });
    const { message } = ask<Refusal>(folder, ["plan", "apply", "plan.yaml"], TRUST).data.error;
    const lines = message.split("\n");
    expect(lines).toHaveLength(2);
    expect(lines[0]).toMatch(/plan\.yaml:5: The typed skill "broken" was skipped/);
    expect(lines[1]).toMatch(/plan\.yaml:7: The typed skill "broken" was skipped/);
  });

  it("by dispatch, and by a skill whose tool it is", () => {
    using folder = project({
      "home/.agents/skills/take/SKILL.md":
        "---\nname: take\ndescription: d\ninvocation_mode: tool_dispatch\ncommand_tool: broken\n---\n",
    });
    const dispatched = knack(
      folder,
      ["dispatch", "--role", "fixer", "--skill", "broken", "--prompt", "{}", "--runner-cmd", "cat"],
      TRUST,
    );
    expect(dispatched.code).toBe(1);
    expect(dispatched.stderr).toMatch(LEFT_OUT);
    const shell = knack(folder, ["shell", "--json"], { ...TRUST, input: "/skill take {}\n" });
    expect(JSON.parse(shell.stdout).error).toMatchObject({
      code: "NOT_FOUND",
      message: expect.stringMatching(LEFT_OUT),
    });
  });

  it("by MCP, which does not offer it", () => {
    using folder = project();
    const call = { method: "tools/call", params: { name: "broken", arguments: {} } };
    const [list, refused] = askMcp(folder, [{ method: "tools/list", params: {} }, call], TRUST).answers;
    expect(list.result.tools.map(({ name }: { name: string }) => name)).toContain("says");
    expect(list.result.tools.map(({ name }: { name: string }) => name)).not.toContain("broken");
    expect(JSON.stringify(refused)).toContain("was skipped");
  });

  it("by HTTP", async () => {
    using folder = project();
    await using server = await Server.start(folder);
    const response = await server.post("/api/run", { skill: "broken" });
    expect(response.status).toBe(404);
    expect(await response.text()).toContain("was skipped");
  });

  it("and where the file itself cannot be read, that is told", () => {
    using folder = project({ "repo/skills/registry.yaml": "version: 1\nskills: [\n" });
    const { error } = ask<Refusal>(folder, ["run", "says"], TRUST).data;
    expect(error.message).toMatch(/no typed skill "says".*registry\.yaml:\d+ was not read/);
  });
});

describe("knack registry --json", () => {
  it("has the words of the file, what was inherited and the defaults", () => {
    using folder = makeTypedProject({
      "repo/skills/registry.yaml": `version: 1
skills:
  - name: says
    description: Says it.
    implementation: impl/says.mjs:run
    inputs:
      - { kind: FILE, role: in, required: false, multiple: true, schema: { fields: [path, sha256] } }
    outputs:
      artifacts: [{ name: out, format: txt, path_template: "workspace/artifacts/{task_id}/out.txt" }]
      evidences: [{ kind: SAID, schema: { fields: [text] } }]
    params: { schema: { type: object, properties: { text: { type: string } } } }
    idempotency: { strategy: INPUT_HASHES, cache: false }
  - name: file_fingerprint
    implementation: skills.impl.file_fingerprint:run
    inputs: [{ kind: FILE, required: true }]
`,
    });
    const { data } = ask<{ skills: object[] }>(folder, ["registry"], TRUST);
    expect(data.skills[0]).toEqual({
      name: "says",
      description: "Says it.",
      implementation: "impl/says.mjs:run",
      inputs: [
        { role: "in", kind: "FILE", required: false, multiple: true, schema: { fields: ["path", "sha256"] } },
      ],
      outputs: {
        artifacts: [{ name: "out", format: "txt", path_template: "workspace/artifacts/{task_id}/out.txt" }],
        evidences: [{ kind: "SAID", schema: { fields: ["text"] } }],
      },
      params: { schema: { type: "object", properties: { text: { type: "string" } } } },
      idempotency: { strategy: "INPUT_HASHES", cache: false },
    });
    expect(data.skills[1]).toMatchObject({ inputs: [{ role: "input", multiple: true }] });
    expect(JSON.stringify(data)).not.toMatch(/pathTemplate|"many"|timeoutSeconds|"declared"/);
    expect(
      ask(folder, ["run", "file_fingerprint", "--input", "a.md", "--input", "b.md"], TRUST).data.evidences,
    ).toHaveLength(2);
  });
});

describe("knack doctor", () => {
  it("counts the errors of the registry, tells the first and what to do", () => {
    const entries = Array.from(
      { length: 20 },
      (_, i) => `  - { name: s${i}, implementation: none.ts:run }\n`,
    );
    using folder = makeFolder({
      "repo/.git/": "",
      "repo/skills/registry.yaml": `version: 1\nskills:\n${entries.join("")}`,
    });
    const { code, json } = knack(folder, ["doctor", "--json"]);
    expect(code).toBe(1);
    const check = (json() as Answer).checks.find(({ name }) => name === "registry");
    expect(check).toMatchObject({
      ok: false,
      message: expect.stringMatching(/40 errors: .*registry\.yaml:3: s0: .* and 37 more$/s),
      hint: expect.stringContaining("knack registry"),
    });
    using right = makeTypedProject();
    expect((knack(right, ["doctor", "--json"]).json() as Answer).checks).toContainEqual(
      expect.objectContaining({ name: "registry", ok: true }),
    );
  });
});

describe("knack plan apply", () => {
  it("tells what a run would refuse, all of it, with file and line, and applies nothing", () => {
    using folder = makeTypedProject({
      "repo/plan.yaml": `version: 1
plan: p
tasks:
  - id: a
    skill: text_extract
    inputs: [{ file: a.md }]
    params:
      max_chars: many
      colour: red
  - id: b
    skill: diff_artifact
    inputs: [{ role: left, file: a.md }]
  - id: c
    skill: says
    params: [1]
    depends_on: [nobody]
`,
    });
    const { code, data } = ask<Refusal>(folder, ["plan", "apply", "plan.yaml"]);
    expect(code).toBe(2);
    const lines = data.error.message.split("\n").map((line) => line.replace(/^.*plan\.yaml:/, ""));
    expect(lines).toEqual([
      expect.stringMatching(/^8: text_extract: params\/max_chars: must be integer/),
      expect.stringMatching(/^9: text_extract: params: unknown parameter "colour"/),
      expect.stringMatching(/^12: diff_artifact needs the input "right"/),
      expect.stringMatching(/^15: "tasks\[2\]\.params" must be a mapping, found a list/),
      expect.stringMatching(/^16: There is no task "nobody"/),
    ]);
    expect(existsSync(stateOf(folder))).toBe(false);
  });
});

describe("knack run --task", () => {
  const files = {
    "repo/plan.yaml": "version: 1\nplan: p\ntasks: [{ id: a }, { id: b }]\n",
    "repo/q.yaml": "version: 1\nplan: q\ntasks: [{ id: b }]\n",
  };
  const run = (task: string): string[] => ["run", "text_extract", "--input", "a.md", "--task", task];

  it.each(["x", "p/x", "none/a", "adhoc"])(
    "%s, which no applied plan has, is refused with the next step",
    (task) => {
      using folder = makeTypedProject(files);
      for (const apply of [false, true]) {
        if (apply) knack(folder, ["plan", "apply", "plan.yaml"]);
        const { code, data } = ask<Refusal>(folder, run(task));
        expect(code).toBe(1);
        expect(data.error).toMatchObject({
          code: "NOT_FOUND",
          message: expect.stringContaining("knack plan apply"),
        });
      }
      expect(existsSync(folder.at("repo/workspace"))).toBe(false);
      expect(ask<{ count: number }>(folder, ["runs"]).data.count).toBe(0);
    },
  );

  it("reports the task that was asked for, also from the cache", () => {
    using folder = makeTypedProject(files);
    knack(folder, ["plan", "apply", "plan.yaml"]);
    const first = ask(folder, run("a")).data;
    expect(first).toMatchObject({ cached: false, task: "p/a" });
    expect(ask(folder, run("p/b")).data).toMatchObject({ id: first.id, cached: true, task: "p/b" });
    expect(ask(folder, ["run", "text_extract", "--input", "a.md"]).data).toMatchObject({
      id: first.id,
      cached: true,
      task: null,
    });
    knack(folder, ["plan", "apply", "q.yaml"]);
    expect(ask<Refusal>(folder, run("b")).data.error).toMatchObject({
      code: "INVALID_PARAM",
      candidates: ["p/b", "q/b"],
    });
  });

  it("binds a cached result to the task that was asked for", () => {
    const hash =
      "requirements: [{ name: h, kind: SKILL_OUTPUT, skill: file_fingerprint, evidence: FILE_HASH }]";
    using folder = makeTypedProject({
      "repo/plan.yaml": `version: 1\nplan: p\ntasks:\n  - { id: a, ${hash} }\n  - { id: b, ${hash} }\n`,
    });
    const status = () =>
      ask<PlanStatus>(folder, ["plan", "status", "plan.yaml"]).data.tasks.map(
        (task) => task.requirements[0]?.have,
      );
    ask<PlanStatus>(folder, ["plan", "apply", "plan.yaml"]);
    const bind = (task: string) =>
      ask(folder, ["run", "file_fingerprint", "--input", "a.md", "--task", task]);
    bind("a");
    expect(status()).toEqual([1, 0]);
    expect(bind("b").data).toMatchObject({ cached: true, task: "p/b" });
    expect(status()).toEqual([1, 1]);
  });
});

describe("knack run text_extract", () => {
  it.each(["empty.pdf", "empty.docx"])("of an empty file is FAILED and says so: %s", (name) => {
    using folder = makeTypedProject({ [`repo/${name}`]: "" });
    const { code, data } = ask(folder, ["run", "text_extract", "--input", name]);
    expect(code).toBe(1);
    expect(data).toMatchObject({ status: "FAILED", error: { message: expect.stringContaining("is empty") } });
  });
});

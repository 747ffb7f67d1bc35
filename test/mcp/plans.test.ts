import type { ElicitRequest, ElicitResult } from "@modelcontextprotocol/client";
import { describe, expect, it } from "vitest";
import type { Folder } from "../../packages/core/src/testing/files.ts";
import { knack, TRUST } from "../cli/run.ts";
import { ask, makeTypedProject, PUBLISH } from "../cli/typed-skills.ts";
import { call } from "./call.ts";
import { open, SOME_WAYS, user, type Way } from "./ways.ts";

const WAY: Way = { transport: "http", revision: "2026-07-28" };
const CONFIG = "home/.knack/config.yaml";
const ALL = "mcp: { tools: all }\n";

/** The second task needs the evidence of the first, the third a confirmation. */
const THREE = `version: 1
plan: report
tasks:
  - { id: hash, skill: file_fingerprint, inputs: [{ file: a.md }] }
  - id: read
    skill: text_extract
    inputs: [{ file: a.md }]
    requirements: [{ name: digest, kind: SKILL_OUTPUT, skill: file_fingerprint, evidence: FILE_HASH }]
  - id: sign
    depends_on: [read]
    requirements: [{ name: sign_off, kind: CONFIRMATION }]
`;

const makeProject = (more: Parameters<typeof makeTypedProject>[0] = {}): Folder =>
  makeTypedProject({ [CONFIG]: ALL, ...more });

const standings = (plan: unknown): string[] => {
  const { tasks } = plan as { tasks: { id: string; status: string; blocked_reason: string | null }[] };
  return tasks.map(({ id, status, blocked_reason }) => `${id} ${blocked_reason ?? status}`);
};

describe("003 §5 an agent works through a plan over MCP", () => {
  it.each(SOME_WAYS)(
    "runs what is READY, says what waits, and ends with a confirmation, over $name",
    async (way) => {
      using folder = makeProject({ "repo/plan.yaml": THREE });
      const { asked, elicit } = user("decline", "accept");
      await using opened = await open(folder, way, { elicit });
      const { client } = opened;
      const before = await call(client, "plan_status", { plan: "plan.yaml" });
      expect(standings(before.run)).toEqual(["hash READY", "read WAITING_SKILL", "sign PENDING"]);
      expect(before.text).toContain("digest: plan_run runs file_fingerprint, which gives it.");
      expect(before.run).toEqual(ask(folder, ["plan", "status", "plan.yaml"], TRUST).data);
      const first = await call(client, "plan_run", { plan: "report" });
      expect(standings(first.run)).toEqual(["hash DONE", "read DONE", "sign WAITING_APPROVAL"]);
      expect(first.text).toContain("Plan report: 2 of 3 tasks are DONE.");
      expect(first.text).toContain('"knack evidence add report/sign sign_off --confirm"');
      expect(asked).toEqual([]);
      // The word of a person, for the task that the agent names.
      const declined = await call(client, "plan_run", { plan: "report", task: "sign" });
      expect([declined.code, declined.text]).toEqual([
        "ACCESS_DENIED",
        expect.stringContaining("did not confirm"),
      ]);
      const last = await call(client, "plan_run", { plan: "report", task: "report/sign" });
      expect([last.status, standings(last.run)]).toEqual([
        "success",
        ["hash DONE", "read DONE", "sign DONE"],
      ]);
      expect(asked).toHaveLength(2);
      expect(asked[1]).toContain('The task report/sign needs the confirmation "sign_off"');
      expect(standings((await call(client, "plan_run", { plan: "report" })).run)).toEqual(
        standings(last.run),
      );
    },
  );

  it("takes a confirmation of the terminal, and never its own", async () => {
    using folder = makeProject({ ...PUBLISH });
    await using opened = await open(folder, WAY, { env: { KNACK_TRUST: "all" } });
    const { client } = opened;
    const waiting = await call(client, "plan_run", { plan: "plan.yaml", task: "out" });
    expect(standings(waiting.run)).toEqual(["out WAITING_APPROVAL"]);
    knack(folder, ["evidence", "add", "p/out", "sign_off", "--confirm"], TRUST);
    // Nobody can be asked whether the code of the project may run.
    const refused = await call(client, "plan_run", { plan: "p" });
    expect([refused.code, refused.text]).toEqual([
      "ACCESS_DENIED",
      expect.stringContaining("{tool: publish}"),
    ]);
    folder.write({ [CONFIG]: `${ALL}permissions: { allow: [{ tool: publish }] }\n` });
    expect(standings((await call(client, "plan_run", { plan: "p" })).run)).toEqual(["out DONE"]);
  });

  it("§5.1: an executor finds the skill that a task needs, and what it makes", async () => {
    using folder = makeProject({
      "repo/skills/where/SKILL.md": "---\ninvocation_mode: tool_dispatch\ncommand_tool: plan_status\n---\n",
      "repo/plan.yaml":
        "version: 1\nplan: p\ntasks: [{ id: check, requirements: [{ name: digest, kind: SKILL_OUTPUT, skill: file_fingerprint, evidence: FILE_HASH }, { name: notes, kind: FILE }] }]\n",
    });
    await using opened = await open(folder, WAY);
    const { client } = opened;
    const { run, text } = await call(client, "plan_status", { plan: "plan.yaml" });
    expect(run).toMatchObject({
      tasks: [
        {
          waits_for: [
            { requirement: "digest", skill: "file_fingerprint" },
            { requirement: "notes", kind: "FILE" },
          ],
        },
      ],
    });
    expect(text).toContain('digest: the tool file_fingerprint gives it, called with "task": "p/check".');
    expect(text).toContain('notes: "knack evidence add p/check notes --file <path>".');
    const { tools } = await client.listTools();
    const described = new Map(tools.map(({ name, description }) => [name, description]));
    expect(described.get("file_fingerprint")).toContain("Makes: the evidence FILE_HASH (sha256, ");
    expect(described.get("text_extract")).toContain("Makes: the artifact extracted_text (");
    expect(described.get("says")).toContain("Makes: the evidence SAID (text).");
    await call(client, "file_fingerprint", { inputs: [{ path: "a.md" }], task: "p/check" });
    knack(folder, ["evidence", "add", "p/check", "notes", "--file", "b.md"], TRUST);
    // Also by a skill that calls the tool, for which a text is the plan.
    const shown = await call(client, "skill_load", { name: "where", args: "plan.yaml" });
    expect(shown.text).toBe("Plan p: 0 of 1 tasks are DONE.\n- check: READY\n  plan_run runs it.");
    // A task without a skill is done by what it required.
    expect(standings((await call(client, "plan_run", { plan: "p" })).run)).toEqual(["check DONE"]);
  });
});

describe("interfaces, MCP: who is asked before plan_run runs a typed skill", () => {
  const task = (id: string, text: string): string =>
    `  - { id: ${id}, skill: says, inputs: [{ file: a.md }], params: { text: ${text} } }\n`;
  const plan = `version: 1\nplan: p\ntasks:\n${task("one", "hello")}${task("two", "you")}`;

  it("a person for each task with code of the project, as for its tool; not where nothing runs", async () => {
    using folder = makeProject({ "repo/plan.yaml": plan });
    const questions: string[] = [];
    const isTwo = (message: string): boolean => message.includes('"task":"p/two"');
    // The first question about the second task is declined; which of the two tasks asks first does not matter.
    const elicit = ({ message }: ElicitRequest["params"]): ElicitResult => {
      const isDeclined = isTwo(message) && !questions.some(isTwo);
      questions.push(message);
      return { action: isDeclined ? "decline" : "accept", content: {} };
    };
    await using opened = await open(folder, WAY, { elicit });
    const run = (more = {}) => call(opened.client, "plan_run", { plan: "plan.yaml", ...more });
    const first = await run();
    expect([first.code, standings(first.run)]).toEqual(["ACCESS_DENIED", ["one DONE", "two READY"]]);
    expect(first.text).toContain("The question about the tool says was declined");
    expect(questions.find(isTwo)).toMatch(
      /^A model wants to call says with \{.*"text":"you".*"task":"p\/two"\}/,
    );
    expect(standings((await run({ task: "two" })).run)).toEqual(["one DONE", "two DONE"]);
    expect((await run()).text).toContain("DONE: one (unchanged), two (unchanged).");
    expect(questions).toHaveLength(3);
    folder.write({ "repo/plan.yaml": plan.replace("hello", "bye") });
    expect((await run()).status).toBe("success");
    expect(questions).toHaveLength(4);
  });

  it("nobody where a rule denies it, or the project is not trusted", async () => {
    const deny = `${ALL}permissions: { deny: [{ tool: says }] }\n`;
    using folder = makeProject({ "repo/plan.yaml": plan, [CONFIG]: deny });
    const { asked, elicit } = user();
    await using opened = await open(folder, WAY, { elicit });
    const denied = await call(opened.client, "plan_run", { plan: "plan.yaml" });
    expect([denied.code, denied.text]).toEqual(["ACCESS_DENIED", expect.stringContaining("{ tool: says }")]);
    folder.write({ [CONFIG]: `${ALL}permissions: { deny: [{ tool: plan_run }] }\n` });
    expect((await call(opened.client, "plan_run", { plan: "p" })).text).toContain(
      "Policy denies the tool plan_run",
    );
    await using stranger = await open(folder, WAY, { elicit, env: { KNACK_TRUST: "" } });
    folder.write({ [CONFIG]: ALL });
    for (const tool of ["plan_status", "plan_run"]) {
      const { code, text } = await call(stranger.client, tool, { plan: "plan.yaml" });
      expect([code, text]).toEqual(["ACCESS_DENIED", expect.stringContaining("knack trust")]);
    }
    expect(asked).toEqual([]);
  });
});

describe("interfaces, MCP: plan_status and plan_run", () => {
  it("say what there is where no plan was applied, or several, and refuse what is none", async () => {
    using folder = makeProject({
      "repo/plan.yaml": THREE,
      "repo/other.yaml": "version: 1\ntasks: [{ id: t }]\n",
      "repo/outside.yaml":
        "version: 1\ntasks: [{ id: t, skill: file_fingerprint, inputs: [{ file: ../home/x.md }] }]\n",
      "repo/link.yaml": { link: "../home/plan.yaml" },
      "home/plan.yaml": THREE,
      "home/x.md": "x\n",
    });
    await using opened = await open(folder, WAY);
    const status = (params = {}) => call(opened.client, "plan_status", params);
    expect((await status()).text).toMatch(/^No plan was applied in this project\./);
    await status({ plan: "plan.yaml" });
    expect((await status()).text).toContain("Plan report: 0 of 3 tasks are DONE.");
    await status({ plan: "other.yaml" });
    expect((await status()).text).toContain("- other: 0 of 1 tasks are DONE\n- report: 0 of 3");
    for (const [params, code, said] of [
      [{ plan: "none" }, "NOT_FOUND", "other, report"],
      [{ plan: "../home/plan.yaml" }, "ACCESS_DENIED", "outside the project"],
      [{ plan: "link.yaml" }, "ACCESS_DENIED", "outside the project"],
      [{ plan: 1 }, "INVALID_PARAM", '"plan" must be text'],
      [{ plan: "report", x: 1 }, "INVALID_PARAM", "Its parameters are plan, task"],
      [{}, "INVALID_PARAM", '"plan" is missing'],
      [{ plan: "report", task: "nope" }, "NOT_FOUND", "hash, read, sign"],
      [{ plan: "outside.yaml" }, "ACCESS_DENIED", "reads only files of the project"],
    ] as const) {
      const refused = await call(opened.client, "plan_run", params);
      expect([refused.code, refused.text]).toEqual([code, expect.stringContaining(said)]);
    }
  });

  it("are offered in all or by name, and their names are no typed skill's", async () => {
    using folder = makeProject({ [CONFIG]: "mcp: { tools: core }\n" });
    const offered = async (): Promise<string[]> => {
      await using opened = await open(folder, WAY);
      return (await opened.client.listTools()).tools
        .map(({ name }) => name)
        .filter((name) => name.startsWith("plan_"));
    };
    expect(await offered()).toEqual([]);
    folder.write({ [CONFIG]: "mcp: { tools: [core, plan_run] }\n" });
    expect(await offered()).toEqual(["plan_run"]);
    folder.write({
      "repo/skills/registry.yaml":
        "version: 1\nskills: [{ name: plan_run, implementation: builtin:file_fingerprint }]\n",
    });
    expect(knack(folder, ["registry"], TRUST).stderr).toContain("belongs to one of Knack's own tools");
  });
});

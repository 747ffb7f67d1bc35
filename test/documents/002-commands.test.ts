import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { Tool } from "../../packages/core/src/access/tool.ts";
import { skillText } from "../../packages/core/src/testing/files.ts";
import { converse, makeProject, outcome } from "./conversation.ts";

/** The canonical example of document 002 §7, which is also a skill of this repository. */
const PLAN = readFileSync(join(import.meta.dirname, "../../skills/plan_compiler/SKILL.md"), "utf8");

const bare = (frontmatter: string, body = "Body.\n"): string => `---\n${frontmatter}---\n${body}`;

/** A skill that calls a tool. */
const calling = (tool: string, more = "", body = "Body.\n"): string =>
  bare(`invocation_mode: tool_dispatch\ncommand_tool: ${tool}\n${more}`, body);

/** A host tool that returns what it was called with. */
const compilePlan: Tool = {
  name: "compile_plan",
  description: "Compiles a plan. For tests of tool_dispatch.",
  inputSchema: { type: "object" },
  run: async (params) => ({ data: { params }, text: `compiled ${JSON.stringify(params)}` }),
};

describe("002 §3.1 summary", () => {
  it("is the description in /skills, and empty where it is missing", async () => {
    using folder = makeProject({
      "repo/skills/one/SKILL.md": bare("summary: Does one thing.\n"),
      "repo/skills/two/SKILL.md": "Just instructions.\n",
    });
    const { text, data } = await (await converse(folder)).execute("/skills");
    expect(text).toBe("one: Does one thing.\ntwo");
    expect(data).toMatchObject({
      count: 2,
      skills: [
        { name: "one", description: "Does one thing." },
        { name: "two", description: "" },
      ],
    });
  });
});

describe("002 §3.2 invocation_mode", () => {
  const files = {
    "repo/skills/compile/SKILL.md": calling("compile_plan", "command: compile\n", "Never for a model.\n"),
  };

  it("prompt_rewrite gives the instructions to the model", async () => {
    using folder = makeProject({ "repo/skills/plan_compiler/SKILL.md": PLAN });
    const reaction = await (await converse(folder)).input("/skill plan_compiler now");
    expect(reaction).toMatchObject({ to: "model", skill: { name: "plan_compiler" } });
    expect(reaction.text).toContain("You are the Plan Compiler skill.");
  });

  it("tool_dispatch calls the tool, and no model reads the skill", async () => {
    using folder = makeProject(files);
    const talk = await converse(folder, { tools: [compilePlan] });
    for (const line of ["/skill compile the plan", "/compile the plan"]) {
      const reaction = await talk.input(line);
      expect(reaction.to).toBe("person");
      expect(reaction.envelope?.data).toEqual({ params: { args: "the plan" } });
      expect(reaction.text).not.toContain("Never for a model");
    }
    expect((await talk.call("Skill", { name: "compile", args: '{"a": [1]}' })).data).toEqual({
      params: { a: [1] },
    });
  });

  it("passes arguments as the JSON object they are, else as {args}", async () => {
    using folder = makeProject(files);
    const talk = await converse(folder, { tools: [compilePlan] });
    const given = async (args: string): Promise<unknown> =>
      (await talk.execute(`/compile ${args}`)).data.params;
    expect(await given('{"depth": 2}')).toEqual({ depth: 2 });
    expect(await given("[1, 2]")).toEqual({ args: "[1, 2]" });
    expect(await given('{"broken"')).toEqual({ args: '{"broken"' });
    expect(await given('"a  b"  c')).toEqual({ args: '"a  b"  c' });
    expect(await given("")).toEqual({ args: "" });
  });

  it("tells a tool's own refusal", async () => {
    using folder = makeProject({ "repo/skills/find/SKILL.md": calling("skill_search", "command: find\n") });
    const talk = await converse(folder);
    expect(outcome(await talk.execute("/find words"))).toBe("INVALID_PARAM");
    expect(outcome(await talk.execute('/find {"query": "words"}'))).toBe("success");
  });

  it("does not go in circles", async () => {
    using folder = makeProject({ "repo/skills/again/SKILL.md": calling("Skill", "command: again\n") });
    const talk = await converse(folder);
    const answer = await talk.execute('/again {"name": "again"}');
    expect(outcome(answer)).toBe("INVALID_PARAM");
    expect(answer.text).toContain("cannot be chained");
  });

  it("does not call a tool that the skill's own allowed-tools leaves out", async () => {
    const narrow = calling("compile_plan", "allowed-tools: Read\n");
    using folder = makeProject({ "repo/skills/narrow/SKILL.md": narrow });
    const talk = await converse(folder, { tools: [compilePlan] });
    expect(outcome(await talk.execute("/skill narrow"))).toBe("ACCESS_DENIED");
  });
});

describe("002 §3.3 command", () => {
  it("makes /<command> a way to the skill", async () => {
    using folder = makeProject({ "repo/skills/plan_compiler/SKILL.md": PLAN });
    const reaction = await (await converse(folder)).input("/plan write the migration");
    expect(reaction).toMatchObject({ to: "model", skill: { name: "plan_compiler" } });
    expect(reaction.envelope?.data.content).toMatch(/ARGUMENTS: write the migration$/);
  });

  it("keeps quoted arguments as they were written", async () => {
    using folder = makeProject({ "repo/skills/say/SKILL.md": bare("command: say\n", "[$ARGUMENTS]") });
    const { data } = await (await converse(folder)).execute(`/say  "a  b" 'c' \\n {d}  `);
    expect(data.content).toBe(`["a  b" 'c' \\n {d}]`);
  });

  it.each(["skills", "skill", "help", "reload_skills", "agent"])(
    "leaves out a skill that takes /%s",
    async (command) => {
      using folder = makeProject({ "repo/skills/thief/SKILL.md": bare(`command: ${command}\n`) });
      const { session } = await converse(folder);
      expect(session.catalog.skills).toEqual([]);
      expect(session.catalog.errors).toMatchObject([{ code: "E_COMMAND_RESERVED" }]);
    },
  );

  it("gives a command that two skills declare to neither, and names both", async () => {
    using folder = makeProject({
      "repo/skills/one/SKILL.md": bare("command: go\n"),
      "repo/skills/two/SKILL.md": bare("command: go\n"),
    });
    const talk = await converse(folder);
    expect(outcome(await talk.execute("/go"))).toBe("INVALID_PARAM");
    expect(outcome(await talk.execute("/skill one"))).toBe("success");
    expect(talk.session.catalog.warnings.filter(({ code }) => code === "W_COMMAND_DUPLICATE")).toHaveLength(
      2,
    );
  });
});

describe("002 §3.4 and §3.5 tools", () => {
  it("checks command_tool against the tools there are", async () => {
    using folder = makeProject({ "repo/skills/compile/SKILL.md": calling("compile_plan") });
    const without = await converse(folder);
    expect(without.session.catalog.errors).toMatchObject([{ code: "E_COMMAND_TOOL_UNKNOWN" }]);
    // A name alone says that the host has such a tool; it cannot be called from here.
    const named = await converse(folder, { tools: ["compile_plan"] });
    expect(named.session.catalog.skills).toEqual([]);
    const withTool = await converse(folder, { tools: [compilePlan] });
    expect(withTool.session.catalog.skills).toHaveLength(1);
    expect(withTool.session.tools.map(({ name }) => name)).toContain("compile_plan");
  });

  it("leaves a skill out whose required tools are not there", async () => {
    using folder = makeProject({ "repo/skills/x/SKILL.md": bare("requires_tools: [read, teleport]\n") });
    expect((await converse(folder)).session.systemPrompt()).not.toContain("<name>x</name>");
    expect((await converse(folder, { tools: ["teleport"] })).session.systemPrompt()).toContain(
      "<name>x</name>",
    );
  });

  it("refuses two tools of one name", async () => {
    using folder = makeProject();
    const tool = { ...compilePlan, name: "skill_load" };
    await expect(converse(folder, { tools: [tool] })).rejects.toMatchObject({ code: "INVALID_PARAM" });
  });
});

describe("002 §3.6 eligibility", () => {
  it("does not use a skill whose conditions fail, and says which", async () => {
    using folder = makeProject({ "repo/skills/key/SKILL.md": bare("eligibility:\n  env: [NO_SUCH_KEY]\n") });
    const talk = await converse(folder);
    const answer = await talk.execute("/skill key");
    expect(outcome(answer)).toBe("NOT_FOUND");
    expect(answer.text).toContain("NO_SUCH_KEY");
    expect((await talk.execute("/skills")).data.count).toBe(0);
  });
});

describe("002 §4 body", () => {
  it("is given as it is, and nothing in it is run", async () => {
    const body = "Run !`touch /tmp/never` and @/etc/passwd.\n";
    using folder = makeProject({ "repo/skills/x/SKILL.md": bare("summary: s\n", body) });
    expect((await (await converse(folder)).execute("/skill x")).data.content).toBe(body);
  });
});

describe("002 §5 execution rules", () => {
  const files = {
    "repo/.agents/skills/code-review/SKILL.md": skillText("code-review"),
    "repo/.agents/skills/debugging/SKILL.md": skillText("debugging"),
  };

  it("§5.1: uses one skill a request", async () => {
    using folder = makeProject(files);
    const talk = await converse(folder);
    const reaction = await talk.input("Do $code-review, then $debugging.");
    expect(reaction).toMatchObject({ to: "model", skill: { name: "code-review" } });
    expect(reaction.text).toMatch(
      /^<skill_context name="code-review"[\s\S]*<\/skill_context>\n\nDo \$code-review, then \$debugging\.$/,
    );
    expect(talk.session.inspect({ includeSkills: true }).skills?.loaded).toHaveLength(1);
  });

  it("§5.2: uses the skill that was asked for or fails clearly", async () => {
    using folder = makeProject({
      "repo/.agents/skills/code-review/SKILL.md": skillText("code-review"),
      "repo/.agents/skills/debugging/SKILL.md": skillText("debugging", "Debugs.", "command: debug\n"),
      "home/.knack/config.yaml": "skills: { disabled: [debugging] }\n",
    });
    const talk = await converse(folder);
    expect(outcome(await talk.execute("/skill code-review"))).toBe("success");
    const off = await talk.execute("/skill debugging");
    expect([outcome(off), off.text]).toEqual(["ACCESS_DENIED", expect.stringContaining("disabled")]);
    const alias = await talk.execute("/debug this");
    expect([outcome(alias), alias.text]).toEqual(["ACCESS_DENIED", expect.stringContaining("disabled")]);
  });

  it.each(["code-revie", "Code-Review", "code", "review", "codereview"])(
    "§5.3: does not guess what %s means",
    async (name) => {
      using folder = makeProject(files);
      const answer = await (await converse(folder)).execute(`/skill ${name}`);
      expect(outcome(answer)).toBe("NOT_FOUND");
      expect(answer.text).not.toContain("did you mean");
    },
  );

  it("gives plain text to the model and a line with a slash never", async () => {
    using folder = makeProject(files);
    const talk = await converse(folder);
    expect(await talk.input("Review this.")).toEqual({ to: "model", text: "Review this." });
    for (const line of ["/", "/nothing", "/usr/bin/env", "  /skills", "/code-review", "/SKILLS"])
      expect([line, (await talk.input(line)).to]).toEqual([line, "person"]);
  });

  it("calls no tool because a sentence names its skill", async () => {
    const calls: unknown[] = [];
    const run: Tool["run"] = async (params) => {
      calls.push(params);
      return { data: {}, text: "Deployed." };
    };
    const tool: Tool = { ...compilePlan, name: "deploy_it", executes: true, run };
    const mode = "invocation_mode: tool_dispatch\ncommand_tool: deploy_it\n";
    using folder = makeProject({
      ...files,
      "repo/.agents/skills/deploying/SKILL.md": skillText("deploying", "Deploys.", mode),
    });
    const talk = await converse(folder, { tools: [tool] });
    const text = "What does $deploying do? Do not run it.";
    expect(await talk.input(text)).toEqual({ to: "model", text });
    expect((await talk.input("Compare $deploying with $debugging.")).skill?.name).toBe("debugging");
    expect(calls).toEqual([]);
    expect((await talk.input("/skill deploying now")).to).toBe("person");
    expect(calls).toEqual([{ args: "now" }]);
  });

  it("reports an ambiguous mention instead of choosing", async () => {
    using folder = makeProject({
      ...files,
      "home/.agents/skills/debugging/SKILL.md": skillText("debugging"),
    });
    const reaction = await (await converse(folder)).input("Use $debugging here.");
    expect(reaction.to).toBe("person");
    expect(reaction.envelope?.data.candidates).toHaveLength(2);
  });
});

describe("002 §6 malformed skills", () => {
  it.each([
    ["SKILL.md is missing", {}, "E_SKILL_MISSING"],
    ["invalid YAML", { "SKILL.md": "---\na: [\n---\n" }, "E_YAML_SYNTAX"],
    [
      "tool_dispatch without command_tool",
      { "SKILL.md": bare("invocation_mode: tool_dispatch\n") },
      "E_COMMAND_TOOL_MISSING",
    ],
    [
      "command_tool that does not exist",
      { "SKILL.md": bare("command_tool: none\n") },
      "E_COMMAND_TOOL_UNKNOWN",
    ],
    ["command that is built in", { "SKILL.md": bare("command: skills\n") }, "E_COMMAND_RESERVED"],
    ["eligibility that fails", { "SKILL.md": bare("eligibility: { os: [plan9] }\n") }, "E_INELIGIBLE"],
  ])("%s: left out with the reason, the others stay", async (_what, files, code) => {
    using folder = makeProject({ "ws/good/SKILL.md": "Good.\n", "ws/bad/readme.txt": "" });
    for (const [name, text] of Object.entries(files)) folder.write({ [`ws/bad/${name}`]: text });
    const env = { SKILLS_WORKSPACE_DIR: folder.at("ws") };
    const { session } = await converse(folder, { env });
    expect(session.catalog.skills.map(({ name }) => name)).toEqual(["good"]);
    expect(session.catalog.errors).toMatchObject([{ code, path: folder.at("ws/bad/SKILL.md") }]);
  });
});

describe("002 §8 definition of done", () => {
  it("/skills, /skill, /plan, /help and /reload_skills behave as defined", async () => {
    using folder = makeProject({ "repo/skills/plan_compiler/SKILL.md": PLAN });
    const talk = await converse(folder);
    expect((await talk.execute("/skills")).text).toBe(
      "plan_compiler (/plan): Convert conversation into a structured implementation plan.",
    );
    expect((await talk.execute("/skill plan_compiler")).data.name).toBe("plan_compiler");
    expect((await talk.execute("/plan")).data.name).toBe("plan_compiler");
    expect((await talk.execute("/help plan_compiler")).text).toContain(
      "/plan [args], /skill plan_compiler [args]",
    );

    const missing = await talk.execute("/skill");
    expect([outcome(missing), missing.text]).toEqual([
      "INVALID_PARAM",
      "Error: /skill requires a skill name. /skills lists them.",
    ]);
    for (const [line, code] of [
      ["/help", "success"],
      ["/help none", "NOT_FOUND"],
      ["/skill none", "NOT_FOUND"],
      ["/none", "INVALID_PARAM"],
      ["/agent", "INVALID_PARAM"],
      ["/agent wizard", "INVALID_PARAM"],
      ["no slash", "INVALID_PARAM"],
    ] as const)
      expect([line, outcome(await talk.execute(line))]).toEqual([line, code]);
  });

  it("works on the snapshot until /reload_skills makes the next", async () => {
    using folder = makeProject({ "repo/skills/one/SKILL.md": "One.\n" });
    const talk = await converse(folder);
    folder.write({
      "repo/skills/two/SKILL.md": "Two.\n",
      "home/.knack/config.yaml": "skills: { disabled: [one] }\n",
    });
    await talk.call("skill_search", { query: "two" });
    expect((await talk.execute("/skills")).text).toBe("one");
    expect(outcome(await talk.execute("/skill two"))).toBe("NOT_FOUND");
    const reloaded = await talk.execute("/reload_skills");
    expect(reloaded.data).toMatchObject({ snapshot_version: 2, count: 1 });
    expect((await talk.execute("/skills")).text).toBe("two");
    expect(talk.session.inspect().snapshot_version).toBe(2);
  });

  it("keeps the snapshot where the configuration is wrong at a reload", async () => {
    using folder = makeProject({ "repo/skills/one/SKILL.md": "One.\n" });
    const talk = await converse(folder);
    folder.write({ "home/.knack/config.yaml": "skils: {}\n" });
    const answer = await talk.execute("/reload_skills");
    expect(answer.status).toBe("error");
    expect(answer.text).toContain("config.yaml:1");
    expect((await talk.execute("/skills")).text).toBe("one");
    expect(talk.session.snapshotVersion).toBe(1);
  });

  it("/agent gives a role's guide to the model, the project's own where it has one", async () => {
    using folder = makeProject({ "repo/.agents/roles/fixer.md": "# Our fixer\n" });
    const talk = await converse(folder);
    expect(await talk.input("/agent oracle which way?")).toMatchObject({
      to: "model",
      text: expect.stringMatching(/^# Oracle[\s\S]*which way\?$/),
    });
    expect((await talk.input("/agent fixer")).text).toContain("# Our fixer");
    const untrusted = await converse(folder, { trusted: false });
    expect((await untrusted.input("/agent fixer")).text).not.toContain("Our fixer");
    folder.write({ "repo/.agents/roles/designer.md": "" });
    expect(await talk.execute("/agent designer")).toMatchObject({ error: { code: "EXECUTION_ERROR" } });
  });
});

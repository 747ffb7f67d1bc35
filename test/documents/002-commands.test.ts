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

describe("002 §3.2 invocation_mode", () => {
  const files = {
    "repo/skills/compile/SKILL.md": calling("compile_plan", "command: compile\n", "Never for a model.\n"),
  };

  it("tool_dispatch calls the tool, and no model reads the skill", async () => {
    using folder = makeProject(files);
    const talk = await converse(folder, { tools: [compilePlan] });
    for (const line of ["/skill compile the plan", "/compile the plan"]) {
      const reaction = await talk.input(line);
      expect(reaction.to).toBe("person");
      expect(reaction.envelope?.data).toEqual({ params: { args: "the plan" } });
      expect(reaction.text).not.toContain("Never for a model");
    }
    for (const tool of ["Skill", "skill_load"])
      for (let times = 0; times < 2; times++) {
        const answer = await talk.call(tool, { name: "compile", args: '{"a": [1]}' });
        expect([answer.data, answer.text]).toEqual([{ params: { a: [1] } }, 'compiled {"a":[1]}']);
      }
    expect(talk.session.inspect({ includeSkills: true }).skills?.loaded).toEqual([]);
  });

  it("tells hosts that a tool that uses skills may do more than read, where a skill calls a tool", async () => {
    using folder = makeProject(files);
    const hints = async (tools: Tool[]) =>
      (await converse(folder, { tools })).session.tools.find(({ name }) => name === "skill_load");
    expect(await hints([])).toMatchObject({ readOnly: true, idempotent: true, executes: false });
    expect(await hints([compilePlan])).toMatchObject({ readOnly: false, idempotent: false, executes: true });
  });

  it("does not call the tool of a skill that has become malformed, or was being read in parts", async () => {
    const long = "Step.\n".repeat(2_000);
    using folder = makeProject({ ...files, "repo/skills/turns/SKILL.md": bare("summary: s\n", long) });
    const talk = await converse(folder, { tools: [compilePlan] });
    const { data } = await talk.call("skill_load", { name: "turns" }, { maxTextBytes: 5_000 });
    const loaded = await talk.call("skill_load", { name: "turns" });
    folder.write({
      "repo/skills/turns/SKILL.md": calling("compile_plan"),
      "repo/skills/compile/SKILL.md": calling("no_such_tool"),
    });
    const next = await talk.call("skill_load", { name: "turns", offset: data.next_offset });
    expect(outcome(next)).toBe("CONFLICT");
    expect(outcome(await talk.call("skill_load", { ref: loaded.data.ref }))).toBe("ACCESS_DENIED");
    expect(outcome(await talk.execute("/skill turns"))).toBe("CONFLICT");
    for (const tool of ["Skill", "skill_load"])
      expect((await talk.call(tool, { name: "compile" })).text).not.toContain("compiled");
  });

  it.each<[declares: string, inputSchema: Tool["inputSchema"], key: string]>([
    ["one parameter", { properties: { goal: { type: "string" } } }, "goal"],
    ["one that it requires", { properties: { depth: {}, goal: {} }, required: ["goal"] }, "goal"],
    ["nothing", {}, "args"],
  ])(
    "passes arguments as the JSON object they are, else as text to a tool that declares %s",
    async (...row) => {
      const [, inputSchema, key] = row;
      using folder = makeProject(files);
      const talk = await converse(folder, { tools: [{ ...compilePlan, inputSchema }] });
      const given = async (args: string): Promise<unknown> =>
        (await talk.execute(`/compile ${args}`)).data.params;
      expect(await given('{"depth": 2}')).toEqual({ depth: 2 });
      for (const text of ["[1, 2]", '{"broken"', '"a  b"  c', "null", "__proto__"])
        expect(await given(text)).toEqual({ [key]: text });
      expect(await given("")).toEqual({});
      const { data } = await talk.call("skill_load", { name: "compile", args: " \n" });
      expect(data).toEqual({ params: {} });
    },
  );

  it("asks for a JSON object where a tool has several parameters", async () => {
    const inputSchema = { properties: { goal: {}, depth: {} }, required: ["goal", "depth"] };
    using folder = makeProject(files);
    const talk = await converse(folder, { tools: [{ ...compilePlan, inputSchema }] });
    expect((await talk.execute("/compile it")).error).toEqual({
      code: "INVALID_PARAM",
      message:
        'compile_plan: give the arguments as a JSON object, such as {"goal": …}. Its parameters are goal, depth.',
    });
  });

  it("tells a tool's own refusal", async () => {
    using folder = makeProject({ "repo/skills/find/SKILL.md": calling("skill_search", "command: find\n") });
    const talk = await converse(folder);
    expect(outcome(await talk.execute("/find"))).toBe("INVALID_PARAM");
    for (const words of ["words", '{"query": "words"}'])
      expect(outcome(await talk.execute(`/find ${words}`))).toBe("success");
  });

  it.each(["Skill", "skill_load"])("does not go in circles by %s", async (tool) => {
    using folder = makeProject({ "repo/skills/again/SKILL.md": calling(tool, "command: again\n") });
    const talk = await converse(folder);
    const args = '{"name": "again"}';
    for (const answer of [
      await talk.execute(`/again ${args}`),
      await talk.call("skill_load", { name: "again", args }),
    ]) {
      expect(outcome(answer)).toBe("INVALID_PARAM");
      expect(answer.text).toContain("cannot be chained");
    }
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

  it("refuses two tools of one name", async () => {
    using folder = makeProject();
    const tool = { ...compilePlan, name: "skill_load" };
    await expect(converse(folder, { tools: [tool] })).rejects.toMatchObject({ code: "INVALID_PARAM" });
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

  it("§5.2: gives a text again to who commands it, and not to who mentions it", async () => {
    using folder = makeProject(files);
    const talk = await converse(folder);
    const texts = async (...lines: string[]): Promise<boolean[]> => {
      const given: boolean[] = [];
      for (const line of lines) given.push((await talk.input(line)).text.includes("<skill_context"));
      return given;
    };
    expect(await texts("Do $code-review.", "Do $code-review.", "Use the code-review skill.")).toEqual([
      true,
      false,
      false,
    ]);
    const { text } = await talk.input("Now $code-review, please.");
    expect(text).toMatch(/already loaded[^\n]* ref "skl_\w+"[^\n]*\n\nNow \$code-review, please\.$/);
    expect(await texts("/skill code-review", "/skill code-review", "$code-review")).toEqual([
      true,
      true,
      false,
    ]);
    // With arguments it is the same text for who only mentions it.
    expect(await texts("/skill debugging the build", "Use $debugging.")).toEqual([true, false]);
    folder.write({ "repo/.agents/skills/debugging/SKILL.md": `${skillText("debugging")}New.\n` });
    await talk.execute("/reload_skills");
    expect(await texts("Use $debugging.", "Use $debugging.")).toEqual([true, false]);
  });

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

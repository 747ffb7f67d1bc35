import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { Envelope } from "../../packages/core/src/access/tool.ts";
import type { Folder } from "../../packages/core/src/testing/files.ts";
import { knack, TRUST } from "../cli/run.ts";
import { call } from "../mcp/call.ts";
import { open } from "../mcp/ways.ts";
import { makeProject, outcome } from "./conversation.ts";

const HTTP = { transport: "http", revision: "2025-11-25" } as const;

/** The canonical example of document 002 §7, which is also a skill of this repository. */
const PLAN = readFileSync(join(import.meta.dirname, "../../skills/plan_compiler/SKILL.md"), "utf8");
const bare = (frontmatter: string, body = "Body.\n"): string => `---\n${frontmatter}---\n${body}`;

/** What a person gets who types these lines. */
function type(folder: Folder, lines: readonly string[], env: NodeJS.ProcessEnv = {}): Envelope[] {
  const { stdout } = knack(folder, ["shell", "--json"], {
    input: `${lines.join("\n")}\n`,
    env: { ...TRUST.env, ...env },
  });
  return stdout
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));
}

const listed = (folder: Folder, env: NodeJS.ProcessEnv = {}) =>
  knack(folder, ["list", "--all", "--json"], { env: { ...TRUST.env, ...env } }).json();

describe("002 in knack shell", () => {
  it("§7 and §8: the canonical example loads, and /skills, /skill and /plan behave as defined", () => {
    using folder = makeProject({ "repo/skills/plan_compiler/SKILL.md": PLAN });
    const [skills, skill, plan] = type(folder, ["/skills", "/skill plan_compiler", "/plan the move"]);
    expect(skills?.text).toBe(
      "plan_compiler (/plan): Convert conversation into a structured implementation plan.",
    );
    expect(skill?.text).toContain("You are the Plan Compiler skill.");
    expect(plan).toMatchObject({ status: "success", data: { name: "plan_compiler" } });
    expect(plan?.text).toContain("ARGUMENTS: the move");
  });

  it("§2, §3.1 and §4: frontmatter is optional, and the body is given as it is and not run", () => {
    const body = "Run !`touch ran` and @/etc/passwd.\n";
    using folder = makeProject({
      "repo/skills/one/SKILL.md": bare("summary: Does one thing.\ncolour: red\n", body),
      "repo/skills/two/SKILL.md": "Just instructions.\n",
    });
    const [skills, one] = type(folder, ["/skills", "/skill one"]);
    expect(skills?.text).toBe("one: Does one thing.\ntwo");
    expect(one?.data.content).toBe(body);
    expect(listed(folder)).toMatchObject({ errors: [], warnings: [] });
  });

  it("§3.2: tool_dispatch calls the tool, and its text is read by nobody", () => {
    using folder = makeProject({
      "repo/notes.md": "# Notes\n",
      "repo/skills/hash/SKILL.md": bare(
        "invocation_mode: tool_dispatch\ncommand_tool: file_fingerprint\ncommand: hash\n",
        "Never for a model.\n",
      ),
    });
    const args = '{"inputs": [{"path": "notes.md"}]}';
    const deep = `{"inputs": ${"[".repeat(50_000)}${"]".repeat(50_000)}}`;
    const [refused, ...answers] = type(folder, [`/hash ${deep}`, `/skill hash ${args}`, `/hash ${args}`]);
    expect(refused?.error).toMatchObject({
      code: "INVALID_PARAM",
      message: expect.stringContaining("nested"),
    });
    expect(answers).toMatchObject(
      Array(2).fill({ status: "success", data: { skill: "file_fingerprint", status: "SUCCEEDED" } }),
    );
    expect(JSON.stringify(answers)).not.toContain("Never for a model");
  });

  it("§5.2 and §5.3: uses exactly the skill that was named, or says why not and proposes nothing", () => {
    using folder = makeProject({
      "repo/skills/review/SKILL.md": bare("command: check\n"),
      "repo/skills/off/SKILL.md": bare("command: other\n"),
      "home/.knack/config.yaml": "skills: { disabled: [off] }\n",
    });
    const lines = ["/skill review", "/check", "/skill reviev", "/skill Review", "/skill rev", "/chek"];
    const answers = type(folder, [...lines, "/skill off", "/other"]);
    expect(answers.map(outcome)).toEqual([
      "success",
      "success",
      "NOT_FOUND",
      "NOT_FOUND",
      "NOT_FOUND",
      "INVALID_PARAM",
      "ACCESS_DENIED",
      "ACCESS_DENIED",
    ]);
    for (const { text } of answers.slice(2)) expect(text).not.toMatch(/did you mean/i);
    for (const { text } of answers.slice(6)) expect(text).toContain("disabled");
  });
});

describe("002 §5.1 and 004 §6.3 in knack shell", () => {
  it("a request uses one skill; a mention gives its text once, a command each time", () => {
    using folder = makeProject({
      "repo/skills/review/SKILL.md": bare("command: check\n", "The review.\n"),
      "repo/skills/other/SKILL.md": bare("summary: O.\n", "The other.\n"),
    });
    const both = "Do $review, then $other.";
    const mentions = type(folder, [both, "use the review skill", "$review", "/skill review", "/check"]);
    expect(mentions.map(({ text }) => text.includes("The review."))).toEqual([
      true,
      false,
      false,
      true,
      true,
    ]);
    for (const { text } of mentions) expect(text).not.toContain("The other.");
    for (const { text } of mentions.slice(1, 3)) expect(text).toMatch(/already loaded.*skl_[0-9a-f]{16}/);
  });
});

describe("002 on the command line", () => {
  it("§1: a skill is a direct child with a SKILL.md, called like its folder; assets are not looked at", () => {
    using folder = makeProject({
      "ws/one_skill/SKILL.md": "One.\n",
      "ws/one_skill/assets/inner/SKILL.md": "Inner.\n",
      "ws/group/two/SKILL.md": "Two.\n",
    });
    const { skills, errors } = listed(folder, { SKILLS_WORKSPACE_DIR: folder.at("ws") });
    expect(skills.map(({ name }) => name)).toEqual(["one_skill"]);
    expect(errors).toMatchObject([{ code: "E_SKILL_MISSING", path: folder.at("ws/group/SKILL.md") }]);
  });

  it("§3.6: a skill is left out by os, env or a binary, with the condition, and no other takes its place", () => {
    using folder = makeProject({
      "ws/system/SKILL.md": bare("eligibility: { os: [plan9] }\n"),
      "ws/variable/SKILL.md": bare("eligibility: { env: [NO_SUCH_KEY] }\n"),
      "ws/program/SKILL.md": bare("eligibility: { binaries: [no-such-program] }\n"),
      "ws/met/SKILL.md": bare("eligibility: { os: [linux, darwin, win32], env: [PATH], binaries: [node] }\n"),
      "user/system/SKILL.md": "The user's own.\n",
    });
    const env = { SKILLS_WORKSPACE_DIR: folder.at("ws"), SKILLS_USER_DIR: folder.at("user") };
    const { skills } = listed(folder, env);
    const told = (name: string) =>
      skills.filter((skill) => skill.name === name).map(({ status, reason }) => `${status}: ${reason}`);
    expect(told("met")).toEqual(["active: "]);
    expect(told("variable")).toEqual([expect.stringMatching(/^ineligible: .*NO_SUCH_KEY/)]);
    expect(told("program")).toEqual([expect.stringMatching(/^ineligible: .*no-such-program/)]);
    expect(told("system")).toEqual([
      expect.stringMatching(/^ineligible: .*plan9/),
      expect.stringMatching(/^shadowed: /),
    ]);
    const [refused] = type(folder, ["/skill system"], env);
    expect(refused).toMatchObject({ error: { code: "NOT_FOUND" }, text: expect.stringContaining("plan9") });
  });

  it("§3.5: a skill whose tools are not all there is left out", () => {
    using folder = makeProject({
      "repo/skills/some/SKILL.md": bare("requires_tools: [read, teleport]\n"),
      "repo/skills/all/SKILL.md": bare("requires_tools: [read, write]\n"),
    });
    const { skills } = listed(folder);
    expect(skills.map(({ name, status }) => [name, status])).toEqual([
      ["all", "active"],
      ["some", "ineligible"],
    ]);
    expect(type(folder, ["/skills"])[0]?.text).toBe("all");
  });

  it("§3.5: a tool that a rule denies is missing for the skills that require it, and the reason names the rule", async () => {
    const rules = ["{ tool: Shell }", "{ tool: write, skill_name: writes }", "{ tool: file_fingerprint }"];
    using folder = makeProject({
      "repo/skills/calls/SKILL.md": bare("summary: C.\nrequires_tools: file_fingerprint\n"),
      "repo/skills/reads/SKILL.md": bare("summary: R.\nrequires_tools: [read, write]\n"),
      "repo/skills/runs/SKILL.md": bare("summary: R.\nrequires_tools: shell\n"),
      "repo/skills/writes/SKILL.md": bare("summary: W.\nrequires_tools: [read, write]\n"),
      "home/.knack/config.yaml": `permissions: { deny: [${rules.join(", ")}] }\n`,
    });
    const told = listed(folder).skills.map(({ name, status, reason }) => [name, status, reason]);
    const denied = (tool: string, rule: string) =>
      `it requires the tool ${tool}, which permissions.deny ${rule} forbids`;
    expect(told).toEqual([
      ["calls", "ineligible", denied("file_fingerprint", "{ tool: file_fingerprint }")],
      ["reads", "active", ""],
      ["runs", "ineligible", denied("shell", "{ tool: Shell }")],
      ["writes", "ineligible", denied("write", '{ tool: write, skill_name: "writes" }')],
    ]);
    await using opened = await open(folder, HTTP);
    expect(opened.client.getInstructions()).toMatch(/^- reads: R\.$(?![\s\S]*^- (?:calls|runs|writes))/m);
    const refused = await call(opened.client, "skill_load", { name: "runs" });
    expect([refused.code, refused.text]).toEqual(["NOT_FOUND", expect.stringContaining("{ tool: Shell }")]);
    // The rule goes, and the skill is there at the next call.
    folder.write({ "home/.knack/config.yaml": "" });
    expect(await call(opened.client, "skill_load", { name: "runs" })).toMatchObject({ status: "success" });
  });

  it("§3: in skills/ a child without a name, or with a key of this document alone, ignores all other keys", async () => {
    using folder = makeProject({
      "repo/skills/plan_desc/SKILL.md": bare("description: Serves as summary.\ntitle: [Any, { thing: 1 }]\n"),
      "repo/skills/plan_name/SKILL.md": bare(
        "name: Other Name\nsummary: Has its own.\ndescription: Not used.\n",
      ),
      "repo/skills/plan_key/SKILL.md": bare("name: 7\ncommand: key\ndescription: Of a command.\n"),
    });
    const { skills, errors, warnings } = listed(folder);
    expect(skills.map(({ name, description, dialect }) => [name, description, dialect])).toEqual([
      ["plan_desc", "Serves as summary.", "lily"],
      ["plan_key", "Of a command.", "lily"],
      ["plan_name", "Has its own.", "lily"],
    ]);
    expect([errors, warnings]).toEqual([[], []]);
    const [shown, run] = type(folder, ["/skills", "/key now"]);
    expect(shown?.text).toBe(
      "plan_desc: Serves as summary.\nplan_key (/key): Of a command.\nplan_name: Has its own.",
    );
    expect(run).toMatchObject({ status: "success", data: { name: "plan_key" } });
    await using opened = await open(folder, HTTP);
    for (const line of ["- plan_desc: Serves as summary.", "- plan_name: Has its own."])
      expect(opened.client.getInstructions()).toContain(line);
    for (const name of ["plan_desc", "plan_key", "plan_name"]) {
      const { status, text } = await call(opened.client, "skill_load", { name });
      expect([status, text]).toEqual(["success", expect.stringContaining("Body.\n")]);
    }
  });

  it.each([
    ["no SKILL.md", "readme.txt", "", "E_SKILL_MISSING"],
    ["invalid YAML", "SKILL.md", "---\na: [\n---\n", "E_YAML_SYNTAX"],
    [
      "tool_dispatch without command_tool",
      "SKILL.md",
      bare("invocation_mode: tool_dispatch\n"),
      "E_COMMAND_TOOL_MISSING",
    ],
    ["an unknown command_tool", "SKILL.md", bare("command_tool: none\n"), "E_COMMAND_TOOL_UNKNOWN"],
    ["a built-in command", "SKILL.md", bare("command: skills\n"), "E_COMMAND_RESERVED"],
    ["conditions that fail", "SKILL.md", bare("eligibility: { os: [plan9] }\n"), "E_INELIGIBLE"],
  ])("§6: %s leaves a skill out with the reason, and the others are there", (_what, file, text, code) => {
    using folder = makeProject({ "ws/good/SKILL.md": "Good.\n", [`ws/bad/${file}`]: text });
    const env = { ...TRUST.env, SKILLS_WORKSPACE_DIR: folder.at("ws") };
    const answers = [1, 2].map(() => knack(folder, ["list", "--json"], { env }));
    expect(answers[0]?.json().skills.map(({ name }) => name)).toEqual(["good"]);
    expect(answers[0]?.json().errors).toMatchObject([{ code, path: folder.at("ws/bad/SKILL.md") }]);
    expect(answers[1]?.stdout).toBe(answers[0]?.stdout);
  });

  it("§3.3: a command that breaks the pattern is dropped with a warning", () => {
    using folder = makeProject({ "repo/skills/x/SKILL.md": bare("command: Not OK\n") });
    const { skills, warnings } = listed(folder);
    expect(skills.map(({ name }) => name)).toEqual(["x"]);
    expect(warnings).toMatchObject([{ code: "W_COMMAND_INVALID" }]);
  });
});

import { chmodSync, rmSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { type Folder, skillText } from "../../packages/core/src/testing/files.ts";
import { knack, TRUST } from "../cli/run.ts";
import { type Answer, call } from "../mcp/call.ts";
import { open } from "../mcp/ways.ts";
import { makeProject } from "./conversation.ts";

const STDIO = { transport: "stdio", revision: "2025-11-25" } as const;
/** In this process, which can become another user. */
const HTTP = { transport: "http", revision: "2026-07-28" } as const;

/** The example of document 001. */
const EXAMPLE = `---
name: code-review
description: Review code quality and risks
---
# Code Review

Use this checklist:
- ...

$ARGUMENTS
`;

const project = (files: Record<string, string> = {}): Folder =>
  makeProject({
    "home/.knack/config.yaml": "mcp: { tools: [core, Skill] }\n",
    "repo/skills/code-review/SKILL.md": EXAMPLE,
    "repo/skills/group/plain/SKILL.md": `${skillText("plain")}The text of plain.\n`,
    ...files,
  });

const BROKEN = "---\nname: [\n---\n";

describe("001 over MCP", () => {
  it("the Skill tool gives base directory and text, with the arguments in their place", async () => {
    using folder = project();
    await using opened = await open(folder, STDIO);
    const load = async (params: object): Promise<string> => (await call(opened.client, "Skill", params)).text;
    const review = await load({ name: "code-review", args: "src/a.ts" });
    expect(review.split("\n")[0]).toBe(
      `Base directory for this skill: ${folder.at("repo/skills/code-review")}`,
    );
    expect(review).toContain("# Code Review\n\nUse this checklist:\n- ...\n\nsrc/a.ts\n");
    expect(await load({ name: "plain" })).not.toContain("ARGUMENTS");
    expect(await load({ name: "plain", args: "b.ts" })).toContain("The text of plain.\n\nARGUMENTS: b.ts");
  });

  it("where a model has the Skill tool alone, a second call gives the text again: nothing else could", async () => {
    using folder = project({ "home/.knack/config.yaml": "mcp: { tools: [Skill] }\n" });
    await using opened = await open(folder, STDIO);
    for (let times = 0; times < 2; times++)
      expect((await call(opened.client, "Skill", { name: "plain" })).text).toContain("The text of plain.");
  });

  it("the Skill tool says how it is used and lists the skills, within SKILLS_PROMPT_CHAR_BUDGET", async () => {
    using folder = project();
    const describeSkill = async (env: Record<string, string> = {}): Promise<string> => {
      await using opened = await open(folder, STDIO, { env });
      const { tools } = await opened.client.listTools();
      const tool = tools.find(({ name }) => name === "Skill");
      expect(tool?.inputSchema).toMatchObject({
        properties: { name: { type: "string" }, args: { type: "string" } },
        required: ["name"],
      });
      return tool?.description ?? "";
    };
    const whole = await describeSkill();
    for (const part of [
      "Parameters:",
      "Examples:",
      "- code-review: Review code quality and risks\n- plain: ",
    ])
      expect(whole).toContain(part);
    const many = Array.from({ length: 60 }, (_, i) => [`repo/skills/s${i}/SKILL.md`, skillText(`s${i}`)]);
    folder.write(Object.fromEntries(many));
    const small = await describeSkill({ SKILLS_PROMPT_CHAR_BUDGET: "300" });
    const list = small.slice(small.indexOf("Available skills:\n") + "Available skills:\n".length);
    expect(list.length).toBeLessThanOrEqual(300);
    expect(list).toMatch(/^- code-review[\s\S]*skill_search/);
  });

  it("the instructions list the skills and say when to load one, and none is loaded before", async () => {
    using folder = project();
    await using opened = await open(folder, STDIO);
    const told = opened.client.getInstructions() ?? "";
    expect(told).toContain("- code-review: Review code quality and risks\n");
    for (const rule of ["If a skill fits, load it", "If the user names a skill ($name,", "not everything"])
      expect(told).toContain(rule);
    expect(told).not.toMatch(/checklist|The text of plain/);
  });

  it("the Skill tool refuses with the codes of the document", async () => {
    using folder = project({ "repo/skills/broken/SKILL.md": BROKEN });
    await using opened = await open(folder, STDIO);
    const code = async (params: object): Promise<Answer["code"]> =>
      (await call(opened.client, "Skill", params)).code;
    for (const params of [{}, { name: "" }, { name: 7 }]) expect(await code(params)).toBe("INVALID_PARAM");
    expect(await code({ name: "code-revie" })).toBe("NOT_FOUND");
    // Skipped at the scan: it is not listed, and the reason is told.
    const skipped = await call(opened.client, "Skill", { name: "broken" });
    expect([skipped.code, skipped.text]).toEqual(["NOT_FOUND", expect.stringContaining("SKILL.md:2")]);
  });

  it("a file that breaks after the scan is INTERNAL_ERROR; one that cannot be read PERMISSION_DENIED or EXECUTION_ERROR", async () => {
    using folder = project();
    const file = folder.at("repo/skills/code-review/SKILL.md");
    await using opened = await open(folder, HTTP, { env: { SKILLS_REFRESH_ON_CALL: "false" } });
    const code = async (): Promise<Answer["code"]> =>
      (await call(opened.client, "Skill", { name: "code-review" })).code;
    folder.write({ "repo/skills/code-review/SKILL.md": BROKEN });
    expect(await code()).toBe("INTERNAL_ERROR");
    chmodSync(folder.path, 0o755);
    chmodSync(file, 0);
    // The superuser may read anything, so the call is made as nobody.
    const isRoot = process.geteuid?.() === 0;
    if (isRoot) process.seteuid?.(65534);
    try {
      expect(await code()).toBe("PERMISSION_DENIED");
    } finally {
      if (isRoot) process.seteuid?.(0);
    }
    rmSync(file);
    folder.write({ "repo/skills/code-review/SKILL.md/file": "SKILL.md is a folder now" });
    expect(await code()).toBe("EXECUTION_ERROR");
  });

  it("a new or edited skill is there at the next call, unless SKILLS_REFRESH_ON_CALL is false", async () => {
    for (const [refresh, expected] of [
      ["true", undefined],
      ["false", "NOT_FOUND"],
    ] as const) {
      using folder = project();
      await using opened = await open(folder, STDIO, { env: { SKILLS_REFRESH_ON_CALL: refresh } });
      folder.write({
        "repo/skills/later/SKILL.md": skillText("later"),
        "repo/skills/code-review/SKILL.md": EXAMPLE.replace("- ...", "- tests"),
      });
      expect((await call(opened.client, "Skill", { name: "later" })).code).toBe(expected);
      if (refresh === "true")
        expect((await call(opened.client, "Skill", { name: "code-review" })).text).toContain("- tests");
    }
  });

  it("a file with broken YAML is skipped, of two skills with one name the last is kept, and the server warns of both", async () => {
    using folder = project({
      "repo/skills/a/SKILL.md": `${skillText("twice", "First.")}The first text.\n`,
      "repo/skills/b/SKILL.md": `${skillText("twice", "Last.")}The last text.\n`,
      "repo/skills/broken/SKILL.md": BROKEN,
    });
    await using opened = await open(folder, STDIO);
    expect((await call(opened.client, "Skill", { name: "twice" })).text).toContain("The last text.");
    const told = opened.client.getInstructions() ?? "";
    expect(told).toContain("- twice: Last.\n");
    expect(told).not.toMatch(/First\.|broken/);
    await expect
      .poll(opened.stderr)
      .toBe("note: 2 skills cannot be used: 1 skipped, 1 shadowed. See why: knack doctor\n");
    const why = knack(folder, ["validate"], TRUST).stdout;
    expect(why).toMatch(/^skills\/b\/SKILL\.md: warning W_SHADOWED: .*skills\/a\/SKILL\.md/m);
    expect(why).toMatch(/^skills\/broken\/SKILL\.md:2: error E_YAML_SYNTAX: /m);
  });

  it("a skill that leads back to itself is INVALID_PARAM, and inline commands stay text", async () => {
    const again = "---\ninvocation_mode: tool_dispatch\ncommand_tool: Skill\n---\n";
    using folder = project({
      "repo/skills/again/SKILL.md": again,
      "repo/skills/inline/SKILL.md": `${skillText("inline")}!\`touch ran\` @../code-review/SKILL.md\n`,
    });
    await using opened = await open(folder, STDIO);
    const circle = await call(opened.client, "Skill", { name: "again", args: '{"name": "again"}' });
    expect([circle.code, circle.text]).toEqual([
      "INVALID_PARAM",
      expect.stringContaining("cannot be chained"),
    ]);
    expect((await call(opened.client, "Skill", { name: "inline" })).text).toContain(
      "!`touch ran` @../code-review/SKILL.md\n",
    );
  });
});

describe("001 on the command line", () => {
  it("scans skills/ for valid skills, by the name in the frontmatter; the rest is left out with the reason", () => {
    using folder = project({
      "repo/skills/folder/SKILL.md": skillText("other-name"),
      "repo/skills/a/SKILL.md": skillText("twice", "First."),
      "repo/skills/b/SKILL.md": skillText("twice", "Last."),
      "repo/skills/group/bad-name/SKILL.md": skillText("Bad_Name"),
      "repo/skills/group/empty/SKILL.md": "---\nname: empty\ndescription: ''\n---\n",
      "repo/skills/group/none/SKILL.md": "---\nname: none\n---\n",
      "repo/skills/group/broken/SKILL.md": BROKEN,
    });
    const { skills, errors, warnings } = knack(folder, ["list", "--json"], TRUST).json();
    expect(
      skills.map(({ name, dir }) => `${name} ${dir.slice(folder.at("repo/skills").length + 1)}`),
    ).toEqual(["twice b", "code-review code-review", "other-name folder", "plain group/plain"]);
    expect(errors.map(({ path, code }) => `${path.split("/").at(-2)} ${code}`)).toEqual([
      "bad-name E_NAME_INVALID",
      "broken E_YAML_SYNTAX",
      "empty E_DESC_INVALID",
      "none E_DESC_INVALID",
    ]);
    expect(warnings).toMatchObject([
      { code: "W_SHADOWED", message: expect.stringContaining("skills/a/SKILL.md") },
    ]);
    expect(skills[1]).toMatchObject({
      description: "Review code quality and risks",
      path: folder.at("repo/skills/code-review/SKILL.md"),
      dir: folder.at("repo/skills/code-review"),
      mtimeMs: expect.any(Number),
    });
  });
});

import { rmSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { converse, makeProject, outcome } from "./conversation.ts";

const SKILL = "repo/skills/code-review/SKILL.md";
const REVIEW =
  "---\nname: code-review\ndescription: Review code quality and risks\n---\n# Code Review\n\nUse this checklist:\n- ...\n";

describe("001 the Skill tool", () => {
  it("answers name, base_dir and content; content and text begin with the base directory", async () => {
    using folder = makeProject({ [SKILL]: REVIEW });
    const talk = await converse(folder);
    const { data, status, text } = await talk.call("Skill", { name: "code-review" });
    const dir = folder.at("repo/skills/code-review");
    expect(status).toBe("success");
    expect(text.startsWith(`Base directory for this skill: ${dir}\n\n<skill_context `)).toBe(true);
    expect((await talk.call("Skill", { name: "code-review" })).text).toMatch(
      /^The skill "code-review" is already/,
    );
    expect(data).toMatchObject({ name: "code-review", base_dir: dir });
    expect(data.content).toBe(
      `Base directory for this skill: ${dir}\n\n# Code Review\n\nUse this checklist:\n- ...\n`,
    );
  });
});

describe("001 Error Handling Details", () => {
  it("a skill that is gone is NOT_FOUND", async () => {
    using folder = makeProject({ [SKILL]: REVIEW });
    const talk = await converse(folder);
    rmSync(folder.at("repo/skills"), { recursive: true });
    expect(outcome(await talk.call("Skill", { name: "code-review" }))).toBe("NOT_FOUND");
  });
});

it.each([{ SKILLS_REFRESH_ON_CALL: "sometimes" }, { SKILLS_PROMPT_CHAR_BUDGET: "lots" }])(
  "reports a wrong value at the start: %j",
  async (env) => {
    using folder = makeProject();
    await expect(converse(folder, { env })).rejects.toMatchObject({ code: "CONFIG_INVALID" });
  },
);

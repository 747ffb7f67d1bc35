import { rmSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { skillText } from "../../packages/core/src/testing/files.ts";
import { converse, makeProject, outcome } from "./conversation.ts";

const SKILL = "repo/skills/code-review/SKILL.md";
const REVIEW =
  "---\nname: code-review\ndescription: Review code quality and risks\n---\n# Code Review\n\nUse this checklist:\n- ...\n";

describe("001 $ARGUMENTS", () => {
  const content = async (body: string, args?: string): Promise<string> => {
    using folder = makeProject({ [SKILL]: `---\nname: code-review\ndescription: d\n---\n${body}` });
    const talk = await converse(folder);
    const { data } = await talk.call("Skill", {
      name: "code-review",
      ...(args === undefined ? {} : { args }),
    });
    return String(data.content).replace(
      `Base directory for this skill: ${folder.at("repo/skills/code-review")}\n\n`,
      "",
    );
  };

  it.each<[what: string, body: string, args: string | undefined, expected: string]>([
    ["replaces every placeholder", "$ARGUMENTS, then $ARGUMENTS.\n", "a.ts", "a.ts, then a.ts.\n"],
    ["adds a section where there is no placeholder", "Review.\n", "a.ts", "Review.\n\nARGUMENTS: a.ts"],
    ["changes nothing where there is neither", "Review.\n", undefined, "Review.\n"],
    ["inserts literally, in one pass", "[$ARGUMENTS]", "$& $1 $ARGUMENTS $$", "[$& $1 $ARGUMENTS $$]"],
  ])("%s", async (_what, body, args, expected) => {
    expect(await content(body, args)).toBe(expected);
  });
});

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

  it("prefers the name in the frontmatter to the folder's, and keeps the last of two", async () => {
    using folder = makeProject({
      "repo/skills/a/SKILL.md": skillText("twice", "First."),
      "repo/skills/b/SKILL.md": skillText("twice", "Second."),
    });
    const talk = await converse(folder);
    expect((await talk.call("Skill", { name: "twice" })).data.base_dir).toBe(folder.at("repo/skills/b"));
    expect(talk.session.catalog.warnings).toMatchObject([{ code: "W_SHADOWED" }]);
  });
});

describe("001 the Skill tool's prompt", () => {
  const describeSkills = async (
    files: Record<string, string>,
    env: NodeJS.ProcessEnv = {},
  ): Promise<string> => {
    using folder = makeProject(files);
    const { session } = await converse(folder, { env });
    return session.tools.find(({ name }) => name === "Skill")?.description ?? "";
  };

  it("keeps the list within SKILLS_PROMPT_CHAR_BUDGET and points to skill_search", async () => {
    const files = Object.fromEntries(
      Array.from({ length: 100 }, (_, i) => [
        `repo/skills/s${i}/SKILL.md`,
        skillText(`s${i}`, "d".repeat(500)),
      ]),
    );
    const list = (text: string): string =>
      text.slice(text.indexOf("Available skills:\n") + "Available skills:\n".length);
    const whole = list(await describeSkills(files));
    expect(whole.length).toBeLessThanOrEqual(12_000);
    expect(whole).toContain("skill_search");
    const small = list(await describeSkills(files, { SKILLS_PROMPT_CHAR_BUDGET: "300" }));
    expect(small.length).toBeLessThanOrEqual(300);
    expect(small).toMatch(/^- s0/);
    expect(small).toContain("skill_search");
  });

  it("refuses a budget that is no number", async () => {
    await expect(describeSkills({}, { SKILLS_PROMPT_CHAR_BUDGET: "lots" })).rejects.toMatchObject({
      code: "CONFIG_INVALID",
    });
  });
});

describe("001 Error Handling Details", () => {
  it("an unknown name is NOT_FOUND", async () => {
    using folder = makeProject({ [SKILL]: REVIEW });
    const talk = await converse(folder);
    for (const name of ["code-reviews", "code review", "code_review", "code-revie"])
      expect(outcome(await talk.call("Skill", { name }))).toBe("NOT_FOUND");
    // A name in another case is found.
    expect(outcome(await talk.call("Skill", { name: "Code-Review" }))).toBe("success");
  });

  it.each(["true", "false"])(
    "a file that breaks after the scan is INTERNAL_ERROR (SKILLS_REFRESH_ON_CALL=%s)",
    async (refresh) => {
      using folder = makeProject({ [SKILL]: REVIEW });
      const talk = await converse(folder, { env: { SKILLS_REFRESH_ON_CALL: refresh } });
      folder.write({ [SKILL]: "---\nname: [\n---\n" });
      const answer = await talk.call("Skill", { name: "code-review" });
      expect(outcome(answer)).toBe("INTERNAL_ERROR");
      expect(answer.text).toContain(folder.at(SKILL));
    },
  );

  it("a skill that is gone is NOT_FOUND", async () => {
    using folder = makeProject({ [SKILL]: REVIEW });
    const talk = await converse(folder);
    rmSync(folder.at("repo/skills"), { recursive: true });
    expect(outcome(await talk.call("Skill", { name: "code-review" }))).toBe("NOT_FOUND");
  });
});

describe("001 cache invalidation", () => {
  it("sees a new and an edited skill at the next call, and the snapshot stays", async () => {
    using folder = makeProject({ [SKILL]: REVIEW });
    const talk = await converse(folder);
    await talk.call("Skill", { name: "code-review" });
    folder.write({ [SKILL]: `${REVIEW}\nNew line.\n`, "repo/skills/later/SKILL.md": skillText("later") });
    expect((await talk.call("Skill", { name: "code-review" })).text).toContain("New line.");
    expect(outcome(await talk.call("Skill", { name: "later" }))).toBe("success");
    expect(talk.session.catalog.skills.map(({ name }) => name)).toEqual(["code-review"]);
    expect(talk.session.snapshotVersion).toBe(1);
  });

  it("keeps to the snapshot with SKILLS_REFRESH_ON_CALL=false", async () => {
    using folder = makeProject({ [SKILL]: REVIEW });
    const talk = await converse(folder, { env: { SKILLS_REFRESH_ON_CALL: "false" } });
    folder.write({ "repo/skills/later/SKILL.md": skillText("later") });
    expect(outcome(await talk.call("Skill", { name: "later" }))).toBe("NOT_FOUND");
    await talk.execute("/reload_skills");
    expect(outcome(await talk.call("Skill", { name: "later" }))).toBe("success");
  });

  it("refuses a switch that is neither true nor false", async () => {
    using folder = makeProject();
    await expect(converse(folder, { env: { SKILLS_REFRESH_ON_CALL: "sometimes" } })).rejects.toMatchObject({
      code: "CONFIG_INVALID",
    });
  });
});

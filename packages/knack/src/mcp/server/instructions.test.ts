import { createRuntime } from "@knack/core";
import { describe, expect, it } from "vitest";
import { makeFolder, skillText } from "../../../../core/src/testing/files.ts";
import { instructions, MAX_FIXED, MAX_INSTRUCTIONS } from "./instructions.ts";

async function of(count: number): Promise<string> {
  const files = Array.from({ length: count }, (_, place) => [
    `.agents/skills/skill-${place}/SKILL.md`,
    skillText(`skill-${place}`),
  ]);
  using folder = makeFolder({ ".git/": "", ...Object.fromEntries(files) });
  const runtime = await createRuntime({ cwd: folder.path, home: folder.at("home"), env: {}, cache: false });
  return instructions(runtime.session());
}

describe("the instructions for a model", () => {
  it(`are at most ${MAX_FIXED} characters without skills`, async () => {
    const fixed = await of(0);
    expect(fixed.length).toBeLessThanOrEqual(MAX_FIXED);
    for (const tool of ["skill_search", "skill_load", "skill_read_file"]) expect(fixed).toContain(tool);
  });

  it("have the list of skills where it fits, and else a pointer to the search", async () => {
    const few = await of(10);
    expect(few).toContain("<skills_context>");
    expect(few).toContain("skill-9");
    const many = await of(150);
    expect(many).not.toContain("<skills_context>");
    expect(many).toContain("too many skills to list here");
    for (const text of [few, many]) expect(text.length).toBeLessThanOrEqual(MAX_INSTRUCTIONS);
    expect(many.length).toBeLessThanOrEqual(MAX_FIXED);
  });
});

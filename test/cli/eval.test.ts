import { describe, expect, it } from "vitest";
import { makeFolder, skillText } from "../../packages/core/src/testing/index.ts";
import { knack } from "./run.ts";

const SKILL = "repo/.agents/skills/notes";
const files = {
  "repo/.git/": "",
  [`${SKILL}/SKILL.md`]: skillText("notes", "Draft release notes from commits."),
  [`${SKILL}/triggers.yaml`]:
    "should_trigger:\n  - draft the notes\n  - bake a cake\nshould_not_trigger:\n  - release a bird\n",
  "repo/.agents/skills/bird/SKILL.md": skillText("bird", "Release a bird into the wild."),
};

describe("knack eval", () => {
  it("--json is {hit_at_1, recall_at_k, false_triggers, cases}", () => {
    using folder = makeFolder(files);
    const { code, json } = knack(folder, ["eval", "--json"]);
    expect(code).toBe(0);
    expect(json()).toMatchObject({
      hit_at_1: 0.5,
      recall_at_k: 0.5,
      false_triggers: 0,
      cases: [{ ok: true }, { ok: false }, { ok: true }],
    });
  });

  it("exits with 1 under a given threshold", () => {
    using folder = makeFolder(files);
    expect(knack(folder, ["eval", "--min-hit1", "0.5"]).code).toBe(0);
    expect(knack(folder, ["eval", "--min-hit1", "60"]).code).toBe(1);
    expect(knack(folder, ["eval", "--min-recall", "0.9"]).code).toBe(1);
    expect(knack(folder, ["eval", "--min-recall", "often"]).code).toBe(2);
  });

  it("shows a person the prompts that failed", () => {
    using folder = makeFolder(files);
    const { stdout } = knack(folder, ["eval"]);
    expect(stdout).toContain("notes");
    expect(stdout).toContain("bake a cake");
  });
});

import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { makeFolder, skillText } from "../../packages/core/src/testing/index.ts";
import { knack } from "./run.ts";

const SKILL = "repo/.agents/skills/notes";
const files = {
  "repo/.git/": "",
  [`${SKILL}/SKILL.md`]: skillText("notes", "Draft release notes from commits."),
  [`${SKILL}/triggers.yaml`]:
    "should_trigger:\n  - draft the notes\n  - bake cakes\nshould_not_trigger:\n  - release a bird\n",
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

  it("--json says per skill which prompts it took and lost, and what each prompt found and why", () => {
    using folder = makeFolder({
      ...files,
      "repo/.agents/skills/bird/triggers.yaml": "should_trigger:\n  - draft release notes for the bird\n",
    });
    const { json } = knack(folder, ["eval", "--json"]);
    expect(json()).toMatchObject({
      false_triggers: 1,
      taken: 1,
      proposals: expect.any(Array),
      skipped: 0,
      faults: [],
    });
    const { skills, cases } = json() as unknown as { skills: unknown[]; cases: unknown[] };
    expect(skills).toContainEqual(
      expect.objectContaining({
        skill: "notes",
        took: [expect.objectContaining({ skill: "bird", prompt: "draft release notes for the bird" })],
      }),
    );
    expect(cases).toContainEqual(
      expect.objectContaining({
        skill: "bird",
        taken_by: folder.at(SKILL, "SKILL.md"),
        found: expect.arrayContaining([
          expect.objectContaining({ skill: "notes", matched: expect.arrayContaining(["draft", "notes"]) }),
        ]),
      }),
    );
  });

  it("begins with the summary, then says what was expected, found and why", () => {
    using folder = makeFolder({
      ...files,
      "repo/.agents/skills/bird/triggers.yaml": "should_trigger:\n  - draft release notes for the bird\n",
    });
    const { stdout } = knack(folder, ["eval"]);
    expect(stdout).toMatch(/^4 prompts of 2 skills: hit@1 /);
    expect(stdout).toContain("ranked 2, not first: draft release notes for the bird");
    expect(stdout).toMatch(
      /expected bird \(release, bird\)\n {4}found notes \(draft, release, notes\): a false trigger/,
    );
    expect(stdout).toContain("found nothing that fits");
  });

  it("proposes a word that a description lacks, and writes nothing", () => {
    using folder = makeFolder({
      "repo/.git/": "",
      "repo/.agents/skills/bills/SKILL.md": skillText("bills", "Handle money that customers owe."),
      "repo/.agents/skills/bills/triggers.yaml":
        "should_trigger:\n  - an unpaid invoice\n  - invoice the shop\n  - customers owe money\n",
      "repo/.agents/skills/mail/SKILL.md": skillText("mail", "Write and send mail again and again."),
      "repo/.agents/skills/mail/triggers.yaml": "should_trigger:\n  - write and send a mail\n",
    });
    const before = readFileSync(folder.at("repo/.agents/skills/bills/SKILL.md"), "utf8");
    const { stdout } = knack(folder, ["eval"]);
    expect(stdout).toContain(
      '  bills: adding "invoice" moves 2 of 2 lost prompts to first place and takes none from other skills',
    );
    expect(readFileSync(folder.at("repo/.agents/skills/bills/SKILL.md"), "utf8")).toBe(before);
    expect(knack(folder, ["eval"]).stdout).toBe(stdout);
  });

  it("shows a person the prompts that failed", () => {
    using folder = makeFolder(files);
    const { stdout } = knack(folder, ["eval"]);
    expect(stdout).toContain("notes");
    expect(stdout).toContain("bake cakes");
  });
});

import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { lintSkills } from "../../packages/core/src/lint/lint-skills.ts";
import { LINT_RULES } from "../../packages/core/src/lint/rules.ts";
import { makeFolder } from "../../packages/core/src/testing/files.ts";
import { LINT_DOCS, lintDocs } from "../../scripts/lint-docs.ts";
import { readFixtures } from "./fixtures.ts";
import { judgeFixtures, scoresOf } from "./measure.ts";

describe("docs/lint.md", () => {
  it("is what the rules say", () => {
    expect(readFileSync(LINT_DOCS, "utf8"), "npm run docs:lint writes it again").toBe(lintDocs());
  });
});

describe("the example of a rule", () => {
  const shown = LINT_RULES.filter(({ example }) => !example.startsWith("Example: "));

  it.each(shown.map(({ id, example }) => [id, example] as const))("%s is found", (id, example) => {
    const start =
      "---\nname: example\ndescription: Shows an example. Use when a rule has to be explained.\n---\n";
    using folder = makeFolder({
      "example/SKILL.md": example.startsWith("---") ? `${example}\n` : `${start}${example}\n`,
    });
    expect(lintSkills([folder.at("example")]).map(({ rule }) => rule)).toContain(id);
  });
});

const fixtures = readFixtures();
const judged = judgeFixtures(fixtures);

describe("the labelled skills", () => {
  it("are at least 150 harmful and 300 harmless ones, in three languages, each with an id of its own", () => {
    const harmful = fixtures.filter(({ isHarmful }) => isHarmful);
    expect(harmful.length).toBeGreaterThanOrEqual(150);
    expect(fixtures.length - harmful.length).toBeGreaterThanOrEqual(300);
    expect(new Set(fixtures.map(({ id }) => id)).size).toBe(fixtures.length);
    for (const isHarmful of [true, false])
      for (const language of ["en", "zh", "ja"])
        expect(
          fixtures.filter((one) => one.isHarmful === isHarmful && one.language === language).length,
        ).toBeGreaterThanOrEqual(30);
  });

  it("name only rules that exist", () => {
    const ids = new Set(LINT_RULES.map(({ id }) => id));
    for (const { id, rules } of fixtures) for (const rule of rules) expect(ids, id).toContain(rule);
  });

  it.each([
    ["that rules are written with", judged.filter(({ isHeldOut }) => !isHeldOut)],
    ["that are held out", judged.filter(({ isHeldOut }) => isHeldOut)],
    ["in Chinese and Japanese", judged.filter(({ language }) => language !== "en")],
    ["of all kinds", judged],
  ])("%s are classified with precision ≥ 0.9 and recall ≥ 0.85", (_, part) => {
    const { harmful, harmless, precision, recall } = scoresOf(part);
    expect(Math.min(harmful, harmless)).toBeGreaterThan(40);
    expect(precision).toBeGreaterThanOrEqual(0.9);
    expect(recall).toBeGreaterThanOrEqual(0.85);
  });

  it("are flagged by the rule that they were written for", () => {
    const harmful = judged.filter(({ isHarmful }) => isHarmful);
    const right = harmful.filter(({ rules, findings }) =>
      findings.some(({ rule, severity }) => severity !== "note" && rules.includes(rule)),
    );
    expect(right.length / harmful.length).toBeGreaterThanOrEqual(0.85);
  });
});

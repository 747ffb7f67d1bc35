import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { lintSkills } from "../../packages/core/src/lint/lint-skills.ts";
import { LINT_RULES } from "../../packages/core/src/lint/rules/rules.ts";
import { makeFolder } from "../../packages/core/src/testing/files.ts";

const text = readFileSync(join(import.meta.dirname, "../../docs/lint.md"), "utf8");
const sections = new Map(
  text
    .split(/^### /m)
    .slice(1)
    .map((section) => [section.split("\n", 1)[0] ?? "", section.split(/^## /m, 1)[0] ?? ""]),
);

describe("docs/lint.md", () => {
  it("has every rule, and no other, in the order of the table", () => {
    expect([...sections.keys()]).toEqual(LINT_RULES.map(({ id }) => id));
  });

  it.each(LINT_RULES.map((rule) => [rule.id, rule] as const))(
    "%s: severity, what, why and what to do are those of the rule",
    (id, { severity, what, why, remedy, isFixable = false }) => {
      const section = sections.get(id) ?? "";
      expect(section).toContain(`**${severity}**${isFixable ? ", fixed by `--fix`" : ""}. ${what}`);
      expect(section).toContain(`Why: ${why}`);
      expect(section).toContain(`What to do: ${remedy}`);
      expect(section).toMatch(/^Example: |^````markdown$/m);
    },
  );

  const examples = [...sections].flatMap(([id, section]) => {
    const example = /^````markdown\n([\s\S]*?)\n````$/m.exec(section)?.[1];
    return example === undefined ? [] : [[id, example] as const];
  });

  it.each(examples)("%s is what its example gives", (id, example) => {
    const start =
      "---\nname: example\ndescription: Shows an example. Use when a rule has to be explained.\n---\n";
    using folder = makeFolder({
      "example/SKILL.md": example.startsWith("---") ? `${example}\n` : `${start}${example}\n`,
    });
    expect(lintSkills([folder.at("example")]).map(({ rule }) => rule)).toContain(id);
  });
});

import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { lintSkills } from "../../packages/core/src/lint/lint-skills.ts";
import { LINT_RULES } from "../../packages/core/src/lint/rules.ts";
import { makeFolder } from "../../packages/core/src/testing/files.ts";
import { LINT_DOCS, lintDocs } from "../../scripts/lint-docs.ts";

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

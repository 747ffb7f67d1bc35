import { describe, expect, it } from "vitest";
import type { SkillMetadata } from "../skill/schema.ts";
import { findMentions } from "./mentions.ts";

function skill(name: string, dir = `/skills/${name}`): SkillMetadata {
  const path = `${dir}/SKILL.md`;
  return {
    ...{ id: path, name, description: `Does ${name}.`, path, dir },
    ...{ scope: "repo", mtimeMs: 0, dialect: "agentskills" },
  };
}

const SKILLS = ["code-review", "lint", "ns:fmt", "代码审查"].map((name) => skill(name));

describe("any text", () => {
  /** Quadratic time would take minutes here, and a test's time limit is seconds. */
  it.each([
    ..."$|[$|[$a](|[$a](<|[$a]((x)|`|` |``` |`a``b|~~~\n|> |- |a|a |$-|用|用a|用技能|use the |\\`|\n|\r\n|\ud800|\udc00|aスキルを使って".split(
      "|",
    ),
  ])("a megabyte of %j takes linear time", (unit) => {
    expect(() => findMentions(unit.repeat(1_000_000 / unit.length), SKILLS)).not.toThrow();
  });

  it("rows of marks and of ever longer backticks take linear time", () => {
    findMentions(`$a${"\u0301".repeat(400_000)}${"\u0316".repeat(400_000)}`, SKILLS);
    findMentions(Array.from({ length: 1_400 }, (_, length) => "`".repeat(length)).join(" "), SKILLS);
    const namesakes = Array.from({ length: 2_000 }, (_, i) => skill("a", `/skills/${i}`));
    expect(findMentions("$a ".repeat(100_000), namesakes)).toHaveLength(100_000);
  });
});

import { describe, expect, it } from "vitest";
import { skillNamed } from "../../../../test/edges/skill-named.ts";
import type { SkillMetadata } from "../skill/schema.ts";
import { edgesOf } from "./read-edges.ts";
import { makeSkillIndex } from "./skill-index.ts";

const skillAt = (dir: string, name: string, more: Partial<SkillMetadata> = {}): SkillMetadata =>
  skillNamed(name, `${dir}/${name}`, more);
const DIR = "/skills";
const own = skillAt(DIR, "own-skill");
const index = makeSkillIndex([
  own,
  ...["code-review", "write-tests", "ship-it", "plan", "資料整理"].map((name) => skillAt(DIR, name)),
]);

/** "requires_now code-review", … for a text. */
function read(text: string): string[] {
  return edgesOf(own, text, index).edges.map(
    ({ from, to, type, alternative }) =>
      `${from === own.name ? "" : `${from} `}${type} ${to}${alternative ? " or" : ""}`,
  );
}
const danglingIn = (text: string): string[] =>
  edgesOf(own, text, index).dangling.map(({ name, line }) => `${name} ${line}`);

describe("references in the forms of the wild", () => {
  it.each([
    "Run /code-review on it.",
    "Use code-review to look at it.",
    "Invoke the code-review skill.",
    "See the `code-review` skill.",
    "See [the review](../code-review/SKILL.md).",
    "Read `../code-review/` for more.",
    "It is in skills/code-review.",
    "It is in skills/quality/code-review/SKILL.md.",
    "Call Skill(code-review) now.",
    'Call Skill("code-review") now.',
    "Use superpowers:code-review here.",
    "Use $code-review here.",
    "See [[code-review]].",
    "Load [skill:code-review].",
    "- code-review - looks at code",
    "- **code-review**: looks at code",
    "請使用 code-review 技能。",
    "code-review スキルを使う。",
    "詳しくは code-review スキルにある。",
    "| task | `code-review` |",
    "REQUIRED SUB-SKILL: Use code-review",
    "**REQUIRED BACKGROUND:** the code-review skill",
  ])("finds one in %j", (text) => {
    expect(edgesOf(own, text, index).edges.map(({ to }) => to)).toEqual(["code-review"]);
  });

  it.each([
    "A code-review takes an hour.",
    "See https://example.com/skills/code-review for more.",
    "We plan a lot, and `plan` is a word.",
    "cp x/code-review.md y",
    "own-skill is this one; run /own-skill.",
    "run the --code-review flag",
    "`GET /plan/1`",
    "Use /plan/[id] for one plan.",
  ])("finds none in %j", (text) => {
    expect(read(text)).toEqual([]);
  });

  it.each([
    ["Use the plan skill.", ["reference_only plan"]],
    ["Run `/plan` first.", ["reference_only plan"]],
    ["Use plan B.", []],
    ["必ず `資料整理` スキルを使う。", ["requires_now 資料整理"]],
  ])("takes a name of one word only where nothing else can be meant: %j", (text, edges) => {
    expect(read(text)).toEqual(edges);
  });
});

describe("headings that reverse the direction", () => {
  it.each(["## Called by", "## Used by", "## Parent skill", "**Called by:**", "## 呼び出し元"])(
    "%s",
    (title) => {
      expect(read(`${title}\n\n- **code-review** (step 4) - REQUIRED`)).toEqual([
        "code-review reference_only own-skill",
      ]);
    },
  );
});

describe("what an edge says", () => {
  it("of several mentions of one skill the strongest counts, with its line", () => {
    const text =
      "See `code-review`.\n\nAfter that use `code-review`.\n\nYou MUST use `code-review`.\n\nUse `code-review`.";
    expect(edgesOf(own, text, index, 10).edges).toMatchObject([
      { type: "requires_now", line: 14, text: "You MUST use code-review." },
    ]);
  });

  it.each([
    [
      "**REQUIRED SUB-SKILL:** Use ns:gone-away\n\nSee the **left-out** skill.",
      ["gone-away 1", "left-out 3"],
    ],
    ["Build a `pdf-editor` skill.\n\n[x](../lost-one/SKILL.md)", ["lost-one 3"]],
    ["Skill(nobody)\n\nsome-thing", ["nobody 1"]],
    ["REQUIRED SUB-SKILL: Use missing-thing", ["missing-thing 1"]],
    ["REQUIRED SUB-SKILL: Use missing-thing.", ["missing-thing 1"]],
    ["**REQUIRED SUB-SKILL:** missing-thing", ["missing-thing 1"]],
    ["REQUIRED SUB-SKILL: Use the missing-thing skill", ["missing-thing 1"]],
    ["REQUIRED SKILL: Use missing-thing for every task", ["missing-thing 1"]],
    ["**Required skill:** missing-thing", ["missing-thing 1"]],
    ["必須スキル：missing-thing", ["missing-thing 1"]],
    ["REQUIRED SUB-SKILL: Use missing-one and missing-two", ["missing-one 1", "missing-two 1"]],
  ])("an unresolvable reference that clearly means a skill is dangling: %j", (text, names) => {
    expect(danglingIn(text)).toEqual(names);
  });

  it.each([
    "REQUIRED SUB-SKILL: Use test-driven development",
    "REQUIRED: Use missing-thing",
    "REQUIRED SUB-SKILL: For a well-known reason, see the manual.",
    'Example: "REQUIRED SUB-SKILL: Use missing-thing"',
    'Use the `Skill` tool, e.g. `Skill(skill: "code-review")`.',
    '- **Bad**: "Replace it in ../gone-away/SKILL.md"',
    "These recipes (formerly the `old-recipes` skill) live here.",
    "This skill replaces the `old-query` skill.",
    "Make a `my-new-thing` skill.",
  ])("other hyphenated words, and what shows or speaks of what was there, are not: %j", (text) => {
    expect(danglingIn(text)).toEqual([]);
  });

  it("metadata replaces the text's edges", () => {
    const stated = skillAt(DIR, "own-skill", {
      metadata: { "requires-now": "ship-it gone", "requires-later": "code-review" },
    });
    const { edges, dangling } = edgesOf(stated, "You MUST use `write-tests`.", index);
    expect(edges.map(({ to, type, toPath }) => [to, type, toPath])).toEqual([
      ["ship-it", "requires_now", "/skills/ship-it/SKILL.md"],
      ["gone", "requires_now", null],
      ["code-review", "requires_later", "/skills/code-review/SKILL.md"],
    ]);
    expect(dangling).toEqual([{ from: "own-skill", name: "gone", line: 1 }]);
  });

  it("metadata may write its keys with _ and name what is only a reference (document 000 §3)", () => {
    const metadata = {
      requires_now: "ship-it",
      "requires-later": "write-tests",
      reference_only: "code-review",
    };
    const { edges } = edgesOf(skillAt(DIR, "own-skill", { metadata }), "", index);
    expect(edges.map(({ to, type }) => [to, type])).toEqual([
      ["ship-it", "requires_now"],
      ["write-tests", "requires_later"],
      ["code-review", "reference_only"],
    ]);
  });

  it("metadata that says only what is a reference leaves the rest to the text", () => {
    const metadata = { reference_only: "code-review, ship-it" };
    const text = "REQUIRED SUB-SKILL: Use `code-review`.\n\nREQUIRED SUB-SKILL: Use `write-tests`.";
    const { edges } = edgesOf(skillAt(DIR, "own-skill", { metadata }), text, index);
    expect(edges.map(({ to, type }) => [to, type])).toEqual([
      ["code-review", "reference_only"],
      ["ship-it", "reference_only"],
      ["write-tests", "requires_now"],
    ]);
  });

  it.each([
    "ship-it (requires_now)",
    "ship-it（requires-now）。",
    "- ship-it — requires_now",
    "- `ship-it` - requires_now",
    "- ship-it → requires_now",
    "First ship-it (requires_now), then go on.",
  ])("a type behind a name says it, with and without backticks: %s", (text) => {
    expect(edgesOf(own, text, index).edges).toMatchObject([{ to: "ship-it", type: "requires_now" }]);
  });

  it("means the nearest of several skills of one name, and none of them where they are equally near", () => {
    const near = makeSkillIndex([own, skillAt(DIR, "code-review"), skillAt("/other", "code-review")]);
    expect(edgesOf(own, "Use `code-review`.", near).edges[0]?.toPath).toBe("/skills/code-review/SKILL.md");
    const far = makeSkillIndex([own, skillAt("/a", "code-review"), skillAt("/b", "code-review")]);
    expect(edgesOf(own, "Use `code-review`.", far).edges[0]?.toPath).toBeNull();
  });
});

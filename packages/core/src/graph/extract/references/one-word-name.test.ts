import { describe, expect, it } from "vitest";
import { skillNamed } from "../../../../../../test/edges/skill-named.ts";
import { edgesOf } from "../read-edges.ts";
import { makeSkillIndex } from "../skill-index.ts";

const own = skillNamed("own");
const index = makeSkillIndex([
  own,
  skillNamed("testing"),
  skillNamed("b"),
  skillNamed("cloud-metrics", "/skills/metrics"),
]);
const read = (text: string): string[] =>
  edgesOf(own, text, index).edges.map(
    ({ to, type, alternative }) => `${type} ${to}${alternative ? " or" : ""}`,
  );

describe("a name of one word", () => {
  it.each([
    "REQUIRED SUB-SKILL: Use testing",
    "**REQUIRED SUB-SKILL:** Use `testing`",
    "**REQUIRED SUB-SKILL:** testing",
    "REQUIRED SUB-SKILL: `testing` for all of it",
    "REQUIRED SKILL: Use testing",
    "必須スキル: testing",
    "You MUST use `testing`.",
    "You MUST use testing before you go on.",
    "You must always invoke `testing` here.",
    "Always use `testing`.",
    "必ず `testing` を使用してください。",
    "必須使用 `testing`。",
    "## Required skills\n\n- `testing`",
    "You MUST use these skills:\n\n1. **testing** first",
  ])("is required by %j", (text) => {
    expect(read(text)).toEqual(["requires_now testing"]);
  });

  it("is required in a list of names, and by one letter", () => {
    expect(read("REQUIRED SUB-SKILL: Use `testing` and `b`")).toEqual([
      "requires_now testing",
      "requires_now b",
    ]);
    expect(read("REQUIRED SUB-SKILL: Use `testing` or `b`")).toEqual([
      "requires_now testing or",
      "requires_now b or",
    ]);
  });

  it.each([
    "Always check the `testing` field in responses.",
    "Always run `testing` or `list` before you add to the cart.",
    "You MUST set `testing` first.",
    "You MUST use the `testing` endpoint.",
  ])("is a word like others in %j", (text) => {
    expect(read(text)).toEqual([]);
  });

  it.each([
    "When done, use `testing`.",
    "After all tasks you MUST use `testing`.",
    "完成後必須使用 `testing`。",
  ])("is for later by %j", (text) => {
    expect(read(text)).toEqual(["requires_later testing"]);
  });

  it.each(["See `testing`.", "You could invoke `testing`."])("is mentioned by %j", (text) => {
    expect(read(text)).toEqual(["reference_only testing"]);
  });

  it.each([
    "Testing must be thorough; you must use testing tools.",
    "Run `testing` with a flag.",
    "The field `testing` must be set.",
    "REQUIRED SUB-SKILL: For what is found in testing, see the manual.",
    "Always use `metrics`.",
    "## Required fields\n\n- `testing`",
  ])("is a word like others in %j", (text) => {
    expect(read(text)).toEqual([]);
  });

  it.each(["You MUST NOT use `testing`.", "Never invoke `testing`."])(
    "is not required by a negation: %j",
    (text) => {
      expect(read(text).filter((edge) => !edge.startsWith("reference_only"))).toEqual([]);
    },
  );
});

describe("code in a list item", () => {
  it("does not swallow what follows where its lines are indented less than the item", () => {
    const text = [
      "- **testing** installed:",
      "  ```sh",
      "# a comment at the margin",
      "  ```",
      "",
      "You MUST use the `b` skill.",
    ].join("\n");
    expect(read(text)).toEqual(["requires_now b"]);
  });

  it("nor where the closing fence stands at the margin", () => {
    const text = "1. Install the `testing` skill:\n   ```sh\n   x\n```\n\nYou MUST use the `b` skill.";
    expect(read(text)).toContain("requires_now b");
  });
});

import { describe, expect, it } from "vitest";
import { skillNamed } from "../../../../test/edges/skill-named.ts";
import { edgesOf } from "./read-edges.ts";
import { makeSkillIndex } from "./skill-index.ts";

const own = skillNamed("own-skill");
const index = makeSkillIndex([
  own,
  ..."code-review write-tests ship-it plan atxp testing b".split(" ").map((name) => skillNamed(name)),
  skillNamed("cloud-metrics", "/skills/metrics"),
]);

/** "now code-review, later ship-it or" for a text. */
function read(text: string): string {
  const short = { requires_now: "now", requires_later: "later", reference_only: "ref" };
  return edgesOf(own, text, index)
    .edges.map(({ from, to, type, alternative }) => {
      const ends = from === own.name ? to : `${from}>${to}`;
      return `${short[type]} ${ends}${alternative ? " or" : ""}`;
    })
    .join(", ");
}

const sayEach = (cases: Readonly<Record<string, string>>): void => {
  it.each(Object.entries(cases))("%j", (text, expected) => {
    expect(read(text)).toBe(expected);
  });
};

describe("negations, also far from the name and in other languages", () => {
  sayEach({
    "You MUST NOT use the code-review skill.": "ref code-review",
    "You must not, under any circumstances, run `/code-review`.": "ref code-review",
    "Never use `code-review` here, you must use `write-tests`.": "ref code-review, now write-tests",
    "You don't have to use `code-review`.": "ref code-review",
    "It is not required to run the `code-review` skill.": "ref code-review",
    "`code-review` is not required.": "ref code-review",
    "`code-review` is never mandatory.": "ref code-review",
    "The code-review skill isn't required here.": "ref code-review",
    "Using `code-review` is optional, not required.": "ref code-review",
    "There is no need to always run `code-review`.": "ref code-review",
    "You must avoid the `code-review` skill.": "ref code-review",
    "You must do this without the `code-review` skill.": "ref code-review",
    "You MUST do it by hand instead of using `code-review`.": "ref code-review",
    "Nobody must ever call Skill(code-review).": "ref code-review",
    "请不要使用 `code-review`，必须手动检查。": "ref code-review",
    "绝不能必须调用 `code-review` 技能。": "ref code-review",
    "不是必须使用 `code-review`。": "ref code-review",
    "不一定要使用 `code-review`。": "ref code-review",
    "`code-review` スキルは必須ではありません。": "ref code-review",
    "`code-review` を必ず使う必要はありません。": "ref code-review",
    "`code-review` スキルは使わないこと。必ず手で確認する。": "ref code-review",
    "`code-review` スキルを使ってはいけない。必須。": "ref code-review",
    "严禁使用 `code-review`，必须遵守。": "ref code-review",
  });
});

describe("a double negation requires", () => {
  sayEach({
    "Never proceed without the `code-review` skill.": "now code-review",
    "Do not skip `code-review`.": "now code-review",
    "You cannot skip the `code-review` skill.": "now code-review",
  });
});

describe("conditions", () => {
  sayEach({
    "If the diff is large, you MUST use `code-review`.": "now code-review",
    "Unless it is trivial, you MUST use `code-review`.": "now code-review",
    "You MUST use `code-review` unless it is trivial.": "now code-review",
    "When a bug appears, always use the code-review skill.": "now code-review",
    "Before you use `code-review`, you must read the diff.": "ref code-review",
    "You must read the diff before you use `code-review`.": "ref code-review",
    "You must have a plan before running /code-review.": "ref code-review",
    "如果改动很大，必须使用 `code-review`。": "now code-review",
    "差分が大きい場合は必ず `code-review` スキルを使う。": "now code-review",
    "在使用 `code-review` 之前，必须先读完差异。": "ref code-review",
    "`code-review` を使う前に、必ず差分を読む。": "ref code-review",
  });
});

describe("after and when-done in the same sentence", () => {
  sayEach({
    "After implementing, you MUST run `code-review`.": "later code-review",
    "You MUST run `code-review` after implementing.": "later code-review",
    "You MUST run `code-review` when you are done.": "later code-review",
    "Use `code-review` when the code is complete.": "later code-review",
    "Use `code-review` when code complete.": "later code-review",
    "REQUIRED SUB-SKILL after this one: Use ns:code-review": "later code-review",
    "You MUST use `write-tests` now and use `code-review` after that.": "now write-tests, later code-review",
    "You MUST use `write-tests`; when done, use `code-review`.": "now write-tests, later code-review",
    "You must use `code-review` after `write-tests`.": "later code-review, ref write-tests",
    "Work complete; hand off to `ship-it`.": "later ship-it",
    'About to say "done" → Use `ship-it`': "ref ship-it",
    "实现完成后必须运行 `code-review`。": "later code-review",
    "必须在完成后调用 `code-review`。": "later code-review",
    "実装が終わったら、必ず `code-review` を実行する。": "later code-review",
    "実装後は必ず `code-review` スキルを使うこと。": "later code-review",
    "全部完成之後，務必使用 `code-review`。": "later code-review",
    "## Next steps\n\nYou MUST run `ship-it`.": "later ship-it",
  });
});

describe("a directive that is wrapped, nested or marked up", () => {
  sayEach({
    "You **MUST**\nuse the\n[`code-review`](../code-review/SKILL.md)\nskill.": "now code-review",
    "> **REQUIRED SUB-SKILL:**\n> Use\n> ns:code-review": "now code-review",
    "- Do it:\n  - First step\n    - You MUST use\n      `code-review`": "now code-review",
    "1. You MUST use the following:\n   1. `code-review`\n   2. `write-tests`":
      "now code-review, now write-tests",
    "You _must_ use the *code-review* skill.": "now code-review",
    "You <b>MUST</b> use the `code-review` skill.": "now code-review",
    "**You MUST use the code-review skill.**": "now code-review",
    "* [ ] You MUST run `/code-review`": "now code-review",
    "### REQUIRED: run `/code-review`": "now code-review",
    "| Step | Skill |\n|---|---|\n| 1 (REQUIRED) | `code-review` |": "now code-review",
    "| `code-review` | required |": "now code-review",
    "| `code-review` | not required |": "ref code-review",
    "You MUST use the code-review skill. <!-- You MUST use ship-it -->": "now code-review",
    "<!--\nYou MUST use ship-it\n-->\n\nSee `plan`, the `code-review` skill.": "ref plan, ref code-review",
  });
});

describe("headings and lead-ins", () => {
  sayEach({
    "## Mandatory skills\n\n- `code-review`\n- `write-tests`": "now code-review, now write-tests",
    "## MUST DO\n\n- Follow code-review patterns": "now code-review",
    "**Always run:**\n\n- **code-review** -- looks": "now code-review",
    "## 必須スキル\n\n- `code-review`": "now code-review",
    "## 必须使用的技能\n\n- `code-review`": "now code-review",
    "必ず次のスキルを使う：\n\n- `code-review`\n- `write-tests`": "now code-review, now write-tests",
    "## Required skills\n\nSome words.\n\n## Other\n\n- `code-review`": "ref code-review",
    "## Optional skills\n\n- `code-review` is required by others": "ref code-review",
    "## Called by\n\nYou MUST use `code-review`.": "ref code-review>own-skill",
    "## 被以下技能调用\n\n- `code-review`": "ref code-review>own-skill",
    "## Step 1: Review (delegate — always runs)\n\nFollow `../code-review/SKILL.md` end to end.":
      "now code-review",
    "When using this skill, ALWAYS follow this workflow:\n\n1. List it via the `code-review` skill.":
      "now code-review",
    "**Rigid** (must follow exactly): this skill, [skill:code-review].": "now code-review",
    "## Required inputs\n\n- A report, see `code-review`": "ref code-review",
  });
});

describe("what an item says of the skill that it begins with", () => {
  sayEach({
    "- **code-review** — Foundation skill. ALWAYS load before writing.": "now code-review",
    "- **code-review** — Foundation. ALWAYS load when context is needed.": "now code-review",
    "- [`code-review`](../code-review/SKILL.md) — the parent.\n  **ALWAYS co-loaded.** It is.":
      "now code-review",
    "- `code-review` - Mandatory upstream": "now code-review",
    "- `code-review` - Mandatory for large diffs": "now code-review",
    "- `code-review` - Mandatory upstream for review": "ref code-review",
    "- `code-review` - Entrez IDs required": "ref code-review",
    "- `code-review` - Required fields are listed there": "ref code-review",
    "- `code-review` - a reading is required upstream": "now code-review",
    "- `code-review` - It is good. You must always be kind.": "ref code-review",
    "- `code-review` - Filters that must respect levels": "ref code-review",
    "- `code-review` — once you know it, use this to look.": "later code-review",
    "| `code-review` | **Invoke immediately after writing code** | quality |": "later code-review",
    "| After assembling (always) | -> code-review then write-tests | low |":
      "later code-review, later write-tests",
    "| mandatory quality check -> code-review |": "now code-review",
    "It also requires `code-review`, which owns it, and `write-tests`, which checks.":
      "now code-review, now write-tests",
  });
});

describe("alternatives", () => {
  sayEach({
    "You MUST use either `code-review` or `write-tests`.": "now code-review or, now write-tests or",
    "You MUST use one of: `code-review`, `write-tests`.": "now code-review or, now write-tests or",
    "You MUST use one of these:\n\n- `code-review`\n- `write-tests`":
      "now code-review or, now write-tests or",
    "You MUST pick one:\n\n- use `code-review`\n- use `write-tests`":
      "now code-review or, now write-tests or",
    "You MUST use `code-review` or, if it is missing, `write-tests`.":
      "now code-review or, now write-tests or",
    "You MUST run `/code-review` / `/write-tests`.": "now code-review or, now write-tests or",
    "| REQUIRED | `code-review` または `write-tests` |": "now code-review or, now write-tests or",
    "| 必须 | 使用 `code-review` 或 `write-tests` |": "now code-review or, now write-tests or",
    "必须使用 `code-review` 或者 `write-tests`。": "now code-review or, now write-tests or",
    "必ず `code-review` か `write-tests` のいずれかを使う。": "now code-review or, now write-tests or",
    "必须任选其一：`code-review`、`write-tests`。": "now code-review or, now write-tests or",
    "You MUST use `code-review` and/or `write-tests`.": "now code-review or, now write-tests or",
    "You MUST use `code-review`, and `write-tests` or `ship-it`.":
      "now code-review or, now write-tests or, now ship-it or",
  });
});

describe("quoted, shown and template text", () => {
  sayEach({
    'Say: "You MUST use the code-review skill."': "ref code-review",
    "说：“必须使用 `code-review` 技能。”": "ref code-review",
    "「必ず `code-review` スキルを使う」と言う。": "ref code-review",
    "'You MUST use `code-review` now', the user says.": "ref code-review",
    "Use this template:\n\n> You MUST use the code-review skill.": "ref code-review",
    "| ❌ | You MUST use `code-review` |": "ref code-review",
    "- Wrong: You MUST use `code-review`": "ref code-review",
    "### Bad example\n\nYou MUST use `code-review`.": "ref code-review",
    "For instance: always run `/code-review`.": "ref code-review",
    "例：必ず `code-review` スキルを使う。": "ref code-review",
    "<example>\nYou MUST use the code-review skill.\n</example>": "",
    "~~~text\nYou MUST use `code-review`.\n~~~": "",
    "Some people say you must use `code-review`.": "ref code-review",
    'A description like "always use the `code-review` skill" is too broad.': "ref code-review",
  });
});

describe("two skills in one sentence", () => {
  sayEach({
    "You MUST use `write-tests`, and see `code-review` for more.": "now write-tests, ref code-review",
    "See `code-review`; you MUST use `write-tests`.": "ref code-review, now write-tests",
    "Unlike `code-review`, `write-tests` is required.": "ref code-review, now write-tests",
    "You MUST use `write-tests`, not `code-review`.": "now write-tests, ref code-review",
    "You MUST use `write-tests` rather than `code-review`.": "now write-tests, ref code-review",
    "You must use `write-tests` (see `code-review`).": "now write-tests, ref code-review",
    "必须使用 `write-tests`，参考 `code-review`。": "now write-tests, ref code-review",
    "必ず `write-tests` を使い、`code-review` を参照する。": "now write-tests, ref code-review",
  });
});

describe("a question and an opinion require nothing", () => {
  sayEach({
    "Must I use `code-review`?": "ref code-review",
    "Do you always have to use `code-review`? No.": "ref code-review",
    "## FAQ\n\n**Do I have to always run `code-review`?** No.": "ref code-review",
    "It would be wrong to always run `code-review`.": "ref code-review",
    "必ず `code-review` を使うべきですか？": "ref code-review",
    "Ready? You MUST use `code-review`.": "now code-review",
  });
});

describe("labels, passives and adverbs", () => {
  sayEach({
    "This skill MUST be combined with `code-review`.": "now code-review",
    "All output must be checked with the `code-review` skill.": "now code-review",
    "Must be consistent with `code-review`.": "ref code-review",
    "Required: `code-review`": "now code-review",
    "Required: scopes:plan": "ref plan",
    "Required: a report like `code-review`": "ref code-review",
    "- MUST: `code-review`\n- MAY: `ship-it`": "now code-review, ref ship-it",
    "ALWAYS: run `/code-review`.": "now code-review",
    "REQUIRED — read `../code-review/SKILL.md` before starting.": "now code-review",
    "**Prerequisite (required):** `code-review`": "now code-review",
    "**Sub-skills (all mandatory):** `code-review`, `write-tests`": "now code-review, now write-tests",
    "始终使用 `code-review` 技能。": "now code-review",
    "常に `code-review` スキルを使用すること。": "now code-review",
    "`code-review` スキルは常に JSON を返す。": "ref code-review",
    "完了したら `ship-it` を呼び出す。": "later ship-it",
    "As soon as the tests pass, run `/ship-it`.": "later ship-it",
  });
});

describe("what requires something else", () => {
  sayEach({
    "The output must match what `/code-review` produces.": "ref code-review",
    "Each diagram must satisfy `code-review` rule 8.": "ref code-review",
    "Values must come from a fresh `code-review` run.": "ref code-review",
    "A setup via [[code-review]] (the folder must exist).": "ref code-review",
    "`code-review` must never see the secrets.": "ref code-review",
    "`code-review` must be installed by the user to be listed.": "ref code-review",
    "Install what is required by the `/code-review` workflow.": "ref code-review",
    "The key is required. See `code-review`.": "ref code-review",
    "See the ATXP skill.": "ref atxp",
  });
});

describe("a condition after completion is never for now", () => {
  sayEach({
    "When the review is clean, use `ship-it`.": "later ship-it",
    "You MUST use `ship-it` when the review is clean.": "later ship-it",
    "You MUST use `ship-it` when the branch is merged.": "later ship-it",
    "You MUST use `ship-it`, when CI is green.": "later ship-it",
    "You MUST use `ship-it` (only when CI is green).": "later ship-it",
    "Only when the review is clean, you MUST use `ship-it`.": "later ship-it",
    "In general, when the review is clean, you MUST use `ship-it`.": "later ship-it",
    "When CI comes back green, always run `/ship-it`.": "later ship-it",
    "When you've finished, you MUST use `ship-it`.": "later ship-it",
    "When the build finishes, you MUST use `ship-it`.": "later ship-it",
    "When the fix is deployed, you MUST use `ship-it`.": "later ship-it",
    "Whenever a change is merged, you MUST use `ship-it`.": "later ship-it",
    "If all tests pass, you MUST use `ship-it`.": "later ship-it",
    "At the end of the task, you MUST use `ship-it`.": "later ship-it",
    "Upon approval, you MUST use `ship-it`.": "later ship-it",
    "Following the merge, you MUST use `ship-it`.": "later ship-it",
    "REQUIRED SUB-SKILL (when the review is clean): Use ns:ship-it": "later ship-it",
    "When the review is clean:\n\n- **REQUIRED:** use `ship-it`": "later ship-it",
    "## When CI is green\n\nYou MUST use `ship-it`.": "later ship-it",
    "评审通过后必须使用 `ship-it`。": "later ship-it",
    "当代码评审的结果全部通过之后，必须使用 `ship-it`。": "later ship-it",
    "当代码评审的全部意见都已经通过后，必须使用 `ship-it`。": "later ship-it",
    "当评审通过时，必须使用 `ship-it`。": "later ship-it",
    "等测试通过再使用 `ship-it`，这是强制的。": "later ship-it",
    "一旦合并完成，务必调用 `ship-it`。": "later ship-it",
    "## 测试通过后\n\n必须使用 `ship-it`。": "later ship-it",
    "レビューが通ったら、必ず `ship-it` を実行する。": "later ship-it",
    "マージされたら必ず `ship-it` を使う。": "later ship-it",
    "テストが成功してから必ず `ship-it` を使う。": "later ship-it",
    "CI がグリーンになったら必ず `ship-it` を使う。": "later ship-it",
    "実装が終わり次第、必ず `ship-it` を使う。": "later ship-it",
    "## レビューが通ったら\n\n必ず `ship-it` を使う。": "later ship-it",
  });
});

describe("a condition that is no completion is for now", () => {
  sayEach({
    "When the build is slow, you MUST use `ship-it`.": "now ship-it",
    "When CI is not green, you MUST use `ship-it`.": "now ship-it",
    "When the service is written in Rust, you MUST use `ship-it`.": "now ship-it",
    "If the tests fail, you MUST use `ship-it`.": "now ship-it",
    "You MUST use `ship-it` to deploy, and once done, tell the user.": "now ship-it",
    "You MUST use `ship-it`, after which you can rest.": "now ship-it",
    "今后必须使用 `ship-it`。": "now ship-it",
    "前后必须一致，必须使用 `ship-it`。": "now ship-it",
    "エラーが出たら必ず `ship-it` を使う。": "now ship-it",
    "今後は必ず `ship-it` を使う。": "now ship-it",
  });
});

describe("see also", () => {
  sayEach({
    "See also code-review.": "ref code-review",
    "See also: code-review, ship-it.": "ref code-review, ref ship-it",
    "Also see code-review.": "ref code-review",
    "Cf. code-review.": "ref code-review",
  });
});

describe("a name of one word is a skill's only where nothing else can be meant", () => {
  sayEach({
    "REQUIRED SUB-SKILL: Use testing": "now testing",
    "**REQUIRED SUB-SKILL:** Use `testing`": "now testing",
    "**REQUIRED SUB-SKILL:** testing": "now testing",
    "REQUIRED SUB-SKILL: `testing` for all of it": "now testing",
    "REQUIRED SKILL: Use testing": "now testing",
    "必須スキル: testing": "now testing",
    "You MUST use `testing`.": "now testing",
    "You MUST use testing before you go on.": "now testing",
    "You must always invoke `testing` here.": "now testing",
    "Always use `testing`.": "now testing",
    "必ず `testing` を使用してください。": "now testing",
    "必須使用 `testing`。": "now testing",
    "## Required skills\n\n- `testing`": "now testing",
    "You MUST use these skills:\n\n1. **testing** first": "now testing",
    "REQUIRED SUB-SKILL: Use `testing` and `b`": "now testing, now b",
    "REQUIRED SUB-SKILL: Use `testing` or `b`": "now testing or, now b or",
    "When done, use `testing`.": "later testing",
    "After all tasks you MUST use `testing`.": "later testing",
    "完成後必須使用 `testing`。": "later testing",
    "See `testing`.": "ref testing",
    "You could invoke `testing`.": "ref testing",
    "Never invoke `testing`.": "ref testing",
    "You MUST NOT use `testing`.": "",
    "Always check the `testing` field in responses.": "",
    "Always run `testing` or `list` before you add to the cart.": "",
    "You MUST set `testing` first.": "",
    "You MUST use the `testing` endpoint.": "",
    "Testing must be thorough; you must use testing tools.": "",
    "Run `testing` with a flag.": "",
    "The field `testing` must be set.": "",
    "REQUIRED SUB-SKILL: For what is found in testing, see the manual.": "",
    "Always use `metrics`.": "",
    "## Required fields\n\n- `testing`": "",
  });
});

describe("code in a list item ends where its author means it to", () => {
  sayEach({
    "- **testing** installed:\n  ```sh\n# at the margin\n  ```\n\nYou MUST use the `b` skill.": "now b",
    "1. Install the `testing` skill:\n   ```sh\n   x\n```\n\nYou MUST use the `b` skill.":
      "ref testing, now b",
  });
});

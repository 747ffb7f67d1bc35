import { describe, expect, it } from "vitest";
import { blocksIn } from "../../../../test/edges/blocks.ts";
import { skillNamed } from "../../../../test/edges/skill-named.ts";
import { edgesOf } from "./read-edges.ts";
import { makeSkillIndex } from "./skill-index.ts";

const own = skillNamed("own-skill");
const names = "code-review write-tests ship-it plan atxp testing b 資料整理".split(" ");
const index = makeSkillIndex([
  own,
  ...names.map((name) => skillNamed(name)),
  skillNamed("cloud-metrics", "/skills/metrics"),
]);

/** "now code-review, later ship-it or" for a text. */
function read(text: string): string {
  const short = { requires_now: "now", requires_later: "later", reference_only: "ref" };
  const edges = edgesOf(own, text, index).edges.map(({ from, to, type, alternative }) => {
    const ends = from === own.name ? to : `${from}>${to}`;
    return `${short[type]} ${ends}${alternative ? " or" : ""}`;
  });
  return edges.join(", ") || "none";
}

/** Below `=== rule`, a line each: what a text says of which skills, then the text, with `\n` for a line break. */
const traps = blocksIn("traps.txt").map((block) => block.trimEnd().split("\n"));

describe.each(traps)("%s", (_rule, ...lines) => {
  it.each(lines.map((line) => /^(.*?): (.*)$/.exec(line)?.slice(1) ?? []))("%j: %j", (said, text = "") => {
    expect(read(text.replaceAll("\\n", "\n"))).toBe(said);
  });
});

import { describe, expect, it } from "vitest";
import type { SkillMetadata } from "../../skill/schema.ts";
import { SkillSearch } from "../search.ts";
import { IndexBuilder, invert } from "./postings.ts";

/** More words than codes, a thousand distinct ones per skill. */
const TEXTS = Array.from({ length: 70 }, (_, skill) => ({
  name: `skill-${skill}`,
  folder: `skill-${skill}`,
  description: `Mend the ${skill % 7 === 0 ? "roof" : "floor"} of house number ${skill}.`,
  body: Array.from({ length: 1_000 }, (_, i) => `w${skill}x${i}`).join(" "),
}));
const SKILLS = TEXTS.map(
  ({ name }): SkillMetadata => ({
    name,
    description: name,
    path: `/skills/${name}/SKILL.md`,
    dir: `/skills/${name}`,
    scope: "repo",
    id: name,
    mtimeMs: 0,
    dialect: "agentskills",
  }),
);

function makeSearch(words: Map<string, number>): { search: SkillSearch; words: Map<string, number> } {
  const builder = new IndexBuilder(words);
  const entries = TEXTS.map((text) => builder.pack(text));
  return { search: new SkillSearch(SKILLS, invert(entries, builder.words), 50), words: builder.words };
}

describe("words that share a code", () => {
  it("do so whatever the order in which words were numbered", () => {
    const one = makeSearch(new Map());
    expect(one.words.size).toBeGreaterThan(0x1_0000);
    const other = makeSearch(new Map([...one.words.keys()].reverse().map((word, i) => [word, i])));
    for (const query of [
      "mend the roof of house 14",
      "w3x7 w3x8 w3x9 and something else",
      "w69x999 w0x0 the floor",
    ]) {
      const answer = one.search.search(query, { limit: 20 });
      expect(answer.count).toBeGreaterThan(0);
      expect(other.search.search(query, { limit: 20 })).toEqual(answer);
    }
    expect(one.search.search("w41x5 w41x6", { limit: 1 }).results[0]?.skill.name).toBe("skill-41");
  });
});

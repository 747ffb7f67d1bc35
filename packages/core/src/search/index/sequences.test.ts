import { describe, expect, it } from "vitest";
import { indexOver } from "../../../../../test/search/search-over.ts";
import type { SkillMetadata } from "../../skill/schema.ts";
import { type SearchResult, SkillSearch } from "../search.ts";

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

/** Words are numbered by first use, so that another order of the skills gives other numbers. */
function makeSearch(order: readonly number[]): (query: string) => SearchResult[] {
  const index = indexOver(order.map((i) => ({ ...TEXTS[i]!, dir: SKILLS[i]!.dir })));
  expect(index.words.size).toBeGreaterThan(0x1_0000);
  const search = new SkillSearch(
    order.map((i) => SKILLS[i]!),
    index,
    100,
  );
  // Equal scores are in the order of the skills.
  return (query) =>
    search
      .search(query, { limit: 100 })
      .results.toSorted((a, b) => b.score - a.score || (a.skill.name < b.skill.name ? -1 : 1));
}

describe("words that share a code", () => {
  it("do so whatever the order in which words were numbered", () => {
    const order = TEXTS.map((_, i) => i);
    const one = makeSearch(order);
    const other = makeSearch(order.toReversed());
    for (const query of [
      "mend the roof of house 14",
      "w3x7 w3x8 w3x9 and something else",
      "w69x999 w0x0 the floor",
    ]) {
      const answer = one(query);
      expect(answer.length).toBeGreaterThan(0);
      expect(other(query)).toEqual(answer);
    }
    expect(one("w41x5 w41x6")[0]?.skill.name).toBe("skill-41");
  });
});

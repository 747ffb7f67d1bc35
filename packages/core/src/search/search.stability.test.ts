import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type Given, searchOver } from "../../../../test/search/search-over.ts";
import { cases } from "../shared/testing/cases.ts";
import type { SearchResult } from "./search.ts";

/** Common words and rare words. */
const words = fc.oneof(
  fc.integer({ min: 0, max: 5 }).map((i) => `a${i}`),
  fc.integer({ min: 6, max: 60 }).map((i) => `a${i}`),
);
const textOf = (word: fc.Arbitrary<string>, maxLength: number): fc.Arbitrary<string> =>
  fc.array(word, { maxLength, size: "max" }).map((list) => list.join(" "));
const skillOf = (word: fc.Arbitrary<string>): fc.Arbitrary<Given> =>
  fc.record({
    name: fc.array(word, { minLength: 1, maxLength: 3 }).map((list) => list.join("-")),
    description: textOf(word, 20),
    body: fc.oneof(textOf(word, 60), textOf(word, 3_000)),
  });
const catalogs = fc
  .array(skillOf(words), { minLength: 2, maxLength: 90, size: "max" })
  .map((list) => list.map((skill, i): Given => ({ ...skill, path: `/${i}` })));
const queries = fc.array(words, { minLength: 1, maxLength: 12 }).map((list) => list.join(" "));
const ADDED = "/added";

const withoutAdded = (results: readonly SearchResult[]): readonly SearchResult[] =>
  results.filter(({ skill }) => skill.dir !== ADDED);
const plain = (results: readonly SearchResult[]): unknown =>
  results.map(({ skill, score, reason, matched, fits }) => [skill.dir, score, reason, matched, fits]);

describe("a skill that is added", () => {
  it("changes nothing at all among the others, if no other skill has its words and the query does not", () => {
    const strangers = skillOf(fc.integer({ min: 0, max: 60 }).map((i) => `b${i}`));
    fc.assert(
      fc.property(catalogs, strangers, queries, (given, added, query) => {
        const before = searchOver(given)(query, 50);
        const after = searchOver([...given, { ...added, path: ADDED }])(query, 50);
        expect(plain(after.results)).toEqual(plain(before.results));
        expect(after.truncated).toBe(before.truncated);
      }),
      { numRuns: cases(150) },
    );
  });

  it("moves only ties, if the query has none of its words but other skills do", () => {
    // Words of the added skill become more common, so the rest of a name counts slightly less.
    const TIE = 0.005;
    fc.assert(
      fc.property(catalogs, skillOf(words), queries, (given, added, query) => {
        const asked = new Set(query.split(" "));
        const rest = (text: string, gap: string): string =>
          text
            .split(gap)
            .filter((word) => !asked.has(word))
            .join(gap);
        const unrelated: Given = {
          name: `z-${rest(added.name, "-")}`,
          description: rest(added.description, " "),
          body: rest(added.body, " "),
          path: ADDED,
        };
        const before = searchOver(given)(query, 50).results;
        const after = new Map(
          searchOver([...given, unrelated])(query, 50).results.map(({ skill }, i) => [skill.dir, i]),
        );
        for (const [i, one] of before.entries()) {
          for (const other of before.slice(i + 1)) {
            const [place, otherPlace] = [after.get(one.skill.dir), after.get(other.skill.dir)];
            if (place === undefined || otherPlace === undefined || place < otherPlace) continue;
            expect(one.score - other.score).toBeLessThan(TIE);
          }
        }
      }),
      { numRuns: cases(150) },
    );
  });

  it("never moves skills that the query names: by path, by name, by the start of a name", () => {
    fc.assert(
      fc.property(catalogs, skillOf(words), words, (given, added, query) => {
        const named = (results: readonly SearchResult[]): unknown =>
          plain(withoutAdded(results).filter(({ reason }) => /^exact|prefix/.test(reason)));
        const before = searchOver(given)(query, 200).results;
        const after = searchOver([...given, { ...added, path: ADDED }])(query, 200).results;
        expect(named(after)).toEqual(named(before));
      }),
      { numRuns: cases(150) },
    );
  });
});

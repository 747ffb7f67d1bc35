import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { searchOver } from "../../../../test/search/search-over.ts";
import { strangeQueries } from "../../../../test/search/strange-queries.ts";
import { cases, isFullSuite } from "../shared/testing/cases.ts";

/** A catalog with a realistic distribution: few common words, many rare ones. */
function manySkills(count: number): Parameters<typeof searchOver>[0] {
  let seed = 1;
  const word = (): string => {
    seed = (seed * 48_271) % 0x7fffffff;
    return `w${Math.floor(4_000 ** (seed / 0x7fffffff)).toString(36)}`;
  };
  const text = (words: number): string => Array.from({ length: words }, word).join(" ");
  return Array.from({ length: count }, (_, i) => ({
    name: `${word()}-s${i}`,
    description: text(30),
    body: text(400),
  }));
}

const COMMON = Array.from({ length: 300 }, (_, i) => `w${(i + 1).toString(36)}`);

function fastest(work: () => void, times: number): number {
  let least = Number.POSITIVE_INFINITY;
  for (let i = 0; i < times; i++) {
    // Others on the machine do not count.
    const before = process.threadCpuUsage();
    work();
    least = Math.min(least, process.threadCpuUsage(before).user / 1000);
  }
  return least;
}

describe("no query is too strange", () => {
  const search = searchOver(manySkills(800));
  // The bound is relative to an ordinary query, because machines differ in speed.
  const usual = fastest(() => search("wa deploy wb to wc and review wd", 8), 20);
  const bound = isFullSuite ? Math.max(50, 200 * usual) : Number.POSITIVE_INFINITY;

  it.each([...strangeQueries(COMMON)])("%s", (_, query) => {
    const first = search(query);
    expect(search(query)).toEqual(first);
    expect(first.count).toBeLessThanOrEqual(50);
    expect(fastest(() => search(query), 5)).toBeLessThan(bound);
  });

  it("whatever the characters, and whatever words in whatever order", () => {
    const words = fc.array(fc.constantFrom(...COMMON), { size: "max", maxLength: 400 });
    const queries = fc.oneof(
      fc.string({ unit: "binary", size: "max", maxLength: 4_000 }),
      words.map((list) => list.join(" ")),
    );
    fc.assert(
      fc.property(queries, (query) => {
        const first = search(query, 8);
        expect(search(query, 8)).toEqual(first);
        expect(fastest(() => search(query, 8), 3)).toBeLessThan(bound);
      }),
      { numRuns: cases(300) },
    );
  });

  it("a letter that fifty thousand names begin with", () => {
    const named = searchOver(
      Array.from({ length: 50_000 }, (_, i) => ({ name: `s${i}`, description: "", body: "" })),
    );
    expect(named("s", 3)).toMatchObject({ count: 3, truncated: true });
    // Would take seconds if each were compared with all results before it.
    expect(fastest(() => named("s"), 3)).toBeLessThan(10 * bound);
  });
});

import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { SkillMetadata } from "../../skill/schema.ts";
import type { SearchReason, SearchResult } from "../search.ts";
import { fuseByRank } from "./fuse-by-rank.ts";

const skill = (name: string): SkillMetadata => ({ name, path: `/${name}/SKILL.md` }) as SkillMetadata;
const result = (
  name: string,
  score: number,
  { fits = true, reason = "token_overlap" as SearchReason } = {},
): SearchResult => ({ skill: skill(name), score, reason, matched: [name], fits });

/** The skills, nearest first. */
const nearest =
  (...names: string[]) =>
  ({ name }: SkillMetadata): number | undefined =>
    names.includes(name) ? -names.indexOf(name) : undefined;
const namesOf = (results: readonly SearchResult[]): string[] => results.map(({ skill: { name } }) => name);
const skills = ["a", "b", "c", "d", "e", "f"].map(skill);

describe("fusing by rank", () => {
  it("lets the vectors decide between skills that the words hardly tell apart", () => {
    const others = Array.from({ length: 100 }, (_, i) => `other-${i}`);
    const all = ["a", "b", ...others].map(skill);
    const fuse = (...order: string[]): string[] =>
      namesOf(fuseByRank([result("a", 0.3), result("b", 0.29)], all, nearest(...order))).slice(0, 2);
    expect(fuse("b", ...others, "a")).toEqual(["b", "a"]);
    expect(fuse("a", ...others, "b")).toEqual(["a", "b"]);
    // Neither is near: the model may not understand the request.
    expect(fuse(...others.slice(0, 10), "b", ...others.slice(10), "a")).toEqual(["a", "b"]);
  });

  it("leaves what the words are sure of", () => {
    const results = [result("a", 0.9), result("b", 0.02)];
    expect(namesOf(fuseByRank(results, skills, nearest("b", "c", "d", "e", "f", "a")))[0]).toBe("a");
  });

  it("keeps names first and adds skills that share no word as weaker matches", () => {
    const results = [result("f", 1, { reason: "exact_name" }), result("a", 0.5)];
    const fused = fuseByRank(results, skills, nearest("c", "b", "a", "d", "e", "f"));
    expect(namesOf(fused).slice(0, 2)).toEqual(["f", "a"]);
    expect(fused.slice(2).map(({ reason, fits, matched }) => ({ reason, fits, matched }))).toEqual(
      Array.from({ length: 4 }, () => ({ reason: "semantic_match", fits: false, matched: [] })),
    );
  });

  it("shows the nearest skill among the first three if nothing fits", () => {
    const results = ["a", "b", "c", "d"].map((name, i) => result(name, 0.2 - i / 20, { fits: false }));
    const fused = namesOf(fuseByRank(results, skills, nearest("f", "e", "d", "c", "b", "a")));
    expect(fused.slice(0, 3)).toEqual(["a", "b", "f"]);
  });

  it("loses and repeats nothing, changes no decision, and has falling scores", () => {
    const lists = fc.record({
      words: fc.uniqueArray(fc.constantFrom<string[]>("a", "b", "c", "d", "e", "f")),
      scores: fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { minLength: 6, maxLength: 6 }),
      near: fc.uniqueArray(fc.constantFrom<string[]>("a", "b", "c", "d", "e", "f")),
      fits: fc.boolean(),
    });
    fc.assert(
      fc.property(lists, ({ words, scores, near, fits }) => {
        const falling = scores.toSorted((a, b) => b - a);
        const results = words.map((name, i) => result(name, falling[i] ?? 0, { fits }));
        const fused = fuseByRank(results, skills, nearest(...near));
        expect(namesOf(fused).sort()).toEqual([...new Set([...words, ...near])].sort());
        for (const { skill: found, fits: isFit } of fused)
          expect(isFit).toBe(fits && words.includes(found.name));
        const order = fused.map(({ score }) => score);
        expect(order).toEqual(order.toSorted((a, b) => b - a));
      }),
    );
  });
});

import { describe, expect, it } from "vitest";
import type { SearchReason, SearchResult } from "../search/search.ts";
import type { SkillMetadata } from "../skill/schema.ts";
import { confidentResult } from "./confidence.ts";

const result = (name: string, score: number, more: Partial<SearchResult> = {}): SearchResult => ({
  skill: { name, description: name, path: `/${name}/SKILL.md` } as SkillMetadata,
  score,
  reason: "token_overlap",
  matched: [],
  fits: true,
  ...more,
});
const sureOf = (results: readonly SearchResult[], truncated = false): string | undefined =>
  confidentResult({
    results,
    count: results.length,
    fitting: results.filter(({ fits }) => fits).length,
    truncated,
  })?.skill.name;
const named = (reason: SearchReason): Partial<SearchResult> => ({ reason });
const near = { fits: false };

describe("a search is sure", () => {
  it("if the best has 0.85 or more and is 0.3 ahead of the next", () => {
    expect(sureOf([result("a", 0.85), result("b", 0.1)])).toBe("a");
    expect(sureOf([result("a", 0.84), result("b", 0)])).toBeUndefined();
    expect(sureOf([result("a", 0.9, named("prefix")), result("b", 0.61, named("prefix"))])).toBeUndefined();
    expect(sureOf([result("a", 0.85)])).toBe("a");
  });

  it("of an exact name, unless two skills have it", () => {
    expect(sureOf([result("a", 1, named("exact_name")), result("b", 0.9)])).toBe("a");
    const other = result("a", 1, {
      ...named("exact_name"),
      skill: { name: "a", description: "z" } as SkillMetadata,
    });
    expect(sureOf([result("a", 1, named("exact_name")), other])).toBeUndefined();
  });

  it("although there are copies of the best, but not where only copies were seen of more", () => {
    expect(sureOf([result("a", 0.45), result("a", 0.45), result("b", 0.1)])).toBe("a");
    expect(sureOf([result("a", 0.4), result("b", 0.3), result("a", 0.1)])).toBeUndefined();
    expect(sureOf([result("a", 0.9), result("a", 0.9)], true)).toBeUndefined();
  });

  it("never of what does not fit, nor of nothing", () => {
    expect(sureOf([result("a", 0.99, near)])).toBeUndefined();
    expect(sureOf([])).toBeUndefined();
  });
});

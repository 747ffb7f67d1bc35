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
const sureOf = (results: readonly SearchResult[], request = "x", truncated = false): string | undefined =>
  confidentResult(request, { results, count: results.length, truncated })?.skill.name;
const named = (reason: SearchReason): Partial<SearchResult> => ({ reason });
const near = { fits: false };

describe("a search is sure", () => {
  it("if the best is more likely than not and 0.3 ahead of the next", () => {
    expect(sureOf([result("a", 0.5), result("b", 0.2)])).toBe("a");
    expect(sureOf([result("a", 0.49), result("b", 0.19)])).toBeUndefined();
    expect(sureOf([result("a", 0.9), result("b", 0.61)])).toBeUndefined();
  });

  it("if nothing else comes anywhere near", () => {
    expect(sureOf([result("a", 0.2), result("b", 0.004)])).toBe("a");
    expect(sureOf([result("a", 0.2), result("b", 0.006)])).toBeUndefined();
    expect(sureOf([result("a", 0.19), result("b", 0)])).toBeUndefined();
  });

  it("if nothing else fits and it has four in five words of the request", () => {
    const best = result("a", 0.05, { matched: ["Fix", "the", "leaky", "tap"] });
    expect(sureOf([best, result("b", 0.04, near)], "fix the leaky tap now")).toBe("a");
    expect(sureOf([best, result("b", 0.04, near)], "fix the leaky tap right now")).toBeUndefined();
    expect(sureOf([best, result("b", 0.04)], "fix the leaky tap now")).toBeUndefined();
    expect(
      sureOf([result("a", 0.05, { matched: ["leaky→leak", "tap", "fix"] })], "fix leaky tap"),
    ).toBeUndefined();
    expect(sureOf([result("a", 0.05, { matched: ["tap"] })], "tap")).toBeUndefined();
    expect(
      sureOf([result("a", 0.05, { matched: ["審查需求", "fix", "tap"] })], "審查需求 fix tap"),
    ).toBeUndefined();
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
    expect(sureOf([result("a", 0.9), result("a", 0.9), result("b", 0.1)])).toBe("a");
    expect(sureOf([result("a", 0.9), result("a", 0.9)], "x", true)).toBeUndefined();
  });

  it("never of what does not fit, nor of nothing", () => {
    expect(sureOf([result("a", 0.99, near)])).toBeUndefined();
    expect(sureOf([])).toBeUndefined();
  });
});

import type { SearchReason, SearchResult, SkillMetadata } from "@knack/core";
import { describe, expect, it } from "vitest";
import { isEvident } from "./evidence.ts";

const found = (reason: SearchReason, score: number, ...matched: string[]): SearchResult => ({
  skill: { name: "code-review" } as SkillMetadata,
  reason,
  score,
  matched,
  fits: true,
});

describe("what a hook tells of unasked (docs/hooks.md)", () => {
  it.each([
    [true, "three words of the description", found("token_overlap", 0.1, "look", "over", "diff")],
    [true, "two, one of them in the name", found("token_overlap", 0.1, "Reviewed", "diff")],
    [true, "two, far before the others", found("token_overlap", 0.9, "look", "diff")],
    [true, "one that is in the name, far before the others", found("token_overlap", 0.9, "reviews")],
    [true, "its name", found("exact_name", 0.1, "x")],
    [false, "one word, far before the others", found("token_overlap", 0.9, "look")],
    [false, "one that is in the name", found("token_overlap", 0.1, "review")],
    [false, "two words", found("token_overlap", 0.1, "look", "diff")],
    [false, "one word twice", found("token_overlap", 0.9, "Look", "look")],
    [false, "corrected words", found("token_overlap", 0.9, "lok→look", "dif→diff", "ovr→over")],
    [false, "a short word that is in every name", found("token_overlap", 0.1, "re", "diff")],
    [false, "words of its text", found("body_match", 0.9, "look", "over", "diff", "now")],
  ])("%s: %s", (expected, _what, result) => {
    expect(isEvident(result)).toBe(expected);
  });
});

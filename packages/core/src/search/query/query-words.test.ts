import { describe, expect, it } from "vitest";
import { backgroundRarity } from "../text/general-rarity.ts";
import { queryBackground } from "./query-words.ts";

const known = (...words: string[]): { word: string; trust: number }[] =>
  words.map((word) => ({ word, trust: 1 }));

describe("how rare a word is in general", () => {
  it.each([
    ["the", "user"],
    ["user", "deploi"],
    ["deploi", "chrysoberyl"],
    ["2024", "kubernet"],
    ["的是", "審查"],
    ["です", "審査"],
  ])("%s is more common than %s", (common, rare) => {
    expect(backgroundRarity(common)).toBeLessThan(backgroundRarity(rare));
  });

  it("is between 0 and 7 for any word", () => {
    for (const word of ["", "a", "x".repeat(60), "𠮷野", "ー", "한국", "c#"]) {
      expect(backgroundRarity(word)).toBeGreaterThan(0);
      expect(backgroundRarity(word)).toBeLessThanOrEqual(7);
    }
  });
});

describe("how much the words of a query say", () => {
  it("words that no skill has count in the total", () => {
    const { weights, total, unknown } = queryBackground(known("migrat"), ["xyzzi"]);
    expect(unknown).toBe(backgroundRarity("xyzzi"));
    expect(total).toBeCloseTo((weights[0] ?? 0) + unknown, 9);
  });

  it("what a correction does not cover stays unknown", () => {
    const rarity = backgroundRarity("migrat");
    const { weights, total, unknown } = queryBackground([{ word: "migrat", trust: 0.6 }], []);
    expect(weights[0]).toBeCloseTo(0.6 * rarity, 9);
    expect(unknown).toBeCloseTo(0.4 * rarity, 9);
    expect(total).toBe(rarity);
  });

  it("pairs of characters count at most as much as words of letters, if there are any", () => {
    const pairs = ["審查", "合約", "條款", "風險", "建議"];
    const { weights } = queryBackground(known("kubernet", ...pairs), []);
    const [letters = 0, ...rest] = weights;
    expect(rest.reduce((sum, weight) => sum + weight, 0)).toBeCloseTo(letters, 9);
    const alone = queryBackground(known(...pairs), []).weights;
    expect(alone[0]).toBeGreaterThan(rest[0] ?? 0);
  });
});

import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { COLUMN_OF, FEATURES, FIT_COLUMN_OF, FIT_FEATURES, topOf } from "./candidates.ts";

it("gives what sorting everything above zero and cutting gives", () => {
  const values = fc.array(fc.integer({ min: 0, max: 5 }), { maxLength: 60 });
  fc.assert(
    fc.property(values, fc.integer({ min: 1, max: 20 }), fc.nat({ max: 3 }), (list, count, refused) => {
      const scores = Float32Array.from(list);
      const isAccepted = (place: number): boolean => place % 4 !== refused;
      const sorted = list
        .map((_, place) => place)
        .filter((place) => (scores[place] ?? 0) > 0)
        .sort((a, b) => (scores[b] ?? 0) - (scores[a] ?? 0) || a - b);
      expect(topOf(scores, count)).toEqual(sorted.slice(0, count));
      expect(topOf(scores, count, isAccepted)).toEqual(sorted.filter(isAccepted).slice(0, count));
    }),
  );
});

describe("ranking features", () => {
  it("compare features that there are, each once", () => {
    expect(new Set(FEATURES).size).toBe(FEATURES.length);
    for (const feature of FEATURES) {
      const [name = "", how, ...more] = feature.split("/");
      expect(FEATURES, feature).toContain(name);
      expect([undefined, "best", "deviation", "rank"], feature).toContain(how);
      expect(more, feature).toEqual([]);
    }
  });

  it("are in the columns that their names say", () => {
    expect(FEATURES.map((name) => COLUMN_OF[name])).toEqual(FEATURES.map((_, column) => column));
    expect(FIT_FEATURES.map((name) => FIT_COLUMN_OF[name])).toEqual(FIT_FEATURES.map((_, column) => column));
  });
});

import fc from "fast-check";
import { expect, it } from "vitest";
import { topOf } from "./candidates.ts";

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

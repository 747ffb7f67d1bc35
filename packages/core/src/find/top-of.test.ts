import fc from "fast-check";
import { expect, it } from "vitest";
import { topOf } from "./top-of.ts";

it("gives what sorting everything and cutting gives", () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 0, max: 5 }), { maxLength: 60 }), fc.nat(20), (values, count) => {
      const scores = Float32Array.from(values);
      const items = values.map((_, i) => i);
      const sorted = items.toSorted((a, b) => (scores[b] ?? 0) - (scores[a] ?? 0) || a - b);
      expect(topOf(items, scores, count)).toEqual(sorted.slice(0, count));
    }),
  );
});

import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { boundedMessage, fewCandidates, fewOf } from "./quote.ts";
import { cases } from "./testing/cases.ts";

describe("lists in messages", () => {
  it("shows a short list whole", () => {
    expect(fewOf([])).toBe("");
    expect(fewOf(["a", "b"])).toBe("a, b");
    expect(fewOf(["  a", "  b"], { separator: "\n", next: "more" })).toBe("  a\n  b");
  });

  it("cuts a long one, and says how many more there are and what to do", () => {
    const names = Array.from({ length: 3_000 }, (_, i) => `n${i}`);
    expect(fewOf(names, { next: '"knack list" has them all' })).toMatch(
      /^n0, n1, .*, n19 and 2,980 more; "knack list" has them all$/,
    );
    const paths = names.map((name) => `  /${name}`);
    expect(fewOf(paths, { separator: "\n" }).split("\n").at(-1)).toBe("  and 2,980 more");
  });

  it("has at most some 2,500 characters whatever the items are, and is well-formed", () => {
    fc.assert(
      fc.property(
        fc.array(fc.string({ unit: "binary", maxLength: 3_000, size: "max" }), { maxLength: 60 }),
        (items) => {
          const told = fewOf(items, { next: "look" });
          expect(told.length).toBeLessThan(2_600);
          if (items.length > 20) expect(told).toMatch(/ and [\d,]+ more; look$/);
          const count = Number(/ and ([\d,]+) more; look$/.exec(told)?.[1]?.replace(",", "") ?? 0);
          expect(count).toBeLessThanOrEqual(items.length);
        },
      ),
      { numRuns: cases(500) },
    );
  });

  it("cuts a message that is all list", () => {
    expect(boundedMessage("short")).toBe("short");
    expect(boundedMessage("x".repeat(300_000)).length).toBeLessThan(8_100);
  });

  it("cuts candidates and keeps their number", () => {
    expect(fewCandidates(["a"])).toEqual({ candidates: ["a"] });
    const many = Array.from({ length: 21 }, (_, i) => `p${i}`);
    expect(fewCandidates(many)).toEqual({ candidates: many.slice(0, 20), candidates_total: 21 });
  });
});

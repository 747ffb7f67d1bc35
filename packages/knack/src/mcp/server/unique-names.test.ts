import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { uniqueNames } from "./unique-names.ts";

const plain = (name: string): string => name.replace(/[^A-Za-z0-9_-]/g, "_").slice(0, 64);

describe("hostile MC-06: names that become the same", () => {
  it("get a suffix that is the same at every start, and the one that is called so keeps its name", () => {
    const told: string[] = [];
    const names = (given: string[]): string[][] =>
      [
        ...uniqueNames(
          given,
          plain,
          (name) => name,
          (name) => told.push(name),
        ),
      ]
        .sort()
        .map(([a, b]) => [a, b]);
    const once = names(["a.b", "a_b", "c"]);
    expect(once).toEqual([
      ["a_b", "a_b"],
      [expect.stringMatching(/^a_b_[0-9a-f]{6}$/), "a.b"],
      ["c", "c"],
    ]);
    expect(names(["c", "a_b", "a.b"])).toEqual(once);
    expect(told).toEqual(["a_b", "a_b"]);
  });

  it("never take the place of another, whatever they are", () => {
    fc.assert(
      fc.property(fc.uniqueArray(fc.string({ maxLength: 80 })), (given) => {
        const named = uniqueNames(given, plain, (name) => name);
        expect([...named.values()].sort()).toEqual(given.toSorted());
        for (const name of named.keys()) expect(name.length).toBeLessThanOrEqual(64);
      }),
    );
  });
});

import { compareText } from "@knack/core/text";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { PAGE_SIZE, pageOf, uniqueNames } from "./lists.ts";

const all = (sorted: readonly string[]): string[] => {
  const told: string[] = [];
  let cursor: string | undefined;
  do {
    const page = pageOf(sorted, cursor, (name) => name);
    told.push(...page.items);
    cursor = page.nextCursor;
  } while (cursor !== undefined);
  return told;
};

describe("pages of a list", () => {
  it("together are the list, each once and in its order", () => {
    fc.assert(
      fc.property(fc.uniqueArray(fc.string(), { maxLength: 3 * PAGE_SIZE }), (names) => {
        const sorted = names.toSorted(compareText);
        expect(all(sorted)).toEqual(sorted);
      }),
    );
  });

  it("leave out nothing that stayed, and tell nothing twice, when the list changes between them", () => {
    const before = Array.from({ length: 150 }, (_, place) => `b${String(place).padStart(3, "0")}`);
    const { items, nextCursor } = pageOf(before, undefined, (name) => name);
    const after = ["a", ...before.filter((name) => name !== items.at(-1)), "c"];
    expect(pageOf(after, nextCursor, (name) => name).items).toEqual([...before.slice(100), "c"]);
  });

  it("end with the list: a full last page has no cursor", () => {
    const names = Array.from({ length: PAGE_SIZE }, (_, place) => `${place}`).sort(compareText);
    expect(pageOf(names, undefined, (name) => name).nextCursor).toBeUndefined();
  });

  it.each(["", "x", "YWZ0ZXI", "after:a", "YWZ0ZXI6YQ==", "\u0000"])("the cursor %j is refused", (cursor) => {
    expect(() => pageOf(["a"], cursor, (name) => name)).toThrow(expect.objectContaining({ code: -32602 }));
  });
});

const plain = (name: string): string => name.replace(/[^A-Za-z0-9_-]/g, "_").slice(0, 64);

describe("names that become the same", () => {
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

import { describe, expect, it } from "vitest";
import { firstPlaces } from "./first-places.ts";
import { settle } from "./settle.ts";

const ids = Array.from({ length: 40 }, (_, at) => `skill-${at}`);

describe("arranging the whole graph", () => {
  it("begins where skills stood, and otherwise at the same places each time", () => {
    const places = firstPlaces(ids, new Map([["skill-3", [7, 8]]]));
    expect([...places.slice(6, 8)]).toEqual([7, 8]);
    expect(firstPlaces(ids, new Map())).toEqual(firstPlaces(ids, new Map()));
    expect(new Set(firstPlaces(ids, new Map())).size).toBeGreaterThan(ids.length);
  });

  it("moves skills that are joined nearer to each other than others, within its time", () => {
    // Two groups, each joined in itself.
    const pairs = ids.slice(2).flatMap((_, at) => [at + 2, at % 2]);
    let last = firstPlaces(ids, new Map());
    for (const places of settle({ places: last, edges: new Uint32Array(pairs), ms: 5_000 })) last = places;
    const away = (a: number, b: number): number =>
      Math.hypot((last[a * 2] ?? 0) - (last[b * 2] ?? 0), (last[a * 2 + 1] ?? 0) - (last[b * 2 + 1] ?? 0));
    expect(away(0, 10)).toBeLessThan(away(1, 10));
    expect(away(1, 11)).toBeLessThan(away(0, 11));
    expect([...last].every(Number.isFinite)).toBe(true);
  });
});

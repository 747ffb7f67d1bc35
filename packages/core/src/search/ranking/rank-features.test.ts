import { describe, expect, it } from "vitest";
import { COLUMN_OF, FEATURES } from "./rank-features.ts";
import { WEIGHTS } from "./rank-weights.ts";

describe("ranking features and their weights", () => {
  it("have the same names, each once", () => {
    expect(new Set(FEATURES).size).toBe(FEATURES.length);
    expect(Object.keys(WEIGHTS).toSorted()).toEqual(FEATURES.toSorted());
  });

  it("are in the columns that their names say", () => {
    expect(FEATURES.map((name) => COLUMN_OF[name])).toEqual(FEATURES.map((_, column) => column));
  });
});

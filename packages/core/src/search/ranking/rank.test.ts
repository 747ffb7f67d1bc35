import { describe, expect, it } from "vitest";
import { COLUMN_OF, FEATURES, FIT_COLUMN_OF, FIT_FEATURES } from "./candidates.ts";

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

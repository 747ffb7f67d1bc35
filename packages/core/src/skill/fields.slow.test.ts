import { expect, it } from "vitest";
import { within } from "../shared/testing/within.ts";
import { DIALECTS } from "./dialects.ts";
import { readFields } from "./fields.ts";

/** Quadratic time would take a minute here. */
it("names that are long rows of marks take linear time", () => {
  const name = `a${"\u0315\u0300".repeat(16_000)}`;
  within(20_000, () => {
    for (let i = 0; i < 100; i++) {
      const { faults } = readFields({ name, description: "x" }, () => 2, "a", DIALECTS.agentskills);
      expect(faults.map(({ fault }) => fault)).toContain("NAME_TOO_LONG");
    }
  });
});

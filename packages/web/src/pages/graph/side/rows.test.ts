import { describe, expect, it } from "vitest";
import type { Outline, Part } from "../edge-kinds.tsx";
import { type Row, rowsAround, rowsOfWhole } from "./rows.ts";

const words = (rows: readonly Row[]): string[] =>
  rows.map((row) =>
    "heading" in row
      ? `# ${row.heading}`
      : "skill" in row
        ? row.skill
        : "cycle" in row
          ? row.cycle.join(">")
          : row.name,
  );

const edge = { type: "requires_now", alternative: false, cycle: false } as const;
const outline: Outline = {
  nodes: ["a", "b", "hub", "alone"].map((name) => ({ id: `id-${name}`, name })),
  edges: [
    { from: 0, to: 2, ...edge },
    { from: 1, to: 2, ...edge },
  ],
  cycles: [[0, 1]],
  missing: [{ from: 1, name: "lost", line: 4, why: "none" }],
};

describe("the list beside the drawing", () => {
  it("has what is wrong first, then the skills with most edges", () => {
    expect(words(rowsOfWhole(outline))).toEqual([
      "# Cycles (1)",
      "a>b",
      "# Unresolved references (1)",
      "b → lost",
      "# Skills with edges (3)",
      "hub",
      "a",
      "b",
      "# Skills without edges (1)",
      "alone",
    ]);
  });

  it("finds skills by any part of the name, beginnings first", () => {
    expect(words(rowsOfWhole(outline, "B"))).toEqual(["# Found (2)", "b", "hub"]);
    expect(rowsOfWhole(outline, "zzz")).toEqual([]);
  });

  it("says of one skill what it leads to, what leads to it and what is further away", () => {
    const reason = { line: 1, sentence: "Use it.", rules: ["r"] };
    const part: Part = {
      focus: "b",
      nodes: ["a", "b", "c"].map((name) => ({ id: name, name, distance: 0, hidden: 0 })),
      edges: [
        { from: "a", to: "b", ...edge, ...reason },
        { from: "b", to: "c", ...edge, ...reason, type: "reference_only" },
        { from: "a", to: "c", ...edge, ...reason },
      ],
      missing: [{ from: "b", name: "lost", line: 2, why: "several" }],
      left_out: 0,
    };
    expect(words(rowsAround(part, new Set()))).toEqual([
      ...["# Leads to (1)", "c", "# Comes from (1)", "a", "# Further away (1)", "a → c"],
      ...["# Unresolved references (1)", "lost"],
    ]);
    expect(words(rowsAround(part, new Set(["reference_only"])))).not.toContain("# Leads to (1)");
  });
});

import { describe, expect, it } from "vitest";
import {
  type GraphPart,
  type GraphRow,
  layOutPart,
  type Outline,
  type PartEdge,
  rowsAround,
  rowsOfWhole,
  stepFrom,
} from "./model.ts";

const edge = (from: string, to: string, more: Partial<PartEdge> = {}): PartEdge => ({
  ...{ from, to, type: "requires_now", alternative: false, cycle: false },
  ...{ line: 1, sentence: "", rules: [] },
  ...more,
});
const part = (
  names: readonly string[],
  edges: PartEdge[],
  missing: GraphPart["missing"] = [],
): GraphPart => ({
  focus: names[0] ?? null,
  nodes: names.map((name) => ({ id: name, name, distance: 0, hidden: 0 })),
  edges,
  missing,
  left_out: 0,
});

describe("the drawing in layers", () => {
  it("marks the focus, cycles and names that mean no skill", () => {
    const { boxes, lines } = layOutPart(
      part(
        ["a", "b"],
        [edge("a", "b", { cycle: true }), edge("b", "a", { cycle: true })],
        [{ from: "a", name: "lost", line: 3, why: "none" }],
      ),
    );
    expect(boxes.map(({ name, kind, isFocus, inCycle }) => [name, kind, isFocus, inCycle])).toEqual([
      ["a", "skill", true, true],
      ["b", "skill", false, true],
      ["lost", "none", false, false],
    ]);
    expect(lines).toHaveLength(3);
  });

  it("cuts the box of a long name", () => {
    const { boxes } = layOutPart(part(["x".repeat(5_000)], []));
    expect(boxes[0]?.width).toBeLessThan(400);
  });
});

describe("arrow keys in the drawing", () => {
  const box = (id: string, x: number, y: number) => ({ id, x, y, width: 10, height: 10 });
  const boxes = [box("middle", 0, 0), box("right", 100, 0), box("low", 0, 50), box("corner", 100, 50)];

  it("lead to the nearest box in their direction, or nowhere", () => {
    expect(stepFrom(boxes, "middle", "ArrowRight")).toBe("right");
    expect(stepFrom(boxes, "middle", "ArrowDown")).toBe("low");
    expect(stepFrom(boxes, "low", "ArrowRight")).toBe("corner");
    expect(stepFrom(boxes, "corner", "ArrowUp")).toBe("right");
    expect(stepFrom(boxes, "middle", "ArrowLeft")).toBeUndefined();
    expect(stepFrom(boxes, "middle", "a")).toBeUndefined();
  });
});
const words = (rows: readonly GraphRow[]): string[] =>
  rows.map(({ name, other }) => (other === undefined ? `# ${name}` : name));

const plain = { type: "requires_now", alternative: false, cycle: false } as const;
const outline: Outline = {
  nodes: ["a", "b", "hub", "alone"].map((name) => ({ id: `id-${name}`, name })),
  edges: [
    { from: 0, to: 2, ...plain },
    { from: 1, to: 2, ...plain },
  ],
  cycles: [[0, 1]],
  missing: [{ from: 1, name: "lost", line: 4, why: "none" }],
};

describe("the list beside the drawing", () => {
  it("has what is wrong first, then the skills with most edges", () => {
    expect(words(rowsOfWhole(outline))).toEqual([
      "# Cycles (1)",
      "a → b → a",
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
    const part: GraphPart = {
      focus: "b",
      nodes: ["a", "b", "c"].map((name) => ({ id: name, name, distance: 0, hidden: 0 })),
      edges: [
        { from: "a", to: "b", ...plain, ...reason },
        { from: "b", to: "c", ...plain, ...reason, type: "reference_only" },
        { from: "a", to: "c", ...plain, ...reason },
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

import { describe, expect, it } from "vitest";
import type { Part, PartEdge } from "../edge-kinds.tsx";
import { layOut } from "./lay-out.ts";
import { stepFrom } from "./step-from.ts";

const edge = (from: string, to: string, more: Partial<PartEdge> = {}): PartEdge => ({
  ...{ from, to, type: "requires_now", alternative: false, cycle: false },
  ...{ line: 1, sentence: "", rules: [] },
  ...more,
});
const part = (names: readonly string[], edges: PartEdge[], missing: Part["missing"] = []): Part => ({
  focus: names[0] ?? null,
  nodes: names.map((name) => ({ id: name, name, distance: 0, hidden: 0 })),
  edges,
  missing,
  left_out: 0,
});

describe("the drawing in layers", () => {
  it("puts what leads to a skill left of it", () => {
    const { boxes } = layOut(part(["b", "a", "c"], [edge("a", "b"), edge("b", "c")]));
    const left = new Map(boxes.map(({ id, x }) => [id, x]));
    expect(left.get("a")).toBeLessThan(left.get("b") ?? 0);
    expect(left.get("b")).toBeLessThan(left.get("c") ?? 0);
  });

  it("marks the focus, cycles and names that mean no skill", () => {
    const { boxes, lines } = layOut(
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
    for (const { path } of lines) expect(path).toMatch(/^M[\d.]+ [\d.]+C/);
  });

  it("takes names that are properties of every object, long names, and nothing", () => {
    const names = ["constructor", "__proto__", "toString", "x".repeat(5_000)];
    const { boxes } = layOut(part(names, [edge("constructor", "__proto__"), edge("__proto__", "toString")]));
    expect(boxes.map(({ name }) => name)).toEqual(names);
    for (const { x, y, width } of boxes) {
      expect(Number.isFinite(x + y)).toBe(true);
      expect(width).toBeLessThan(400);
    }
    expect(layOut(part([], [])).boxes).toEqual([]);
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

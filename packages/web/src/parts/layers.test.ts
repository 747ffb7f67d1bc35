import { describe, expect, it } from "vitest";
import { layOut } from "./layers.tsx";

const boxes = (...ids: string[]) => ids.map((id) => ({ id, width: 100, height: 30 }));
const edge = (from: string, to: string) => ({ from, to });

describe("a drawing in layers", () => {
  it("puts each box to the right of those that lead to it", () => {
    const drawn = layOut(boxes("a", "b", "c", "d"), [
      edge("a", "b"),
      edge("a", "c"),
      edge("b", "d"),
      edge("c", "d"),
    ]);
    const x = (id: string) => drawn.boxes.find((box) => box.id === id)?.x ?? 0;
    expect(x("a")).toBeLessThan(x("b"));
    expect(x("b")).toBe(x("c"));
    expect(x("d")).toBeGreaterThan(x("c") + 100);
    expect(drawn.lines.map(({ from, to }) => `${from}-${to}`)).toEqual(["a-b", "a-c", "b-d", "c-d"]);
    for (const { path } of drawn.lines) expect(path).toMatch(/^M[\d.]+ [\d.]+C/);
    expect(drawn.width).toBeGreaterThan(3 * 100);
    expect(drawn.height).toBeGreaterThan(2 * 30);
  });

  it("has a line of its own for each way between two boxes", () => {
    const [there, back] = layOut(boxes("a", "b"), [edge("a", "b"), edge("b", "a")]).lines;
    expect(there?.path).toMatch(/^M/);
    expect(back?.path).not.toBe(there?.path);
  });

  it("takes a box without lines, a line to nothing, and nothing", () => {
    expect(layOut(boxes("alone", "b"), [edge("gone", "b")]).lines).toEqual([]);
    expect(layOut([], []).boxes).toEqual([]);
  });

  it("takes any id, also one that objects have", () => {
    const drawn = layOut(boxes("__proto__", "constructor"), [edge("__proto__", "constructor")]);
    expect(drawn.boxes.map(({ id }) => id)).toEqual(["__proto__", "constructor"]);
    expect(drawn.lines).toMatchObject([{ from: "__proto__", to: "constructor" }]);
    for (const { x, y } of drawn.boxes) expect(Number.isFinite(x + y)).toBe(true);
  });
});

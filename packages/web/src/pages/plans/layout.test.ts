import { describe, expect, it } from "vitest";
import { layoutPlan, NODE } from "./layout.ts";

const task = (id: string, ...depends_on: string[]) => ({ id, depends_on });

describe("the drawing of a plan", () => {
  it("puts each task to the right of those that it depends on", () => {
    const { nodes, edges, width, height } = layoutPlan([
      task("a"),
      task("b", "a"),
      task("c", "a"),
      task("d", "b", "c"),
    ]);
    const x = (id: string) => nodes.get(id)?.x ?? 0;
    expect(x("a")).toBeLessThan(x("b"));
    expect(x("b")).toBe(x("c"));
    expect(x("d")).toBeGreaterThan(x("c") + NODE.width);
    expect(edges.map(({ from, to }) => `${from}-${to}`).sort()).toEqual(["a-b", "a-c", "b-d", "c-d"]);
    for (const { path } of edges) expect(path).toMatch(/^M[\d.]+ [\d.]+C/);
    expect(width).toBeGreaterThan(3 * NODE.width);
    expect(height).toBeGreaterThan(2 * NODE.height);
  });

  it("takes a task that nothing depends on, and one that depends on nothing known", () => {
    expect(layoutPlan([task("alone"), task("b", "gone")]).edges).toEqual([]);
    expect(layoutPlan([]).nodes.size).toBe(0);
  });

  it("takes any id, also one that objects have", () => {
    const { nodes, edges } = layoutPlan([task("__proto__"), task("constructor", "__proto__")]);
    expect([...nodes.keys()]).toEqual(["__proto__", "constructor"]);
    expect(edges).toMatchObject([{ from: "__proto__", to: "constructor" }]);
  });
});

import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { cases } from "../../../core/src/shared/testing/cases.ts";
import { orderTasks } from "./readiness.ts";

const task = (id: string, ...dependsOn: string[]) => ({ id, dependsOn });

describe("the order of tasks", () => {
  it("is the plan's own where that is possible", () => {
    expect(orderTasks([task("c"), task("a"), task("b", "c")])).toEqual({ order: ["c", "a", "b"] });
    expect(orderTasks([task("c", "a"), task("a"), task("b")])).toEqual({ order: ["a", "c", "b"] });
    expect(orderTasks([])).toEqual({ order: [] });
  });

  it("is found for a chain of 10,000 tasks, written from its end", () => {
    const chain = Array.from({ length: 10_000 }, (_, i) =>
      task(`t${i}`, ...(i < 9_999 ? [`t${i + 1}`] : [])),
    );
    const result = orderTasks(chain);
    expect("order" in result && [result.order.length, result.order[0], result.order.at(-1)]).toEqual([
      10_000,
      "t9999",
      "t0",
    ]);
  });

  it("has a task that depends twice on another once", () => {
    expect(orderTasks([task("b", "a", "a"), task("a")])).toEqual({ order: ["a", "b"] });
  });

  it("is valid, or there is a real circle: any graph", () => {
    const graphs = fc.integer({ min: 1, max: 12 }).chain((size) =>
      fc.array(fc.array(fc.integer({ min: 0, max: size - 1 }), { maxLength: 3 }), {
        minLength: size,
        maxLength: size,
      }),
    );
    let circles = 0;
    fc.assert(
      fc.property(graphs, (graph) => {
        const tasks = graph.map((before, i) => task(String(i), ...before.map(String)));
        const result = orderTasks(tasks);
        if ("cycle" in result) {
          circles++;
          expect(result.cycle.length).toBeGreaterThan(1);
          expect(result.cycle[0]).toBe(result.cycle.at(-1));
          for (const [i, id] of result.cycle.slice(0, -1).entries())
            expect(tasks[Number(id)]?.dependsOn).toContain(result.cycle[i + 1]);
          return;
        }
        expect(result.order.toSorted()).toEqual(tasks.map(({ id }) => id).toSorted());
        for (const { id, dependsOn } of tasks)
          for (const before of dependsOn)
            expect(result.order.indexOf(before)).toBeLessThan(result.order.indexOf(id));
      }),
      { numRuns: cases(2000) },
    );
    expect(circles).toBeGreaterThan(50);
  });
});

import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { cases } from "../../../core/src/shared/testing/cases.ts";
import type { Requirement, TaskStatus } from "./plan.ts";
import { orderTasks, standingOf, type TaskFacts } from "./readiness.ts";

const ask = (kind: Requirement["kind"], have: number, more: Partial<Requirement> = {}) => {
  return { kind, required: true, minCount: 1, have, ...more };
};
const standing = (facts: Partial<TaskFacts>): string => {
  const { status, blockedReason } = standingOf({
    status: "PENDING",
    dependsOn: [],
    requirements: [],
    failures: 0,
    ...facts,
  });
  return blockedReason === null ? status : `${status} ${blockedReason}`;
};
const FILE = ask("FILE", 0);
const CONFIRMATION = ask("CONFIRMATION", 0);
const OUTPUT = ask("SKILL_OUTPUT", 0);

describe("where a task stands", () => {
  it.each<[string, Partial<TaskFacts>]>([
    ["READY", {}],
    ["PENDING", { dependsOn: ["READY"] }],
    ["PENDING", { dependsOn: ["DONE", "FAILED"] }],
    ["PENDING", { dependsOn: ["ABANDONED"] }],
    ["READY", { dependsOn: ["DONE", "DONE"] }],
    ["BLOCKED WAITING_INPUT", { requirements: [FILE] }],
    ["BLOCKED WAITING_APPROVAL", { requirements: [CONFIRMATION] }],
    ["BLOCKED WAITING_SKILL", { requirements: [OUTPUT] }],
    ["BLOCKED WAITING_INPUT", { requirements: [OUTPUT, CONFIRMATION, FILE] }],
    ["BLOCKED WAITING_APPROVAL", { requirements: [OUTPUT, CONFIRMATION, ask("FILE", 1)] }],
    ["BLOCKED WAITING_INPUT", { requirements: [ask("FILE", 1, { minCount: 2 })] }],
    ["READY", { requirements: [ask("FILE", 2, { minCount: 2 })] }],
    ["READY", { requirements: [ask("FILE", 0, { required: false })] }],
    ["PENDING", { dependsOn: ["FAILED"], requirements: [FILE] }],
    ["READY", { status: "BLOCKED", requirements: [ask("FILE", 1)] }],
    ["DONE", { status: "DONE" }],
    ["PENDING", { status: "DONE", dependsOn: ["READY"] }],
    ["BLOCKED WAITING_INPUT", { status: "DONE", requirements: [FILE] }],
    ["IN_PROGRESS", { status: "IN_PROGRESS", dependsOn: ["FAILED"], requirements: [FILE] }],
    ["ABANDONED", { status: "ABANDONED" }],
    ["FAILED", { status: "FAILED", failures: 2 }],
    ["BLOCKED WAITING_EXTERNAL", { status: "FAILED", failures: 3 }],
    ["BLOCKED WAITING_EXTERNAL", { status: "BLOCKED", failures: 4 }],
    ["READY", { status: "BLOCKED", failures: 0 }],
    ["DONE", { status: "DONE", failures: 3 }],
  ])("%s: %j", (expected, facts) => {
    expect(standing(facts)).toBe(expected);
  });

  const states: TaskStatus[] = ["PENDING", "READY", "IN_PROGRESS", "BLOCKED", "DONE", "FAILED", "ABANDONED"];
  const facts = fc.record({
    status: fc.constantFrom(...states),
    dependsOn: fc.array(fc.constantFrom(...states), { maxLength: 3 }),
    requirements: fc.array(
      fc
        .record({
          kind: fc.constantFrom("FILE" as const, "CONFIRMATION" as const, "SKILL_OUTPUT" as const),
          have: fc.nat(3),
          required: fc.boolean(),
          minCount: fc.integer({ min: 1, max: 3 }),
        })
        .map(({ kind, have, ...more }) => ask(kind, have, more)),
      { maxLength: 4 },
    ),
    failures: fc.nat(5),
  });

  it("is never READY while something required is missing, and says a reason exactly when it is BLOCKED", () => {
    fc.assert(
      fc.property(facts, (given) => {
        const { status, blockedReason } = standingOf(given);
        expect(blockedReason !== null).toBe(status === "BLOCKED");
        const isMissing = given.requirements.some((one) => one.required && one.have < one.minCount);
        if (status === "READY" || status === "FAILED") {
          expect(isMissing).toBe(false);
          expect(given.dependsOn.every((before) => before === "DONE")).toBe(true);
          expect(given.failures).toBeLessThan(3);
        }
        if (status === "DONE") expect(given.status).toBe("DONE");
      }),
      { numRuns: cases(5000) },
    );
  });

  it("stands still: settled once more it is the same", () => {
    fc.assert(
      fc.property(facts, (given) => {
        const once = standingOf(given);
        expect(standingOf({ ...given, status: once.status })).toEqual(once);
      }),
      { numRuns: cases(5000) },
    );
  });
});

const task = (id: string, ...dependsOn: string[]) => ({ id, dependsOn, requirements: [] });

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

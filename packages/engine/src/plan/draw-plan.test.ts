import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { cases } from "../../../core/src/shared/testing/cases.ts";
import { planAsDot, planAsMermaid } from "./draw-plan.ts";

const task = (id: string, title: string, ...depends_on: string[]) => ({
  id,
  title,
  status: "READY" as const,
  blocked_reason: null,
  depends_on,
});

describe("a drawing of a plan", () => {
  it("in Mermaid has a node a task and an edge a dependency", () => {
    const text = planAsMermaid([
      { ...task("a", "First"), status: "BLOCKED", blocked_reason: "WAITING_INPUT" },
      task("end", "end", "a"),
    ]);
    expect(text.split("\n").slice(0, 4)).toEqual([
      "flowchart LR",
      '  t1["a: First<br/>BLOCKED: WAITING_INPUT"]:::blocked',
      '  t2["end<br/>READY"]:::ready',
      "  t1 --> t2",
    ]);
  });

  it("for Graphviz has the same", () => {
    expect(planAsDot([task("a", "First"), task("b", "", "a")])).toBe(
      'digraph plan {\n  rankdir=LR;\n  node [shape=box];\n  "a" [label="a: First\\nREADY", color="#1d4ed8"];\n  "b" [label="b\\nREADY", color="#1d4ed8"];\n  "a" -> "b";\n}\n',
    );
  });

  const strange = fc.oneof(
    fc.string({ unit: "binary" }),
    fc.constantFrom(
      '"]:::x\n t9["',
      "</script>",
      '\\"',
      "\\",
      "%%{init: {}}%%",
      "`md`",
      "#quot;",
      "\u2028\u202e\u0085",
    ),
  );

  it("keeps its structure whatever a title says", () => {
    fc.assert(
      fc.property(strange, (title) => {
        const mermaid = planAsMermaid([task("a", title), task("b", "b", "a")]).split("\n");
        expect(mermaid[1]).toMatch(/^ {2}t1\["[^"\p{Cc}\u2028\u2029\u202e]*"\]:::ready$/u);
        expect((mermaid[1] ?? "").replaceAll("<br/>", "")).not.toMatch(/[<>&`]/);
        expect(mermaid.slice(2, 4)).toEqual(['  t2["b<br/>READY"]:::ready', "  t1 --> t2"]);
        const dot = planAsDot([task("a", title), task("b", "b", "a")]).split("\n");
        expect(dot[3]).toMatch(
          /^ {2}"a" \[label="(?:[^"\\\p{Cc}\u2028\u2029\u202e]|\\.)*", color="#1d4ed8"\];$/u,
        );
        expect(dot).toHaveLength(8);
      }),
      { numRuns: cases(1000) },
    );
  });
});

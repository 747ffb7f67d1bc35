import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import { cases } from "../shared/testing/cases.ts";
import { checkDispatch } from "./guards.ts";
import { freezeHeader, type RuntimeHeader, renderHeader } from "./header.ts";
import type { DispatchCaller } from "./running-frames.ts";

const HEADER: RuntimeHeader = {
  execution_mode: "delegated",
  identity: {
    role: "fixer",
    current_skill: "systematic-debugging",
    origin_skill: "executing-plans",
    root_loaded: true,
  },
  policy: { forbid_root_reload: true, max_depth: 3, allow_reentry: false },
  trace: {
    request_id: "req-2026-02-15-001",
    depth: 2,
    skill_stack: ["writing-plans", "executing-plans", "systematic-debugging"],
    visited_skills: ["writing-plans", "executing-plans"],
  },
};

describe("000 §2 the runtime header", () => {
  it("cannot be changed by whoever gets it", () => {
    const header = freezeHeader(HEADER);
    expect(() => Object.assign(header.policy, { max_depth: 99 })).toThrow(TypeError);
    expect(() => Object.assign(header.trace, { depth: 0 })).toThrow(TypeError);
    expect(() => (header.trace.visited_skills as string[]).pop()).toThrow(TypeError);
    expect(() => Object.assign(header, { execution_mode: "root" })).toThrow(TypeError);
    expect(header).toEqual(HEADER);
  });

  it("reads back as what it was, whatever the names are, a line each", () => {
    const odd = "null|yes|0x1f|1e3|2026-02-15|a: b|- a|#a|a\n  root_loaded: false|```|'|\"|".split("|");
    const name = fc.oneof(fc.string({ unit: "binary" }), fc.string({ unit: "grapheme" }));
    fc.assert(
      fc.property(name, fc.array(name, { maxLength: 4 }), (one, many) => {
        const { identity, trace } = HEADER;
        const header: RuntimeHeader = {
          ...HEADER,
          identity: { ...identity, current_skill: one, origin_skill: many[0] ?? null },
          trace: { ...trace, request_id: one, skill_stack: many, visited_skills: [one] },
        };
        const text = renderHeader(header);
        for (const version of ["1.1", "1.2"] as const) expect(parse(text, { version })).toEqual(header);
        expect(text.split(/[\n\r\u0085\u2028\u2029]/)).toHaveLength(17 + many.length);
      }),
      { numRuns: cases(2_000), examples: odd.map((one) => [one, [one]]) },
    );
  });
});

/** The request of document 000 §8, as it arrives. */
const CALLER: DispatchCaller = {
  requestId: "req-2026-02-15-001",
  skill: "executing-plans",
  depth: 1,
  stack: ["writing-plans", "executing-plans"],
  visitedNames: ["writing-plans", "executing-plans"],
  visited: ["/w/SKILL.md", "/e/SKILL.md"],
  rootLoaded: true,
  policy: { forbid_root_reload: true, max_depth: 3, allow_reentry: false },
  rootSkills: ["/root/SKILL.md"],
};
const TARGET = { name: "systematic-debugging", path: "/s/SKILL.md" };
const ROOT = { name: "tao-of-coding", path: "/root/SKILL.md" };
const VISITED = { name: "writing-plans", path: "/w/SKILL.md" };
const policy = (more: Partial<DispatchCaller["policy"]>): DispatchCaller => ({
  ...CALLER,
  policy: { ...CALLER.policy, ...more },
});
const codeOf = (...args: Parameters<typeof checkDispatch>): string | undefined =>
  checkDispatch(...args)?.code;

describe("000 §4 the four checks", () => {
  it("asks them in this order: the first that fails is the answer", () => {
    const all = { ...policy({ max_depth: 0 }), visited: [ROOT.path, TARGET.path] };
    expect(codeOf(all, ROOT, "reference_only")).toBe("E_ROOT_RELOAD_BLOCKED");
    expect(codeOf(all, TARGET, "reference_only")).toBe("E_SKILL_REENTRY_BLOCKED");
    expect(codeOf({ ...all, visited: [] }, TARGET, "reference_only")).toBe("E_DEPTH_LIMIT");
    expect(codeOf(CALLER, TARGET, "reference_only")).toBe("E_EDGE_NOT_EXECUTABLE");
  });

  it("asks them in root mode too", () => {
    const outermost: DispatchCaller = { ...CALLER, skill: null, depth: null, rootLoaded: false };
    expect(codeOf(outermost, VISITED, "requires_now")).toBe("E_SKILL_REENTRY_BLOCKED");
    expect(codeOf(outermost, TARGET, "requires_later")).toBe("E_EDGE_NOT_EXECUTABLE");
  });
});

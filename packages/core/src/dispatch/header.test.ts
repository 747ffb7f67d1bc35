import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import { cases } from "../shared/testing/cases.ts";
import { freezeHeader, type RuntimeHeader, renderHeader } from "./header.ts";

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
  it("is written as the document has it, without its comments", () => {
    expect(renderHeader(HEADER)).toBe(`execution_mode: delegated
identity:
  role: fixer
  current_skill: systematic-debugging
  origin_skill: executing-plans
  root_loaded: true
policy:
  forbid_root_reload: true
  max_depth: 3
  allow_reentry: false
trace:
  request_id: req-2026-02-15-001
  depth: 2
  skill_stack:
    - writing-plans
    - executing-plans
    - systematic-debugging
  visited_skills:
    - writing-plans
    - executing-plans
`);
  });

  it("cannot be changed by whoever gets it", () => {
    const header = freezeHeader(HEADER);
    expect(() => Object.assign(header.policy, { max_depth: 99 })).toThrow(TypeError);
    expect(() => Object.assign(header.trace, { depth: 0 })).toThrow(TypeError);
    expect(() => (header.trace.visited_skills as string[]).pop()).toThrow(TypeError);
    expect(() => Object.assign(header, { execution_mode: "root" })).toThrow(TypeError);
    expect(header).toEqual(HEADER);
  });

  it.each([
    "null",
    "yes",
    "0x1f",
    "1e3",
    "2026-02-15",
    "a: b",
    "- a",
    "#a",
    "a\n  root_loaded: false",
    "```",
    "'",
    '"',
    "",
  ])("no name is read as anything else: %j", (name) => {
    const header = { ...HEADER, trace: { ...HEADER.trace, request_id: name, skill_stack: [name] } };
    expect(parse(renderHeader(header), { version: "1.1" })).toEqual(header);
  });

  it("reads back as what it was, whatever the names are, a line each", () => {
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
        expect(parse(text)).toEqual(header);
        expect(text.split(/[\n\r\u0085\u2028\u2029]/)).toHaveLength(17 + many.length);
      }),
      { numRuns: cases(2_000) },
    );
  });
});

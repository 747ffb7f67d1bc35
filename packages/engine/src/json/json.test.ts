import { runInNewContext } from "node:vm";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { cases } from "../../../core/src/shared/testing/cases.ts";
import { canonicalJson, type JsonValue, parseJsonStrict, toPlainJson } from "./json.ts";

describe("RFC 8785", () => {
  it("gives the text of the RFC's own example (§3.2.2, §3.2.3)", () => {
    const value = {
      numbers: [Number("333333333.33333329"), 1e30, 4.5, 2e-3, 0.000000000000000000000000001],
      string: "\u20ac$\u000F\u000aA'\u0042\u0022\u005c\\\"/",
      literals: [null, true, false],
    };
    expect(canonicalJson(value)).toBe(
      '{"literals":[null,true,false],"numbers":[333333333.3333333,1e+30,4.5,0.002,1e-27],' +
        '"string":"€$\\u000f\\nA\'B\\"\\\\\\\\\\"/"}',
    );
  });

  it("orders keys by UTF-16 code units (§3.2.3)", () => {
    const keys = ["\u20ac", "\r", "\ufb33", "1", "\u{1f600}", "\u0080", "\u00f6"];
    const value = Object.fromEntries(keys.map((key) => [key, 0]));
    expect(Object.keys(JSON.parse(canonicalJson(value)) as object).sort()).toEqual([...keys].sort());
    expect(
      [...canonicalJson(value).matchAll(/"((?:[^"\\]|\\.)*)":/g)].map((match) => JSON.parse(`"${match[1]}"`)),
    ).toEqual(["\r", "1", "\u0080", "\u00f6", "\u20ac", "\u{1f600}", "\ufb33"]);
  });

  it.each([
    [0, "0"],
    [-0, "0"],
    [5e-324, "5e-324"],
    [1.7976931348623157e308, "1.7976931348623157e+308"],
    [9007199254740992, "9007199254740992"],
    [295147905179352830000, "295147905179352830000"],
    [9.999999999999997e22, "9.999999999999997e+22"],
    [1e21, "1e+21"],
    [0.000001, "0.000001"],
    [1e-7, "1e-7"],
    [333333333.33333325, "333333333.33333325"],
  ])("writes the number %d as %s (appendix B)", (number, text) => expect(canonicalJson(number)).toBe(text));

  it("refuses what has no canonical form", () => {
    for (const value of [Number.NaN, Number.POSITIVE_INFINITY, "\ud800"]) {
      expect(() => canonicalJson(value)).toThrow(TypeError);
    }
  });

  it("comes back through JSON.parse as the same value, and has one text whatever the order of keys", () => {
    const json = fc.jsonValue({ maxDepth: 5 });
    fc.assert(
      fc.property(json, (generated) => {
        const value = JSON.parse(JSON.stringify(generated)) as JsonValue;
        const text = canonicalJson(value);
        expect(JSON.parse(text)).toEqual(value);
        expect(canonicalJson(shuffled(value))).toBe(text);
        expect(canonicalJson(JSON.parse(text) as JsonValue)).toBe(text);
      }),
      { numRuns: cases(5_000) },
    );
  });
});

function shuffled(value: JsonValue): JsonValue {
  if (Array.isArray(value)) return value.map(shuffled);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .reverse()
      .map(([key, item]) => [key, shuffled(item)]),
  );
}

const problem = (value: unknown) => {
  const result = toPlainJson(value, "params");
  return "problem" in result ? result.problem : undefined;
};
const copy = (value: unknown) => {
  const result = toPlainJson(value, "params");
  if ("problem" in result) expect.fail(result.problem);
  return result.value;
};

describe("values that are not JSON", () => {
  const cyclic: Record<string, unknown> = {};
  cyclic.self = { cyclic };
  it.each([
    ["NaN", { a: Number.NaN }, "params/a: NaN is not JSON"],
    ["Infinity (1e400)", { a: Number("1e400") }, "params/a: Infinity"],
    ["an unsafe integer", { a: Number("9007199254740993") }, "beyond 2^53"],
    ["a BigInt", { a: 1n }, "a bigint is not JSON"],
    ["an undefined field", { a: undefined }, "params/a: undefined is not JSON"],
    ["a Date", { a: new Date(0) }, "a Date is not JSON"],
    ["a Map", new Map(), "params: a Map is not JSON"],
    ["a symbol", { a: Symbol("x") }, "a symbol is not JSON"],
    ["a symbol as a key", { [Symbol("x")]: 1 }, "a symbol as a key"],
    ["a function", { a: () => 1 }, "a function is not JSON"],
    ["a toJSON trap", { toJSON: () => ({}) }, "params/toJSON: a function"],
    ["a cyclic object", cyclic, "refers to itself"],
    ["an object of a class", new (class Thing {})(), "a Thing is not JSON"],
    ["a boxed text", { a: Object("x") }, "a String is not JSON"],
    ["a list with gaps", { a: Object.assign([], { 2: 3 }) }, "gaps"],
    ["a huge empty list", { a: new Array(1e9) }, "gaps"],
    ["a typed array", { a: new Uint8Array(2) }, "a Uint8Array is not JSON"],
    ["half a surrogate pair", { a: "\ud800" }, "surrogate"],
    ["a key of half a pair", { "\udc00": 1 }, "surrogate"],
  ])("refuses %s", (_name, value, message) => expect(problem(value)).toContain(message));

  it("makes -0 a 0, and takes plain values of another context", () => {
    expect(Object.is((copy({ a: -0 }) as { a: number }).a, 0)).toBe(true);
    expect(copy(runInNewContext("({ a: [1, { b: null }] })"))).toEqual({ a: [1, { b: null }] });
  });

  it("is bounded in depth and size", () => {
    let deep: unknown = 1;
    for (let i = 0; i < 70; i++) deep = [deep];
    expect(problem(deep)).toContain("nested more than 64");
    expect(problem(Array.from({ length: 100_001 }, () => 0))).toContain("more than 100000 values");
  });
});

describe("keys that are more than data", () => {
  it("refuses __proto__ at any depth and leaves every prototype alone", () => {
    expect(problem(JSON.parse('{"__proto__": {"x": 1}}'))).toContain('"__proto__" is not allowed');
    expect(problem(JSON.parse('{"a": [{"__proto__": {"x": 1}}]}'))).toContain("params/a/0");
    expect(copy(JSON.parse('{"constructor": {"prototype": {"x": 1}}}'))).toEqual({
      constructor: { prototype: { x: 1 } },
    });
    expect(({} as Record<string, unknown>).x).toBeUndefined();
  });
});

describe("JSON text", () => {
  it.each([
    ['{"a":1,"a":2}', '"a"'],
    ['{"a":1, "\\u0061" : 2}', '"a"'],
    ['[{"x":{"k":1,"l":[{}],"k":2}}]', '"k"'],
    ['{"__proto__":1,"__proto__":2}', '"__proto__"'],
    ['{"a\\"b":1,"a\\"b":2}', '"a\\"b"'],
  ])("refuses the key that %s has twice", (text, key) =>
    expect(parseJsonStrict(text)).toEqual({ problem: `The key ${key} is given twice.` }),
  );

  it("takes one key in different objects, and texts that look like keys", () => {
    const text = '{"a":{"a":[{"a":1},{"a":2}]},"b":"a","c":["a","a",":","{\\"a\\":1"]}';
    expect(parseJsonStrict(text)).toEqual({ value: JSON.parse(text) });
  });

  it("says what is not JSON", () => expect(parseJsonStrict("{a:1}")).toHaveProperty("problem"));

  it("reads every JSON text as JSON.parse does", () => {
    fc.assert(
      fc.property(fc.json(), (text) => {
        expect(parseJsonStrict(text)).toEqual({ value: JSON.parse(text) });
      }),
      { numRuns: cases(2_000) },
    );
  });
});

import { runInNewContext } from "node:vm";
import { describe, expect, it } from "vitest";
import { toPlainJson } from "./plain-json.ts";

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

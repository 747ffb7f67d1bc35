import { describe, expect, it } from "vitest";
import { checker, problemOf } from "./testing/params-checker.ts";

describe("schemas of strangers", () => {
  it("ends where references double at every step", () => {
    const $defs = Object.fromEntries(
      Array.from({ length: 40 }, (_, i) => [
        `d${i}`,
        { allOf: [{ $ref: `#/$defs/d${i + 1}` }, { $ref: `#/$defs/d${i + 1}` }] },
      ]),
    );
    const schema = { allOf: [{ $ref: "#/$defs/d0" }], $defs: { ...$defs, d40: {} } };
    expect(problemOf(schema)).toContain("times out");
    const tree = { properties: { a: { allOf: [{ $ref: "#" }, { $ref: "#" }] } } };
    const deep = Array.from({ length: 60 }).reduce<object>((inner) => ({ a: inner }), {});
    expect(checker(tree).check(deep)).toEqual({
      problems: ["params: checking them against the schema timed out."],
    });
  });

  it("ends where every pair of a long list is compared", () => {
    const list = Array.from({ length: 40_000 }, (_, i) => [i]);
    expect(checker({ properties: { a: { uniqueItems: true } } }).check({ a: list })).toEqual({
      problems: ["params: checking them against the schema timed out."],
    });
  });
});

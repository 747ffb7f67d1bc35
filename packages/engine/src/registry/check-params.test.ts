import { describe, expect, it } from "vitest";
import { within } from "../../../core/src/shared/testing/within.ts";
import { checker, problemOf } from "./testing/params-checker.ts";

const DRAFT_07 = "http://json-schema.org/draft-07/schema#";

const maxChars = {
  type: "object",
  properties: { max_chars: { type: "integer", default: 200000, minimum: 1 } },
};

describe("003 §2.1 parameters", () => {
  it("fills in the defaults, on a frozen copy", () => {
    const given = {};
    const checked = checker(maxChars).check(given);
    expect(checked).toEqual({ params: { max_chars: 200000 } });
    expect("params" in checked && Object.isFrozen(checked.params)).toBe(true);
    expect(given).toEqual({});
  });

  it("names the parameter and the rule of every problem", () => {
    const schema = {
      properties: { a: { type: "integer" }, b: { enum: ["x", "y"] }, c: {} },
      required: ["c"],
    };
    expect(checker(schema).check({ a: "1", b: "z" })).toEqual({
      problems: [
        "params: must have required property 'c'.",
        "params/a: must be integer.",
        'params/b: must be equal to one of the allowed values: ["x","y"].',
      ],
    });
  });

  it.each([null, [], "x", 1])("takes an object only, not %j", (value) =>
    expect(checker(maxChars).check(value)).toEqual({
      problems: ["params: must be an object with the parameters by name."],
    }),
  );
});

describe("parameters that the schema does not know", () => {
  it("are refused with the nearest name where nothing is said about them", () => {
    for (const schema of [
      maxChars,
      { ...maxChars, $schema: DRAFT_07 },
      { ...maxChars, additionalProperties: false },
    ]) {
      expect(checker(schema).check({ max_char: 1 })).toEqual({
        problems: ['params: unknown parameter "max_char"; did you mean "max_chars"?'],
      });
    }
  });

  it("are all of them where the schema is empty", () => {
    expect(checker({}).check({})).toEqual({ params: {} });
    expect(checker({}).check({ a: 1 })).toEqual({ problems: ['params: unknown parameter "a".'] });
  });

  it("are taken where the schema says so", () => {
    expect(checker({ additionalProperties: true }).check({ a: 1 })).toEqual({ params: { a: 1 } });
    expect(checker({ patternProperties: { "^x-": {} } }).check({ "x-a": 1 })).toEqual({
      params: { "x-a": 1 },
    });
  });

  it("are none where another part of the schema declares them", () => {
    for (const $schema of [DRAFT_07, "https://json-schema.org/draft/2020-12/schema"]) {
      const schema = { $schema, allOf: [{ $ref: "#/$defs/a" }], $defs: { a: { properties: { a: {} } } } };
      expect(checker(schema).check({ a: 1 })).toEqual({ params: { a: 1 } });
      expect(checker(schema).check({ b: 1 })).toHaveProperty("problems");
    }
  });

  it("does not check formats, known or not", () => {
    const schema = {
      properties: { a: { type: "string", format: "email" }, b: { format: "knack-nonsense" } },
    };
    expect(checker(schema).check({ a: "no", b: 1 })).toEqual({ params: { a: "no", b: 1 } });
  });
});

describe("what a caller hands in", () => {
  it("refuses __proto__, and constructor as unknown", () => {
    expect(checker(maxChars).check(JSON.parse('{"__proto__": {"x": 1}}'))).toHaveProperty("problems");
    expect(checker(maxChars).check({ constructor: { prototype: { x: 1 } } })).toHaveProperty("problems");
    expect(({} as Record<string, unknown>).x).toBeUndefined();
  });

  it("fills in a default for a parameter that is called constructor", () => {
    const schema = { properties: { constructor: { type: "string", default: "x" } } };
    expect(checker(schema).check({})).toEqual({ params: Object.fromEntries([["constructor", "x"]]) });
  });

  it("refuses values that are not JSON, and reads a getter once", () => {
    expect(checker(maxChars).check({ max_chars: Number.NaN })).toHaveProperty("problems");
    let reads = 0;
    expect(checker(maxChars).check({ get max_chars() { return ++reads; } })).toEqual({ params: { max_chars: 1 } }); // biome-ignore format: one line
  });
});

describe("schemas of strangers", () => {
  it.each([
    [
      "a remote reference",
      { properties: { a: { $ref: "http://169.254.169.254/" } } },
      "other schemas are not fetched",
    ],
    ["a reference to a file", { allOf: [{ $ref: "other.json#/a" }] }, "other schemas are not fetched"],
    [
      "a dynamic remote reference",
      { items: { $dynamicRef: "http://x/#a" } },
      "other schemas are not fetched",
    ],
    ["a missing local reference", { properties: { a: { $ref: "#/$defs/none" } } }, "not a valid JSON Schema"],
    ["another base inside", { properties: { a: { $id: "http://x/" } } }, '"$id"'],
    ["an asynchronous schema", { $async: true }, '"$async"'],
    ["an unknown draft", { $schema: "http://json-schema.org/draft-04/schema#" }, "draft-07 or 2020-12"],
    ["a type that is no object", { type: "string" }, "must be object"],
    ["an unknown type", { properties: { a: { type: "strng" } } }, "not a valid JSON Schema"],
    ["a keyword of the wrong kind", { properties: { a: { minimum: "1" } } }, "not a valid JSON Schema"],
    [
      "a default that does not fit",
      { properties: { a: { type: "integer", default: "x" } } },
      "a default is invalid: params/a",
    ],
    ["a look-ahead", { properties: { a: { pattern: "(?=a)b" } } }, 'the pattern "(?=a)b" cannot be used'],
    ["a back reference", { patternProperties: { "(a)\\1": {} } }, "cannot be used"],
    ["10 MB of schema", { description: "x".repeat(10_000_000) }, "too much text"],
    ["300 KB of schema", { description: "x".repeat(300_000) }, "characters"],
    ["a number that is not exact", { properties: { a: { default: 2 ** 60 } } }, "beyond 2^53"],
  ])("refuses %s", (_name, schema, message) => expect(problemOf(schema)).toContain(message));

  it("takes a property that is called $ref", () => {
    expect(checker({ properties: { $ref: { type: "string" } } }).check({ $ref: "x" })).toEqual({
      params: { $ref: "x" },
    });
  });

  it("runs ^(a+)+$ in linear time", () => {
    const check = checker({ properties: { a: { pattern: "^(a+)+$" } } });
    expect(within(5_000, () => check.check({ a: `${"a".repeat(100_000)}b` }))).toEqual({
      problems: ['params/a: must match pattern "^(a+)+$".'],
    });
  });

  it("follows a schema that refers to itself as deep as the value goes", () => {
    const tree = checker({ properties: { child: { $ref: "#" }, name: { type: "string" } } });
    expect(tree.check({ child: { child: { name: "x" } } })).toHaveProperty("params");
    expect(tree.check({ child: { child: { name: 1 } } })).toEqual({
      problems: ["params/child/child/name: must be string."],
    });
  });

  it.each([
    ["itself at once", { $ref: "#" }],
    ["itself in a circle", { allOf: [{ $ref: "#/$defs/a" }], $defs: { a: { allOf: [{ $ref: "#" }] } } }],
  ])("ends where a schema refers to %s", (_name, schema) => {
    expect(problemOf(schema)).toMatch(/times out|not a valid JSON Schema/);
  });
});

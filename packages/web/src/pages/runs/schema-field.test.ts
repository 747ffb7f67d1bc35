import { describe, expect, it } from "vitest";
import { fieldKind, initialValue, readNumber, withoutEmpty } from "./schema-field.tsx";

describe("the field of a JSON Schema", () => {
  it.each([
    ["choice", { enum: ["a", "b"] }],
    ["choice", { const: 1 }],
    ["switch", { type: "boolean" }],
    ["number", { type: "integer", minimum: 1 }],
    ["number", { type: ["number", "null"] }],
    ["text", { type: "string" }],
    ["list", { type: "array", items: { type: "string" } }],
    ["group", { type: "object", properties: { a: {} } }],
    ["group", { properties: { a: {} } }],
    ["json", { type: "object" }],
    ["json", { type: "array" }],
    ["json", { type: "array", items: { anyOf: [] } }],
    ["json", { type: ["string", "number"] }],
    ["json", { $ref: "#/x" }],
    ["json", {}],
  ] as const)("is a %s for %j", (kind, schema) => {
    expect(fieldKind(schema)).toBe(kind);
  });

  it("begins with the defaults", () => {
    const schema = {
      type: "object",
      properties: { a: { default: 1 }, b: { type: "string" }, c: { properties: { d: { default: [] } } } },
    };
    expect(initialValue(schema)).toEqual({ a: 1, c: { d: [] } });
  });

  it("leaves out what was left empty", () => {
    expect(withoutEmpty({ a: undefined, b: { c: undefined }, d: [], e: "", f: {} })).toEqual({
      d: [],
      e: "",
      f: {},
    });
    expect(withoutEmpty({ a: undefined })).toBeUndefined();
  });

  it("keeps a number that is none, for the server to say so", () => {
    expect([readNumber("2.5"), readNumber(" "), readNumber("two")]).toEqual([2.5, undefined, "two"]);
  });
});

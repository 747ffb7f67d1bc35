import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { cases } from "../../../core/src/shared/testing/cases.ts";
import { parseJsonStrict } from "./parse-json-strict.ts";

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

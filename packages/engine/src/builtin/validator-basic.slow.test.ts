import { describe, expect, it } from "vitest";
import { runBuiltin } from "./testing/run-builtin.ts";

async function failure(
  text: string | Uint8Array,
  params: Record<string, unknown>,
): Promise<string | undefined> {
  return (await runBuiltin("validator_basic", [["input", "x.md", text]], params)).error?.code;
}

describe("validator_basic: front matter", () => {
  const text = "---\ntitle: Report\nauthor: ''\ntags: []\ncount: 3\nmeta:\n  state: open\n---\nbody\n";

  it("ends a schema whose references double at each step", async () => {
    const $defs = Object.fromEntries(
      Array.from({ length: 40 }, (_, n) => [
        `d${n}`,
        { allOf: [{ $ref: `#/$defs/d${n + 1}` }, { $ref: `#/$defs/d${n + 1}` }] },
      ]),
    );
    const schema = { $ref: "#/$defs/d0", $defs: { ...$defs, d40: { type: "string" } } };
    expect(await failure(text, { schema })).toBe("SCHEMA_INVALID");
  });
});

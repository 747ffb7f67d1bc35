import { describe, expect, it } from "vitest";
import { render } from "./testing/render-template.ts";
import { runBuiltin } from "./testing/run-builtin.ts";

describe("template_render: what goes wrong", () => {
  it.each([
    ["memory", "{% for i in (1..100000000) %}{{ i }}{% endfor %}"],
    [
      "text",
      "{% assign s = 'aaaaaaaa' %}{% for i in (1..40) %}{% assign s = s | append: s %}{% endfor %}{{ s }}",
    ],
    [
      "time",
      "{% for i in (1..3000) %}{% for j in (1..3000) %}{% for k in (1..3000) %}{% endfor %}{% endfor %}{% endfor %}",
    ],
    ["nesting", `${"{% if true %}".repeat(20_000)}x${"{% endif %}".repeat(20_000)}`],
  ])("answers TEMPLATE_LIMIT where a template takes too much %s", async (_name, template) => {
    expect((await render(template)).error?.code).toBe("TEMPLATE_LIMIT");
  });
});

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

import { describe, expect, it } from "vitest";
import { type BuiltinRun, type GivenInput, runBuiltin } from "./testing/run-builtin.ts";

async function render(
  template: string,
  data?: readonly [name: string, text: string],
  params: Record<string, unknown> = {},
): Promise<BuiltinRun> {
  const inputs: GivenInput[] = [["template", "t.liquid", template]];
  if (data) inputs.push(["data", ...data]);
  return runBuiltin("template_render", inputs, params);
}

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

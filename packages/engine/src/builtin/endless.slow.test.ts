import { describe, expect, it } from "vitest";
import { render } from "./testing/render-template.ts";

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

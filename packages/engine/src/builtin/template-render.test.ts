import { describe, expect, it } from "vitest";
import { type BuiltinRun, type GivenInput, runBuiltin } from "./testing/run-builtin.ts";

function render(
  template: string,
  data?: readonly [name: string, text: string],
  params: Record<string, unknown> = {},
): Promise<BuiltinRun> {
  const inputs: GivenInput[] = [["template", "t.liquid", template]];
  if (data) inputs.push(["data", ...data]);
  return runBuiltin("template_render", inputs, params);
}

async function rendered(...given: Parameters<typeof render>): Promise<string | undefined> {
  const run = await render(...given);
  expect(run.error).toBeNull();
  expect(run.artifacts).toMatchObject([{ name: "rendered", format: "md" }]);
  return run.files.get("rendered");
}

describe("template_render: where values come from", () => {
  it.each([
    ["JSON", ["d.json", '{"title": "Q3", "items": [{"name": "收入"}]}']],
    ["YAML", ["d.yaml", "title: Q3\nitems:\n  - name: 收入\n"]],
    ["front matter", ["d.md", "---\ntitle: Q3\nitems:\n  - name: 收入\n---\nbody\n"]],
    ["JSON without a name", ["d", '{"title": "Q3", "items": [{"name": "收入"}]}']],
  ] as const)("reads a data file of %s", async (_name, data) => {
    const template = "# {{ title }}\n{% for item in items %}- {{ item.name }}\n{% endfor %}";
    expect(await rendered(template, data)).toBe("# Q3\n- 收入\n");
  });

  it("gives a text as content: all of a plain one, what follows the front matter of another", async () => {
    expect(await rendered("[{{ content }}]", ["x.txt", "売上: 3\n"])).toBe("[売上: 3\n]");
    expect(await rendered("{{ a }}[{{ content }}]", ["x.txt", "---\r\na: 1\r\n---\r\nbody"])).toBe("1[body]");
    expect(await rendered("{{ content }}", ["x.txt", "--- not closed\n"])).toBe("--- not closed\n");
  });

  it("prefers data over other parameters over the file over the template's own front matter", async () => {
    const template = "---\na: t\nb: t\nc: t\nd: t\n---\n{{ a }}{{ b }}{{ c }}{{ d }}";
    const file = ["d.json", '{"b": "f", "c": "f", "d": "f"}'] as const;
    expect(await rendered(template, file, { c: "p", d: "p", data: { d: "D" } })).toBe("tfpD");
  });

  it("renders front matter that has markup in it, for documents with front matter", async () => {
    const template = '---\ntitle: "{{ title }}"\n---\n# {{ title }}\n';
    expect(await rendered(template, undefined, { title: "Q3" })).toBe('---\ntitle: "Q3"\n---\n# Q3\n');
  });

  it("reads numbers, and takes no key for more than data", async () => {
    const data = ["d.json", '{"n": 2, "__proto__": {"x": 1}, "constructor": "c"}'] as const;
    expect(await rendered("{{ n | plus: 1 }} {{ constructor }}", data)).toBe("3 c");
    expect((await render("{{ x }}", data)).error?.code).toBe("TEMPLATE_MISSING");
  });
});

describe("template_render: what goes wrong", () => {
  it("names every missing variable with line and column, the template's front matter counted", async () => {
    const template =
      "---\nok: 1\n---\n{{ ok }} {{ customer.name }}\n{% for i in items %}{{ i }}{% endfor %}{{ total }}";
    const { error } = await render(template);
    expect(error?.code).toBe("TEMPLATE_MISSING");
    expect(error?.message).toContain("customer (line 4, column 13)");
    expect(error?.message).toContain("items (line 5, column 13)");
    expect(error?.message).toContain("total (line 5, column 43)");
  });

  it("lets a template say that a value may be missing", async () => {
    expect(await rendered('{% if x %}x{% else %}no{% endif %} {{ y | default: "none" }}')).toBe("no none");
  });

  it.each([
    ["an open tag", "a\n{% if x %}b", "line 2"],
    ["an open output", "a\n\n{{ x", "line 3"],
    ["an unknown filter", "{{ 1 | nope }}", "nope"],
    ["a file", "{% include 'x' %}", "cannot be included"],
    ["a layout", "{% layout 'x' %}", "cannot be included"],
    ["chance", "{{ content | sample }}", "sample"],
  ])("answers TEMPLATE_SYNTAX for %s", async (_name, template, message) => {
    const { error } = await render(template, ["x.txt", "abc"]);
    expect(error).toMatchObject({ code: "TEMPLATE_SYNTAX", message: expect.stringContaining(message) });
  });

  it.each([
    ["JSON that is none", ["d.json", '{"a": }'], "not valid JSON"],
    ["a list", ["d.json", "[1]"], "must be an object"],
    ["YAML with an alias", ["d.yaml", "a: &x 1\nb: *x\n"], "line 1"],
    ["broken front matter", ["d.md", "---\na: 1\na: 2\n---\n"], "line 3"],
  ] as const)("answers DATA_INVALID for %s", async (_name, data, message) => {
    const { error } = await render("x", data);
    expect(error).toMatchObject({ code: "DATA_INVALID", message: expect.stringContaining(message) });
  });

  it("reaches no file, no prototype and no function", async () => {
    expect((await render("{{ x.constructor }}", undefined, { x: { a: 1 } })).error?.code).toBe(
      "TEMPLATE_MISSING",
    );
    expect((await render("{{ x.toString }}", undefined, { x: "s" })).error?.code).toBe("TEMPLATE_MISSING");
  });
});

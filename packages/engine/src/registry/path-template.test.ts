import { describe, expect, it } from "vitest";
import { fillPathTemplate, type Placeholder, templateProblem } from "./path-template.ts";

const values: Record<Placeholder, string> = {
  task_id: "adhoc",
  input_sha256: "a".repeat(64),
  run_id: "r1",
  key: "k1",
  name: "report",
  skill: "text_extract",
  format: "txt",
};

function fill(template: string, changes: Partial<Record<Placeholder, string>> = {}) {
  expect(templateProblem(template)).toBeUndefined();
  return fillPathTemplate(template, { ...values, ...changes });
}

describe("003 §2.1 path_template", () => {
  it("takes the example of the document, and every placeholder", () => {
    expect(fill("workspace/artifacts/{task_id}/extracted_{input_sha256}.txt")).toEqual({
      path: `workspace/artifacts/adhoc/extracted_${"a".repeat(64)}.txt`,
    });
    expect(fill("workspace/artifacts/{skill}/{run_id}-{key}/{name}.{format}")).toEqual({
      path: "workspace/artifacts/text_extract/r1-k1/report.txt",
    });
  });
});

describe("templates that are refused when the registry is loaded", () => {
  it.each([
    ["/abs/{name}", "begin with"],
    ["../{name}", "begin with"],
    ["artifacts/{name}", "begin with"],
    ["workspace/artifacts/../{name}", 'is ".."'],
    ["workspace/artifacts/./{name}", 'is "."'],
    ["workspace/artifacts//{name}", "is empty"],
    ["workspace/artifacts/{name}/", "is empty"],
    ["workspace/artifacts/", "is empty"],
    ["workspace/artifacts/{unknown}", "{unknown} is not a placeholder"],
    ["workspace/artifacts/{taskid}", "did you mean {task_id}?"],
    ["workspace/artifacts/{constructor}", "not a placeholder"],
    ["workspace/artifacts/{__proto__}", "not a placeholder"],
    ["workspace/artifacts/{}", "not a placeholder"],
    ["workspace/artifacts/{name", "the braces do not match"],
    ["workspace/artifacts/name}", "the braces do not match"],
    ["workspace/artifacts/{{name}}", "or are nested"],
    ["workspace\\artifacts\\{name}", "begin with"],
    ["workspace/artifacts/a\\..\\{name}", "separator"],
    ["workspace/artifacts/con/{name}", "device"],
    ["workspace/artifacts/a\0b", "control character"],
    ["workspace/artifacts/C:x", ": *"],
    [`workspace/artifacts/${"x".repeat(600)}`, "512 characters"],
  ])("%j", (template, message) => expect(templateProblem(template)).toContain(message));
});

describe("values that are refused before anything is made", () => {
  it.each([
    "../../etc/cron.d",
    "/etc",
    "..\\..",
    ".",
    "..",
    "",
    "a\0b",
    "x".repeat(5_000),
    "CON",
    "nul.txt",
    "COM1",
    "a:b",
    "~root",
    "a/b",
    "a ",
    "a.",
    "a\u202eb",
    "\ud800",
  ])("%j", (task_id) =>
    expect(fill("workspace/artifacts/{task_id}/{name}.txt", { task_id })).toHaveProperty(
      "code",
      "E_ARTIFACT_PATH",
    ),
  );

  it("looks at the whole part of a path as well", () => {
    expect(fill("workspace/artifacts/.{name}", { name: "x" })).toHaveProperty("path");
    expect(fill("workspace/artifacts/n{name}", { name: "ul" })).toHaveProperty("code", "E_ARTIFACT_PATH");
  });
});

describe("a value is put into a template in one pass", () => {
  it("inserts a value with braces or $& literally", () => {
    expect(fill("workspace/artifacts/{task_id}/{name}", { task_id: "{name}", name: "$&{task_id}" })).toEqual({
      path: "workspace/artifacts/{name}/$&{task_id}",
    });
  });
});

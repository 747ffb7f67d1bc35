import { describe, expect, it } from "vitest";
import { codes, declared, entry, load } from "../testing/registry-scene.ts";

describe("an entry", () => {
  it("has defaults for what it does not say", async () => {
    const { skills } = await load(
      "version: 1\nskills:\n  - {name: x, implementation: impl/x.ts:run, idempotency: {cache: true}}\n",
    );
    expect(skills[0]).toMatchObject({
      inputs: [],
      params: { schema: {} },
      idempotency: { strategy: "INPUT_HASHES_PLUS_PARAMS", cache: true },
    });
  });

  it("is warned about where 003 §2 asks for a declaration that it does not have", async () => {
    const { warnings } = await load(
      "version: 1\nskills:\n  - {name: x, implementation: impl/x.ts:run, inputs: [], idempotency: {cache: true}}\n",
    );
    expect(warnings).toMatchObject([{ code: "W_REG_FIELD", line: 3 }]);
    expect(warnings[0]?.message).toBe(
      'x: It does not declare outputs, params, so it has none; add "outputs: { artifacts: [], evidences: [] }", "params: { schema: {} }".',
    );
  });

  it.each([
    ["that is absent", ""],
    ["that is empty", "    idempotency: {}\n"],
    ["with nothing after it", "    idempotency:\n"],
    ["of empty values", "    idempotency: { strategy: , cache: }\n"],
  ])("without idempotency is left out, and told what to add: %s", async (_, line) => {
    const text = entry("").replace("    idempotency: {cache: true}\n", line);
    const { skills, errors } = await load(text);
    expect(errors).toMatchObject([
      { code: "E_REG_FIELD", message: expect.stringMatching(/^x: .*add "idempotency: \{ strategy: /) },
    ]);
    expect(skills.map(({ name }) => name)).not.toContain("x");
  });

  it("may have roles, several files, variables, a time limit, tags and a version", async () => {
    const text = entry("env: [TZ, LANG]\ntimeout_seconds: 5\ntags: [gpu, big, gpu]\nversion: '1.10'").replace(
      "[{kind: FILE}]",
      "[{kind: FILE}, {kind: ARTIFACT, required: false}, {kind: FILE, role: data, multiple: true}]",
    );
    const { skills, errors } = await load(text);
    expect(errors).toEqual([]);
    expect(skills[0]).toMatchObject({
      env: ["TZ", "LANG"],
      timeoutSeconds: 5,
      tags: ["big", "gpu"],
      version: "1.10",
    });
    expect(skills[0]?.inputs).toEqual([
      { role: "input", kind: "FILE", required: true, many: false },
      { role: "input_2", kind: "ARTIFACT", required: false, many: false },
      { role: "data", kind: "FILE", required: true, many: true },
    ]);
  });

  it.each([
    ["E_REG_FIELD", entry("env: [A-B]"), "not the name of a variable"],
    ["E_REG_FIELD", entry("env: TZ"), '"env" must be a list, found "TZ".'],
    ["E_REG_FIELD", entry("tags: [two words]"), "is not a tag"],
    ["E_REG_FIELD", entry("timeout_seconds: 0"), "above 0"],
    ["E_REG_FIELD", entry("version: 1.10"), "in quotes"],
    ["E_REG_FIELD", entry("description: [a]"), '"description" must be text, found a list'],
    ["E_REG_FIELD", entry("").replace("kind: FILE", "kind: FIL"), 'Did you mean "FILE"?'],
    ["E_REG_FIELD", entry("").replace("kind: FILE", "required: true"), 'no "kind"'],
    ["E_REG_FIELD", entry("").replace("kind: FILE", "kind: FILE, required: maybe"), "true or false"],
    ["E_REG_FIELD", entry("").replace("kind: FILE", "kind: FILE, role: A"), "lowercase"],
    [
      "E_REG_FIELD",
      entry("").replace("{kind: FILE}", "{kind: FILE}, {kind: FILE, role: input}"),
      "Two inputs",
    ],
    [
      "E_REG_FIELD",
      entry("").replace("[{kind: FILE}]", "[FILE]"),
      '"inputs[0]" must be a mapping, found "FILE".',
    ],
    ["E_REG_FIELD", entry("").replace("cache: true", "strategy: INPUT_HASH"), 'Did you mean "INPUT_HASHES"?'],
    ["E_REG_FIELD", entry("").replace("evidences: []", "evidences: [{kind: A}, {kind: A}]"), '"A" twice'],
    [
      "E_REG_FIELD",
      entry("").replace("implementation: impl/x.ts:run", "description: x"),
      'no "implementation"',
    ],
    ["E_REG_SCHEMA", entry("").replace("schema: {}", "schema: []"), "as a mapping"],
    [
      "E_REG_SCHEMA",
      entry("").replace("schema: {}", "schema: {properties: {a: {$ref: http://x/}}}"),
      "other schemas are not fetched",
    ],
    [
      "E_REG_TEMPLATE",
      entry("").replace("artifacts: []", "artifacts: [{name: a, format: txt, path_template: /abs}]"),
      "begin with",
    ],
    [
      "E_REG_TEMPLATE",
      entry("").replace("artifacts: []", "artifacts: [{name: a, format: txt}]"),
      "begin with",
    ],
    ["E_REG_IMPLEMENTATION", entry("").replace("impl/x.ts:run", "impl/none.ts:run"), "does not exist"],
    ["E_REG_IMPLEMENTATION", entry("").replace("impl/x.ts:run", "../x.ts:run"), "inside the project"],
  ])("is left out with %s and a line, and the others are there: %#", async (code, text, message) => {
    const registry = await load(
      `${text}\n  - {name: good, implementation: impl/x.ts:run, idempotency: {cache: true}}\n`,
    );
    expect(registry.errors).toMatchObject([{ code, message: expect.stringContaining(message) }]);
    expect(registry.errors[0]?.line).toBeGreaterThan(2);
    expect(declared(registry)).toEqual(["good"]);
  });

  it("names {input_sha256} where there is no input", async () => {
    const template = "workspace/artifacts/{input_sha256}.txt";
    const text = entry("")
      .replace("[{kind: FILE}]", "[]")
      .replace("artifacts: []", `artifacts: [{name: a, format: txt, path_template: "${template}"}]`);
    expect(codes(await load(text))).toEqual(["E_REG_TEMPLATE"]);
  });

  it("is not replaced by the built-in of its name when it is faulty", async () => {
    const { skills } = await load(entry("timeout_seconds: no", "text_extract"));
    expect(skills.map(({ name }) => name)).toEqual(["file_fingerprint", "diff_artifact"]);
  });
});

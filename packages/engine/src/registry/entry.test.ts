import { makeFolder } from "@knack/core/testing";
import { describe, expect, it } from "vitest";
import { BUILTIN_SKILLS } from "../builtin/index.ts";
import { declared, entry, load } from "./testing/registry-scene.ts";
import { register } from "./typed-skills.ts";

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

  it("is warned about where 003 §3.1 asks for what an input does not say", async () => {
    const { warnings } = await load(entry(""));
    expect(warnings).toMatchObject([{ code: "W_REG_FIELD", line: 5 }]);
    expect(warnings[0]?.message).toContain(
      'input (required, schema). Add "required: true, schema: { fields: [path, sha256] }"',
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
    [
      "E_REG_TEMPLATE",
      entry("")
        .replace("[{kind: FILE}]", "[]")
        .replace(
          "artifacts: []",
          "artifacts: [{name: a, format: txt, path_template: 'workspace/artifacts/{input_sha256}'}]",
        ),
      "needs an input",
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

  it("is not replaced by the built-in of its name when it is faulty", async () => {
    const { skills } = await load(entry("timeout_seconds: no", "text_extract"));
    expect(skills.map(({ name }) => name)).toEqual(["file_fingerprint", "diff_artifact"]);
  });
});

const skillOf = (name: string) => BUILTIN_SKILLS.get(name)?.skill;

async function table(registry: string, trusted: boolean, more: Record<string, string> = {}) {
  using project = makeFolder({ "skills/registry.yaml": `version: 1\nskills:\n${registry}`, ...more });
  return await register(["skills/registry.yaml"], project.path, trusted);
}

describe("an entry for a built-in skill inherits what it does not say", () => {
  it.each([...BUILTIN_SKILLS.keys()])("everything but the name: %s", async (name) => {
    for (const entry of [`  - name: ${name}\n`, `  - name: ${name}\n    implementation: builtin:${name}\n`]) {
      const { skills, errors, warnings } = await table(entry, true);
      expect({ errors, warnings }).toEqual({ errors: [], warnings: [] });
      const found = skills.find((skill) => skill.name === name);
      expect({ ...found, declared: null }).toEqual({ ...skillOf(name) });
    }
  });

  it("under another name", async () => {
    const { skills, errors } = await table(
      "  - name: mine\n    implementation: builtin:diff_artifact\n",
      true,
    );
    expect(errors).toEqual([]);
    const { declared: _, name: __, ...rest } = skills[0] ?? {};
    const { declared: ___, name: ____, ...known } = skillOf("diff_artifact") ?? {};
    expect(rest).toEqual(known);
  });

  it("of an input, by its role or its place: several files, role, kind, whether it is needed", async () => {
    const { skills } = await table(
      "  - name: file_fingerprint\n    implementation: skills.impl.file_fingerprint:run\n    inputs: [{ kind: FILE, required: true }]\n    idempotency: { cache: false }\n  - name: template_render\n    inputs: [{ kind: ARTIFACT }, { schema: { fields: [path] } }]\n",
      true,
    );
    expect(skills[0]).toMatchObject({
      inputs: [{ role: "input", many: true }],
      idempotency: { strategy: "INPUT_HASHES", cache: false },
    });
    expect(skills[1]?.inputs).toEqual([
      { role: "template", kind: "ARTIFACT", required: true, many: false },
      { role: "data", kind: "FILE", required: false, many: false, schema: { fields: ["path"] } },
    ]);
  });

  it("of an output, by its name or kind", async () => {
    const { skills, errors } = await table(
      "  - name: diff_artifact\n    outputs: { artifacts: [{ name: diff, path_template: 'workspace/artifacts/x.diff' }], evidences: [{ kind: DIFF }] }\n",
      true,
    );
    expect(errors).toEqual([]);
    expect(skills[0]?.outputs).toEqual({
      artifacts: [{ name: "diff", format: "diff", pathTemplate: "workspace/artifacts/x.diff" }],
      evidences: skillOf("diff_artifact")?.outputs.evidences,
    });
  });

  it("but not without an input that the built-in needs", async () => {
    const { errors } = await table("  - name: diff_artifact\n    inputs: [{ role: left }]\n", true);
    expect(errors).toMatchObject([
      { code: "E_REG_FIELD", line: 4, message: expect.stringContaining('needs the input "right"') },
    ]);
  });
});

describe("errors of the registry", () => {
  it("name the entry, or its place where it has no name", async () => {
    const { errors } = await table(
      '  - { implementation: "builtin:text_extract" }\n  - { name: "Bad Name", implementation: 7 }\n  - { name: mine, implementation: impl/none.ts:run, idempotency: { cache: true } }\n  - just text\n',
      true,
    );
    expect(errors.map(({ line, message }) => `${line}: ${message.split(" ", 3).join(" ")}`)).toEqual([
      "3: Entry 1: It",
      '4: "Bad Name": The',
      '5: mine: "implementation": impl/none.ts',
      '6: Entry 4: "skills[3]"',
    ]);
  });

  it("say why an entry was left out, by its name", async () => {
    const { leftOut } = await table(
      "  - { name: mine, implementation: impl/none.ts:run, idempotency: { cache: true } }\n  - { name: code, implementation: x.ts:run, idempotency: { cache: true } }\n",
      true,
      { "x.ts": "import './gone.ts';" },
    );
    expect(leftOut.get("mine")).toMatchObject({
      line: 3,
      message: expect.stringMatching(/^"implementation": /),
    });
    expect(leftOut.get("text_extract")).toBeUndefined();
  });
});

describe("product.md: an untrusted registry cannot redeclare a built-in", () => {
  it.each([
    ["version", "version: '2'"],
    ["inputs", "inputs: [{ kind: FILE, required: false }]"],
    ["inputs", "inputs: [{ kind: FILE, multiple: true }]"],
    ["outputs", "outputs: { evidences: [{ kind: VALIDATION, schema: { fields: [passed] } }] }"],
    ["params", "params: { schema: { type: object, additionalProperties: true } }"],
    ["params", "params: { schema: { properties: { ordered: { type: boolean } } } }"],
    ["params", "params: { schema: { properties: { ordered: { type: boolean, default: true } } } }"],
    ["params", "params: { schema: { properties: { more: { type: boolean } } } }"],
    ["params", "params: { schema: { anyOf: [{}] } }"],
    ["idempotency", "idempotency: { strategy: INPUT_HASHES }"],
    ["idempotency", "idempotency: { strategy: DISABLED }"],
    ["idempotency", "idempotency: { cache: false }"],
    ["env", "env: [HOME]"],
    ["timeout_seconds", "timeout_seconds: 1"],
    ["implementation", "implementation: builtin:file_fingerprint"],
  ])("by other %s: %s", async (key, line) => {
    const entry = `  - name: validator_basic\n    ${line}\n`;
    const { skills, errors, leftOut } = await table(entry, false);
    expect(errors).toMatchObject([{ code: "E_REG_BUILTIN", line: 3, message: expect.stringContaining(key) }]);
    expect(skills.find(({ name }) => name === "validator_basic")).toEqual(skillOf("validator_basic"));
    expect(leftOut.size).toBe(0);
    const trusted = await table(entry, true);
    expect(trusted.errors).toEqual([]);
    expect(trusted.skills[0]?.declared).not.toBeNull();
  });

  it("that the same says what Knack says is no error", async () => {
    const { errors } = await table(
      "  - name: text_extract\n    description: other words\n    params: { schema: { type: object, properties: { max_chars: { type: integer, default: 200000 } } } }\n",
      false,
    );
    expect(errors).toEqual([]);
  });
});

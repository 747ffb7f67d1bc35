import { readFileSync } from "node:fs";
import { join } from "node:path";
import { makeFolder } from "@knack/core/testing";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { cases } from "../../../core/src/shared/testing/cases.ts";
import { builtins, codes, declared, entry, load, loadFiles } from "./testing/registry-scene.ts";

/** The example of document 003 §2.1, exactly as in the docs. */
const EXAMPLE = /```yaml\n([\s\S]*?)```/.exec(
  readFileSync(join(import.meta.dirname, "../../../../docs/typed-skills.md"), "utf8"),
)?.[1] as string;

describe("003 §2.1, §7.1 the example", () => {
  it("loads as it stands and lists its skills, with the built-ins that it does not declare", async () => {
    const { skills, errors, warnings } = await load(EXAMPLE);
    expect({ errors, warnings }).toEqual({ errors: [], warnings: [] });
    expect(skills.map(({ name }) => name)).toEqual(["file_fingerprint", "text_extract", "diff_artifact"]);
    expect(skills[1]).toMatchObject({
      description: "Extract text from pdf/docx/md/txt",
      // Inherited from the built-in.
      version: "1",
      implementation: "skills.impl.text_extract:run",
      inputs: [{ role: "input", kind: "FILE", required: true, many: false }],
      outputs: {
        artifacts: [
          {
            name: "extracted_text",
            format: "txt",
            pathTemplate: "workspace/artifacts/{task_id}/extracted_{input_sha256}.txt",
          },
        ],
        evidences: [],
      },
      params: { schema: { type: "object", properties: { max_chars: { type: "integer", default: 200000 } } } },
      idempotency: { strategy: "INPUT_HASHES_PLUS_PARAMS", cache: true },
      env: [],
      timeoutSeconds: null,
      tags: [],
    });
    expect(skills[0]?.outputs.evidences).toEqual([
      { kind: "FILE_HASH", fields: ["sha256", "path", "size_bytes", "mime_type"] },
    ]);
    expect(skills[1]?.declared?.line).toBe(24);
  });
});

describe("names of typed skills", () => {
  it.each([
    "constructor_",
    "skill_search",
    "Ab",
    "a__b",
    "-a",
    "1a",
    "a/b",
    "a.b",
    "a".repeat(65),
    '"a\\0"',
    "ä",
  ])("refuses %s", async (name) => expect(codes(await load(entry("", name)))).toEqual(["E_REG_NAME"]));

  it("takes constructor for the plain word it is, and refuses __proto__", async () => {
    expect(declared(await load(entry("", "constructor")))).toEqual(["constructor"]);
    expect(codes(await load(entry("", "__proto__")))).toEqual(["E_REG_NAME"]);
    expect(codes(await load("version: 1\n__proto__: {}\nskills: []\n"))).toEqual(["E_REG_SYNTAX"]);
  });

  it("refuses an entry without one", async () => {
    expect(codes(await load("version: 1\nskills:\n  - {implementation: impl/x.ts:run}\n"))).toEqual([
      "E_REG_NAME",
    ]);
    expect(codes(await load("version: 1\nskills:\n  - {name: 5}\n"))).toEqual(["E_REG_FIELD"]);
  });

  it("keeps the first of two, by case too and over several files", async () => {
    const one = (name: string) =>
      `  - {name: ${name}, implementation: impl/x.ts:run, idempotency: {cache: true}}\n`;
    using project = makeFolder({
      "a.yaml": `version: 1\nskills:\n${one("x")}${one("x")}${one("X")}`,
      "b.yaml": `version: 1\nskills:\n${one("x")}${one("y")}`,
      "impl/x.ts": "",
    });
    const registry = loadFiles(project, "a.yaml", "b.yaml", "./a.yaml");
    expect(codes(registry)).toEqual(["E_REG_DUP", "E_REG_DUP", "E_REG_DUP"]);
    expect(registry.errors.map(({ line }) => line)).toEqual([4, 5, 3]);
    expect(registry.errors[2]?.message).toContain("a.yaml:3");
    expect(declared(registry)).toEqual(["x", "y"]);
  });
});

describe("files that are no registry", () => {
  it.each([
    ["empty", "", "E_REG_SYNTAX", "empty"],
    ["a list", "[]", "E_REG_SYNTAX", "found a list"],
    ["null", "null", "E_REG_SYNTAX", "empty"],
    ["comments", "# x\n".repeat(250_000), "E_REG_SYNTAX", "empty"],
    ["more than 1 MiB of comments", "# x\n".repeat(300_000), "E_REG_FILE", "larger than 1 MiB"],
    ["no YAML", "version: [1", "E_REG_SYNTAX", "Not valid YAML"],
    ["an alias", "version: &a 1\nskills: *a", "E_REG_SYNTAX", "Anchors"],
    ["not UTF-8", Buffer.from([0xff, 0xfe, 0x41]), "E_REG_FILE", "UTF-8"],
    ["without a version", "skills: []", "E_REG_VERSION", "version: 1"],
    ["of another version", "version: 2\nskills: []", "E_REG_VERSION", "version: 1"],
    ["without skills", "version: 1", "E_REG_FIELD", 'no "skills"'],
    ["with skills that are no list", "version: 1\nskills: {a: 1}", "E_REG_FIELD", "must be a list"],
  ])("%s: one clear error, and the built-ins are there", async (_name, text, code, message) => {
    const { errors, skills } = await load(text);
    expect(errors).toMatchObject([
      { code, message: expect.stringContaining(message), line: expect.any(Number) },
    ]);
    expect(skills).toHaveLength(3);
  });

  it("a folder, and a file that the configuration names and that is not there", async () => {
    using project = makeFolder({ "folder.yaml/": "", "good.yaml": entry(""), "impl/x.ts": "" });
    const registry = loadFiles(project, "folder.yaml", "none.yaml", "good.yaml");
    expect(registry.errors).toMatchObject([
      {
        path: project.at("folder.yaml"),
        code: "E_REG_FILE",
        message: "The registry is a folder, not a file.",
      },
      { path: project.at("none.yaml"), code: "E_REG_FILE", message: "The registry does not exist." },
    ]);
    expect(declared(registry)).toEqual(["x"]);
  });

  it("nothing is wrong where skills/registry.yaml does not exist", async () => {
    using project = makeFolder();
    expect(loadFiles(project, "skills/registry.yaml")).toEqual({
      skills: [...builtins.values()],
      errors: [],
      warnings: [],
      leftOut: new Map(),
    });
  });

  it("reads CRLF and a byte order mark", async () => {
    const { errors } = await load(`\ufeff${entry("").replaceAll("\n", "\r\n")}`);
    expect(errors).toEqual([]);
  });
});

describe("unknown keys of a registry", () => {
  it.each([
    ["version: 1\nskils: []\nskills: []\n", "skils", "skills", 2],
    [entry("descripton: x"), "descripton", "description", 9],
    [entry("").replace("cache:", "cach:"), "idempotency.cach", "cache", 8],
    [entry("").replace("kind: FILE", "kind: FILE, requird: true"), "inputs[0].requird", "required", 5],
  ])("are warned about with the nearest name: %#", async (text, key, nearest, line) => {
    const { errors, warnings: all } = await load(text);
    expect(errors).toEqual([]);
    // Its input does not say all that it should.
    const warnings = all.filter(({ code }) => code !== "W_REG_FIELD");
    expect(warnings).toMatchObject([{ code: "W_UNKNOWN_KEY", line }]);
    const entry = key === "skils" ? "" : "x: ";
    expect(warnings[0]?.message).toBe(`${entry}unknown key "${key}" is ignored; did you mean "${nearest}"?`);
  });
});

const RUNS = cases(500);
const GOOD = "\n  - {name: good, implementation: builtin:text_extract}\n";
const WORDS = "name kind schema params properties $ref # default type pattern $schema allOf required".split(
  " ",
);
const KEYS = "description version env timeout_seconds inputs outputs params idempotency".split(" ");

/** JSON values of every kind, as values of an entry's keys. */
const json = fc.letrec((tie) => ({
  value: fc.oneof(
    { maxDepth: 4, withCrossShrink: true },
    fc.constantFrom<unknown>(...[null, 0, -1, 1e21, true], ...["", "FILE", "object", "#", "{", "(?=a)"]),
    fc.constant("workspace/artifacts/{x}"),
    fc.array(tie("value"), { maxLength: 3 }),
    fc.dictionary(fc.constantFrom(...WORDS), tie("value"), { maxKeys: 4 }),
  ),
})).value;

describe("a registry of any content", () => {
  it("is read without a throw, says every fault with a line, and never hides a good entry", {
    timeout: 7_200_000,
  }, () => {
    using project = makeFolder({ "impl/x.ts": "" });
    const keys = fc.constantFrom(...KEYS);
    fc.assert(
      fc.property(fc.dictionary(keys, json, { maxKeys: 4 }), (fields) => {
        // JSON is YAML; remove the entry's own lines for these keys.
        const lines = entry("")
          .split("\n")
          .filter((line) => !Object.keys(fields).some((key) => line.startsWith(`    ${key}:`)));
        const more = Object.entries(fields).map(([key, value]) => `    ${key}: ${JSON.stringify(value)}`);
        project.write({ "r.yaml": [...lines, ...more].join("\n") + GOOD });
        const { skills, errors } = loadFiles(project, "r.yaml");
        expect(skills.some(({ name }) => name === "good")).toBe(true);
        for (const error of errors) expect(error.line).toBeGreaterThan(0);
        expect(skills.some(({ name }) => name === "x")).toBe(errors.length === 0);
      }),
      { numRuns: RUNS },
    );
  });
});

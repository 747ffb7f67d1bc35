import { describe, expect, it } from "vitest";
import { type Fault, toDiagnostic, type Validation } from "../shared/diagnostics.ts";
import { DIALECTS, type DialectName } from "./dialects.ts";
import { BUILTIN_COMMANDS, type Fields, readFields } from "./fields.ts";
import { skillFactsSchema } from "./schema.ts";
import type { YamlMap, YamlValue } from "./yaml/simple-yaml.ts";

const NAMED = { name: "pdf", description: "Fills PDF forms." };

/** Reads values as if each key stood on a line of its own, the first on line 2. */
function read(data: YamlMap, dialect: DialectName = "agentskills"): Fields {
  const keys = Object.keys(data);
  return readFields(
    data,
    (key) => (key in data ? keys.indexOf(key) + 2 : undefined),
    "pdf",
    DIALECTS[dialect],
  );
}

function facts(more: YamlMap): Fields["facts"] {
  const { facts, faults } = read({ ...NAMED, ...more });
  expect(faults).toEqual([]);
  expect(skillFactsSchema.parse(facts ?? {})).toEqual(facts ?? {});
  return facts;
}

function codes(fields: { faults: readonly Fault[] }, validation: Validation = "strict"): string[] {
  return fields.faults.map((fault) => toDiagnostic(fault, "SKILL.md", validation).code);
}

describe("004 §5.3 frontmatter validation", () => {
  it("reads a name and a description", () => {
    expect(read(NAMED)).toEqual({ ...NAMED, facts: null, faults: [] });
  });

  it("rejects a missing name; lenient validation takes the folder's", () => {
    const fields = read({ description: "Fills PDF forms." });
    expect(fields.name).toBe("pdf");
    expect(fields.faults[0]?.message).toContain("name: pdf");
    expect([codes(fields, "strict"), codes(fields, "lenient")]).toEqual([
      ["E_NAME_MISSING"],
      ["W_NAME_MISSING"],
    ]);
  });

  it.each([
    ["nothing", ""],
    ["a list", ["pdf"]],
    ["a mapping", { pdf: "" }],
  ])("rejects a name that is %s, saying so on its line", (kind, name) => {
    const { faults } = read({ ...NAMED, name });
    expect(faults).toMatchObject([{ fault: "NAME_MISSING", line: 2 }]);
    expect(faults[0]?.message).toContain(kind);
  });

  it("reads a name in composed form, so that a decomposed one is no other", () => {
    expect(read({ ...NAMED, name: "cafe\u0301" }).name).toBe("caf\u00e9");
  });

  it("rejects a missing description, under lenient validation too", () => {
    const fields = read({ name: "pdf" });
    expect(fields.faults[0]?.message).toContain("is missing");
    expect([codes(fields, "strict"), codes(fields, "lenient")]).toEqual([
      ["E_DESC_INVALID"],
      ["E_DESC_INVALID"],
    ]);
  });

  it.each([
    ["nothing", ""],
    ["nothing", " \n\t"],
    ["a list", ["Fills forms."]],
    ["a mapping", { text: "Fills forms." }],
  ])("rejects a description that is %s, saying so on its line", (kind, description) => {
    const { faults } = read({ ...NAMED, description });
    expect(faults).toMatchObject([{ fault: "DESC_INVALID", line: 3 }]);
    expect(faults[0]?.message).toContain(kind);
  });

  it("allows a description of 1024 code points, an emoji being one, and not one more", () => {
    expect(codes(read({ ...NAMED, description: "😀".repeat(1024) }))).toEqual([]);
    const fields = read({ ...NAMED, description: `a${"😀".repeat(1024)}` });
    expect(fields.faults).toMatchObject([{ fault: "DESC_TOO_LONG", line: 3 }]);
    expect(fields.faults[0]?.message).toContain("1025 characters");
    expect([codes(fields), codes(fields, "lenient")]).toEqual([["E_DESC_TOO_LONG"], ["W_DESC_TOO_LONG"]]);
  });

  it("does not count the space around a description", () => {
    expect(read({ ...NAMED, description: ` ${"a".repeat(1024)}\n` })).toMatchObject({
      description: "a".repeat(1024),
      faults: [],
    });
  });

  it("reads version and license as the text that they are", () => {
    expect(facts({ version: "1.10", license: "MIT" })).toEqual({ version: "1.10", license: "MIT" });
  });

  it("reads metadata as a map of texts", () => {
    expect(facts({ metadata: { author: "x", version: "1.0", empty: "" } })?.metadata).toEqual({
      author: "x",
      version: "1.0",
      empty: "",
    });
  });

  it("takes nested metadata of other clients for data, without a warning", () => {
    const openclaw = { requires: { bins: ["jq"] }, install: [{ kind: "brew", formula: "jq" }] };
    const fields = read({ ...NAMED, metadata: { author: "x", tags: ["a"], more: { b: "c" }, openclaw } });
    expect(fields.facts?.metadata).toEqual({ author: "x" });
    expect(codes(fields)).toEqual([]);
  });

  it("says so once where what Knack itself reads in metadata is not text", () => {
    const fields = read({
      ...NAMED,
      metadata: { "requires-now": ["a"], "requires-later": "b", tags: ["a"] },
    });
    expect(fields.facts?.metadata).toEqual({ "requires-later": "b" });
    expect(codes(fields)).toEqual(["W_FIELD_INVALID"]);
    expect(fields.faults[0]?.message).toMatch(/"metadata\.requires-now".*separated by spaces.*a list/);
  });

  it("keeps metadata keys inert that objects have by nature", () => {
    const metadata = facts({
      metadata: { constructor: "a", toString: "b", hasOwnProperty: "c" } as YamlMap,
    })?.metadata;
    expect(Object.getPrototypeOf(metadata)).toBeNull();
    expect(metadata).toEqual({ constructor: "a", toString: "b", hasOwnProperty: "c" });
  });
});

describe("the Agent Skills standard", () => {
  it("allows a compatibility of 500 code points and not one more", () => {
    expect(facts({ compatibility: "😀".repeat(500) })?.compatibility).toHaveLength(1000);
    const fields = read({ ...NAMED, compatibility: "😀".repeat(501) });
    expect(fields.faults).toMatchObject([{ fault: "COMPATIBILITY_TOO_LONG", line: 4 }]);
    expect([codes(fields), codes(fields, "lenient")]).toEqual([
      ["E_COMPATIBILITY_TOO_LONG"],
      ["W_COMPATIBILITY_TOO_LONG"],
    ]);
  });

  it.each([
    ["a string with spaces", "Bash(git add:*) Read"],
    ["a string with commas", "Bash(git add:*), Read"],
    ["a string with commas alone", "Bash(git add:*),Read"],
    ["a list", ["Bash(git add:*)", "Read"]],
  ])("reads allowed-tools from %s", (_, value) => {
    expect(facts({ "allowed-tools": value })?.allowedTools).toEqual(["Bash(git add:*)", "Read"]);
  });

  it("does not separate at a comma or a space in parentheses", () => {
    expect(facts({ "allowed-tools": "Bash(npm run lint, npm test) Edit" })?.allowedTools).toEqual([
      "Bash(npm run lint, npm test)",
      "Edit",
    ]);
  });

  it("does not read more from allowed-tools than is written: an open parenthesis leaves no bare tool", () => {
    expect(read({ ...NAMED, "allowed-tools": "Bash(git add:*" }).facts?.allowedTools ?? []).not.toContain(
      "Bash",
    );
  });

  it.each<{ value: YamlValue }>([
    { value: [["Bash"]] },
    { value: { Bash: true } },
    { value: 7 },
    { value: null },
    { value: true },
    { value: "" },
    { value: " " },
    { value: "7" },
    { value: "null" },
    { value: "~" },
    { value: "true" },
    { value: ["Read", ""] },
    { value: ["Read", null] },
    { value: ["Read", ["Bash"]] },
    { value: [{ name: "Read" }] },
  ])("takes allowed-tools that cannot be understood for none, with a warning: $value", ({ value }) => {
    const fields = read({ ...NAMED, "allowed-tools": value });
    expect(fields.facts?.allowedTools).toEqual([]);
    expect(fields.faults).toMatchObject([{ fault: "FIELD_INVALID", line: 4 }]);
  });

  it("takes an empty list of allowed-tools at its word", () => {
    const fields = read({ ...NAMED, "allowed-tools": [] });
    expect(fields.facts?.allowedTools).toEqual([]);
    expect(fields.faults).toEqual([]);
  });

  it.each(["true", "yes", "On", "TRUE", "1"])(
    "hides a skill from models with disable-model-invocation: %s",
    (value) => {
      expect(facts({ "disable-model-invocation": value })?.disableModelInvocation).toBe(true);
    },
  );

  it.each(["false", "no", "Off", "0", ""])("does not hide it with disable-model-invocation: %j", (value) => {
    expect(facts({ "disable-model-invocation": value })?.disableModelInvocation).toBeUndefined();
  });

  it.each([["maybe"], [["true"]], [{}]])(
    "takes disable-model-invocation: %j as true, with a warning",
    (value) => {
      const fields = read({ ...NAMED, "disable-model-invocation": value });
      expect(fields.facts?.disableModelInvocation).toBe(true);
      expect(codes(fields)).toEqual(["W_FIELD_INVALID"]);
    },
  );

  it.each(["license", "version", "compatibility", "command_tool"])(
    "ignores a %s that is no text, with a warning",
    (key) => {
      const fields = read({ ...NAMED, [key]: ["x"] });
      expect(fields.facts).toEqual({});
      expect(fields.faults).toMatchObject([{ fault: "FIELD_INVALID", line: 4 }]);
      expect(codes(fields)).toEqual(["W_FIELD_INVALID"]);
    },
  );
});

describe("001 validation rules", () => {
  it("requires a name and a description", () => {
    expect(codes(read({}, "project"))).toEqual(["E_NAME_MISSING", "E_DESC_INVALID"]);
  });

  it("prefers the frontmatter's name where the folder has another", () => {
    expect(read({ ...NAMED, name: "code-review" }, "project")).toMatchObject({
      name: "code-review",
      faults: [],
    });
  });

  it("sets no limit to the length of a description or a compatibility", () => {
    const long = "a".repeat(5000);
    expect(read({ ...NAMED, description: long, compatibility: long }, "project").faults).toEqual([]);
  });
});

describe("002 §3 frontmatter keys", () => {
  it("takes the name of the folder, whatever the frontmatter says", () => {
    expect(read({ name: "Something Else" }, "lily")).toMatchObject({ name: "pdf", faults: [] });
  });

  it("describes the skill by its summary", () => {
    expect(read({ summary: "Fills forms.", description: "Other." }, "lily").description).toBe("Fills forms.");
  });

  it("describes it by its description where it has no summary", () => {
    expect(read({ description: "Fills forms." }, "lily").description).toBe("Fills forms.");
  });

  it("reports a fault of that description on its line", () => {
    expect(read({ x: "", description: "a\u001bb" }, "lily").faults).toMatchObject([
      { fault: "CONTROL_CHAR", line: 3 },
    ]);
  });

  it("ignores a summary that is no text, with a warning", () => {
    const fields = read({ summary: ["Fills forms."] }, "lily");
    expect(fields.description).toBe("");
    expect(codes(fields)).toEqual(["W_FIELD_INVALID"]);
  });

  it("ignores keys that it does not know", () => {
    expect(read({ ...NAMED, "x-unknown": ["anything"], model: {} })).toEqual({
      ...NAMED,
      facts: null,
      faults: [],
    });
  });

  it.each(["prompt_rewrite", "tool_dispatch"])("§3.2 knows invocation_mode: %s", (mode) => {
    expect(facts({ invocation_mode: mode, command_tool: "x" })?.invocationMode).toBe(mode);
  });

  it("§3.2 declares no mode where none is written: prompt_rewrite is the default", () => {
    expect(facts({ invocation_mode: "", command: "plan" })?.invocationMode).toBeUndefined();
  });

  it.each(["Tool_Dispatch", "rewrite", "prompt rewrite"])("§3.2 rejects invocation_mode: %s", (mode) => {
    const fields = read({ ...NAMED, invocation_mode: mode });
    expect(fields.faults).toMatchObject([{ fault: "INVOCATION_MODE_INVALID", line: 4 }]);
    expect([codes(fields), codes(fields, "lenient")]).toEqual([
      ["E_INVOCATION_MODE_INVALID"],
      ["W_INVOCATION_MODE_INVALID"],
    ]);
  });

  it.each(["plan", "plan_2", "-", "8"])("§3.3 gives a skill the command %s", (command) => {
    expect(facts({ command })?.command).toBe(command);
  });

  it.each(["Plan", "/plan", "plan it", "pläne", "plan\n"])(
    "§3.3 drops the command %j, with a warning",
    (command) => {
      const fields = read({ ...NAMED, command });
      expect(fields.facts?.command).toBeUndefined();
      expect(fields.faults).toMatchObject([{ fault: "COMMAND_INVALID", line: 4 }]);
      expect(codes(fields)).toEqual(["W_COMMAND_INVALID"]);
    },
  );

  it("§3.3 excludes a skill whose command collides with a built-in one", () => {
    expect([...BUILTIN_COMMANDS]).toEqual(
      expect.arrayContaining(["skills", "skill", "help", "reload_skills", "agent"]),
    );
    for (const command of BUILTIN_COMMANDS) {
      const fields = read({ command }, "lily");
      expect(fields.facts?.command).toBeUndefined();
      expect([codes(fields), codes(fields, "lenient")]).toEqual([
        ["E_COMMAND_RESERVED"],
        ["E_COMMAND_RESERVED"],
      ]);
    }
  });

  it("§3.4 reads the tool that a command calls", () => {
    expect(facts({ invocation_mode: "tool_dispatch", command_tool: "compile_plan" })).toEqual({
      invocationMode: "tool_dispatch",
      commandTool: "compile_plan",
    });
  });

  it.each([[{}], [{ command_tool: "" }]])("§3.4 excludes tool_dispatch without command_tool: %j", (more) => {
    const fields = read({ invocation_mode: "tool_dispatch", ...more }, "lily");
    expect(fields.faults).toMatchObject([{ fault: "COMMAND_TOOL_MISSING", line: 2 }]);
    expect([codes(fields), codes(fields, "lenient")]).toEqual([
      ["E_COMMAND_TOOL_MISSING"],
      ["E_COMMAND_TOOL_MISSING"],
    ]);
  });

  it("§3.5 reads requires_tools from a list, and from one text as a list of one", () => {
    expect(facts({ requires_tools: ["read", "write"] })?.requiresTools).toEqual(["read", "write"]);
    expect(facts({ requires_tools: "read" })?.requiresTools).toEqual(["read"]);
  });

  it("§3.6 reads eligibility, leaving out what is empty", () => {
    const eligibility = { os: ["darwin", "linux"], env: [], binaries: "git", other: "x" };
    expect(facts({ eligibility })?.eligibility).toEqual({ os: ["darwin", "linux"], binaries: ["git"] });
  });

  it.each([["linux"], [["linux"]], [{ os: { linux: "" } }], [{ env: [["HOME"]] }]])(
    "§3.6 rejects eligibility: %j",
    (eligibility) => {
      const fields = read({ ...NAMED, eligibility } as YamlMap);
      expect(fields.faults).toMatchObject([{ fault: "ELIGIBILITY_INVALID", line: 4 }]);
      expect([codes(fields), codes(fields, "lenient")]).toEqual([
        ["E_ELIGIBILITY_INVALID"],
        ["W_ELIGIBILITY_INVALID"],
      ]);
    },
  );

  it.each(["agentskills", "project", "lily"] as const)(
    "knows these keys in the dialect %s too",
    (dialect) => {
      const { facts } = read(
        { ...NAMED, command: "plan", requires_tools: ["read"], eligibility: { os: ["linux"] } },
        dialect,
      );
      expect(facts).toEqual({ command: "plan", requiresTools: ["read"], eligibility: { os: ["linux"] } });
    },
  );
});

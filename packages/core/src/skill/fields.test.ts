import { describe, expect, it } from "vitest";
import { toDiagnostic } from "../shared/diagnostics.ts";
import { DIALECTS, type DialectName } from "./dialects.ts";
import { BUILTIN_COMMANDS, type Fields, readFields } from "./fields.ts";
import { type SkillFacts, skillFactsSchema } from "./schema.ts";
import type { YamlMap } from "./yaml/simple-yaml.ts";

const NAMED = { name: "pdf", description: "Fills PDF forms." };

/** Reads values as if each key stood on a line of its own, the first on line 2. */
function read(data: YamlMap, dialect: DialectName = "agentskills"): Fields {
  const keys = Object.keys(data);
  const lineOf = (key: string) => (key in data ? keys.indexOf(key) + 2 : undefined);
  return readFields(data, lineOf, "pdf", DIALECTS[dialect]);
}

/** What a skill declares by these keys, the first of them on line 4. */
function declared(more: YamlMap): { facts: SkillFacts; faults: string[] } {
  const fields = read({ ...NAMED, ...more });
  const facts = fields.facts ?? {};
  expect(skillFactsSchema.parse(facts)).toEqual(facts);
  return { facts, faults: codes(fields) };
}

/** Each fault by its codes under strict and under lenient validation, with its line. */
function codes({ faults }: Fields): string[] {
  return faults.map((fault) => {
    const [strict, lenient] = (["strict", "lenient"] as const).map(
      (validation) => toDiagnostic(fault, "SKILL.md", validation).code[0],
    );
    return `${strict}${lenient} ${fault.fault}${fault.line === undefined ? "" : `:${fault.line}`}`;
  });
}

describe("004 §5.3 frontmatter validation", () => {
  it("reads a name and a description", () => {
    expect(read(NAMED)).toEqual({ ...NAMED, facts: null, faults: [] });
  });

  it("rejects a missing name; lenient validation takes the folder's", () => {
    const fields = read({ description: "Fills PDF forms." });
    expect(fields.name).toBe("pdf");
    expect(fields.faults[0]?.message).toContain("name: pdf");
    expect(codes(fields)).toEqual(["EW NAME_MISSING"]);
  });

  it.each<[fault: string, kind: string, data: YamlMap]>([
    ["EW NAME_MISSING:2", "nothing", { name: "" }],
    ["EW NAME_MISSING:2", "a list", { name: ["pdf"] }],
    ["EW NAME_MISSING:2", "a mapping", { name: { pdf: "" } }],
    ["EE DESC_INVALID:3", "nothing", { description: "" }],
    ["EE DESC_INVALID:3", "nothing", { description: " \n\t" }],
    ["EE DESC_INVALID:3", "a list", { description: ["Fills forms."] }],
    ["EE DESC_INVALID:3", "a mapping", { description: { text: "Fills forms." } }],
  ])("%s where there is %s: %j", (fault, kind, data) => {
    const fields = read({ ...NAMED, ...data });
    expect(codes(fields)).toEqual([fault]);
    expect(fields.faults[0]?.message).toContain(kind);
  });

  it("rejects a missing description, under lenient validation too", () => {
    const fields = read({ name: "pdf" });
    expect(fields.faults[0]?.message).toContain("is missing");
    expect(codes(fields)).toEqual(["EE DESC_INVALID"]);
  });

  it("reads a name in composed form, so that a decomposed one is no other", () => {
    expect(read({ ...NAMED, name: "cafe\u0301" }).name).toBe("caf\u00e9");
  });

  it("allows a description of 1024 code points and not one more, without the space around it", () => {
    expect(codes(read({ ...NAMED, description: ` ${"😀".repeat(1024)}\n` }))).toEqual([]);
    const fields = read({ ...NAMED, description: `a${"😀".repeat(1024)}` });
    expect(codes(fields)).toEqual(["EW DESC_TOO_LONG:3"]);
    expect(fields.faults[0]?.message).toContain("1025 characters");
  });
});

describe("the Agent Skills standard", () => {
  it("allows a compatibility of 500 code points and not one more", () => {
    expect(declared({ compatibility: "😀".repeat(500) }).facts.compatibility).toHaveLength(1000);
    expect(declared({ compatibility: "😀".repeat(501) }).faults).toEqual(["EW COMPATIBILITY_TOO_LONG:4"]);
  });

  /** The same of each value of a key: a fault, or none, and what is declared. */
  const each = (fault: string, key: string, values: readonly unknown[], facts: SkillFacts = {}) =>
    values.map((value) => ({ keys: { [key]: value } as YamlMap, facts, faults: fault ? [fault] : [] }));
  const bare = "WW FIELD_INVALID:4";
  const add = ["Bash(git add:*)", "Read"];
  const inBrackets = ["Bash(npm run lint, npm test)", "Edit"];

  it.each([
    ...each("", "license", ["MIT"], { license: "MIT" }),
    ...each("", "version", ["1.10"], { version: "1.10" }),
    ...["license", "version", "compatibility", "command_tool"].flatMap((key) => each(bare, key, [["x"]])),
    ...each("", "metadata", [{ author: "x", empty: "" }], { metadata: { author: "x", empty: "" } }),
    ...each("", "x-unknown", [["anything"], {}]),
    ...each(
      "",
      "allowed-tools",
      ["Bash(git add:*) Read", "Bash(git add:*), Read", "Bash(git add:*),Read", add],
      {
        allowedTools: add,
      },
    ),
    ...each("", "allowed-tools", ["Bash(npm run lint, npm test) Edit"], { allowedTools: inBrackets }),
    ...each("", "allowed-tools", [[]], { allowedTools: [] }),
    // A restriction that cannot be understood allows nothing.
    ...each(
      bare,
      "allowed-tools",
      [[["Bash"]], { Bash: true }, 7, null, true, "", " ", "7", "null", "~", "true"],
      {
        allowedTools: [],
      },
    ),
    ...each(bare, "allowed-tools", [["Read", ""], ["Read", null], ["Read", ["Bash"]], [{ name: "Read" }]], {
      allowedTools: [],
    }),
    ...each("", "disable-model-invocation", ["true", "yes", "On", "TRUE", "1"], {
      disableModelInvocation: true,
    }),
    ...each("", "disable-model-invocation", ["false", "no", "Off", "0", ""]),
    ...each(bare, "disable-model-invocation", ["maybe", ["true"], {}], { disableModelInvocation: true }),
  ])("reads $keys", ({ keys, facts, faults }) => {
    expect(declared(keys)).toEqual({ facts, faults });
  });

  it.each([
    ...each("", "invocation_mode", ["prompt_rewrite"], { invocationMode: "prompt_rewrite" }),
    ...each("", "invocation_mode", [""]),
    ...each("EW INVOCATION_MODE_INVALID:4", "invocation_mode", [
      "Tool_Dispatch",
      "rewrite",
      "prompt rewrite",
    ]),
    ...["plan", "plan_2", "-", "8"].flatMap((command) => each("", "command", [command], { command })),
    ...each("WW COMMAND_INVALID:4", "command", ["Plan", "/plan", "plan it", "pläne", "plan\n"]),
    ...each("EE COMMAND_RESERVED:4", "command", [...BUILTIN_COMMANDS]),
    ...each("EE COMMAND_TOOL_MISSING:4", "invocation_mode", ["tool_dispatch"], {
      invocationMode: "tool_dispatch",
    }),
    ...each("", "command_tool", ["compile"], { commandTool: "compile" }),
    ...each("", "command_tool", [""]),
    ...each("", "requires_tools", [["read", "write"], "read, write"], { requiresTools: ["read", "write"] }),
    ...each("", "eligibility", [{ os: ["linux"], env: [], binaries: "git", other: "x" }], {
      eligibility: { os: ["linux"], binaries: ["git"] },
    }),
    ...each("EW ELIGIBILITY_INVALID:4", "eligibility", ["linux", ["linux"]]),
    ...each("EW ELIGIBILITY_INVALID:4", "eligibility", [{ os: { linux: "" } }, { env: [["HOME"]] }], {
      eligibility: {},
    }),
  ])("§3.2 to §3.6: reads $keys, or says what is wrong", ({ keys, facts, faults }) => {
    expect(declared(keys)).toEqual({ facts, faults });
  });

  it("002 §3.4 a mode that calls a tool needs the tool", () => {
    const facts = { invocationMode: "tool_dispatch", commandTool: "compile" };
    const keys = { invocation_mode: "tool_dispatch", command_tool: "compile" };
    expect(declared(keys)).toEqual({ facts, faults: [] });
    expect(declared({ ...keys, command_tool: "" }).faults).toEqual(["EE COMMAND_TOOL_MISSING:4"]);
  });

  it("does not read more from allowed-tools than is written: an open parenthesis leaves no bare tool", () => {
    expect(declared({ "allowed-tools": "Bash(git add:*" }).facts.allowedTools ?? []).not.toContain("Bash");
  });

  it("takes nested metadata of other clients for data, without a warning", () => {
    const openclaw = { requires: { bins: ["jq"] }, install: [{ kind: "brew", formula: "jq" }] };
    const keys = { metadata: { author: "x", tags: ["a"], more: { b: "c" }, openclaw } };
    expect(declared(keys)).toEqual({ facts: { metadata: { author: "x" } }, faults: [] });
  });

  it("says so once where what Knack itself reads in metadata is not text", () => {
    const metadata = { "requires-now": ["a"], "requires-later": "b", tags: ["a"] };
    const fields = read({ ...NAMED, metadata });
    expect(fields.facts?.metadata).toEqual({ "requires-later": "b" });
    expect(codes(fields)).toEqual(["WW FIELD_INVALID:4"]);
    expect(fields.faults[0]?.message).toMatch(/"metadata\.requires-now".*separated by spaces.*a list/);
  });

  it("keeps metadata keys inert that objects have by nature", () => {
    const names = { constructor: "a", toString: "b", hasOwnProperty: "c" };
    const { metadata } = declared({ metadata: names as unknown as YamlMap }).facts;
    expect(Object.getPrototypeOf(metadata)).toBeNull();
    expect(metadata).toEqual(names);
  });
});

describe("001 validation rules", () => {
  it("requires a name and a description", () => {
    expect(codes(read({}, "project"))).toEqual(["EW NAME_MISSING", "EE DESC_INVALID"]);
  });

  it("prefers the frontmatter's name, and sets no limit to a description or a compatibility", () => {
    const long = "a".repeat(5000);
    const fields = read({ name: "code-review", description: long, compatibility: long }, "project");
    expect(fields).toMatchObject({ name: "code-review", faults: [] });
  });
});

describe("002 §3 frontmatter keys", () => {
  it.each<[rule: string, data: YamlMap, description: string, faults: string[]]>([
    ["a name says nothing: the folder's is the skill's", { name: "Something Else" }, "", []],
    ["a summary describes the skill", { summary: "Fills.", description: "Other." }, "Fills.", []],
    ["else its description does", { description: "Fills." }, "Fills.", []],
    ["with faults on its line", { x: "", description: "a\u001bb" }, "a\u001bb", ["EW CONTROL_CHAR:3"]],
    ["a summary that is no text is ignored", { summary: ["Fills."] }, "", ["WW FIELD_INVALID:2"]],
  ])("%s", (_, data, description, faults) => {
    const fields = read(data, "lily");
    expect([fields.name, fields.description, codes(fields)]).toEqual(["pdf", description, faults]);
  });

  it.each(["agentskills", "project", "lily"] as const)("are known in the dialect %s too", (dialect) => {
    const keys = { command: "plan", requires_tools: ["read"], eligibility: { os: ["linux"] } };
    const facts = { command: "plan", requiresTools: ["read"], eligibility: { os: ["linux"] } };
    expect(read({ ...NAMED, ...keys }, dialect).facts).toEqual(facts);
  });

  it("§3.3 reserves the commands that Knack itself answers", () => {
    expect([...BUILTIN_COMMANDS].sort()).toEqual(["agent", "help", "reload_skills", "skill", "skills"]);
  });
});

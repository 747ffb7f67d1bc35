import { chmodSync } from "node:fs";
import { describe, expect, it } from "vitest";
import type { Catalog, OpenCatalogOptions } from "../open-catalog.ts";
import { makeFolder, skillText } from "../testing/files.ts";
import { openRepo } from "./testing/open-repo.ts";

/** The catalog of one skill `x` with these lines in its frontmatter. */
async function openWith(lines: string, options: OpenCatalogOptions = {}, config = ""): Promise<Catalog> {
  using folder = makeFolder({
    "repo/.knack/config.yaml": config,
    "repo/.agents/skills/x/SKILL.md": skillText("x", "Does x.", `${lines}\n`),
  });
  return await openRepo(folder, options);
}

const DISPATCH = "invocation_mode: tool_dispatch\ncommand_tool:";

function expectLeftOut(catalog: Catalog, code: string, message = ""): void {
  expect(catalog.skills).toEqual([]);
  expect(catalog.errors).toMatchObject([{ code, message: expect.stringContaining(message) }]);
  expect(catalog.errors[0]?.path).toMatch(/\/x\/SKILL\.md$/);
}

const OTHER_OS = process.platform === "darwin" ? "linux" : "darwin";

describe("002 §6 a skill is excluded, and diagnostics record the reason, if", () => {
  it.each([
    ["its YAML frontmatter is invalid", "requires_tools: [read", "E_YAML_SYNTAX", ""],
    [
      "tool_dispatch is declared without command_tool",
      "invocation_mode: tool_dispatch",
      "E_COMMAND_TOOL_MISSING",
      "command_tool",
    ],
    [
      "command_tool references a tool that does not exist",
      `${DISPATCH} compile_plan`,
      "E_COMMAND_TOOL_UNKNOWN",
      "compile_plan",
    ],
    ...["skills", "skill", "help", "reload_skills", "agent"].map((command) => {
      return [
        `its command is the built-in /${command}`,
        `command: ${command}`,
        "E_COMMAND_RESERVED",
        `/${command}`,
      ];
    }),
    ["its eligibility conditions fail", `eligibility: { os: [${OTHER_OS}] }`, "E_INELIGIBLE", OTHER_OS],
  ] as [string, string, string, string][])("%s", async (_, lines, code, message) => {
    expectLeftOut(await openWith(lines), code, message);
  });
});

describe("002 §3.6 eligibility", () => {
  it("os: one of those named is enough, and an empty list asks for nothing", async () => {
    const listed = `eligibility: { os: [${OTHER_OS}, ${process.platform}], env: [], binaries: [] }`;
    expect((await openWith(listed)).skills).toHaveLength(1);
    expect((await openWith("eligibility: { os: [] }")).skills).toHaveLength(1);
    expect((await openWith("eligibility:")).skills).toHaveLength(1);
  });

  it("env: every variable must be set", async () => {
    const lines = "eligibility: { env: [KEY_A, KEY_B] }";
    expect((await openWith(lines, { env: { KEY_A: "1", KEY_B: "1" } })).skills).toHaveLength(1);
    expectLeftOut(await openWith(lines, { env: { KEY_A: "1" } }), "E_INELIGIBLE", "KEY_B");
  });

  it("env: a name that every object inherits is not a variable that is set", async () => {
    expectLeftOut(await openWith("eligibility: { env: [toString] }"), "E_INELIGIBLE", "toString");
  });

  it("binaries: every one must be executable and on the PATH", async () => {
    using bin = makeFolder({ tool: "#!/bin/sh\n", "not-executable": "", "folder/": "" });
    chmodSync(bin.at("tool"), 0o755);
    const env = { PATH: `/nowhere:${bin.path}` };
    expect((await openWith("eligibility: { binaries: [tool] }", { env })).skills).toHaveLength(1);
    for (const name of ["nothing", "not-executable", "folder", "../tool", bin.at("tool")]) {
      expectLeftOut(
        await openWith(`eligibility: { binaries: [tool, ${name}] }`, { env }),
        "E_INELIGIBLE",
        name,
      );
    }
    expectLeftOut(await openWith("eligibility: { binaries: [tool] }", { env: {} }), "E_INELIGIBLE", "tool");
  });

  it("names every condition that fails", async () => {
    const lines = `eligibility: { os: [${OTHER_OS}], env: [KEY], binaries: [nothing] }\nrequires_tools: [teleport]`;
    const [error] = (await openWith(lines)).errors;
    for (const word of [OTHER_OS, "KEY", "nothing", "teleport"]) expect(error?.message).toContain(word);
  });

  it("keeps an ineligible skill among the entries, with the reason, and refuses it by name", async () => {
    const catalog = await openWith("eligibility: { env: [KEY] }");
    expect(catalog.entries).toMatchObject([{ status: "ineligible", reason: expect.stringContaining("KEY") }]);
    expect(() => catalog.resolve({ name: "x" })).toThrow(/ineligible.*KEY/);
  });

  it("that is no mapping of lists is an error: nobody knows what it asks for", async () => {
    for (const value of ["linux", "[linux]", "{ os: { a: b } }", "{ env: [[A]] }"]) {
      expectLeftOut(await openWith(`eligibility: ${value}`), "E_ELIGIBILITY_INVALID");
    }
  });
});

describe("002 §3.5 requires_tools", () => {
  it("is met by read, write, edit, shell and search unless the configuration says otherwise", async () => {
    expect((await openWith("requires_tools: [read, write, edit, shell, search]")).skills).toHaveLength(1);
    const config = "tools: { available: [browse] }\n";
    expect((await openWith("requires_tools: [browse]", {}, config)).skills).toHaveLength(1);
    expectLeftOut(await openWith("requires_tools: [read]", {}, config), "E_INELIGIBLE", "read");
  });

  it("is met by Knack's own tools and by those of the host", async () => {
    const own = "requires_tools: [skill_search, skill_load, Skill]";
    expect((await openWith(own)).skills).toHaveLength(1);
    expect((await openWith("requires_tools: [teleport]", { tools: ["teleport"] })).skills).toHaveLength(1);
  });

  it("knows no partial capability: one missing tool excludes the skill", async () => {
    expectLeftOut(await openWith("requires_tools:\n  - read\n  - teleport"), "E_INELIGIBLE", "teleport");
  });
});

describe("002 §3.4 command_tool", () => {
  it.each(["skill_search", "skill_load", "Skill"])("may be %s", async (tool) => {
    const catalog = await openWith(`invocation_mode: tool_dispatch\ncommand_tool: ${tool}`);
    expect(catalog.skills).toMatchObject([{ invocationMode: "tool_dispatch", commandTool: tool }]);
  });

  it("may be a tool that the host added, but not one of the model's own", async () => {
    expect((await openWith(`${DISPATCH} compile_plan`, { tools: ["compile_plan"] })).skills).toHaveLength(1);
    expectLeftOut(await openWith(`${DISPATCH} shell`), "E_COMMAND_TOOL_UNKNOWN", "shell");
  });

  it("may be a typed skill: a built-in one, or one that the registry declares", async () => {
    expect((await openWith(`${DISPATCH} text_extract`)).skills).toHaveLength(1);
    using folder = makeFolder({
      "repo/skills/registry.yaml": "version: 1\nskills:\n  - name: compile_plan\n",
      "repo/skills/x/SKILL.md": skillText("x", "d", `${DISPATCH} compile_plan\n`),
      "repo/skills/y/SKILL.md": skillText("y", "d", `${DISPATCH} compile_plans\n`),
    });
    const catalog = await openRepo(folder);
    expect(catalog.skills).toMatchObject([{ name: "x" }]);
    expect(catalog.errors).toMatchObject([{ code: "E_COMMAND_TOOL_UNKNOWN" }]);
  });
});

describe("002 §3.2 and §3.3 invocation", () => {
  it("refuses an unknown invocation_mode", async () => {
    expectLeftOut(await openWith("invocation_mode: magic"), "E_INVOCATION_MODE_INVALID", "magic");
  });

  it("drops a command that breaks its pattern with a warning, and keeps the skill", async () => {
    const catalog = await openWith("command: Go Now");
    expect(catalog.skills).toHaveLength(1);
    expect(catalog.skills[0]).not.toHaveProperty("command");
    expect(catalog.warnings).toMatchObject([{ code: "W_COMMAND_INVALID" }]);
  });
});

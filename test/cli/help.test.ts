import { describe, expect, it } from "vitest";
import { COMMANDS as TABLE } from "../../packages/knack/src/cli/commands.ts";
import { knack, makeProject } from "./run.ts";

const COMMANDS = TABLE.map(({ name }) => name);

describe("knack --help", () => {
  it("names every command once, on one line, in groups, and fits on a terminal of 80 columns", () => {
    using folder = makeProject();
    const { code, stdout } = knack(folder, ["--help"]);
    expect(code).toBe(0);
    const [commands = ""] = stdout.split("Start here:");
    const listed = [...commands.matchAll(/^ {2}([a-z]+)(?: [<[].*?)? {2,}\S.*$/gm)].map(([, name]) => name);
    expect(listed.sort()).toEqual([...COMMANDS, "help"].sort());
    for (const line of stdout.split("\n")) expect(line.length, line).toBeLessThanOrEqual(80);
    expect(stdout).toMatch(/^Find and read skills:$(?:\n.*)*\nGive skills to an agent:\n {2}setup /m);
  });

  it.each(COMMANDS)("knack %s --help shows how it is used, with examples", (command) => {
    using folder = makeProject();
    const { code, stdout } = knack(folder, [command, "--help"]);
    expect(code).toBe(0);
    expect(stdout).toContain(`Usage: knack ${command}`);
    expect(stdout).toMatch(new RegExp(`^Examples:\\n(?:.*\\n)*? .*knack ${command}`, "m"));
    // A line can be pasted as it is: its explanation is a comment.
    const [, examples = ""] = stdout.split("Examples:\n");
    for (const line of examples.split("\n")) expect(line).not.toMatch(/\S {2,}[^#\s]/);
    expect(knack(folder, ["help", command]).stdout).toBe(stdout);
  });

  it("help for what is no command says so and names the nearest", () => {
    using folder = makeProject();
    const { code, stdout, stderr } = knack(folder, ["help", "serach"]);
    expect([code, stdout]).toEqual([2, ""]);
    expect(stderr).toContain("unknown command 'serach'\n(Did you mean search?)");
    expect(knack(folder, ["help"]).stdout).toBe(knack(folder, ["--help"]).stdout);
  });
});

describe("the command line", () => {
  it("finds its command behind a folder that is called like one", () => {
    using folder = makeProject({ "repo/list/": "" });
    const { code, stdout } = knack(folder, ["--cwd", "list", "registry", "--json"]);
    expect(code).toBe(0);
    expect(JSON.parse(stdout).skills.length).toBeGreaterThan(0);
  });

  it.each([
    ["serach", "search"],
    ["orchestarte", "orchestrate"],
    ["regsitry", "registry"],
  ])("%s is wrong usage, and %s is what was meant", (typed, meant) => {
    using folder = makeProject();
    const { code, stderr } = knack(folder, [typed]);
    expect([code, stderr]).toEqual([2, expect.stringContaining(`(Did you mean ${meant}?)`)]);
  });
});

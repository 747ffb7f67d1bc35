import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { knack, makeProject, program } from "./run.ts";
import { TerminalWindow } from "./terminal-window.ts";

/** Most tests call commands in their own process: these show that the built program gives the same output. */
describe("the built program", () => {
  it.each<[expected: number, ...args: string[]]>([
    [0, "list"],
    [0, "list", "--json"],
    [0, "search", "good"],
    [0, "show", "good"],
    [0, "load", "good"],
    [0, "graph"],
    [1, "doctor", "--json"],
    [0, "registry"],
    [0, "--version"],
    [0, "help", "run"],
    [1, "validate"],
    [1, "load", "none"],
    [1, "runs", "show", "none"],
    [2, "list", "--scope", "none"],
    [2, "serach"],
    [2],
  ])("exits with %i for %s %s %s, and prints what a call prints", (expected, ...args) => {
    using folder = makeProject();
    const { json: _, ...called } = knack(folder, args);
    const { json: __, ...started } = program(folder, args);
    expect(started).toEqual(called);
    expect(started.code).toBe(expected);
  });
});

describe("knack --version", () => {
  it("prints the version alone, and on a terminal also where it runs from", async () => {
    using folder = makeProject();
    const { code, stdout, stderr } = program(folder, ["--version"]);
    expect({ code, stdout, stderr }).toEqual({
      code: 0,
      stdout: expect.stringMatching(/^\d+\.\d+\.\d+\n$/),
      stderr: "",
    });
    using window = new TerminalWindow(folder, { columns: 200 });
    window.run("knack --version 2> where");
    await window.shows(stdout.trim());
    const from = join(import.meta.dirname, "../../packages/knack");
    await expect
      .poll(() => window.file("where"))
      .toBe(`Runs from ${from} on Node ${process.versions.node} (${process.execPath}).\n`);
  });
});

import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { makeFolder } from "../../packages/core/src/testing/files.ts";
import { COMMANDS as TABLE } from "../../packages/knack/src/cli/table/table.ts";
import { digestSources, isBuildFresh, stampBuild } from "../../scripts/build-stamp.ts";
import { environment, knack, makeProject, PROGRAM, program } from "./run.ts";
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

  it("says in a clone that is not built how to build it", () => {
    using folder = makeFolder({
      "bin/package.json": '{"type":"module"}',
      "bin/knack.js": readFileSync(PROGRAM),
    });
    const { status, stderr } = spawnSync(process.execPath, [folder.at("bin/knack.js"), "list"], {
      env: environment(folder),
      encoding: "utf8",
    });
    expect([status, stderr]).toEqual([1, 'knack is not built here.\nRun "npm run build" in this clone.\n']);
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
    const { code, stdout, stderr } = knack(folder, [command, "--help"]);
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    for (const words of [`Usage: knack ${command}`, "--json", "--cwd", "--no-color"])
      expect(stdout).toContain(words);
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
    ["no-such-command"],
    ["list", "--no-such-option"],
    ["list", "extra"],
    ["show"],
    ["show", "a", "b"],
    ["deny"],
    ["enable"],
    [],
  ])("%s %s is wrong usage: exit 2, a sentence and no stack", (...args) => {
    using folder = makeProject();
    const { code, stdout, stderr } = knack(folder, args);
    expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
    expect(stderr).not.toBe("");
    expect(stderr).not.toMatch(/\n\s+at /);
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

const REPOSITORY = join(import.meta.dirname, "../..");

describe("npm start", () => {
  it.each([
    // A terminal sends it to every process of the group.
    ["Ctrl-C", (npm: number) => process.kill(-npm, "SIGINT")],
    ["a signal to npm alone", (npm: number) => process.kill(npm, "SIGTERM")],
  ])("serves this repository's skills without a second command, and ends with %s", async (_name, end) => {
    using folder = makeFolder({ "home/": "" });
    const child = spawn("npm", ["start", "--", "--port", "0"], {
      cwd: REPOSITORY,
      env: environment(folder),
      stdio: ["ignore", "pipe", "pipe"],
      detached: true,
    });
    try {
      let [stdout, stderr] = ["", ""];
      child.stderr.setEncoding("utf8").on("data", (text: string) => {
        stderr += text;
      });
      for await (const text of child.stdout.setEncoding("utf8")) {
        stdout += text;
        if (/#token=\S+\n/.test(stdout)) break;
      }
      const [, origin = "", token = ""] = /(http:\/\/127\.0\.0\.1:\d+)\/#token=(\S+)/.exec(stdout) ?? [];
      expect((await fetch(origin)).status).toBe(200);
      const answer = await fetch(`${origin}/api/skills`, { headers: { Authorization: `Bearer ${token}` } });
      const { skills } = (await answer.json()) as { skills: { name: string }[] };
      expect(skills.map(({ name }) => name)).toContain("release-notes");

      const exit = once(child, "exit");
      end(child.pid!);
      await exit;
      const answers = () =>
        fetch(origin).then(
          () => true,
          () => false,
        );
      await expect.poll(answers).toBe(false);
      expect(stderr).toContain("trusted for this process only");
      expect(stderr).not.toContain("npm error");
      expect(existsSync(folder.at("home/.knack/trust.json"))).toBe(false);
    } finally {
      if (child.exitCode === null && child.signalCode === null) process.kill(-child.pid!, "SIGKILL");
    }
  });

  it("builds again where the program is missing or older than a source", () => {
    using folder = makeFolder({
      "scripts/build.ts": "",
      "packages/core/src/deep/a.ts": "",
      "packages/core/src/deep/a.test.ts": "",
    });
    expect(isBuildFresh(folder.path)).toBe(false);
    folder.write({
      "packages/core/dist/index.js": "",
      "packages/engine/dist/index.js": "",
      "packages/knack/dist/main.js": "",
      "packages/knack/dist/web/index.html": "",
    });
    stampBuild(digestSources(folder.path), folder.path);
    expect(isBuildFresh(folder.path)).toBe(true);
    folder.write({ "packages/core/src/deep/a.test.ts": "changed" });
    expect(isBuildFresh(folder.path)).toBe(true);
    folder.write({ "packages/core/src/deep/a.ts": "changed" });
    expect(isBuildFresh(folder.path)).toBe(false);
  });
});

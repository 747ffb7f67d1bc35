import { lstatSync, readdirSync, readFileSync, realpathSync, rmSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { makeFolder } from "../../packages/core/src/testing/files.ts";
import { TerminalWindow } from "../cli/terminal-window.ts";
import {
  hasPinnedNode,
  installGlobally,
  manifestOf,
  NEW_NODE,
  npm,
  oldNode,
  pack,
  pinnedVersion,
  type Runtime,
  whyNoRegistry,
} from "./install.ts";
import { FILES, InstalledProgram, PROJECT } from "./installed-program.ts";

/** Packs the program, installs it as a user does, and uses it. */

const old = oldNode();
const offline = whyNoRegistry();
const folder = makeFolder({ ...FILES, "home/": "", "packed/": "" });
let tarball = "";

beforeAll(() => {
  [tarball = ""] = pack(folder.at("packed"), "knack");
});
afterAll(() => folder[Symbol.dispose]());

const whyNotOld = (): string | undefined => {
  if (!old) return "the node of this machine is not older than 24.15";
  return hasPinnedNode() ? offline : "there is no Node to install with Knack on this system";
};

interface Case {
  readonly title: string;
  readonly runtime: Runtime;
  /** The version that runs Knack. */
  readonly runsOn: string;
  readonly install: readonly string[];
  readonly why: string | undefined;
}

const CASES: readonly Case[] = [
  {
    title: `on Node ${old?.version ?? 20}, with the Node that comes along`,
    runtime: old ?? NEW_NODE,
    runsOn: pinnedVersion(),
    install: [],
    why: whyNotOld(),
  },
  {
    title: `on Node ${NEW_NODE.version}, without another`,
    runtime: NEW_NODE,
    runsOn: NEW_NODE.version,
    // npm ignores --omit=optional with -g.
    install: ["--cpu=none"],
    why: offline,
  },
];

describe.each(CASES)("the packed program $title", ({ runtime, runsOn, install, why }) => {
  const prefix = folder.at(`prefix-${install.length}`);
  const program = new InstalledProgram(folder, runtime, prefix);

  beforeAll(() => {
    if (!why) installGlobally(runtime, tarball, prefix, ...install);
  });
  beforeEach(({ skip }) => skip(why !== undefined, why));

  it("prints its version", () => {
    const { version } = manifestOf("knack");
    expect(program.run(["--version"])).toEqual({ code: 0, stdout: `${version}\n`, stderr: "" });
  });

  it("lists the skills of a project, whatever characters are in its path", () => {
    const { skills } = JSON.parse(program.run(["list", "--json"]).stdout);
    expect(skills.map(({ path }: { path: string }) => path)).toEqual([
      folder.at(PROJECT, ".agents/skills/release-notes/SKILL.md"),
    ]);
    const named = program.run(["--cwd", folder.at(PROJECT), "list", "--json"]);
    expect(JSON.parse(named.stdout).skills).toEqual(skills);
  });

  it("serves MCP on standard input and output, and ends with its input", () => {
    const params = {
      protocolVersion: "2025-11-25",
      capabilities: {},
      clientInfo: { name: "test", version: "1" },
    };
    const lines = [
      { id: 1, method: "initialize", params },
      { method: "notifications/initialized" },
      { id: 2, method: "tools/call", params: { name: "skill_load", arguments: { name: "release-notes" } } },
    ].map((message) => JSON.stringify({ jsonrpc: "2.0", ...message }));
    const { code, stdout } = program.run(["mcp"], `${lines.join("\n")}\n`);
    expect(code).toBe(0);
    const [hello, loaded] = stdout.trim().split("\n");
    expect(JSON.parse(hello ?? "").result.serverInfo.name).toBe("knack");
    expect(loaded).toContain("# release-notes");
  });

  it("runs a built-in skill on a file, and a typed skill in TypeScript", () => {
    expect(program.run(["run", "text_extract", "page.html", "--output", "-"])).toEqual({
      code: 0,
      stdout: expect.stringContaining("The contract runs until 2027."),
      stderr: "",
    });
    const { code, stdout, stderr } = program.run(["run", "shout", "--param", "text=typed", "--json"]);
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    expect(JSON.parse(stdout)).toMatchObject({
      status: "SUCCEEDED",
      evidences: [{ kind: "SAID", data: { text: "TYPED" } }],
    });
  });

  it("gives the exit code of a command that fails, its messages and its input", () => {
    expect(program.run(["load", "none"])).toMatchObject({
      code: 1,
      stdout: "",
      stderr: expect.stringContaining("none"),
    });
    expect(program.run(["lsit"])).toMatchObject({ code: 2, stderr: expect.stringContaining("mean list?") });
    expect(program.run(["shell"], "/skills\n").stdout).toContain("release-notes");
  });

  it.each<[what: string, target: (launcher: number) => number, signal: NodeJS.Signals, ended: unknown[]]>([
    ["Ctrl-C, which a terminal sends to all", (launcher) => -launcher, "SIGINT", [130, null]],
    ["SIGINT", (launcher) => launcher, "SIGINT", [130, null]],
    ["SIGTERM", (launcher) => launcher, "SIGTERM", [0, null]],
    ["SIGKILL", (launcher) => launcher, "SIGKILL", [null, "SIGKILL"]],
  ])("ends with %s, and leaves no process behind", async (_what, target, signal, ended) => {
    await using server = await program.serve();
    expect(await server.answers()).toBe(true);
    process.kill(target(server.pid), signal);
    expect(await server.ended()).toEqual(ended);
    await expect.poll(() => server.answers()).toBe(false);
  });

  it("ends by the signal that ended the program", async ({ skip }) => {
    skip(process.platform !== "linux", "processes are found in /proc");
    await using server = await program.serve();
    process.kill(server.runner, "SIGKILL");
    expect(await server.ended()).toEqual([null, "SIGKILL"]);
  });

  it("at a terminal names the Node that runs it, and passes nothing of its own on to a runner", async () => {
    using window = new TerminalWindow(folder, {
      columns: 300,
      env: { KNACK_TRUST: "all" },
    });
    const own = join(prefix, "lib/node_modules", manifestOf("knack").name);
    const node = install.length === 0 ? own : process.execPath;
    // tmux takes the search path of its own process.
    window.run(`export PATH='${runtime.path}'; cd ../a*; ${prefix}/bin/knack --version`);
    await window.shows(`Runs from ${own} on Node ${runsOn} (${node}`);
    folder.write({ "runner.sh": 'env > "$HOME/environment"\n' });
    window.run(
      `${prefix}/bin/knack dispatch --role fixer --skill release-notes --prompt x --runner-cmd 'sh ${folder.at("runner.sh")}'; echo ended with $?`,
    );
    await window.shows("ended with 0");
    const environment = readFileSync(folder.at("home/environment"), "utf8");
    expect(environment).toContain("HOME=");
    expect(environment).not.toContain("KNACK_LAUNCHER");
    rmSync(folder.at("home/environment"));
  });

  it("has its manual page where man looks, its licence, and nothing that is not needed", () => {
    const own = join(prefix, "lib/node_modules", manifestOf("knack").name);
    const page = join(prefix, "share/man/man1/knack.1");
    expect(realpathSync(page)).toBe(join(own, "man/knack.1"));
    expect(readdirSync(own).sort()).toEqual(
      ["LICENSE", "README.md", "bin", "dist", "man", "package.json"]
        .concat(install.length === 0 ? "node_modules" : [])
        .sort(),
    );
    if (install.length > 0) return;
    // Of the Nodes, only that of this system; of packages, no other.
    expect(readdirSync(join(own, "node_modules")).filter((name) => !name.startsWith("."))).toHaveLength(1);
  });

  it("is gone after npm uninstall", () => {
    const { code } = npm(runtime, ["uninstall", "-g", "--prefix", prefix, manifestOf("knack").name]);
    expect(code).toBe(0);
    const files = readdirSync(prefix, { recursive: true, encoding: "utf8" }).filter(
      (name) => !lstatSync(join(prefix, name)).isDirectory(),
    );
    expect(files).toEqual([]);
  });
});

describe("the packed program on a Node that is too old, without another", () => {
  it("says what to do", ({ skip }) => {
    const why = whyNotOld();
    if (why !== undefined || !old) return skip(why);
    const prefix = folder.at("prefix-none");
    installGlobally(old, tarball, prefix, "--cpu=none");
    const { code, stdout, stderr } = new InstalledProgram(folder, old, prefix).run(["list"]);
    expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
    expect(stderr).toMatch(/^knack needs Node 24\.15 or newer, and this is v[\d.]+\.\nInstall Node 24\.15/);
  });
});

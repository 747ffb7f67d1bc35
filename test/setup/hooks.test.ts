// biome-ignore-all lint/suspicious/noTemplateCurlyInString: clients fill them in
import { spawnSync } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { pathToFileURL } from "node:url";
import { parse as parseToml } from "smol-toml";
import { describe, expect, it } from "vitest";
import { type Folder, skillText } from "../../packages/core/src/testing/files.ts";
import type { HOOK_CLIENT_NAMES } from "../../packages/knack/src/client-names.ts";
import { PROGRAM } from "../cli/run.ts";
import { addProgram, makeHome, setup, snapshot } from "./client-files.ts";

type Client = (typeof HOOK_CLIENT_NAMES)[number];

const FILES: Readonly<Record<Client, string>> = {
  claude: ".claude/settings.json",
  codex: ".codex/hooks.json",
  copilot: ".copilot/hooks/knack.json",
  gemini: ".gemini/settings.json",
  qwen: ".qwen/settings.json",
  opencode: ".config/opencode/plugin/knack.js",
  pi: ".pi/agent/extensions/knack.ts",
};
const LISTED = ["claude", "codex", "copilot", "gemini", "qwen"] as const;
type Listed = (typeof LISTED)[number];
const PROGRAMS = ["opencode", "pi"] as const;

/** The event before a tool, as each client calls it. */
const TOOL: Readonly<Record<Listed, string>> = {
  claude: "PreToolUse",
  codex: "PreToolUse",
  copilot: "preToolUse",
  gemini: "BeforeTool",
  qwen: "PreToolUse",
};

const textOf = (folder: Folder, client: Client): string =>
  readFileSync(folder.at("home", FILES[client]), "utf8");
const bare = (text: string): string => text.replaceAll(/^\s*\/\/.*$/gm, "").replace(/^\ufeff/, "");

interface Hook {
  readonly type: string;
  readonly command?: string;
  readonly bash?: string;
  readonly timeout?: number;
  readonly timeoutSec?: number;
  readonly input?: Readonly<Record<string, string>>;
}
type Entry = Hook & { readonly matcher?: string; readonly hooks?: readonly Hook[] };

function hooksIn(folder: Folder, client: Listed): Record<string, Entry[]> {
  return JSON.parse(bare(textOf(folder, client))).hooks ?? {};
}
const inner = (entry: Entry): readonly Hook[] => entry.hooks ?? [entry];
const commandOf = ({ command = "", bash = command }: Hook): string => bash;

/** A client of this version on the search path. */
const install = (folder: Folder, name: string, version: string): void =>
  addProgram(folder, name, `echo '${name} ${version} knack'`);

const theirs = (client: Listed): Entry =>
  client === "copilot"
    ? { type: "command", bash: "their-check" }
    : ({ matcher: "Bash", hooks: [{ type: "command", command: "their-check" }] } as unknown as Entry);

/** Files as people have them. */
function shapes(client: Listed): Record<string, string> {
  const other = { version: 1, hooks: { [TOOL[client]]: [theirs(client)], Notification: [] } };
  const plain = JSON.stringify(other, null, 2);
  const own: Record<string, string> =
    client === "gemini" || client === "qwen" ? { "with comments": `{\n  // mine\n  "hooks": {}\n}\n` } : {};
  return {
    "an empty file": "",
    "an empty object": "{}\n",
    ...own,
    "other people's hooks": `${plain}\n`,
    "tabs, without a line end": JSON.stringify(other, null, "\t"),
    "Windows line ends": `${plain}\n`.replaceAll("\n", "\r\n"),
    "one line": JSON.stringify(other),
  };
}

describe.each(LISTED)("the hooks of knack setup %s", (client) => {
  const path = `home/${FILES[client]}`;

  it.each(Object.entries(shapes(client)))(
    "into %s come behind the others, once, and go exactly",
    (_shape, text) => {
      using folder = makeHome({ [path]: text });
      const before = snapshot(folder);
      const done = setup(folder, [client, "--yes"]);
      expect(done, done.stderr).toMatchObject({ code: 0 });
      const hooks = hooksIn(folder, client);
      const list = hooks[TOOL[client]] ?? [];
      if (text.includes("their-check")) expect(list[0]).toEqual(theirs(client));
      const line = text.split(/\r?\n/).find((one) => one.includes("their-check")) ?? "";
      expect(textOf(folder, client)).toContain(line.slice(0, line.indexOf("their-check") + 12));
      expect(commandOf(inner(list.at(-1) as Entry)[0] as Hook)).toContain(`hook tool --client ${client}`);
      const after = textOf(folder, client);
      if (text.includes("\r\n")) expect(after.replaceAll("\r\n", "")).not.toContain("\n");
      expect(setup(folder, [client, "--yes"]).stdout).toContain("is already set up");
      expect(textOf(folder, client)).toBe(after);
      expect(setup(folder, [client, "--remove", "--yes"]).code).toBe(0);
      expect(snapshot(folder)).toEqual(before);
    },
  );

  it("are left out with --no-hooks, which removes them too", () => {
    using folder = makeHome();
    expect(setup(folder, [client, "--yes", "--no-hooks"]).code).toBe(0);
    const without = snapshot(folder);
    expect(JSON.stringify(without)).not.toContain("hook");
    setup(folder, [client, "--yes", "--hooks"]);
    expect(hooksIn(folder, client)).toHaveProperty(TOOL[client]);
    expect(setup(folder, [client, "--yes", "--no-hooks"]).code).toBe(0);
    expect(snapshot(folder)).toEqual(without);
  });

  it("replace an older form in its place, and go with --remove", () => {
    const old = {
      copilot: { type: "command", bash: "knack hook tool --client copilot" },
      other: {
        hooks: [{ type: "command", command: "/usr/bin/node '/opt/old/knack.js' hook tool --client x" }],
      },
    };
    const mine = client === "copilot" ? old.copilot : old.other;
    const list = [mine, theirs(client), mine];
    using folder = makeHome({ [path]: JSON.stringify({ hooks: { [TOOL[client]]: list, Old: [mine] } }) });
    expect(setup(folder, [client, "--yes"]).code).toBe(0);
    const hooks = hooksIn(folder, client);
    expect(hooks.Old).toBeUndefined();
    expect(hooks[TOOL[client]]).toHaveLength(2);
    expect(setup(folder, [client, "--remove", "--yes"]).code).toBe(0);
    expect(hooksIn(folder, client)).toEqual({ [TOOL[client]]: [theirs(client)] });
  });

  it("keep what somebody added to them, and take only their own away", () => {
    using folder = makeHome();
    setup(folder, [client, "--yes"]);
    const file = folder.at(path);
    const document = JSON.parse(readFileSync(file, "utf8"));
    const [group] = document.hooks[TOOL[client]];
    const more = inner(theirs(client))[0];
    if (client === "copilot") document.hooks[TOOL[client]].push(more);
    else group.hooks.push(more);
    writeFileSync(file, JSON.stringify(document, null, 2));
    expect(setup(folder, [client, "--remove", "--yes"]).code).toBe(0);
    const left = hooksIn(folder, client);
    expect(Object.keys(left)).toEqual([TOOL[client]]);
    expect((left[TOOL[client]] ?? []).flatMap(inner)).toEqual([more]);
  });

  it("say what each does, and ask before they are written", () => {
    using folder = makeHome({ [path]: "{}\n" });
    const { code, stderr } = setup(folder, [client]);
    expect(code).toBe(2);
    expect(stderr).toContain("puts the skill that fits a prompt before the model");
    expect(stderr).toContain(`~/${FILES[client]}`);
    expect(readFileSync(folder.at(path), "utf8")).toBe("{}\n");
    const printed = setup(folder, [client, "--print"]);
    expect(printed.stderr).toContain(`The hooks of ${client}, into ~/${FILES[client]}`);
    expect(setup(folder, [client, "--print", "--no-hooks"]).stderr).not.toContain("The hooks of");
  });

  it("end with 0 where Knack is gone or fails, and with nothing said", () => {
    using folder = makeHome({ "fails.mjs": "process.exit(2);\n" });
    setup(folder, [client, "--yes"]);
    const hooks = Object.values(hooksIn(folder, client)).flat().flatMap(inner);
    expect(hooks.length).toBeGreaterThan(2);
    for (const hook of hooks) {
      const gone = commandOf(hook)
        .replaceAll(process.execPath, "/nowhere/node")
        .replaceAll("knack.js", "gone.js");
      const fails = commandOf(hook).replaceAll(PROGRAM, folder.at("fails.mjs"));
      expect(fails).toContain("fails.mjs");
      for (const command of [gone, fails, commandOf(hook).replaceAll("knack.js", "gone.js")]) {
        const { status, stdout } = spawnSync("sh", ["-c", command], { input: "{}", encoding: "utf8" });
        expect([status, stdout], command).toEqual([0, ""]);
      }
      expect([5, 5000]).toContain(hook.timeout ?? hook.timeoutSec);
    }
  });
});

describe("the hooks of knack setup", () => {
  it("are commands of a few words where knack is on the search path", () => {
    using folder = makeHome();
    symlinkSync(PROGRAM, folder.at("bin/knack"));
    for (const client of LISTED)
      setup(folder, [client, "--yes"], { env: { PATH: `${folder.at("bin")}:/usr/bin:/bin` } });
    const first = (client: Listed, event: string) =>
      commandOf(inner(hooksIn(folder, client)[event]?.[0] as Entry)[0] as Hook);
    expect(first("copilot", "userPromptSubmitted")).toBe(
      "if command -v knack >/dev/null 2>&1; then knack hook prompt --client copilot 2>/dev/null || exit 0; fi",
    );
    expect(first("gemini", "BeforeAgent")).toBe(
      "command -v knack >/dev/null 2>&1 || exit 0; exec 3<&0; knack hook prompt --client gemini <&3 & p=$!; trap 'kill $p' TERM INT; wait $p; exit 0",
    );
  });

  it("give the skill that fits when a client runs them", () => {
    using folder = makeHome({
      "home/.agents/skills/release-notes/SKILL.md": skillText(
        "release-notes",
        "Write release notes from git history.",
      ),
    });
    for (const client of ["qwen", "gemini"] as const) {
      setup(folder, [client, "--yes"]);
      const event = client === "qwen" ? "UserPromptSubmit" : "BeforeAgent";
      const hook = inner(hooksIn(folder, client)[event]?.[0] as Entry)[0] as Hook;
      const call = {
        session_id: "1",
        cwd: folder.at("home"),
        prompt: "Write release notes from git history",
      };
      const env = { ...process.env, HOME: folder.at("home") };
      const { status, stdout } = spawnSync("sh", ["-c", commandOf(hook)], {
        env,
        input: JSON.stringify(call),
        encoding: "utf8",
      });
      expect(status).toBe(0);
      expect(stdout).toContain("release-notes");
    }
  });

  it.each([
    ["claude", "2.1.325", "PreToolUse"],
    ["codex", "0.166.0", "PreToolUse"],
  ] as const)(
    "%s: call the tool of the server from the version on that was seen to",
    (client, version, event) => {
      for (const [installed, form] of [
        [version, "mcp_tool"],
        ["99.0.0", "mcp_tool"],
        [version.replace(/\d+$/, "").replace(/\d+\.$/, "0.0"), "command"],
        ["unknown", "command"],
      ] as const) {
        using folder = makeHome();
        install(folder, client, installed);
        setup(folder, [client, "--yes"]);
        const hook = inner(hooksIn(folder, client)[event]?.[0] as Entry)[0] as Hook;
        expect(hook.type, installed).toBe(form);
        if (form === "command") continue;
        const agent = client === "claude" ? { agent: "${agent_id}" } : {};
        expect(hook).toEqual({
          ...{ type: "mcp_tool", server: "knack", tool: "hook", timeout: 5 },
          input: {
            event: "tool",
            session: "${session_id}",
            ...agent,
            tool: "${tool_name}",
            args: "${tool_input}",
          },
        });
      }
    },
  );

  it("are not written for a client that nobody tried them with", () => {
    using folder = makeHome();
    const { stderr } = setup(folder, ["cursor", "--yes"]);
    expect(stderr).toContain("Cursor gets no hooks");
    expect(Object.keys(snapshot(folder))).toEqual([".cursor/mcp.json"]);
  });

  it("go to several clients at once, and one broken file stops no other", () => {
    using folder = makeHome({ "home/.qwen/settings.json": "{ broken", "home/.pi/agent/": "" });
    install(folder, "codex", "0.166.0");
    expect(setup(folder, ["codex", "copilot", "--yes"]).code).toBe(0);
    const all = setup(folder, ["--all", "--yes"]);
    expect(all.code).toBe(1);
    expect(all.stderr).toContain("settings.json:1:");
    expect(existsSync(folder.at("home", FILES.pi))).toBe(true);
    const { clients } = setup(folder, ["codex", "copilot", "--yes", "--json"]).json() as unknown as {
      clients: object[];
    };
    expect(clients).toHaveLength(2);
    expect(setup(folder, ["--all", "claude"]).code).toBe(2);
    expect(setup(folder, ["--all", "--remove", "--yes"]).code).toBe(0);
    expect(Object.keys(snapshot(folder))).toEqual([".qwen/settings.json"]);
  });

  it("with a fixed folder look there", () => {
    using folder = makeHome({ "work/": "" });
    setup(folder, ["qwen", "--yes", "--cwd", folder.at("work")]);
    expect(textOf(folder, "qwen")).toContain(`--client qwen --cwd ${folder.at("work")}`);
  });
});

describe.each(PROGRAMS)("the program that knack setup %s writes", (client) => {
  it("is Knack's own file, replaced by a newer one, and never somebody else's", () => {
    using folder = makeHome();
    const before = snapshot(folder);
    setup(folder, [client, "--yes"]);
    const text = textOf(folder, client);
    writeFileSync(folder.at("home", FILES[client]), `${text}// older\n`);
    expect(setup(folder, [client, "--yes"]).code).toBe(0);
    expect(textOf(folder, client)).toBe(text);
    writeFileSync(folder.at("home", FILES[client]), `${text}// newer\n`);
    setup(folder, [client, "--remove", "--yes"]);
    expect(snapshot(folder)).toEqual(before);
    folder.write({ [`home/${FILES[client]}`]: "export default 1;\n" });
    const { code, stderr } = setup(folder, [client, "--yes"]);
    expect([code, stderr.includes("was not written by Knack")], stderr).toEqual([1, true]);
    expect(textOf(folder, client)).toBe("export default 1;\n");
  });

  it("asks Knack, and says nothing where it fails", async () => {
    for (const [answer, expected] of [
      ['{"text": "Load it."}', "Load it."],
      ["no JSON", undefined],
      ["", undefined],
      ["exit 3", undefined],
    ] as const) {
      using folder = makeHome();
      const seen = folder.at("seen");
      const reply = answer === "exit 3" ? answer : `printf '%s' '${answer}'`;
      addProgram(folder, "knack", `printf '%s ' "$@" >>${seen}; cat >>${seen}; ${reply}`);
      const prompted = await prompt(client, folder, [folder.at("bin/knack"), "hook"]);
      expect(prompted).toBe(expected);
      expect(readFileSync(seen, "utf8")).toBe(
        `hook prompt --client ${client} {"session":"s1","cwd":"/work","prompt":"write it"}`,
      );
      expect(await prompt(client, folder, ["/nowhere/knack"])).toBeUndefined();
    }
  });

  it("refuses a tool with Knack's reason", async () => {
    using folder = makeHome();
    addProgram(folder, "knack", `cat >/dev/null; printf '%s' '{"refuse": "Load db first."}'`);
    expect(await write(client, folder, [folder.at("bin/knack")])).toBe("Load db first.");
    expect(await write(client, folder, ["/nowhere/knack"])).toBeUndefined();
  });
});

it("the program for opencode says whose subagent a session is, and tells of the skills that it loads", async () => {
  using folder = makeHome();
  const seen = folder.at("seen");
  addProgram(folder, "knack", `cat >>${seen}; echo >>${seen}`);
  const { Knack } = await load("opencode", folder, [folder.at("bin/knack")]);
  const parents: Readonly<Record<string, string>> = { grandchild: "child", child: "s1" };
  const get = async ({ path: { id } }: { path: { id: string } }) => ({ data: { parentID: parents[id] } });
  const plugin = await Knack({ directory: "/work", client: { session: { get } } });
  for (const sessionID of ["s1", "grandchild"])
    for (const tool of ["bash", "knack_skill_load"])
      await plugin["tool.execute.before"]({ tool, sessionID }, { args: {} });
  const own = { session: "s1", cwd: "/work", tool: "bash", args: {} };
  const given = { session: "s1", agent: "grandchild", cwd: "/work", tool: "bash", args: {} };
  expect(
    readFileSync(seen, "utf8")
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line)),
  ).toEqual([own, given, { ...given, tool: "knack_skill_load" }]);
});

/** The program as the client loads it, with these words for Knack. */
async function load(client: (typeof PROGRAMS)[number], folder: Folder, words: readonly string[]) {
  setup(folder, [client, "--yes"]);
  const text = textOf(folder, client).replace(
    /^const WORDS = .*$/m,
    `const WORDS = ${JSON.stringify(words)};`,
  );
  mkdirSync(folder.at("loaded"), { recursive: true });
  const file = folder.at("loaded", `${words.length}-${Math.abs(words.join().length)}.mjs`);
  writeFileSync(file, text);
  return import(pathToFileURL(file).href);
}

const CONTEXT = { cwd: "/work", sessionManager: { getSessionId: () => "s1" } };

async function handlersOfPi(folder: Folder, words: readonly string[]) {
  const handlers: Record<
    string,
    (event: object, context: object) => Promise<Record<string, unknown> | undefined>
  > = {};
  const { default: extension } = await load("pi", folder, words);
  extension({ on: (name: string, handler: never) => Object.assign(handlers, { [name]: handler }) });
  return handlers;
}

/** What the model gets to read before its first request. */
async function prompt(client: (typeof PROGRAMS)[number], folder: Folder, words: readonly string[]) {
  if (client === "pi") {
    const handlers = await handlersOfPi(folder, words);
    const given = await handlers.before_agent_start?.({ prompt: "write it" }, CONTEXT);
    return (given?.message as { content?: string } | undefined)?.content;
  }
  const { Knack } = await load(client, folder, words);
  const plugin = await Knack({ directory: "/work" });
  const parts = [{ id: "prt_0001abcd", type: "text", text: "write it" }];
  await plugin["chat.message"]({ sessionID: "s1" }, { message: { id: "m1" }, parts });
  expect(parts[1]?.id ?? "prt_0001knck").toBe("prt_0001knck");
  return parts[1]?.text;
}

/** The reason for which a write is refused. */
async function write(client: (typeof PROGRAMS)[number], folder: Folder, words: readonly string[]) {
  if (client === "pi") {
    const handlers = await handlersOfPi(folder, words);
    const given = await handlers.tool_call?.({ toolName: "write", input: { path: "a.sql" } }, CONTEXT);
    return given?.reason;
  }
  const { Knack } = await load(client, folder, words);
  const plugin = await Knack({ directory: "/work" });
  const call = plugin["tool.execute.before"](
    { tool: "write", sessionID: "s1" },
    { args: { filePath: "a.sql" } },
  );
  return call.then(
    () => undefined,
    (error: Error) => error.message,
  );
}

describe("knack setup --instead", () => {
  const skills = {
    "home/.codex/skills/a/SKILL.md": skillText("a", "First of all."),
    "home/.claude/skills/b/SKILL.md": skillText("b", "Second to none."),
  };

  it.each([
    [
      "codex",
      ".codex/config.toml",
      (text: string) => (parseToml(text).skills as object | undefined) ?? {},
      { include_instructions: false },
    ],
    [
      "claude",
      ".claude/settings.json",
      (text: string) => JSON.parse(text).skillOverrides,
      { b: "user-invocable-only" },
    ],
  ] as const)(
    "%s: leaves out the own list, shows both figures, and is undone",
    (client, file, read, expected) => {
      using folder = makeHome(skills);
      const before = snapshot(folder);
      const { code, stderr } = setup(folder, [client, "--yes", "--instead"]);
      expect(code, stderr).toBe(0);
      expect(stderr).toMatch(/own list of skills has about \d+ tokens here, Knack's \d+\./);
      const now = readFileSync(folder.at("home", file), "utf8");
      expect(read(now)).toEqual(expected);
      // A later setup keeps it.
      expect(setup(folder, [client, "--yes"]).stdout).toContain("already set up");
      expect(setup(folder, [client, "--remove", "--yes"]).code).toBe(0);
      expect(snapshot(folder)).toEqual(before);
    },
  );

  it("restores a setting that was there, and leaves one that others wrote", () => {
    using folder = makeHome({
      ...skills,
      "home/.codex/config.toml":
        "[skills]\ninclude_instructions = true # mine\n\n[[skills.config]]\npath = '/x'\nenabled = false\n",
      "home/.claude/settings.json": '{ "skillOverrides": { "mine": "user-invocable-only" } }\n',
    });
    setup(folder, ["codex", "claude", "--yes", "--instead"]);
    const config = folder.at("home/.codex/config.toml");
    expect(parseToml(readFileSync(config, "utf8"))).toMatchObject({
      skills: { include_instructions: false },
    });
    writeFileSync(config, `${readFileSync(config, "utf8")}\n[later]\nx = 1\n`);
    const settings = folder.at("home/.claude/settings.json");
    writeFileSync(settings, readFileSync(settings, "utf8").replace("{", '{ "later": 1,'));
    expect(setup(folder, ["codex", "claude", "--remove", "--yes"]).code).toBe(0);
    expect(parseToml(readFileSync(config, "utf8"))).toEqual({
      skills: { include_instructions: true, config: [{ path: "/x", enabled: false }] },
      later: { x: 1 },
    });
    expect(JSON.parse(readFileSync(settings, "utf8"))).toEqual({
      later: 1,
      skillOverrides: { mine: "user-invocable-only" },
    });
  });

  it("says where a client has no such setting", () => {
    using folder = makeHome(skills);
    expect(setup(folder, ["gemini", "--yes", "--instead"]).stderr).toContain("has no setting");
  });
});

describe("knack setup codex --trust-hooks", () => {
  /** Answers as `codex app-server` does, for the hooks that are there. */
  const SERVER = `#!${process.execPath}
const { readFileSync } = require("node:fs");
const { createInterface } = require("node:readline");
if (process.argv[2] !== "app-server") { console.log("codex-cli 0.166.0 knack"); process.exit(0); }
const sourcePath = process.env.HOME + "/.codex/hooks.json";
createInterface({ input: process.stdin }).on("line", (line) => {
  const { id, method } = JSON.parse(line);
  if (id === 1) console.log(JSON.stringify({ id, result: {} }));
  if (method !== "hooks/list") return;
  const { hooks } = JSON.parse(readFileSync(sourcePath, "utf8"));
  const list = Object.entries(hooks).flatMap(([event, groups]) => groups.map((group, at) => {
    const [hook] = group.hooks;
    const name = event.replace(/(?<=[a-z])[A-Z]/g, (letter) => "_" + letter).toLowerCase();
    return { key: sourcePath + ":" + name + ":" + at + ":0", currentHash: "sha256:" + name, sourcePath,
      handlerType: hook.type === "mcp_tool" ? "mcpTool" : hook.type, server: hook.server, command: hook.command };
  }));
  console.log(JSON.stringify({ id, result: { data: [{ cwd: "/", hooks: list }] } }));
});
`;

  it("trusts Knack's hooks alone, at their places, and --remove takes the trust away", () => {
    const config = '# mine\nmodel = "x"\n';
    using folder = makeHome({
      "bin/codex": SERVER,
      "home/.codex/config.toml": config,
      "home/.codex/hooks.json": JSON.stringify({ hooks: { PreToolUse: [theirs("codex")] } }),
    });
    chmodSync(folder.at("bin/codex"), 0o755);
    const before = snapshot(folder);
    const done = setup(folder, ["codex", "--yes", "--trust-hooks"]);
    expect(done.code, done.stderr).toBe(0);
    const read = () =>
      parseToml(readFileSync(folder.at("home/.codex/config.toml"), "utf8")) as Record<string, unknown>;
    const file = folder.at("home", FILES.codex);
    const { state } = read().hooks as { state: object };
    expect(state).toMatchObject({ [`${file}:pre_tool_use:1:0`]: { trusted_hash: "sha256:pre_tool_use" } });
    expect(Object.keys(state)).not.toContain(`${file}:pre_tool_use:0:0`);
    expect(setup(folder, ["codex", "--yes"]).stdout).toContain("already set up");
    expect(setup(folder, ["codex", "--remove", "--yes"]).code).toBe(0);
    expect(snapshot(folder)).toEqual(before);
  });

  it("says what to do by hand without it", () => {
    using folder = makeHome();
    expect(setup(folder, ["codex", "--yes"]).stderr).toContain("/hooks");
    expect(setup(folder, ["claude", "--yes", "--trust-hooks"]).code).toBe(2);
  });
});

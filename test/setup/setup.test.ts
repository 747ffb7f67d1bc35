import { spawn } from "node:child_process";
import { once } from "node:events";
import { chmodSync, existsSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import type { Folder } from "../../packages/core/src/testing/files.ts";
import { knack } from "../cli/run.ts";
import { Server } from "../http/server.ts";
import { addProgram, CLIENTS, FORMATS, makeHome, serversIn, setup, snapshot } from "./client-files.ts";

const textOf = (folder: Folder, file: string): string => readFileSync(folder.at("home", file), "utf8");

describe("knack setup", () => {
  it("lists the clients of this machine, and which are set up", () => {
    using folder = makeHome({ "home/.gemini/settings.json": "{ broken", "home/.qwen/": "" });
    addProgram(folder, "codex", "exit 0");
    setup(folder, ["qwen", "--yes"]);
    const { clients } = setup(folder, ["--json"]).json() as unknown as {
      clients: { client: string; installed: boolean; setup: boolean | null; error?: string }[];
    };
    expect(clients.map(({ client }) => client)).toEqual(CLIENTS);
    const of = (name: string) => clients.find(({ client }) => client === name);
    expect(of("codex")).toMatchObject({ installed: true, program: folder.at("bin/codex"), setup: false });
    expect(of("qwen")).toMatchObject({ installed: true, setup: true, transport: "stdio", current: true });
    expect(of("gemini")).toMatchObject({
      installed: true,
      setup: null,
      error: expect.stringContaining(":1:"),
    });
    expect(of("zed")).toMatchObject({ installed: false, setup: false });
    const { code, stdout, stderr } = setup(folder, []);
    expect(code).toBe(0);
    expect(stdout).toMatch(/^qwen +yes +yes +yes +~\/\.qwen\/settings\.json$/m);
    expect(stdout).toMatch(/^gemini +yes +file is broken/m);
    expect(stderr).toContain('Run "knack setup codex"');
  });

  it("names the clients where one is unknown or missing", () => {
    using folder = makeHome();
    for (const args of [["notepad"], ["--print"], ["--remove"], ["claude", "--remove", "--http"]]) {
      const { code, stdout } = setup(folder, args);
      expect([code, stdout]).toEqual([2, ""]);
    }
    expect(setup(folder, ["notepad"]).stderr).toContain(CLIENTS.join(", "));
    expect(setup(folder, ["notepad", "--json"]).json().error.code).toBe("INVALID_PARAM");
  });

  it.each([
    ["claude", "CLAUDE_CONFIG_DIR", "else/.claude.json"],
    ["codex", "CODEX_HOME", "else/config.toml"],
    ["gemini", "GEMINI_CLI_HOME", "else/.gemini/settings.json"],
    ["copilot", "COPILOT_HOME", "else/mcp-config.json"],
    ["qwen", "QWEN_HOME", "else/settings.json"],
    ["opencode", "XDG_CONFIG_HOME", "else/opencode/opencode.json"],
    ["vscode", "XDG_CONFIG_HOME", "else/Code/User/mcp.json"],
    ["zed", "XDG_CONFIG_HOME", "else/zed/settings.json"],
  ])("%s: follows %s", (client, variable, file) => {
    using folder = makeHome();
    const env = { [variable]: folder.at("else") };
    expect(setup(folder, [client, "--yes"], { env }).code).toBe(0);
    expect(existsSync(folder.at(file))).toBe(true);
    expect(snapshot(folder)).toEqual({});
  });

  it("opencode: edits the file that wins, and the form of version 2 where that is used", () => {
    using folder = makeHome({
      "home/.config/opencode/opencode.json": "{}\n",
      "home/.config/opencode/opencode.jsonc":
        '{\n  "mcp": { "servers": { "x": { "type": "local", "command": ["x"] } } }\n}\n',
    });
    expect(setup(folder, ["opencode", "--yes"]).code).toBe(0);
    expect(textOf(folder, ".config/opencode/opencode.json")).toBe("{}\n");
    const { mcp } = JSON.parse(textOf(folder, ".config/opencode/opencode.jsonc"));
    expect(Object.keys(mcp)).toEqual(["servers"]);
    expect(Object.keys(mcp.servers)).toEqual(["x", "knack"]);
  });

  it("claude: a comment, which Claude Code does not start with, is a fault", () => {
    using folder = makeHome({ "home/.claude.json": '{\n  // mine\n  "a": 1\n}\n' });
    const { code, stderr } = setup(folder, ["claude", "--yes"]);
    expect(code).toBe(1);
    expect(stderr).toContain(".claude.json:2: a comment");
  });

  it("codex: a server in another form than a table of its own is left alone, with the text to add", () => {
    for (const text of [
      "mcp_servers = { a = { command = 'a' } }\n",
      "[mcp_servers]\nknack.command = 'x'\n",
    ]) {
      using folder = makeHome({ "home/.codex/config.toml": text });
      const { code, stderr } = setup(folder, ["codex", "--yes"]);
      expect(code).toBe(1);
      expect(stderr).toContain("knack setup codex --print");
      expect(textOf(folder, ".codex/config.toml")).toBe(text);
    }
  });

  it("replaces an entry of another command, and brings it back", () => {
    const text = '{ "mcpServers": { "knack": { "command": "/old/knack", "env": { "A": "1" } } } }\n';
    using folder = makeHome({ "home/.cursor/mcp.json": text });
    expect(setup(folder, []).stdout).toMatch(/^cursor +yes +yes, out of date/m);
    expect(setup(folder, ["cursor", "--yes"]).code).toBe(0);
    expect(serversIn("cursor", textOf(folder, ".cursor/mcp.json")).knack).not.toHaveProperty("env");
    setup(folder, ["cursor", "--remove", "--yes"]);
    expect(textOf(folder, ".cursor/mcp.json")).toBe(text);
  });

  it("leaves what the user added to the entry", () => {
    using folder = makeHome();
    setup(folder, ["gemini", "--yes"]);
    const file = folder.at("home/.gemini/settings.json");
    writeFileSync(file, readFileSync(file, "utf8").replace('"command"', '"trust": true, "command"'));
    expect(setup(folder, ["gemini", "--yes"]).stdout).toContain("already set up");
  });

  it("never overwrites another backup", () => {
    using folder = makeHome({
      "home/.qwen/settings.json": "{}\n",
      "home/.qwen/settings.json.knack-backup": "mine",
    });
    const { backup } = setup(folder, ["qwen", "--yes", "--json"]).json() as unknown as { backup: string };
    expect(backup).toBe(folder.at("home/.qwen/settings.json.knack-backup-2"));
    expect(textOf(folder, ".qwen/settings.json.knack-backup")).toBe("mine");
    setup(folder, ["qwen", "--remove", "--yes"]);
    expect(existsSync(backup)).toBe(false);
    expect(textOf(folder, ".qwen/settings.json")).toBe("{}\n");
    expect(textOf(folder, ".qwen/settings.json.knack-backup")).toBe("mine");
  });

  it("does not change what is no file, no text, or of another kind", () => {
    for (const [spec, words] of [
      ['{ "mcpServers": [] }', '"mcpServers" is not an object'],
      ["[]", "expected an object"],
      [Uint8Array.of(0x7b, 0xff, 0x7d), "not UTF-8"],
    ] as const) {
      using folder = makeHome({ "home/.cursor/mcp.json": spec });
      const { code, stderr } = setup(folder, ["cursor", "--yes"]);
      expect([code, stderr.includes(words)], stderr).toEqual([1, true]);
    }
    using folder = makeHome({ "home/.cursor/mcp.json/": "" });
    expect(setup(folder, ["cursor", "--yes"]).code).toBe(1);
  });

  it("says which folders the client reads by itself", () => {
    using folder = makeHome();
    expect(setup(folder, ["claude", "--yes"]).stderr).toContain(
      "~/.claude/skills and .claude/skills by itself; they are listed twice, by Claude Code and by Knack",
    );
    expect(setup(folder, ["codex", "--yes"]).stderr).toContain(
      "~/.codex/skills by itself; they are listed twice, by Codex and by Knack",
    );
  });
});

describe("knack setup asks the client", () => {
  const check = (folder: Folder, client: string) =>
    setup(folder, [client, "--yes", "--json"]).json() as unknown as object;

  it("whether it connects, in an empty folder and without the token", () => {
    using folder = makeHome();
    const seen = folder.at("seen");
    addProgram(
      folder,
      "claude",
      `/bin/ls -A >${seen}; echo "$KNACK_TOKEN $*" >>${seen}; echo "  Status: ✔ Connected"`,
    );
    const env = { KNACK_TOKEN: "0123456789abcdef" };
    const { code, stderr } = setup(folder, ["claude", "--yes"], { env });
    expect(code).toBe(0);
    expect(stderr).toContain('Claude Code connects ("claude mcp get knack").');
    expect(readFileSync(seen, "utf8")).toBe(" mcp get knack\n");
  });

  it("and exits with 1 where it does not connect, although the file is written", () => {
    using folder = makeHome();
    addProgram(folder, "qwen", "echo '✗ knack: knack mcp (stdio) - Disconnected'");
    const { code, stderr } = setup(folder, ["qwen", "--yes"]);
    expect(code).toBe(1);
    expect(stderr).toContain('Qwen Code does not connect; run "qwen mcp list" to see why.');
    expect(existsSync(folder.at("home/.qwen/settings.json"))).toBe(true);
  });

  it("or only whether it lists the server", () => {
    using folder = makeHome();
    addProgram(folder, "codex", "echo knack");
    expect(check(folder, "codex")).toMatchObject({
      check: { command: "codex mcp get knack", connected: null },
    });
    addProgram(folder, "copilot", "echo 'no such server'; exit 1");
    expect(check(folder, "copilot")).toMatchObject({ check: { connected: false } });
  });

  it("and says where nothing was checked", () => {
    using folder = makeHome();
    expect(setup(folder, ["zed", "--yes"]).stderr).toContain("Zed has no command that tells");
    expect(setup(folder, ["claude", "--yes"]).stderr).toContain('"claude" is not on the search path');
  });
});

/** Somebody else's program, which keeps what it was asked with. */
async function startThief(folder: Folder, port: number) {
  const script = `require("node:http").createServer((q, r) => { require("node:fs").appendFileSync("asked", JSON.stringify(q.headers)); r.end('{"snapshot_version":1}'); }).listen(${port}, "127.0.0.1", function () { console.log(this.address().port); });`;
  const thief = spawn(process.execPath, ["-e", script], {
    cwd: folder.path,
    stdio: ["ignore", "pipe", "inherit"],
  });
  const [printed] = await once(thief.stdout, "data");
  return { thief, port: Number(printed) };
}

/** The log has what was asked for. */
function withoutState(folder: Folder): Record<string, string> {
  return Object.fromEntries(
    Object.entries(snapshot(folder)).filter(([name]) => !name.startsWith(".knack/projects/")),
  );
}

describe("an entry that has Knack's name", () => {
  it("and is another program is not replaced unseen", () => {
    const file = `{ "mcpServers": { "knack": { "command": "/opt/other/snacks", "args": ["serve"] } } }\n`;
    using folder = makeHome({ "home/.claude.json": file });
    const { code, stderr } = setup(folder, ["claude", "--yes"]);
    expect({ code, stderr }).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('another program: "/opt/other/snacks serve"'),
    });
    expect(textOf(folder, ".claude.json")).toBe(file);
    folder.write({ "home/.claude.json": file.replace("/opt/other/snacks", "/opt/old/bin/knack") });
    expect(setup(folder, ["claude", "--yes"]).code).toBe(0);
  });

  it("and is another program stops no other client, and gets no hooks either", () => {
    const file = `{ "mcpServers": { "knack": { "command": "/opt/other/snacks" } } }\n`;
    using folder = makeHome({ "home/.copilot/mcp-config.json": file });
    const { code, stderr } = setup(folder, ["copilot", "qwen", "--yes"]);
    expect(code).toBe(1);
    expect(stderr).toContain(
      '~/.copilot/mcp-config.json has a server called "knack" that is another program',
    );
    expect(stderr).toContain('"knack setup copilot --print"');
    expect(Object.keys(snapshot(folder))).toEqual([".copilot/mcp-config.json", ".qwen/settings.json"]);
    expect(textOf(folder, ".copilot/mcp-config.json")).toBe(file);
    expect(serversIn("qwen", textOf(folder, ".qwen/settings.json"))).toHaveProperty("knack");
  });
});

describe("knack setup --http", () => {
  it("needs a running server, and says how to start it", () => {
    using folder = makeHome();
    const { code, stderr } = setup(folder, ["claude", "--http", "http://127.0.0.1:9", "--yes"]);
    expect(code).toBe(1);
    expect(stderr).toContain("knack serve --port 9");
    expect(snapshot(folder)).toEqual({});
  });

  it("gives each client the address and a token of its own, and shows the token nowhere", async () => {
    using folder = makeHome();
    await using server = await Server.start(folder);
    const own = readFileSync(folder.at("home/.knack/token"), "utf8").trim();
    const before = withoutState(folder);
    const me = async (token: string) => {
      const answer = await server.get("/api/me", { Authorization: `Bearer ${token}` });
      return answer.ok ? ((await answer.json()) as object) : answer.status;
    };
    const tokens = new Map<string, string>();
    for (const client of CLIENTS) {
      const { code, stdout, stderr } = setup(folder, [client, "--http", server.url, "--yes"]);
      expect(code, stderr).toBe(0);
      const token = textOf(folder, `.knack/tokens/${client}`).trim();
      tokens.set(client, token);
      expect(stdout + stderr).not.toContain(token);
      expect(statSync(folder.at("home/.knack/tokens", client)).mode & 0o777).toBe(0o600);
      const name = expect.stringMatching(new RegExp(`^${client}\\.home@`));
      expect(await me(token)).toEqual({ name, role: "runner" });
      const text = textOf(folder, FORMATS[client].file);
      expect(text).not.toContain(own);
      const { knack } = serversIn(client, text);
      expect(knack?.url ?? knack?.httpUrl ?? knack?.serverUrl).toBe(`${server.url}/mcp`);
      // By reference where the client can follow one.
      const byReference = client === "opencode" || client === "vscode";
      expect(text.includes(token), client).toBe(!byReference);
      expect(statSync(folder.at("home", FORMATS[client].file)).mode & 0o777).toBe(0o600);
      expect(setup(folder, [client, "--http", server.url, "--yes"]).stdout).toContain("already set up");
    }
    expect(new Set(tokens.values()).size).toBe(CLIENTS.length);
    // The other way to reach Knack leaves nothing of the first.
    for (const client of CLIENTS) {
      expect(setup(folder, [client, "--yes"]).code).toBe(0);
      expect(textOf(folder, FORMATS[client].file)).not.toMatch(/http:|knack-token/);
      expect(await me(tokens.get(client) ?? "")).toBe(401);
      setup(folder, [client, "--remove", "--yes"]);
    }
    expect(withoutState(folder)).toEqual(before);
  });

  it("goes with hooks that start Knack, and undoing ends the token and takes them away", async () => {
    using folder = makeHome({ "home/.qwen/settings.json": "{}\n" });
    // Without --http its hooks would ask the server that it starts.
    addProgram(folder, "claude", "echo '2.1.325 knack'");
    await using server = await Server.start(folder);
    const before = withoutState(folder);
    const names = ["claude", "qwen", "opencode"] as const;
    const hooks = {
      claude: ".claude/settings.json",
      qwen: ".qwen/settings.json",
      opencode: ".config/opencode/plugin/knack.js",
    };
    const done = setup(folder, [...names, "--http", server.url, "--yes", "--json"]);
    const { clients } = done.json() as unknown as { clients: object[] };
    expect(clients).toEqual(names.map((client) => expect.objectContaining({ client, hooks: "command" })));
    const tokens = names.map((name) => textOf(folder, `.knack/tokens/${name}`).trim());
    const answers = () =>
      Promise.all(
        tokens.map(
          async (token) => (await server.get("/api/me", { Authorization: `Bearer ${token}` })).status,
        ),
      );
    expect(await answers()).toEqual([200, 200, 200]);
    for (const name of names) {
      const { knack: entry } = serversIn(name, textOf(folder, FORMATS[name].file));
      expect(JSON.stringify(entry)).toContain(`${server.url}/mcp`);
      // The words with which the server would be started.
      const text = textOf(folder, hooks[name]).replaceAll(/[\\'"]/g, "");
      expect(text).toMatch(name === "opencode" ? /knack\.js,\s*hook/ : /knack\.js hook prompt --client/);
      expect(text).toContain(process.execPath);
    }
    // A file of hooks alone gets no token.
    expect(textOf(folder, hooks.claude)).not.toContain("Bearer");
    // The token comes back although only the hooks are missing.
    rmSync(folder.at("home", hooks.opencode));
    rmSync(folder.at("home/.knack/tokens/opencode"));
    expect(setup(folder, ["opencode", "--http", server.url, "--yes"]).code).toBe(0);
    expect(existsSync(folder.at("home", hooks.opencode))).toBe(true);
    tokens[2] = textOf(folder, ".knack/tokens/opencode").trim();
    expect(await answers()).toEqual([200, 200, 200]);
    expect(setup(folder, ["--all", "--remove", "--yes"]).code).toBe(0);
    expect(await answers()).toEqual([401, 401, 401]);
    expect(withoutState(folder)).toEqual(before);
  });

  it("makes another token where the client's was revoked, and none before the user agrees", async () => {
    using folder = makeHome();
    await using server = await Server.start(folder);
    const args = ["claude", "--http", server.url];
    expect(setup(folder, args).stderr).toContain("Bearer <token>");
    expect(existsSync(folder.at("home/.knack/tokens"))).toBe(false);
    expect((await server.json<{ count: number }>("/api/tokens")).count).toBe(0);
    setup(folder, [...args, "--yes"]);
    const first = textOf(folder, ".knack/tokens/claude").trim();
    const { tokens } = await server.json<{ tokens: { name: string }[] }>("/api/tokens");
    const path = `${server.url}/api/tokens/${encodeURIComponent(tokens[0]?.name ?? "")}`;
    await fetch(path, { method: "DELETE", headers: server.bearer });
    expect(setup(folder, [...args, "--yes"]).code).toBe(0);
    const second = textOf(folder, ".knack/tokens/claude").trim();
    expect(second).not.toBe(first);
    expect(textOf(folder, ".claude.json")).toContain(second);
    // A token that somebody was given is theirs to use.
    const given = (await (await server.post("/api/tokens", { name: "given", role: "approver" })).json()) as {
      token: string;
    };
    expect(setup(folder, [...args, "--yes"], { env: { KNACK_TOKEN: given.token } }).code).toBe(0);
    expect(textOf(folder, ".claude.json")).toContain(given.token);
  });

  it("says what is left to do where the server is gone", async () => {
    using folder = makeHome();
    const server = await Server.start(folder);
    setup(folder, ["claude", "--http", server.url, "--yes"]);
    await server.end();
    const { code, stderr } = setup(folder, ["claude", "--remove", "--yes"]);
    expect(code).toBe(0);
    expect(stderr).toMatch(/token is still valid.*knack token revoke claude\.home@/);
  });

  it("takes the rights of others away from a file that gets the token, and gives them back", async () => {
    using folder = makeHome({ "home/.gemini/settings.json": "{}\n" });
    chmodSync(folder.at("home/.gemini/settings.json"), 0o644);
    await using server = await Server.start(folder);
    const before = withoutState(folder);
    const { stderr } = setup(folder, ["gemini", "--http", server.url, "--yes"]);
    expect(stderr).toContain("has the token now; only you can read it");
    expect(statSync(folder.at("home/.gemini/settings.json")).mode & 0o777).toBe(0o600);
    const token = textOf(folder, ".knack/tokens/gemini").trim();
    const undone = setup(folder, ["gemini", "--remove", "--yes"]);
    expect(undone.stdout + undone.stderr).not.toContain(token);
    expect(withoutState(folder)).toEqual(before);
  });

  it("does not use a server that refuses the token, or that is not Knack", async () => {
    using folder = makeHome();
    await using server = await Server.start(folder);
    const env = { KNACK_TOKEN: "another-token-altogether" };
    const { code, stderr } = setup(folder, ["claude", "--http", server.url, "--yes"], { env });
    expect(code).toBe(1);
    expect(stderr).toContain("refuses the token");
  });

  it("sends the token to no other program that has the port, and to no other machine", async () => {
    using folder = makeHome();
    const { thief, port } = await startThief(folder, 0);
    try {
      for (const [url, env, message] of [
        [`http://127.0.0.1:${port}`, {}, 'No "knack serve" of yours runs at'],
        ["https://knack.invalid", {}, "Set KNACK_TOKEN"],
        ["http://knack.invalid", { KNACK_TOKEN: "a-token-for-that-machine" }, "sent in clear"],
      ] as const) {
        const { code, stderr } = setup(folder, ["claude", "--http", url, "--yes"], { env });
        expect(code).toBeGreaterThan(0);
        expect(stderr).toContain(message);
      }
      expect(existsSync(folder.at("asked"))).toBe(false);
      expect(snapshot(folder)).toEqual({});
    } finally {
      thief.kill();
    }
  });

  it("sends the token to nobody at another address with the server's port", async () => {
    using folder = makeHome();
    await using server = await Server.start(folder, { args: ["--listen", "127.0.0.2:0"] });
    const { thief } = await startThief(folder, server.port);
    try {
      const to = (host: string) =>
        setup(folder, ["claude", "--http", `http://${host}:${server.port}`, "--yes"]);
      expect(to("127.0.0.1").stderr).toContain('No "knack serve" of yours runs at');
      expect(to("localhost").code).toBe(0);
      expect(textOf(folder, ".claude.json")).toContain(`http://127.0.0.2:${server.port}/mcp`);
      const { stdout } = knack(folder, ["open", "--print", "--port", String(server.port)]);
      expect(stdout).toContain(`http://127.0.0.2:${server.port}/#token=`);
      expect(existsSync(folder.at("asked"))).toBe(false);
    } finally {
      thief.kill();
    }
  });
});

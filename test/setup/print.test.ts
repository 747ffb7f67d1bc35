import { spawnSync } from "node:child_process";
import { mkdirSync, realpathSync, symlinkSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { type Folder, makeFolder } from "../../packages/core/src/testing/files.ts";
import type { ClientName } from "../../packages/knack/src/client-names.ts";
import { knack, makeProject, PROGRAM } from "../cli/run.ts";
import { CLIENTS, serversIn } from "./client-files.ts";

const entryIn = (client: ClientName, text: string): unknown => serversIn(client, text).knack;

/** What the client would start, read from its own configuration file. */
function wordsIn(client: ClientName, text: string): string[] {
  const { command = [], args = [] } = (entryIn(client, text) ?? {}) as {
    command?: string | string[];
    args?: string[];
  };
  return [command, args].flat();
}

/** A PATH with an installation of this program first. */
function installed(folder: Folder): NodeJS.ProcessEnv {
  mkdirSync(folder.at("bin"));
  symlinkSync(PROGRAM, folder.at("bin/knack"));
  return { PATH: `${folder.at("bin")}:${process.env.PATH}` };
}

describe("knack setup --print", () => {
  const server = { command: "knack", args: ["mcp"] };

  // Started from a desktop it does not get the search path of the shell.
  const desktop = { command: process.execPath, args: [realpathSync(PROGRAM), "mcp"] };
  it.each([
    ["claude", { mcpServers: { knack: { ...server, alwaysLoad: true } } }, ".mcp.json"],
    ["pi", { mcpServers: { knack: { ...server, exposure: "direct" } } }, ".pi/agent/mcp.json"],
    ["openclaw", { mcp: { servers: { knack: server } } }, ".openclaw/openclaw.json"],
    ["gemini", { mcpServers: { knack: server } }, ".gemini/settings.json"],
    ["cursor", { mcpServers: { knack: desktop } }, ".cursor/mcp.json"],
    ["qwen", { mcpServers: { knack: server } }, ".qwen/settings.json"],
    ["windsurf", { mcpServers: { knack: desktop } }, ".codeium/windsurf/mcp_config.json"],
    ["zed", { context_servers: { knack: desktop } }, ".config/zed/settings.json"],
    ["antigravity", { mcpServers: { knack: desktop } }, ".gemini/config/mcp_config.json"],
    ["kiro", { mcpServers: { knack: desktop } }, ".kiro/settings/mcp.json"],
    [
      "copilot",
      { mcpServers: { knack: { type: "local", ...server, tools: ["*"] } } },
      ".copilot/mcp-config.json",
    ],
    ["vscode", { servers: { knack: { type: "stdio", ...desktop } } }, ".vscode/mcp.json"],
    [
      "opencode",
      {
        $schema: "https://opencode.ai/config.json",
        mcp: { knack: { type: "local", command: ["knack", "mcp"], enabled: true } },
      },
      "opencode.json",
    ],
  ])("%s gets JSON on standard output, and where it goes on standard error", (client, expected, file) => {
    using folder = makeProject();
    const env = installed(folder);
    const { code, stdout, stderr } = knack(folder, ["setup", client, "--print"], { env });
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toEqual(expected);
    expect(stderr).toContain(file);
    const told = knack(folder, ["setup", client, "--print", "--json"], { env }).json();
    expect(told).toMatchObject({ client, config: expected, file: expect.stringContaining(file) });
  });

  it("codex gets TOML", () => {
    using folder = makeProject();
    const { stdout, stderr } = knack(folder, ["setup", "codex", "--print"], { env: installed(folder) });
    expect(stdout).toBe('[mcp_servers.knack]\ncommand = "knack"\nargs = ["mcp"]\n');
    expect(stderr).toContain("~/.codex/config.toml");
    expect(stderr).toContain("Or run: codex mcp add knack -- knack mcp");
  });

  it.each(CLIENTS)("what %s gets starts the server with an empty search path", (client) => {
    using folder = makeProject();
    const { stdout } = knack(folder, ["setup", client, "--print", "--cwd", "."]);
    const [program = "", ...args] = wordsIn(client, stdout);
    const hello = {
      protocolVersion: "2025-11-25",
      capabilities: {},
      clientInfo: { name: "t", version: "1" },
    };
    const answer = spawnSync(program, args, {
      cwd: "/",
      env: { HOME: folder.at("home"), PATH: "" },
      input: `${JSON.stringify({ jsonrpc: "2.0", id: 1, method: "initialize", params: hello })}\n`,
      encoding: "utf8",
      timeout: 150_000,
    });
    expect(JSON.parse(answer.stdout).result.serverInfo.name).toBe("knack");
  });

  it("does not count on a search path that only npx and npm scripts have", () => {
    using folder = makeProject({ "repo/node_modules/.bin/": "" });
    const bin = folder.at("repo/node_modules/.bin");
    symlinkSync(PROGRAM, `${bin}/knack`);
    const { stdout } = knack(folder, ["setup", "claude", "--print"], {
      env: { PATH: `${bin}:/usr/bin` },
    });
    expect(wordsIn("claude", stdout)).toEqual([process.execPath, realpathSync(PROGRAM), "mcp"]);
  });

  it.each(CLIENTS)("a folder of any name is in what %s gets, whole", (client) => {
    const name = "my \"work\" 'in' \\ 日本 \u007f \u202e \u{e0041} 𠮷 $HOME";
    using folder = makeFolder({ [`repo/${name}/`]: "", "home/": "" });
    const told = knack(folder, ["setup", client, "--print", "--cwd", name]);
    expect(wordsIn(client, told.stdout).slice(-3)).toEqual(["mcp", "--cwd", folder.at("repo", name)]);
    expect(told.stdout + told.stderr).not.toMatch(/[\u007f\u202e\u{e0041}]/u);
  });

  it.each(CLIENTS)("%s gets a running server by --http, with the token by reference alone", (client) => {
    using folder = makeProject({ "home/.knack/token": "the-very-token-of-this-test\n" });
    const { code, stdout, stderr } = knack(folder, ["setup", client, "--print", "--http"]);
    expect(code).toBe(0);
    const url = "http://127.0.0.1:4747/mcp";
    const headers = (token: string) => ({ Authorization: `Bearer ${token}` });
    const byHand = `<what knack token add ${client} --role runner prints>`;
    const expected: Readonly<Record<ClientName, object>> = {
      claude: { type: "http", url, headers: headers("${KNACK_TOKEN}") },
      codex: { url, bearer_token_env_var: "KNACK_TOKEN" },
      gemini: { httpUrl: url, headers: headers("$KNACK_TOKEN") },
      opencode: { type: "remote", url, headers: headers("{env:KNACK_TOKEN}"), enabled: true },
      copilot: { type: "http", url, headers: headers("${KNACK_TOKEN}"), tools: ["*"] },
      qwen: { httpUrl: url, headers: headers("$KNACK_TOKEN") },
      vscode: { type: "http", url, headers: headers("${input:knack-token}") },
      cursor: { url, headers: headers("${env:KNACK_TOKEN}") },
      windsurf: { serverUrl: url, headers: headers("${env:KNACK_TOKEN}") },
      zed: { url, headers: headers(byHand) },
      pi: { url, headers: headers("${KNACK_TOKEN}"), exposure: "direct" },
      antigravity: { serverUrl: url, headers: headers(byHand) },
      amp: { url, headers: headers("${KNACK_TOKEN}") },
      openclaw: { url, transport: "streamable-http", headers: headers("${KNACK_TOKEN}") },
      cline: { type: "streamableHttp", url, headers: headers(byHand) },
      kiro: { url, headers: headers("${KNACK_TOKEN}") },
    };
    expect(entryIn(client, stdout)).toEqual(expected[client]);
    expect(stdout + stderr).toContain(`knack token add ${client} --role runner`);
    expect(stdout + stderr).not.toContain("the-very-token");
    const other = knack(folder, ["setup", client, "--print", "--http", "http://localhost:5000", "--json"]);
    expect(JSON.stringify(other.json())).toContain("http://localhost:5000/mcp");
  });

  it("--http takes an address and no token in it", () => {
    using folder = makeProject();
    for (const url of [
      "localhost",
      "http://127.0.0.1:4747/#token=x",
      "http://u:p@h/mcp",
      "http://h/api",
      "file:///",
    ])
      expect(knack(folder, ["setup", "claude", "--print", "--http", url]).code, url).toBe(2);
  });
});

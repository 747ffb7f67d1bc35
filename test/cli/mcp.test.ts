import { describe, expect, it } from "vitest";
import { knack, makeProject } from "./run.ts";

describe("knack mcp --print-config", () => {
  const server = { command: "knack", args: ["mcp"] };

  it.each([
    ["claude", { mcpServers: { knack: server } }, ".mcp.json"],
    ["gemini", { mcpServers: { knack: server } }, ".gemini/settings.json"],
    ["cursor", { mcpServers: { knack: server } }, ".cursor/mcp.json"],
    ["vscode", { servers: { knack: { type: "stdio", ...server } } }, ".vscode/mcp.json"],
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
    const { code, stdout, stderr } = knack(folder, ["mcp", "--print-config", client]);
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toEqual(expected);
    expect(stderr).toContain(file);
    const told = knack(folder, ["mcp", "--print-config", client, "--json"]).json();
    expect(told).toMatchObject({ client, config: expected, file: expect.stringContaining(file) });
  });

  it("codex gets TOML", () => {
    using folder = makeProject();
    const { stdout, stderr } = knack(folder, ["mcp", "--print-config", "codex"]);
    expect(stdout).toBe('[mcp_servers.knack]\ncommand = "knack"\nargs = ["mcp"]\n');
    expect(stderr).toContain("~/.codex/config.toml");
  });

  it("a folder that was given is in it, whole", () => {
    using folder = makeProject();
    const { stdout } = knack(folder, ["mcp", "--print-config", "claude", "--cwd", "."]);
    expect(JSON.parse(stdout).mcpServers.knack.args).toEqual(["mcp", "--cwd", folder.at("repo")]);
  });

  it("an unknown client is wrong usage, and the known ones are named", () => {
    using folder = makeProject();
    const { code, stderr } = knack(folder, ["mcp", "--print-config", "notepad"]);
    expect(code).toBe(2);
    expect(stderr).toContain("claude, codex, gemini, opencode, vscode, cursor");
  });
});

describe("knack mcp in a pipe", () => {
  it("answers what came before the end of its input", () => {
    using folder = makeProject();
    const begin = {
      protocolVersion: "2025-11-25",
      capabilities: {},
      clientInfo: { name: "t", version: "1" },
    };
    const lines = [
      { id: 1, method: "initialize", params: begin },
      { method: "notifications/initialized" },
      { id: 2, method: "tools/list" },
      { id: 3, method: "tools/call", params: { name: "skill_search", arguments: { query: "good" } } },
    ].map((message) => JSON.stringify({ jsonrpc: "2.0", ...message }));
    const { code, stdout } = knack(folder, ["mcp"], {
      input: `${lines.join("\n")}\n`,
      env: { KNACK_TRUST: "all" },
    });
    expect(code).toBe(0);
    const answers = stdout
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line));
    expect(answers.map(({ id }) => id).sort()).toEqual([1, 2, 3]);
    expect(answers.find(({ id }) => id === 3).result.structuredContent.data.results[0].name).toBe("good");
  });
});

describe("knack mcp in a project that is not trusted", () => {
  it("offers the user's own skills alone, and says how many wait", () => {
    using folder = makeProject();
    const lines = [
      {
        id: 1,
        method: "initialize",
        params: { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "t", version: "1" } },
      },
    ].map((message) => JSON.stringify({ jsonrpc: "2.0", ...message }));
    const { code, stdout, stderr } = knack(folder, ["mcp"], { input: `${lines.join("\n")}\n` });
    expect(code).toBe(0);
    expect(stderr).toMatch(/is not trusted: \d+ skills? waits?/);
    expect(stdout).not.toContain("Does good.");
  });

  it("does not start with a wrong configuration", () => {
    using folder = makeProject({ "home/.knack/config.yaml": "permissions: { allow: [{ tol: x }] }\n" });
    const { code, stdout, stderr } = knack(folder, ["mcp"], { input: "" });
    expect(code).toBe(1);
    expect(stdout).toBe("");
    expect(stderr).toContain("config.yaml:1");
  });
});

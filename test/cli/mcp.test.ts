import { describe, expect, it } from "vitest";
import { knack, makeProject } from "./run.ts";

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
    expect(answers.find(({ id }) => id === 3).result.content[0].text).toContain("- good (repo, ");
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
    expect(stderr).toMatch(/is not trusted: \d+ skills? (?:is|are) unavailable/);
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

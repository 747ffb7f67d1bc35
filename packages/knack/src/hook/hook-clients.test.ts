import { describe, expect, it } from "vitest";
import { askedIn, clientNamed, readCall, writeAnswer } from "./hook-clients.ts";

const asked = (prompt: string): string => askedIn(readCall("prompt", "claude", { prompt }));

describe("what was asked", () => {
  it.each([
    ["bake bread", "bake bread"],
    ["<hook_context>list</hook_context>\nbake bread", "bake bread"],
    ["<system_reminder>a</system_reminder><hook_context>b</hook_context>bake", "bake"],
    ["<hook_context>a bake", "<hook_context>a bake"],
    ["/clear", ""],
    ["<task-notification>done</task-notification>", ""],
    ["/ is a division", "/ is a division"],
    ["", ""],
  ])("%s", (prompt, expected) => {
    expect(asked(prompt)).toBe(expected);
  });

  it("reads a long text of nothing but beginnings once", () => {
    const text = "<hook_context>".repeat(200_000);
    expect(asked(text)).toBe(text);
  });
});

describe("a call", () => {
  it.each<[unknown, object]>([
    [
      { session_id: "a", tool_name: "Write", tool_input: { path: "b" } },
      { conversation: "a", args: { path: "b" } },
    ],
    [
      { sessionId: "a", toolName: "bash", toolArgs: '{"command":"b"}' },
      { tool: "bash", args: { command: "b" } },
    ],
    [{ tool: "apply_patch", args: "*** Begin Patch" }, { args: { input: "*** Begin Patch" } }],
    [{ session_id: "x".repeat(1000) }, { conversation: "x".repeat(200) }],
    [
      { prompt: 5, tool_input: [] },
      { prompt: "", args: {} },
    ],
    ["text", { conversation: "", args: {} }],
    [null, { conversation: "", args: {} }],
  ])("%j", (given, expected) => {
    expect(readCall("tool", "claude", given)).toMatchObject(expected);
  });
});

describe("an answer", () => {
  it("is text that every JSON parser takes, and empty where there is nothing to say", () => {
    const call = readCall("prompt", "codex", {});
    expect(writeAnswer(call, { text: "half of a pair: \ud83d" })).not.toMatch(/\\ud83d/);
    expect(writeAnswer(call, {})).toBe("");
    expect(writeAnswer(call, { text: "" })).toBe("");
  });
});

it("a client is known by the name of its MCP client", () => {
  const names = [
    "claude-code",
    "codex-mcp-client",
    "github-copilot-developer",
    "gemini-cli-mcp-client-a",
    "qwen-cli",
    "opencode",
    "pi",
    "pineapple",
  ];
  expect(names.map(clientNamed)).toEqual([
    "claude",
    "codex",
    "copilot",
    "gemini",
    "qwen",
    "opencode",
    "pi",
    undefined,
  ]);
});

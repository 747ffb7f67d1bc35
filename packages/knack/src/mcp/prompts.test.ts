import { describe, expect, it } from "vitest";
import { argumentsFor, besideText, typedText } from "./prompts.ts";

/** How Claude Code gives text to arguments: words, in order. */
function byWords(text: string, names: readonly string[]): Record<string, string> {
  const words = text.split(" ");
  return Object.fromEntries(names.slice(0, words.length).map((name, at) => [name, words[at] ?? ""]));
}

const TEXT = 'fix the  "login" page, bitte';

describe("interfaces, MCP: a prompt's arguments lose least of what the user typed", () => {
  it("one optional argument for Claude Code, whose model reads the whole text besides", () => {
    const declared = argumentsFor("claude-code");
    expect(declared).toEqual([expect.objectContaining({ name: "arguments", required: false })]);
    expect(typedText(byWords(TEXT, ["arguments"]), "claude-code")).toBe("fix");
    expect(besideText("claude-code")).toContain("all of <command-args>");
    expect(besideText("opencode")).toBe("");
  });

  it("a word for each argument of Claude Code where a tool gets them, put together again", () => {
    const declared = argumentsFor("claude-code", true);
    const names = declared.map(({ name }) => name);
    expect(declared.every(({ required }) => required !== true)).toBe(true);
    expect(new Set(names).size).toBe(names.length);
    expect(typedText(byWords(TEXT, names), "claude-code", true)).toBe(TEXT);
    expect(typedText({}, "claude-code", true)).toBe("");
    const long = "word ".repeat(100);
    expect(() => typedText(byWords(long, names), "claude-code", true)).toThrow("64 words at most");
  });

  it("one required argument for Gemini CLI", () => {
    const client = "gemini-cli-mcp-client";
    expect(argumentsFor(client)).toEqual([expect.objectContaining({ name: "arguments", required: true })]);
    expect(typedText({ arguments: TEXT }, client)).toBe(TEXT);
    expect(typedText({ arguments: "" }, client)).toBe("");
  });

  it.each(["opencode", "qwen-code-mcp-client", "Visual Studio Code", "", "toString"])(
    "one optional argument for %j",
    (client) => {
      expect(argumentsFor(client)).toEqual([expect.objectContaining({ name: "arguments", required: false })]);
      expect(typedText({ arguments: TEXT }, client)).toBe(TEXT);
      expect(typedText(undefined, client)).toBe("");
    },
  );
});

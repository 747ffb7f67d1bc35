import { describe, expect, it } from "vitest";
import { makeFolder, skillText } from "../../packages/core/src/testing/files.ts";
import { REPO } from "../cli/run.ts";
import { open, SOME_WAYS } from "./ways.ts";

const EXTENSION = "io.modelcontextprotocol/skills";

const makeProject = () =>
  makeFolder({
    "repo/.git/": "",
    [`${REPO}/fix/SKILL.md`]: `${skillText("fix", "Fixes an issue.")}Fix issue $ARGUMENTS.\n`,
    "repo/skills/find_it/SKILL.md":
      "---\nsummary: Finds.\ninvocation_mode: tool_dispatch\ncommand_tool: skill_search\n---\nFind.\n",
  });

describe.each(SOME_WAYS)("what a client is told that the server can do, over $name", (way) => {
  it.each(["claude-code", "codex-mcp-client", "opencode"])(
    "has no resources for %s, which would give its model tools for them",
    async (name) => {
      using folder = makeProject();
      await using opened = await open(folder, way, { name });
      const told = opened.client.getServerCapabilities();
      expect(told).toMatchObject({ tools: { listChanged: true }, prompts: {}, completions: {} });
      expect(told).not.toHaveProperty("resources");
      expect(told).not.toHaveProperty("extensions");
      const names = (await opened.client.listTools()).tools.map((tool) => tool.name);
      expect(names.join()).not.toMatch(/resource/i);
    },
  );

  it("has them for the same client where it knows the skills extension, and for any other", async () => {
    using folder = makeProject();
    const knowing = { name: "claude-code", capabilities: { extensions: { [EXTENSION]: {} } } };
    for (const options of [knowing, { name: "codexyz" }, {}]) {
      await using opened = await open(folder, way, options);
      const told = opened.client.getServerCapabilities();
      expect(told).toMatchObject({ resources: { listChanged: true }, extensions: { [EXTENSION]: {} } });
      expect((await opened.client.listResources()).resources).toHaveLength(1);
    }
  });

  it("names one argument of a prompt, and to Claude Code one for each word where a tool gets them", async () => {
    using folder = makeProject();
    await using opened = await open(folder, way, { name: "claude-code" });
    const { client } = opened;
    const { prompts } = await client.listPrompts();
    const names = prompts.map(({ name, arguments: declared = [] }) => [
      name,
      declared.map((one) => one.name),
    ]);
    expect(names).toEqual([
      ["find_it", ["arguments", ...Array.from({ length: 63 }, (_, place) => `${place + 2}`)]],
      ["fix", ["arguments"]],
    ]);
    const textOf = async (args?: Record<string, string>): Promise<string> => {
      const { messages } = await client.getPrompt({ name: "fix", ...(args ? { arguments: args } : {}) });
      return messages.map(({ content }) => (content.type === "text" ? content.text : "")).join();
    };
    const text = await textOf({ arguments: "12" });
    expect(text).toContain("Fix issue 12.");
    expect(text).toMatch(/all of <command-args> above\.\)$/);
    expect(await textOf()).not.toContain("command-args");
  });
});

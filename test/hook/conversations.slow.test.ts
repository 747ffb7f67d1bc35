import { spawn } from "node:child_process";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { text } from "node:stream/consumers";
import { describe, expect, it } from "vitest";
import { environment, HOME, PROGRAM } from "../cli/run.ts";
import { call } from "../mcp/call.ts";
import { open } from "../mcp/ways.ts";
import { BAKE, env, hook, makeHome, NOTES, RELEASE, said, WAY } from "./hooks.ts";

describe("a conversation over several processes", () => {
  it("has a skill that a hook gave as loaded in MCP, and the other way round", async () => {
    using folder = makeHome();
    expect(said(folder, { prompt: RELEASE })).toContain("FIX THE RANGE");
    const ids = { ...env, CLAUDE_CODE_SESSION_ID: "s1" };
    await using opened = await open(folder, WAY, { env: ids, name: "claude-code" });
    const { text } = await call(opened.client, "skill_load", { name: "release-notes" });
    expect(text).toContain("already loaded");
    expect((await call(opened.client, "skill_load", { name: "bake-bread" })).text).toContain(
      "FEED THE STARTER",
    );
    expect(said(folder, { prompt: "bake a sourdough loaf of bread" })).toBe("");
  });

  it("gives a text once where several hooks are called at the same moment", async () => {
    using folder = makeHome();
    said(folder, { prompt: "what is 17 times 23?" }); // The texts are read.
    const input = JSON.stringify({ session_id: "s1", cwd: folder.at("repo"), prompt: RELEASE });
    const answers = await Promise.all(
      Array.from({ length: 6 }, async () => {
        const args = [PROGRAM, "hook", "prompt", "--client", "claude"];
        const child = spawn(process.execPath, args, { env: { ...environment(folder), ...env } });
        child.stdin.end(input);
        return text(child.stdout);
      }),
    );
    expect(answers.filter((answer) => answer !== "")).toEqual([expect.stringContaining("FIX THE RANGE")]);
  });

  it("gives the loaded skills again after the client has shortened it, by their names where they are too long", () => {
    using folder = makeHome({
      [`${HOME}/bake-bread/SKILL.md`]: `${BAKE}${"FEED THE STARTER\n".repeat(200)}`,
    });
    said(folder, { prompt: RELEASE });
    said(folder, { prompt: "bake a sourdough loaf of bread" });
    const again = said(folder, { source: "compact" }, { event: "session" });
    expect(again).toContain("FIX THE RANGE");
    expect(again).toContain("FEED THE STARTER");
    expect(Buffer.byteLength(again)).toBeLessThan(10_000);
    expect(said(folder, { prompt: RELEASE })).toBe("");
    expect(said(folder, { source: "startup" }, { event: "session" })).toBe("");
  });

  it("gives them with the next prompt, once, where the client takes no text when it shortens", () => {
    using folder = makeHome();
    const asked = (prompt: string): string => {
      const out = hook(folder, "prompt", "copilot", { sessionId: "s1", prompt });
      return out === "" ? "" : (JSON.parse(out) as { additionalContext: string }).additionalContext;
    };
    expect(asked(RELEASE)).toContain("FIX THE RANGE");
    expect(hook(folder, "session", "copilot", { sessionId: "s1", trigger: "auto" })).toBe("");
    const again = asked("what is 17 times 23?");
    expect(again).toContain("This conversation was shortened.");
    expect(again).toContain("FIX THE RANGE");
    expect(asked("what is 17 times 23?")).toBe("");
    expect(asked(RELEASE)).toBe("");
  });

  it("names no skill after that which the model may no longer have", () => {
    using folder = makeHome();
    said(folder, { prompt: RELEASE });
    folder.write({
      [`${HOME}/release-notes/SKILL.md`]: `${NOTES}${"FIX THE RANGE\n".repeat(800)}`,
      "home/.knack/config.yaml": "permissions: { deny: [{ tool: skill_load, skill_name: release-notes }] }\n",
    });
    expect(said(folder, { source: "compact" }, { event: "session" })).toBe("");
  });

  it("gives a subagent the skill for its own task", () => {
    using folder = makeHome();
    said(folder, { prompt: RELEASE });
    hook(folder, "tool", "claude", {
      tool_name: "Agent",
      tool_input: { prompt: RELEASE, subagent_type: "x" },
    });
    const given = said(folder, { agent_id: "a1", agent_type: "x" }, { event: "subagent" });
    expect(given).toContain("FIX THE RANGE");
    expect(said(folder, { agent_id: "a2", agent_type: "x" }, { event: "subagent" })).toBe("");
  });

  it("goes on without a file that is damaged, and writes none through a link", () => {
    using folder = makeHome();
    said(folder, { prompt: RELEASE });
    const conversations = folder.at("home/.knack/conversations");
    const [name = ""] = readdirSync(conversations);
    writeFileSync(
      `${conversations}/${name}`,
      `{"loaded": 5}\n\u0000\n${readFileSync(`${conversations}/${name}`, "utf8")}{"loa`,
    );
    expect(said(folder, { prompt: RELEASE })).toBe("");
    const bread = { prompt: "bake a sourdough loaf of bread" };
    expect(said(folder, bread)).toContain("FEED THE STARTER");
    expect(said(folder, bread)).toBe("");
  });
});

describe("a subagent", () => {
  const config = 'gates: [{ files: ["**/*.md"], needs: release-notes }]\n';
  const GATED = { "home/.knack/config.yaml": config };

  it("is a thread of the session in Codex: it opens a gate, and has what it loads for itself", async () => {
    using folder = makeHome(GATED);
    await using opened = await open(folder, WAY, { env, name: "codex-mcp-client" });
    const { client } = opened;
    const inThread = async (threadId: string, name: string, args: object): Promise<string> => {
      const _meta = name === "hook" ? { threadId } : { threadId, sessionId: "s1" };
      const { content } = await client.callTool({ name, arguments: { ...args }, _meta });
      const [first] = content;
      return first?.type === "text" ? first.text : "";
    };
    const write = { event: "tool", session: "s1", tool: "apply_patch", args: { file_path: "docs/a.md" } };
    const load = { name: "release-notes" };
    expect(await inThread("t1", "hook", { ...write })).toContain("release-notes");
    expect(await inThread("t1", "skill_load", load)).toContain("FIX THE RANGE");
    expect(await inThread("t1", "hook", { ...write })).toBe("{}");
    expect(await inThread("s1", "skill_load", load)).toContain("FIX THE RANGE");
    const prompt = { event: "prompt", session: "s1", prompt: RELEASE };
    expect(await inThread("t1", "hook", prompt)).toBe("{}");
    expect(await inThread("t2", "hook", prompt)).toContain("FIX THE RANGE");
  });

  it("says whose it is in Copilot CLI, where it has a session of its own", () => {
    using folder = makeHome(GATED);
    const write = { toolName: "create", toolArgs: { path: "docs/a.md" } };
    const own = { sessionId: "a1", agentId: "a1", parentAgentId: "s1" };
    expect(hook(folder, "tool", "copilot", { ...own, ...write })).toContain("release-notes");
    expect(hook(folder, "prompt", "copilot", { sessionId: "s1", prompt: RELEASE })).toContain(
      "FIX THE RANGE",
    );
    expect(hook(folder, "prompt", "copilot", { ...own, prompt: RELEASE })).toContain("FIX THE RANGE");
    expect(hook(folder, "tool", "copilot", { ...own, ...write })).toBe("");
  });
});

import { readFileSync } from "node:fs";
import type { ElicitResult } from "@modelcontextprotocol/client";
import { describe, expect, it } from "vitest";
import { type Folder, makeFolder, skillText } from "../../packages/core/src/testing/files.ts";
import { REPO } from "../cli/run.ts";
import { makeTypedProject, start } from "../cli/typed-skills.ts";
import { call } from "./call.ts";
import { ALWAYS, open, SOME_WAYS, user } from "./ways.ts";

const CONFIG = "home/.knack/config.yaml";

const project = (config: string): Folder =>
  makeFolder({
    "repo/.git/": "",
    [`${REPO}/good/SKILL.md`]: skillText("good"),
    [`${REPO}/good/list.md`]: "- one\n",
    [CONFIG]: config,
  });

describe.each(SOME_WAYS)("a question before a resource is read, over $name", (way) => {
  const uri = "skill://good/list.md";

  it("gives the file after a yes, and not after a no", async () => {
    using folder = project("permissions: { default: confirm }\n");
    const { asked, elicit } = user("accept", "decline", "cancel");
    await using opened = await open(folder, way, { elicit });
    const { contents } = await opened.client.readResource({ uri });
    expect(contents).toEqual([{ uri, mimeType: "text/markdown", text: "- one\n" }]);
    expect(asked).toEqual([expect.stringContaining('use the skill "good"')]);
    for (const told of ['The question about the skill "good" was declined', "The user has not refused"])
      await expect(opened.client.readResource({ uri }, { cacheMode: "refresh" })).rejects.toThrow(told);
    expect(asked).toHaveLength(3);
  });

  it("keeps a yes for good where the user says always", async () => {
    using folder = project("permissions: { default: confirm }\n");
    const { asked, elicit } = user(ALWAYS);
    await using opened = await open(folder, way, { elicit });
    await opened.client.readResource({ uri });
    await opened.client.readResource({ uri: "skill://good/SKILL.md" });
    expect(asked).toHaveLength(1);
    expect(readFileSync(folder.at(CONFIG), "utf8")).toContain("tool: skill_load, skill_name: good");
  });

  it("refuses where nobody can be asked, and says how to allow it", async () => {
    using folder = project("permissions: { default: confirm }\n");
    await using opened = await open(folder, way);
    await expect(opened.client.readResource({ uri })).rejects.toThrow(
      'The user can allow it with "knack allow good".',
    );
  });
});

describe.each(SOME_WAYS)(
  "interfaces, MCP: a question that nobody answers is no refusal, over $name",
  (way) => {
    const load = { name: "skill_load", arguments: { name: "good" } };
    const NOBODY =
      'Error: Nobody answered the question about the skill "good": it was closed or could not be shown. The user has not refused: ask them. The user can allow it with "knack allow good".';
    const cannotShow = (): ElicitResult => {
      throw new Error("no window");
    };

    it.each<[string, (() => ElicitResult) | undefined, string]>([
      ["closed", () => ({ action: "cancel" }), NOBODY],
      ["not shown by a headless client", cannotShow, NOBODY],
      [
        "not possible",
        undefined,
        'Error: Policy requires confirmation for the skill "good", and nobody can be asked here. The user has not refused: ask them. The user can allow it with "knack allow good".',
      ],
      [
        "declined, by the user or by a client without one",
        () => ({ action: "decline" }),
        'Error: The question about the skill "good" was declined, by the user or by a client that cannot show it. Do not try another way; ask the user. The user can allow it with "knack allow good".',
      ],
    ])("%s", async (_how, elicit, told) => {
      // There the client's own code fails, and the server hears nothing.
      if (elicit === cannotShow && way.revision === "2026-07-28") return;
      using folder = project("permissions: { default: confirm }\n");
      await using opened = await open(folder, way, elicit ? { elicit } : {});
      const { code, text } = await call(opened.client, load.name, load.arguments);
      expect([code, text]).toEqual(["ACCESS_DENIED", told]);
    });

    it("names the rule for a typed skill", async () => {
      using folder = makeTypedProject({});
      await using opened = await open(folder, way, { elicit: () => ({ action: "cancel" }) });
      const { text } = await call(opened.client, "says", { params: { text: "x" } });
      expect(text).toContain("Nobody answered the question about the tool says");
      expect(text).toContain("add the rule {tool: says} to permissions.allow in ~/.knack/config.yaml");
    });

    it("nobody is asked about what waits for trust", async () => {
      using folder = makeTypedProject({ [`${REPO}/good/SKILL.md`]: skillText("good") });
      const { asked, elicit } = user("accept", "accept");
      await using opened = await open(folder, way, { elicit, env: { KNACK_TRUST: "" } });
      for (const [tool, params] of [
        ["says", {}],
        ["skill_load", { name: "good" }],
        ["skill_search", { query: "good" }],
      ] as const)
        expect((await call(opened.client, tool, params)).text).toContain("knack trust");
      expect(asked).toEqual([]);
    });
  },
);

describe.each(SOME_WAYS)("a question before a runner is started, over $name", (way) => {
  const runner = "mcp: { tools: all }\nrunners: { default: echo, echo: { command: [cat] } }\n";
  const work = { name: "skill_dispatch", arguments: { role: "fixer", skill: "good", prompt: "work" } };

  it("is asked each time, until the user says always", async () => {
    using folder = project(runner);
    const owner = user("accept", ALWAYS);
    await using opened = await open(folder, way, { elicit: owner.elicit });
    for (let call = 0; call < 3; call++)
      expect((await opened.client.callTool(work)).isError ?? false).toBe(false);
    expect(owner.asked).toHaveLength(2);
    expect(owner.boxes).toEqual(Array(2).fill({ remember: expect.objectContaining({ type: "boolean" }) }));
    expect(readFileSync(folder.at(CONFIG), "utf8")).toContain("tool: skill_dispatch, skill_name: good");
  });

  it("keeps no answer for good where none was asked for", async () => {
    using folder = project("permissions: { default: confirm }\n");
    const { boxes, elicit } = user(ALWAYS, "decline");
    await using opened = await open(folder, way, { elicit });
    const search = { name: "skill_search", arguments: { query: "good" } };
    expect((await opened.client.callTool(search)).isError ?? false).toBe(false);
    expect(boxes).toEqual([{}]);
    expect((await opened.client.callTool(search)).isError).toBe(true);
    expect(readFileSync(folder.at(CONFIG), "utf8")).toBe("permissions: { default: confirm }\n");
  });
});

it("a client that leaves during a question ends the server quietly", async () => {
  using folder = project("permissions: { default: confirm }\n");
  const { child, closed } = start(folder, ["mcp"], { KNACK_TRUST: "all" });
  let heard = "";
  let stderr = "";
  child.stdout.on("data", (text: string) => {
    heard += text;
  });
  child.stderr.on("data", (text: Buffer) => {
    stderr += text;
  });
  const say = (message: object) => child.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
  const clientInfo = { name: "leaver", version: "1" };
  const capabilities = { elicitation: {} };
  say({ id: 1, method: "initialize", params: { protocolVersion: "2025-11-25", capabilities, clientInfo } });
  say({ method: "notifications/initialized" });
  say({ id: 2, method: "tools/call", params: { name: "skill_load", arguments: { name: "good" } } });
  await expect.poll(() => heard).toContain("elicitation/create");
  child.stdin.end();
  const { code, stdout } = await closed;
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  expect(stdout).toContain("Nobody answered the question");
});

import { userInfo } from "node:os";
import type { ElicitResult } from "@modelcontextprotocol/client";
import { describe, expect, it } from "vitest";
import { skillText } from "../../packages/core/src/testing/files.ts";
import { PROGRAM, program, REPO } from "../cli/run.ts";
import { ask, makeTypedProject, PUBLISH } from "../cli/typed-skills.ts";
import { call } from "./call.ts";
import { ALWAYS, open, SOME_WAYS, user } from "./ways.ts";

/** The code of the project may run without a question; a confirmation is asked for all the same. */
const ALLOWED = { ...PUBLISH, "home/.knack/config.yaml": "permissions: { allow: [{ tool: publish }] }\n" };
const REPORT = { inputs: [{ role: "report", path: "a.md" }], params: { text: "x" } };

describe.each(SOME_WAYS)("003 §3.1 a confirmation over MCP, $name", (way) => {
  it("is asked of the user, whatever is allowed, and never for good; the run has who and when", async () => {
    using folder = makeTypedProject(ALLOWED);
    const { asked, boxes, elicit } = user(ALWAYS, ALWAYS);
    await using opened = await open(folder, way, { elicit });
    for (const cached of [false, true]) {
      const { run } = await call(opened.client, "publish", REPORT);
      expect(run).toMatchObject({
        cached,
        inputs: [{ role: "report" }, { role: "sign_off", confirmed_by: userInfo().username }],
      });
    }
    expect(asked).toHaveLength(2);
    expect(asked[0]).toMatch(
      /A model asks for this run: publish needs the confirmation "sign_off" for: report = a\.md \(sha256 [0-9a-f]{16}\), text = "x"\. Do you confirm it\?/,
    );
    expect(boxes).toEqual([{}, {}]);
  });

  it("is asked for by a prompt too", async () => {
    const call = "---\nsummary: P.\ninvocation_mode: tool_dispatch\ncommand_tool: publish\n---\n";
    using folder = makeTypedProject({ ...ALLOWED, "repo/skills/publish_it/SKILL.md": call });
    const { asked, elicit } = user("decline", "accept");
    await using opened = await open(folder, way, { elicit });
    const got = () =>
      opened.client.getPrompt({ name: "publish_it", arguments: { arguments: JSON.stringify(REPORT) } });
    await expect(got()).rejects.toThrow("did not confirm");
    expect((await got()).messages[0]?.content).toMatchObject({
      text: expect.stringContaining("publish succeeded"),
    });
    expect(asked).toEqual([expect.stringContaining("Do you confirm it?"), asked[0]]);
  });

  it("is not asked of whoever's word does not count", async () => {
    using folder = makeTypedProject(ALLOWED);
    const { asked, elicit } = user("accept");
    await using opened = await open(folder, way, { elicit, env: { KNACK_RUNNER_MARK: "some-runner" } });
    try {
      const { code, text } = await call(opened.client, "publish", REPORT);
      expect([code, text, asked]).toEqual([
        "ACCESS_DENIED",
        expect.stringContaining("only a person can confirm"),
        [],
      ]);
    } finally {
      delete process.env.KNACK_RUNNER_MARK; // A server over HTTP is in this process.
    }
  });

  it.each<ElicitResult>([{ action: "decline" }, { action: "cancel" }])("is none after %j", async (answer) => {
    using folder = makeTypedProject(ALLOWED);
    await using opened = await open(folder, way, { elicit: () => answer });
    const { code, text } = await call(opened.client, "publish", REPORT);
    expect([code, text]).toEqual([
      "ACCESS_DENIED",
      expect.stringContaining("Do not try another way; ask the user."),
    ]);
    expect(ask<{ runs: object[] }>(folder, ["runs"]).data.runs).toEqual([]);
  });

  it("is refused to a client that cannot ask, with what a person can do", async () => {
    using folder = makeTypedProject(ALLOWED);
    await using opened = await open(folder, way);
    const { code, text } = await call(opened.client, "publish", REPORT);
    expect([code, text]).toEqual([
      "ACCESS_DENIED",
      expect.stringContaining('"knack run publish … --confirm sign_off"'),
    ]);
    for (const forged of [
      { ...REPORT, confirm: ["sign_off"] },
      { ...REPORT, confirmed_by: "ada" },
      { ...REPORT, inputs: [...REPORT.inputs, { role: "sign_off", path: "b.md" }] },
      { ...REPORT, inputs: [...REPORT.inputs, { role: "sign_off", path: "b.md", confirmed_by: "ada" }] },
    ])
      expect((await call(opened.client, "publish", forged)).code).toBe("INVALID_PARAM");
    const { tools } = await opened.client.listTools();
    expect(tools.find(({ name }) => name === "publish")?.description).toContain(
      "sign_off (a person is asked to confirm it)",
    );
  });
});

it("003 §3.1 an agent that Knack started cannot answer for a person by being the client", () => {
  using folder = makeTypedProject({
    ...ALLOWED,
    [`${REPO}/tao-of-coding/SKILL.md`]: skillText("tao-of-coding", "Root."),
    [`${REPO}/alpha/SKILL.md`]: skillText("alpha", "Does alpha."),
    "agent.mjs": `import { spawn } from "node:child_process";
      const server = spawn(process.execPath, [${JSON.stringify(PROGRAM)}, "mcp"], { stdio: ["pipe", "pipe", "ignore"] });
      const say = (message) => server.stdin.write(JSON.stringify({ jsonrpc: "2.0", ...message }) + "\\n");
      const clientInfo = { name: "agent", version: "1" };
      const capabilities = { elicitation: {} };
      say({ id: 1, method: "initialize", params: { protocolVersion: "2025-06-18", capabilities, clientInfo } });
      say({ method: "notifications/initialized" });
      say({ id: 2, method: "tools/call", params: { name: "publish", arguments: ${JSON.stringify(REPORT)} } });
      let text = "";
      for await (const chunk of server.stdout) {
        text += chunk;
        const lines = text.split("\\n");
        text = lines.pop();
        for (const message of lines.map((line) => JSON.parse(line))) {
          if (message.method === "elicitation/create") say({ id: message.id, result: { action: "accept", content: {} } });
          if (message.id === 2 && message.result) {
            console.log(message.result.content[0].text);
            server.kill();
          }
        }
      }`,
  });
  const runner = `${process.execPath} ${folder.at("agent.mjs")}`;
  const asked = ["dispatch", "--role", "fixer", "--skill", "alpha", "--prompt", "x", "--runner-cmd", runner];
  const { stdout } = program(folder, asked, { env: { KNACK_TRUST: "all" } });
  expect(stdout).toContain("only a person can confirm");
  expect(ask<{ runs: object[] }>(folder, ["runs"]).data.runs).toEqual([]);
});

import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { describe, expect, it } from "vitest";
import { runnerEnvironment } from "../../packages/core/src/dispatch/runner/runner.ts";
import { skillText } from "../../packages/core/src/testing/files.ts";
import { program as knack, REPO } from "../cli/run.ts";
import { ask, makeTypedProject, type Refusal } from "../cli/typed-skills.ts";
import { Server } from "../http/server.ts";

const TOKEN = "token-that-no-child-may-see";
const ENTRY = (name: string, implementation: string): string =>
  `  - { name: ${name}, implementation: "${implementation}", inputs: [], outputs: { artifacts: [], evidences: [{ kind: SAID, schema: { fields: [text] } }] }, params: { schema: { type: object } }, idempotency: { strategy: DISABLED, cache: false }, env: [KNACK_TOKEN] }\n`;

const project = () =>
  makeTypedProject({
    [`${REPO}/good/SKILL.md`]: skillText("good"),
    "repo/skills/registry.yaml": `version: 1\nskills:\n${ENTRY("tells", "impl/tells.mjs:run")}`,
    "repo/impl/tells.mjs":
      "export const run = () => ({ status: 'SUCCEEDED', artifacts: [], error: null, evidences: [{ kind: 'SAID', data: { text: JSON.stringify(process.env) } }] });\n",
    "home/.knack/config.yaml":
      "mcp: { tools: all }\nrunners: { default: env, env: { command: [env] } }\npermissions: { allow: [{ tool: skill_dispatch }, { tool: tells }] }\n",
  });

describe("product: KNACK_TOKEN reaches no program that Knack starts", () => {
  it("no runner, of any spelling of the variable", () => {
    const given = { KNACK_TOKEN: TOKEN, knack_token: TOKEN, PATH: "/bin" };
    expect(runnerEnvironment(given)).toEqual({ PATH: "/bin" });
  });

  it("no runner of knack dispatch", () => {
    using folder = project();
    const { stdout, code } = knack(folder, ["dispatch", "--role", "fixer", "--skill", "good"], {
      env: { KNACK_TRUST: "all", KNACK_TOKEN: TOKEN, OTHER: "is-passed-on" },
    });
    expect(code).toBe(0);
    expect(stdout).toContain("is-passed-on");
    expect(stdout).not.toContain(TOKEN);
  });

  it("no typed skill, although its entry asks for it", () => {
    using folder = project();
    const { stdout, data } = ask<Refusal>(folder, ["run", "tells"], {
      env: { KNACK_TRUST: "all", KNACK_TOKEN: TOKEN },
    });
    expect(stdout).not.toContain(TOKEN);
    expect(data.error.message).toContain("KNACK_TOKEN");
  });

  it("nothing that knack serve starts", async () => {
    using folder = project();
    const env = { KNACK_TRUST: "all", KNACK_TOKEN: TOKEN, OTHER: "is-passed-on" };
    await using server = await Server.start(folder, { env });
    const client = new Client({ name: "test", version: "1" });
    const requestInit = { headers: server.bearer };
    await client.connect(new StreamableHTTPClientTransport(new URL(`${server.url}/mcp`), { requestInit }));
    const dispatched = await client.callTool({
      name: "skill_dispatch",
      arguments: { role: "fixer", skill: "good", prompt: "work" },
    });
    expect(JSON.stringify(dispatched)).toContain("is-passed-on");
    expect(JSON.stringify(dispatched)).not.toContain(TOKEN);
    const ran = await client.callTool({ name: "tells", arguments: {} });
    expect(JSON.stringify(ran)).not.toContain(TOKEN);
    await client.close();
  });
});

import { mkdirSync } from "node:fs";
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import * as z from "zod";
import { createRuntime, openCatalog, type Session } from "../../packages/core/src/index.ts";
import { type Folder, skillText } from "../../packages/core/src/testing/files.ts";
import { engineTools, openEngine } from "../../packages/engine/src/index.ts";
import { knack, PROGRAM, REPO } from "../cli/run.ts";
import { makeTypedProject } from "../cli/typed-skills.ts";
import { Server } from "../http/server.ts";
import { trustedEnvironment } from "../mcp/ways.ts";

/** Allowed size of an error besides what it quotes: a sentence or two, and a few lists. */
const MOST = 2_000;
const MEGABYTE = 1024 * 1024;
/** As a word, as a path, and with characters that must not be printed raw. */
const SHAPES: Readonly<Record<string, (length: number) => string>> = {
  letters: (length) => "x".repeat(length),
  folders: (length) => "ab/".repeat(Math.floor(length / 3)),
  "control characters": (length) => "\u001b\u202e".repeat(Math.floor(length / 2)),
};

let folder: Folder;

beforeAll(() => {
  folder = makeTypedProject({ [`${REPO}/good/SKILL.md`]: skillText("good") });
  mkdirSync(folder.at("home"), { recursive: true });
});
afterAll(() => folder[Symbol.dispose]());

function expectShort(text: string, what: string): void {
  expect(text.length, `${what}: ${text.slice(0, 300)}`).toBeLessThan(MOST);
  expect(text, what).not.toMatch(/x{201}|(?:ab\/){68}/);
  expect(text, what).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202a-\u202e]/);
}

describe.each(Object.entries(SHAPES))(
  "an error quotes at most 200 characters: a megabyte of %s",
  (_shape, make) => {
    const long = make(MEGABYTE);

    it("given to a tool or a slash command", async () => {
      const session = await openSession();
      const calls: [string, object][] = [
        [long, {}],
        ["skill_load", { name: long }],
        ["skill_load", { path: long }],
        ["skill_load", { path: `/${long}` }],
        ["skill_load", { ref: long }],
        ["skill_load", { [long]: 1 }],
        ["skill_load", { name: "good", args: 1, [`${long}b`]: 2 }],
        ["Skill", { name: long }],
        ["skill_read_file", { name: "good", file: long }],
        ["skill_read_file", { name: long, file: "x" }],
        ["skill_search", { query: "x", scope: long }],
        ["skill_dispatch", { role: long, skill: "good" }],
        ["skill_dispatch", { role: "fixer", skill: long }],
        ["says", { [long]: 1 }],
        ["says", { params: { [long]: 1 } }],
        ["says", { inputs: [{ role: long, path: "a.md" }] }],
        ["says", { inputs: [{ path: long }] }],
        ["says", { inputs: [{ path: "a.md" }, { path: long }] }],
        ["says", { task: long }],
        ["says", { task: `a/${long}` }],
        ["file_fingerprint", { inputs: [{ path: `../${long}` }] }],
      ];
      for (const [tool, params] of calls) {
        const { error, text } = await session.call(tool, params, { confirm: async () => "yes" });
        if (!error) continue;
        expectShort(error.message, `${tool.slice(0, 20)} ${JSON.stringify(params).slice(0, 40)}`);
        expectShort(text, `text of ${tool.slice(0, 20)}`);
      }
      for (const line of ["/", "/skill ", "/help ", "/agent ", "", "$"]) {
        const { error } = await session.execute(`${line}${long}`);
        expect(error, line).toBeDefined();
        expectShort(error?.message ?? "", line);
      }
    });

    it("given to the library", async () => {
      const catalog = await openCatalog({ cwd: folder.at("repo"), home: folder.at("home") });
      for (const reference of [{ name: long }, { path: long }, { id: long }])
        expect(() => catalog.resolve(reference)).toThrow(expect.toSatisfy(isShort));
      await expect(
        openCatalog({ cwd: folder.at("repo"), roots: [{ path: ".", scope: long as never }] }),
      ).rejects.toSatisfy(isShort);
    });

    it("given to knack rpc", () => {
      const call = (method: string, params: object) =>
        JSON.stringify({ jsonrpc: "2.0", id: 1, method, params });
      const lines = [
        call(long, {}),
        call("skills.list", { [long]: 1 }),
        call("skills.list", { cwd: long }),
        call("skills.load", { name: long }),
        call("commands.execute", { input: `/${long}` }),
        call("runs.list", { status: long }),
        call("runs.list", { skill: long }),
        call("session.restore", { state: { version: 1, loaded: [{ [long]: 1 }] } }),
      ];
      const { stdout } = knack(folder, ["rpc"], {
        input: `${lines.join("\n")}\n`,
        env: { KNACK_TRUST: "all" },
      });
      const answers = stdout
        .trim()
        .split("\n")
        .map((line) => JSON.parse(line))
        .filter(({ method }) => method === undefined);
      expect(answers).toHaveLength(lines.length);
      for (const { error, result } of answers)
        if (error ?? result.error) expectShort(JSON.stringify(error ?? result.error), "rpc");
    });

    it("given to the API", async () => {
      await using server = await Server.start(folder);
      const bodies: [string, object][] = [
        ["/api/run", { skill: long }],
        ["/api/run", { skill: "says", [long]: 1 }],
        ["/api/run", { skill: "says", params: { [long]: 1 } }],
        ["/api/run", { skill: "says", inputs: [{ role: long, path: "a.md" }] }],
        ["/api/run", { skill: "says", inputs: [{ path: long }] }],
        ["/api/run", { skill: "says", task: long }],
        ["/api/policy", { action: "disable", skill: long }],
        ["/api/policy", { action: "enable", skill: `/${long}` }],
        ["/api/policy", { action: long, skill: "good" }],
        ["/api/policy", { [long]: "good" }],
      ];
      for (const [path, body] of bodies) {
        const response = await server.post(path, body);
        expect(response.status).toBeGreaterThanOrEqual(400);
        expectShort(await response.text(), `${path} ${JSON.stringify(body).slice(0, 40)}`);
      }
      const part = encodeURIComponent(make(2_000));
      for (const path of [
        "/api/skills/",
        "/api/runs/",
        "/api/plans/",
        "/api/skills/good/files/",
        "/api/",
        "/",
        "/api/runs?status=",
      ])
        expectShort(await (await server.get(`${path}${part}`)).text(), path);
    });

    it("given to knack mcp", async () => {
      const client = new Client({ name: "test", version: "1" });
      await client.connect(
        new StdioClientTransport({
          command: process.execPath,
          args: [PROGRAM, "mcp"],
          cwd: folder.at("repo"),
          env: trustedEnvironment(folder),
          stderr: "ignore",
        }),
      );
      const requests: [string, object][] = [
        ["tools/call", { name: long, arguments: {} }],
        ["prompts/get", { name: long }],
        ["resources/read", { uri: `skill://good/${long}` }],
        ["resources/read", { uri: `skill://${long}` }],
        ["resources/read", { uri: long }],
        ["skills/get", { uri: `skill://good/${long}` }],
        ["resources/directory/read", { uri: `skill://good/${long}` }],
        ["prompts/list", { cursor: long }],
        ["resources/list", { cursor: long }],
        ["skills/list", { cursor: long }],
        [
          "completion/complete",
          { ref: { type: "ref/prompt", name: long }, argument: { name: "a", value: "" } },
        ],
      ];
      for (const [method, params] of requests) {
        const answer = client.request({ method, params } as never, z.looseObject({}) as never);
        const error = await answer.then(
          () => undefined,
          (thrown: Error & { data?: unknown }) => thrown,
        );
        const what = `${method} ${JSON.stringify(params).slice(0, 40)}`;
        expect(error, what).toBeDefined();
        expectShort(error?.message ?? "", what);
        expect(JSON.stringify(error?.data ?? "").length, what).toBeLessThan(MOST);
      }
      await client.close();
    });

    it("given to the command line", () => {
      // One argument can have at most 128 KiB.
      const word = make(100_000).replaceAll("\u0000", "");
      const lines = [
        [word],
        ["show", word],
        ["load", word],
        ["list", "--scope", word],
        ["run", word],
        ["run", "says", "--input", word],
        ["run", "says", "--input", "a.md", "--input", `in=${word}`],
        ["run", "says", "--param", word],
        ["run", "says", "--param", `${word}=1`],
        ["run", "says", "--task", word],
        ["runs", "show", word],
        ["plan", "apply", word],
        ["plan", word, "plan.yaml"],
        ["evidence", "add", word, "x", "--confirm"],
        ["dispatch", "--role", word, "--skill", "good"],
        ["dispatch", "--role", "fixer", "--skill", word],
        ["dispatch", "--role", "fixer", "--skill", "good", "--runner", word],
        ["dispatch", "--role", "fixer", "--skill", "good", "--runner-cmd", `'${word}`],
        ["dispatch", "--role", "fixer", "--skill", "good", "--runner-cmd", word],
        ["dispatch", "--role", "fixer", "--skill", "good", "--prompt-file", word],
        ["allow", word],
        ["disable", word],
        ["validate", word],
        ["eval", word],
        ["new", word],
        ["list", "--cwd", word],
        ["serve", "--port", word],
        ["serve", "--host", word],
        ["search", "x", "--limit", word],
        ["setup", word, "--print"],
        ["setup", "claude", "--print", "--http", word],
        ["audit", "verify", "--head", word],
        [`--${word}`],
      ];
      for (const line of lines) {
        const { code, stdout, stderr } = knack(folder, line, {
          env: { KNACK_TRUST: "all", KNACK_TOKEN: "x".repeat(20) },
        });
        const what = line.map((part) => part.slice(0, 20)).join(" ");
        expect([what, code === 0]).toEqual([what, false]);
        expectShort(`${stdout}${stderr}`.trimEnd(), what);
      }
    });
  },
);

function isShort(error: unknown): boolean {
  expectShort((error as Error).message, "thrown");
  return true;
}

async function openSession(): Promise<Session> {
  const engine = await openEngine({
    projectRoot: folder.at("repo"),
    registry: [folder.at("repo/skills/registry.yaml")],
    store: `sqlite:${folder.at("repo/.knack/state.db")}`,
    home: folder.at("home"),
  });
  const runtime = await createRuntime({
    cwd: folder.at("repo"),
    home: folder.at("home"),
    env: {},
    tools: engineTools(engine),
  });
  return runtime.session();
}

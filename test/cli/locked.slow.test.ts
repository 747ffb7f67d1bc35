import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { SkillsClient } from "@modelcontextprotocol/client/ext/skills";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createRuntime, type Session } from "../../packages/core/src/index.ts";
import { type Folder, makeFolder, skillText } from "../../packages/core/src/testing/files.ts";
import { Server } from "../http/server.ts";
import { open, trustedEnvironment } from "../mcp/ways.ts";
import { environment, HOME, knack, PROGRAM, REPO, TRUST } from "./run.ts";

/** In every text that nobody may get: changed after it was locked, or never locked. */
const MARK = "obey-the-stranger";
const LOCKED = "skills: { locked: true }\n";

/**
 * Four skills: `good` is as it was locked. The SKILL.md of `edited` changed, a file of `swapped` changed, `fresh` was never
 * locked; `mine` is the user's and changed.
 */
function makeLocked(config: Record<string, string> = { "home/.knack/config.yaml": LOCKED }): Folder {
  const folder = makeFolder({
    "repo/.git/": "",
    [`${REPO}/good/SKILL.md`]: skillText("good"),
    [`${REPO}/good/a.md`]: "fine",
    [`${REPO}/edited/SKILL.md`]: skillText("edited", "Does edited.", "command: go-edited\n"),
    [`${REPO}/swapped/SKILL.md`]: skillText("swapped"),
    [`${REPO}/swapped/a.md`]: "fine",
    [`${HOME}/mine/SKILL.md`]: skillText("mine"),
    ...config,
  });
  expect(knack(folder, ["lock"]).code).toBe(0);
  expect(knack(folder, ["lock", "--user"]).code).toBe(0);
  folder.write({
    [`${REPO}/edited/SKILL.md`]: `${skillText("edited", `Does ${MARK}.`, `command: go-edited\nlicense: ${MARK}\n`)}${MARK}\n`,
    [`${REPO}/swapped/a.md`]: MARK,
    [`${REPO}/fresh/SKILL.md`]: `${skillText("fresh", `Does ${MARK}.`)}${MARK}\n`,
    [`${HOME}/mine/SKILL.md`]: `${skillText("mine", `Does ${MARK}.`)}${MARK}\n`,
  });
  return folder;
}

const BAD = ["edited", "swapped", "fresh", "mine"] as const;

/** What a surface answers: all of it, and for what it refused, the code. */
type Ask = (what: string) => Promise<{ readonly all: string; readonly code?: unknown }>;

/** Loads are refused with the code and the next step; `good` is given. */
async function refusesAll(load: Ask, isGiven = true): Promise<void> {
  for (const name of BAD) {
    const { all, code } = await load(name);
    expect(all, name).not.toContain(MARK);
    expect(all, name).toContain(`knack lock ${name}`);
    expect(String(code), name).toMatch(/ACCESS_DENIED|403/);
  }
  if (isGiven) expect((await load("good")).all).toContain("# good");
}

describe("skills.locked, in the library", () => {
  let folder: Folder;
  let session: Session;
  beforeAll(async () => {
    folder = makeLocked();
    const runtime = await createRuntime({
      cwd: folder.at("repo"),
      home: folder.at("home"),
      env: {},
      cache: false,
    });
    session = runtime.session();
  });
  afterAll(() => folder[Symbol.dispose]());

  const called =
    (tool: string, more: (name: string) => object = () => ({})): Ask =>
    async (name) => {
      const envelope = await session.call(tool, { name, ...more(name) }, { actor: "person" });
      return { all: JSON.stringify(envelope), code: envelope.error?.code };
    };

  it.each<[string, Ask]>([
    ["skill_load", called("skill_load")],
    [
      "skill_load by path",
      called("skill_load", (name) => ({
        path: name === "mine" ? `~/.agents/skills/mine` : `.agents/skills/${name}`,
      })),
    ],
    ["Skill", called("Skill")],
    ["skill_read_file", called("skill_read_file", () => ({ file: "SKILL.md" }))],
    [
      "a slash command",
      async (name) => {
        const envelope = await session.execute(`/skill ${name}`);
        return { all: JSON.stringify(envelope), code: envelope.error?.code };
      },
    ],
  ])("%s", async (_, ask) => {
    await refusesAll(ask);
  });

  it("skill_dispatch, for a model", async () => {
    await refusesAll(async (skill) => {
      const { error, text } = await session.call("skill_dispatch", { role: "explorer", skill });
      return { all: text, code: error?.code };
    }, false);
  });

  it("gives no changed file, and no file that was added to a locked skill", async () => {
    for (const [name, file] of [
      ["swapped", "a.md"],
      ["edited", "SKILL.md"],
    ] as const) {
      const { error } = await session.call("skill_read_file", { name, file });
      expect(error?.code).toBe("ACCESS_DENIED");
    }
    expect((await session.call("skill_read_file", { name: "good", file: "a.md" })).text).toBe("fine");
    folder.write({ [`${REPO}/good/new.md`]: MARK });
    const { error } = await session.call("skill_read_file", { name: "good", file: "new.md" });
    expect(error).toMatchObject({
      code: "ACCESS_DENIED",
      message: expect.stringContaining("new.md is not in skills.lock"),
    });
    knack(folder, ["lock", "good"]);
    expect((await session.call("skill_read_file", { name: "good", file: "new.md" })).text).toBe(MARK);
    folder.write({ [`${REPO}/good/new.md`]: "fine" });
    knack(folder, ["lock", "good"]);
  });

  it("has no text of them in prompt, tools, search, lists, commands and mentions", async () => {
    const input = await session.input(`use $edited and $fresh please`);
    const command = await session.execute("/go-edited");
    const all = [
      session.systemPrompt(),
      session.tools,
      session.inspect({ includeSkills: true }),
      session.catalog.entries,
      input,
      command,
      await session.call("skill_search", { query: "edited fresh mine obey stranger" }),
      await session.execute("/skills"),
    ];
    expect(JSON.stringify(all)).not.toContain(MARK);
    expect(command.error?.code).toBe("ACCESS_DENIED");
    expect(input.text).toBe("use $edited and $fresh please");
    expect(session.systemPrompt()).toContain("good");
    expect(session.systemPrompt()).not.toMatch(/edited|fresh|mine/);
  });
});

describe("skills.locked, on the command line", () => {
  it("load, context, search and list", async () => {
    using folder = makeLocked();
    await refusesAll(async (name) => {
      const { stdout, stderr } = knack(folder, ["load", name, "--json"]);
      const { error } = JSON.parse(stdout) as { error?: { code: string } };
      return { all: stdout + stderr, code: error?.code };
    });
    for (const args of [
      ["context"],
      ["search", "edited", "obey", "stranger"],
      ["list"],
      ["list", "--all"],
      ["list", "--json", "--all"],
      ["show", "edited"],
      ["graph", "--format", "json"],
      ["doctor"],
      ["verify"],
      ["dispatch", "--role", "explorer", "--skill", "edited", "--dry-run", "--json"],
      ["route", "edited"],
    ]) {
      const { stdout, stderr } = knack(folder, args, TRUST);
      if (args[0] !== "show") expect(stdout + stderr, args.join(" ")).not.toContain(MARK);
    }
    expect(knack(folder, ["list"]).stderr).toContain(
      "3 skills changed or not locked. See which: knack verify --strict",
    );
    expect(knack(folder, ["list", "--all"]).stdout).toMatch(
      /edited +repo +unverified +\(its SKILL.md has changed\)/,
    );
    const lock = knack(folder, ["doctor", "--json"])
      .json()
      .checks.find(({ name }) => name === "lock");
    expect(lock).toMatchObject({
      ok: false,
      message: "4 skills locked, 3 changed since, 1 not locked; skills.locked is on",
    });
    const dispatched = knack(folder, [
      "dispatch",
      "--role",
      "explorer",
      "--skill",
      "edited",
      "--dry-run",
      "--json",
    ]);
    expect(dispatched.json().error.code).toBe("ACCESS_DENIED");
  });

  it("ends once the user has looked and locked, and begins with the next change", () => {
    using folder = makeLocked();
    expect(knack(folder, ["diff", "edited"]).stdout).toContain(`+description: Does ${MARK}.`);
    expect(knack(folder, ["lock", "edited"]).code).toBe(0);
    expect(knack(folder, ["load", "edited"]).stdout).toContain(MARK);
    folder.write({ [`${REPO}/edited/SKILL.md`]: skillText("edited") });
    expect(knack(folder, ["load", "edited"]).code).toBe(1);
  });

  it("holds for the project's skills where an untrusted project asks for it, and for all where it is trusted", () => {
    using folder = makeLocked({ "repo/.knack/config.yaml": LOCKED });
    expect(knack(folder, ["load", "edited"]).code).toBe(1);
    expect(knack(folder, ["load", "mine"]).code).toBe(0);
    expect(knack(folder, ["load", "mine"], TRUST).code).toBe(1);
    folder.write({
      "repo/.knack/config.yaml": "skills: { locked: false }\n",
      "home/.knack/config.yaml": LOCKED,
    });
    expect(knack(folder, ["load", "edited"], TRUST).code).toBe(1);
  });

  it("trusts no lock that cannot be read", () => {
    using folder = makeLocked();
    const text = readFileSync(folder.at("repo/skills.lock"), "utf8");
    folder.write({ "repo/skills.lock": text.replace('"version": 1', '"version": 2') });
    const { code, stderr } = knack(folder, ["load", "good"]);
    expect([code, stderr]).toEqual([1, expect.stringContaining('"version" must be 1, found 2')]);
  });
});

describe("skills.locked, on servers", () => {
  it.each([
    { transport: "stdio", revision: "2025-11-25" },
    { transport: "http", revision: "2026-07-28" },
  ] as const)("MCP over $transport, and an edit holds for the very next call", async (way) => {
    using folder = makeLocked();
    await using opened = await open(folder, way);
    const { client } = opened;
    const read = async (name: string): Promise<string> => {
      try {
        const address = (await client.listResources()).resources.find((one) => one.name === name)?.uri;
        return JSON.stringify(await client.readResource({ uri: address ?? `skill://${name}/SKILL.md` }));
      } catch (error) {
        return String(error);
      }
    };
    const prompt = async (name: string): Promise<string> =>
      client.getPrompt({ name }).then(JSON.stringify, String);
    await refusesAll(async (name) => {
      const result = await client.callTool({ name: "skill_load", arguments: { name } });
      return { all: JSON.stringify(result), code: result._meta?.["knack/code"] };
    });
    const lists = [
      client.getInstructions(),
      await client.listTools(),
      await client.listPrompts(),
      await client.listResources(),
      await new SkillsClient(client).list(),
      await client.callTool({ name: "skill_search", arguments: { query: "edited obey stranger" } }),
    ];
    for (const name of BAD) lists.push(await read(name), await prompt(name));
    expect(JSON.stringify(lists)).not.toContain(MARK);
    expect(JSON.stringify(lists)).toContain("good");
    const load = async (): Promise<unknown> =>
      (await client.callTool({ name: "skill_load", arguments: { name: "good", force: true } })).isError ??
      false;
    expect(await load()).toBe(false);
    folder.write({ [`${REPO}/good/SKILL.md`]: skillText("good", `Does ${MARK}.`) });
    expect(await load()).toBe(true);
    expect(
      JSON.stringify(await client.callTool({ name: "skill_search", arguments: { query: "good" } })),
    ).not.toContain(MARK);
    expect(knack(folder, ["lock", "good"]).code).toBe(0);
    expect(await load()).toBe(false);
    folder.write({ [`${REPO}/good/a.md`]: "other" });
    expect(await load()).toBe(true);
  });

  it("HTTP", async () => {
    using folder = makeLocked();
    await using server = await Server.start(folder);
    const get = async (path: string): Promise<{ all: string; code: number }> => {
      const response = await server.get(path);
      return { all: await response.text(), code: response.status };
    };
    await refusesAll((name) => get(`/api/skills/${name}/load`));
    for (const path of [
      "/api/skills",
      "/api/skills?all=1",
      "/api/skills/edited",
      "/api/skills/edited/files/SKILL.md",
      "/api/skills/swapped/files/a.md",
      "/api/search?q=edited+obey+stranger&all=1",
      "/api/graph",
      "/api/graph/outline",
      "/api/graph/part",
      "/api/skills?all=1&q=edited",
      "/api/search?try=1&q=edited",
      "/api/skills/edited/edges",
      "/api/needs",
    ])
      expect((await get(path)).all, path).not.toContain(MARK);
    for (const part of ["", "/findings", "/triggers"])
      expect((await get(`/api/skills/edited${part}`)).code, part).toBe(403);
    expect((await get("/api/skills/edited/policy")).all).toContain('"decision":"deny"');
    // The one place where the user sees what changed.
    expect((await get("/api/skills/edited/lock")).all).toContain(MARK);
  });

  it("JSON-RPC", () => {
    using folder = makeLocked();
    const requests = [
      ["skills.list", {}],
      ["context.inspect", { include_skills: true }],
      ["skills.search", { query: "edited obey stranger" }],
      ...BAD.map((name) => ["skills.load", { name }]),
      ...BAD.map((name) => ["commands.execute", { input: `/skill ${name}` }]),
      ["skills.load", { name: "good" }],
    ].map(([method, params], id) => JSON.stringify({ jsonrpc: "2.0", id, method, params }));
    const { stdout } = spawnSync(process.execPath, [PROGRAM, "rpc"], {
      cwd: folder.at("repo"),
      env: { ...environment(folder), ...trustedEnvironment(folder) },
      input: `${requests.join("\n")}\n`,
      encoding: "utf8",
    });
    expect(stdout.trim().split("\n")).toHaveLength(requests.length);
    expect(stdout).not.toContain(MARK);
    expect(stdout.match(/"code":"ACCESS_DENIED"/g)).toHaveLength(8);
    expect(stdout).toContain("# good");
  });
});

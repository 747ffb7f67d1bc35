import { describe, expect, it } from "vitest";
import type { Confirm } from "../../packages/core/src/access/tool.ts";
import { createRuntime, type Envelope, type Session } from "../../packages/core/src/index.ts";
import { type Folder, type makeFolder, skillText } from "../../packages/core/src/testing/files.ts";
import { engineTools, openEngine } from "../../packages/engine/src/index.ts";
import { REPO } from "../cli/run.ts";
import { makeTypedProject } from "../cli/typed-skills.ts";
import { open, SOME_WAYS } from "../mcp/ways.ts";

/** What the reader can do next: a command, a tool, a protocol's method, or a plain instruction. */
const NEXT_STEP =
  /"?knack (?:trust|allow|enable|list|doctor|validate|registry|run|plan)|skill_search|skill_load|\/skills\b|\/skill \w|~\/\.knack\/config\.yaml|[Aa]sk (?:the user|them|what|again)|[Uu]se (?:a |one |another )|[Nn]ame (?:a|one)|[Gg]ive (?:the name|shorter)|[Ll]oad it by|[Gg]o on without|[Cc]ontinue without|[Ii]ts parameters are|The (?:tools|commands|roles) are|the roles are|[Cc]heck the path|[Ff]ix (?:it|the)|remove that rule|ask for a file in it|[Mm]ake it readable|such as|[Dd]ispatch it on its own|load the skill yourself|Load the skill yourself|by its path|resources\/list|prompts\/list|tools\/list|begin again|take it out|its inputs are|--input /;

const project = (more: Parameters<typeof makeFolder>[0] = {}): Folder =>
  makeTypedProject({
    [`${REPO}/good/SKILL.md`]: skillText("good"),
    [`${REPO}/good/notes/list.md`]: "- one\n",
    [`${REPO}/good/picture.png`]: new Uint8Array([0x89, 0x50, 0, 1]),
    [`${REPO}/off/SKILL.md`]: skillText("off"),
    [`${REPO}/people/SKILL.md`]: skillText("people", "For people.", "disable-model-invocation: true\n"),
    [`${REPO}/never/SKILL.md`]: skillText("never", "Never.", "requires_tools: [teleport]\n"),
    [`${REPO}/bad/SKILL.md`]: "---\nname: Bad\ndescription: d\n---\n",
    [`${REPO}/denied/SKILL.md`]: skillText("denied"),
    [`${REPO}/tooled/SKILL.md`]: skillText(
      "tooled",
      "Calls.",
      "invocation_mode: tool_dispatch\ncommand_tool: says\n",
    ),
    "home/.agents/skills/twice/SKILL.md": skillText("twice"),
    [`${REPO}/twice/SKILL.md`]: skillText("twice", "Another."),
    "home/.knack/config.yaml":
      "skills: { disabled: [off] }\npermissions: { deny: [{ tool: skill_load, skill_name: denied }, { tool: file_fingerprint }] }\n",
    ...more,
  });

async function converse(
  folder: Folder,
  options: { trusted?: boolean | (() => boolean); confirm?: Confirm; ask?: boolean } = {},
): Promise<{ session: Session; close: () => Promise<void> }> {
  const engine = await openEngine({
    projectRoot: folder.at("repo"),
    registry: [folder.at("repo/skills/registry.yaml")],
    store: `sqlite:${folder.at("repo/.knack/state.db")}`,
    home: folder.at("home"),
    env: {},
    ...(options.ask ? { trusted: "ask" as const } : {}),
  });
  const runtime = await createRuntime({
    cwd: folder.at("repo"),
    home: folder.at("home"),
    env: {},
    tools: engineTools(engine),
    trusted: options.trusted ?? true,
    ...(options.confirm ? { confirm: options.confirm } : {}),
  });
  return { session: runtime.session(), close: () => engine.close() };
}

describe("product: every refusal says the next step", () => {
  it("of the tools", async () => {
    using folder = project();
    const { session, close } = await converse(folder);
    const calls: readonly (readonly [tool: string, params: object])[] = [
      ["none", {}],
      ["skill_load", {}],
      ["skill_load", { name: 1 }],
      ["skill_load", { nam: "good" }],
      ["skill_load", { name: "none" }],
      ["skill_load", { path: "none" }],
      ["skill_load", { path: "/etc" }],
      ["skill_load", { ref: "none" }],
      ["skill_load", { name: "off" }],
      ["skill_load", { name: "people" }],
      ["skill_load", { name: "never" }],
      ["skill_load", { name: "bad" }],
      ["skill_load", { name: "denied" }],
      ["skill_load", { name: "twice" }],
      ["Skill", { name: "" }],
      ["Skill", { name: "denied" }],
      ["skill_read_file", { name: "good", file: "" }],
      ["skill_read_file", { name: "good", file: "none.md" }],
      ["skill_read_file", { name: "good", file: "../x" }],
      ["skill_read_file", { name: "good", file: "/etc/passwd" }],
      ["skill_read_file", { name: "good", file: "a\u0000b" }],
      ["skill_read_file", { name: "good", file: "notes" }],
      ["skill_read_file", { name: "good", file: "picture.png" }],
      ["skill_dispatch", { role: "wizard", skill: "good" }],
      ["skill_dispatch", { role: "fixer", skill: "none" }],
      ["skill_dispatch", { role: "fixer", skill: "denied" }],
      ["skill_dispatch", { role: "fixer", skill: "people" }],
      ["says", {}],
      ["says", { nothing: 1 }],
      ["file_fingerprint", { inputs: [{ path: "a.md" }] }],
      ["text_extract", { inputs: [{ path: "/etc/passwd" }] }],
      ["text_extract", { inputs: [{ path: "none.md" }] }],
      ["text_extract", { inputs: [{ role: "none", path: "a.md" }] }],
      ["text_extract", {}],
    ];
    const without: string[] = [];
    for (const [tool, params] of calls) {
      const { error } = await session.call(tool, params);
      expect(error, `${tool} ${JSON.stringify(params)}`).toBeDefined();
      if (!NEXT_STEP.test(error?.message ?? ""))
        without.push(`${tool} ${JSON.stringify(params)}: ${error?.message}`);
    }
    expect(without).toEqual([]);
    await close();
  });

  it("of the slash commands, which guess nothing (002 §5.3)", async () => {
    using folder = project();
    const { session, close } = await converse(folder);
    for (const line of [
      "/none",
      "/skill",
      "/skill goood",
      "/help goood",
      "/agent",
      "/agent wizard",
      "no slash",
      "/skill off",
      "/skill never",
      "/skill denied",
    ]) {
      const { error } = await session.execute(line);
      expect(error?.message, line).toMatch(NEXT_STEP);
      expect(error?.message, line).not.toMatch(/did you mean/i);
    }
    await close();
  });

  it("of a configuration that cannot be understood", async () => {
    using folder = project();
    const { session, close } = await converse(folder);
    folder.write({ "home/.knack/config.yaml": "permissions: { deny: nobody }\n" });
    expect((await session.call("skill_load", { name: "good" })).error?.message).toMatch(
      /config\.yaml:1.*"knack doctor"/s,
    );
    await close();
  });
});

describe("product: trust before permission on every surface", () => {
  const asked: string[] = [];
  const confirm: Confirm = async ({ tool }) => {
    asked.push(tool);
    return "yes";
  };
  const expectTrust = ({ error, status }: Envelope, what: string): void => {
    expect([what, status, error?.code]).toEqual([what, "error", "ACCESS_DENIED"]);
    expect(error?.message, what).toContain("knack trust");
  };

  it("asks nobody about a typed skill whose code is not trusted: as a tool, by a skill's tool, by dispatch", async () => {
    using folder = project({
      "home/.knack/config.yaml":
        "permissions: { default: confirm }\nrunners: { default: cat, cat: { command: [cat] } }\n",
    });
    const { session, close } = await converse(folder, { ask: true, confirm });
    asked.length = 0;
    expectTrust(await session.call("says", {}), "says");
    expectTrust(await session.call("Skill", { name: "tooled" }), "Skill");
    expectTrust(
      await session.call("skill_dispatch", { role: "fixer", skill: "says" }),
      "dispatch of a typed skill",
    );
    expectTrust(
      await session.call("skill_dispatch", { role: "fixer", skill: "tooled" }),
      "dispatch of its skill",
    );
    expectTrust(await session.execute("/skill tooled"), "/skill");
    expect(asked).toEqual([]);
    await close();
  });

  it("asks nobody about a skill of a project that is not trusted any more", async () => {
    using folder = project({
      "home/.knack/config.yaml": "permissions: { default: confirm }\nskills: { disabled: [off] }\n",
    });
    let trusted = true;
    const { session, close } = await converse(folder, { trusted: () => trusted, confirm });
    expect((await session.call("skill_load", { name: "good" })).status).toBe("success");
    trusted = false;
    asked.length = 0;
    for (const name of ["good", "off", "people"]) {
      const { error } = await session.call("skill_load", { name });
      expect(error?.message, name).toContain("knack trust");
      expect((await session.execute(`/skill ${name}`)).error?.message, name).toContain("knack trust");
    }
    expect(asked).toEqual([]);
    await close();
  });

  it("takes no yes for what is not trusted any more when it is given", async () => {
    using folder = project({ "home/.knack/config.yaml": "permissions: { default: confirm }\n" });
    let trusted = true;
    const { session, close } = await converse(folder, {
      trusted: () => trusted,
      confirm: async () => {
        trusted = false;
        return "remember";
      },
    });
    expectTrust(await session.call("skill_load", { name: "good" }), "revoked meanwhile");
    await close();
  });

  it.each(SOME_WAYS)("over MCP, $name", async (way) => {
    using folder = project({ "home/.knack/config.yaml": "permissions: { default: confirm }\n" });
    const questions: string[] = [];
    await using opened = await open(folder, way, {
      env: { KNACK_TRUST: "" },
      elicit: ({ message }) => {
        questions.push(message);
        return { action: "accept", content: {} };
      },
    });
    const { client } = opened;
    const says = await client.callTool({ name: "says", arguments: {} });
    expect(JSON.stringify(says)).toContain("knack trust");
    await expect(client.getPrompt({ name: "good" })).rejects.toThrow("knack trust");
    await expect(client.readResource({ uri: "skill://good/SKILL.md" })).rejects.toThrow("knack trust");
    expect(questions).toEqual([]);
    const search = await client.callTool({ name: "skill_search", arguments: { query: "good" } });
    expect(JSON.stringify(search.content)).toMatch(/skills are unavailable.*knack trust/);
    expect(JSON.stringify(search.content)).not.toContain("No installed skill fits");
  });
});

describe("interfaces MCP: a question that was dismissed or cannot be asked is no refusal by the user", () => {
  it("and the answer says so", async () => {
    using folder = project({ "home/.knack/config.yaml": "permissions: { default: confirm }\n" });
    for (const [answer, expected] of [
      ["dismissed", /Nobody answered the question about .*\. The user has not refused/],
      [undefined, /nobody can be asked here\. The user has not refused/],
      ["no", /The user refused the skill "good"/],
    ] as const) {
      const { session, close } = await converse(folder, answer ? { confirm: async () => answer } : {});
      const { error } = await session.call("skill_load", { name: "good" });
      expect(error?.message).toMatch(expected);
      if (answer === "no") expect(error?.message).not.toContain("has not refused");
      await close();
    }
  });
});

describe("002: /help", () => {
  it("alone lists the commands", async () => {
    using folder = project({ [`${REPO}/plan/SKILL.md`]: skillText("plan", "Plans.", "command: plan\n") });
    const { session, close } = await converse(folder);
    const { status, text, data } = await session.execute("/help");
    expect(status).toBe("success");
    for (const command of [
      "/skills",
      "/skill <name> [args]",
      "/help [skill]",
      "/reload_skills",
      "/agent <role>",
      "/plan [args]",
    ])
      expect(text).toContain(command);
    expect(data.count).toBe(6);
    await close();
  });

  it("of a skill shows required tools, eligibility, and whether it can be used here and why not", async () => {
    using folder = project({
      [`${REPO}/choosy/SKILL.md`]: skillText(
        "choosy",
        "Choosy.",
        "requires_tools: [read]\neligibility: { os: [linux, darwin, win32], env: [NOT_SET_HERE], binaries: [no-such-binary] }\n",
      ),
    });
    const { session, close } = await converse(folder);
    const choosy = await session.execute("/help choosy");
    expect(choosy.text).toContain("required tools: read");
    expect(choosy.text).toMatch(
      /eligibility: on linux or darwin or win32; with the environment variable NOT_SET_HERE; with no-such-binary/,
    );
    expect(choosy.text).toMatch(/can be used here: no: ineligible: .*NOT_SET_HERE/);
    expect(choosy.data).toMatchObject({ requires_tools: ["read"], usable: false });
    expect((await session.execute("/help good")).text).toMatch(
      /required tools: none\n {2}eligibility: everywhere\n.*\n {2}can be used here: yes/,
    );
    expect((await session.execute("/help denied")).data).toMatchObject({
      usable: false,
      reason: expect.stringContaining("Policy denies"),
    });
    expect((await session.execute("/help off")).data).toMatchObject({
      usable: false,
      reason: expect.stringContaining("disabled"),
    });
    await close();
  });
});

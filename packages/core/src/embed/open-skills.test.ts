import { realpathSync } from "node:fs";
import { describe, expect, it } from "vitest";
import type { SessionEvent, Tool } from "../access/tool.ts";
import { loadConfig } from "../config/load.ts";
import type { PermissionRule } from "../config/rules.ts";
import { setTrusted } from "../policy/trust.ts";
import { type Folder, makeFolder, skillText } from "../testing/files.ts";
import { type OpenSkillsOptions, openSkills } from "./open-skills.ts";
import type { Conversation, SkillTool } from "./skills.ts";

const makeProduct = (): Folder =>
  makeFolder({
    "product/skills/review/SKILL.md": `${skillText("review", "Review a pull request.")}See more.md.\n`,
    "product/skills/review/more.md": "More.",
    "product/skills/deploy/SKILL.md": skillText("deploy", "Deploy to production.", "command: ship\n"),
    "product/skills/broken/SKILL.md": "no frontmatter",
    "product/.knack/config.yaml": "permissions: { deny: [{ tool: skill_load }] }\n",
    "product/.agents/skills/other/SKILL.md": skillText("other"),
    "empty/": "",
  });

const open = (folder: Folder, more: Partial<OpenSkillsOptions> = {}) =>
  openSkills({ from: folder.at("product/skills"), ...more });

function toolOf(talk: Conversation, name: string): SkillTool {
  return talk.tools.find((tool) => tool.name === name) ?? expect.fail(`no tool ${name}`);
}

const load = (talk: Conversation, input: object, options?: Parameters<SkillTool["execute"]>[1]) =>
  toolOf(talk, "skill_load").execute(input, options);

describe("what is opened", () => {
  it("is what the program names, and nothing of the machine or the project", async () => {
    using folder = makeProduct();
    const left: string[] = [];
    const skills = await open(folder, { onError: ({ path }) => left.push(path) });
    expect(skills.list.map(({ name }) => name)).toEqual(["deploy", "review"]);
    expect(skills.errors.map(({ path }) => path)).toEqual(left);
    expect(left).toEqual([folder.at("product/skills/broken/SKILL.md")]);
    // The configuration that lies beside it denies this.
    expect(await load(skills.conversation(), { name: "review" })).toContain("See more.md");
  });

  it("a folder that is missing throws, with its path", async () => {
    using folder = makeProduct();
    await expect(openSkills({ from: ["./skils"], cwd: folder.at("product") })).rejects.toThrow(
      `There is no folder "${folder.at("product/skils")}"`,
    );
    const relative = await openSkills({ from: ["./skills"], cwd: folder.at("product") });
    expect(relative.list).toHaveLength(2);
  });

  it("without a skill there is nothing to say and no tool", async () => {
    using folder = makeProduct();
    const talk = (await openSkills({ from: [folder.at("empty")] })).conversation();
    expect([talk.instructions, talk.tools]).toEqual(["", []]);
  });
});

describe("the machine", () => {
  it("is what the command line sees, by the user's rules, trust and paths", async () => {
    using folder = makeFolder({
      "repo/.git/": "",
      "repo/.agents/skills/ours/SKILL.md": skillText("ours"),
      "home/.agents/skills/mine/SKILL.md": skillText("mine"),
      "home/.agents/skills/secret/SKILL.md": skillText("secret"),
      "home/.knack/config.yaml": "permissions: { deny: [{ tool: skill_load, skill_name: secret }] }\n",
    });
    process.env.HOME = folder.at("home");
    process.env.XDG_CACHE_HOME = folder.at("cache");
    const machine = { from: "machine", cwd: folder.at("repo") } as const;
    const talk = (await openSkills({ ...machine, permissions: { deny: ["other"] } })).conversation();
    expect(talk.instructions).toMatch(/<skills_catalog>\n- mine: .*\n<\/skills_catalog>/);
    await expect(load(talk, { name: "secret" })).rejects.toThrow('"knack allow secret"');
    expect(await load(talk, { name: "mine" })).toContain(folder.at("home/.agents/skills/mine/SKILL.md"));
    process.env.KNACK_TRUST = "all";
    expect((await openSkills(machine)).list.map(({ name }) => name)).toContain("ours");
    const denied = await openSkills({ ...machine, permissions: { deny: ["mine"] } });
    expect(denied.conversation().instructions).not.toContain("- mine");
  });

  it("has of a trusted project's settings those that its user accepted (promise 17)", async () => {
    using folder = makeFolder({
      "repo/.git/": "",
      "home/.knack/": "",
      "else/skills/far/SKILL.md": skillText("far"),
    });
    process.env.HOME = folder.at("home");
    process.env.XDG_CACHE_HOME = folder.at("cache");
    delete process.env.KNACK_TRUST;
    const place = { env: process.env, home: folder.at("home") };
    const repo = realpathSync(folder.at("repo"));
    await setTrusted(repo, true, place);
    const names = async (): Promise<string[]> =>
      (await openSkills({ from: "machine", cwd: repo })).list.map(({ name }) => name);
    const roots = [{ path: folder.at("else/skills") }];
    folder.write({ "repo/.knack/config.yaml": `skills: { roots: ${JSON.stringify(roots)} }\n` });
    expect(await names()).not.toContain("far");
    const widening = (await loadConfig({ projectRoot: repo, ...place, trusted: true })).widening;
    await setTrusted(repo, true, place, [], widening);
    expect(await names()).toContain("far");
  });
});

describe("skills in code", () => {
  const greet = {
    name: "greet",
    description: 'Greet: a "guest" of the house.',
    body: "Say hello to $ARGUMENTS, by the words in words.md.\n",
    files: { "words.md": "Good evening" },
  };

  it("are listed, found, loaded and read as others are, beside those of folders", async () => {
    using folder = makeProduct();
    const skills = await openSkills({ from: [folder.at("product/skills"), greet] });
    const talk = skills.conversation();
    expect(talk.instructions).toMatch(/- deploy: [\s\S]*- greet: Greet: a &quot;guest/);
    expect(await load(talk, { name: "greet", args: "Ada" })).toBe(
      '<skill_context name="greet">\nSay hello to Ada, by the words in words.md.\n\n<skill_files>\n<file>words.md</file>\n</skill_files>\n</skill_context>',
    );
    expect(await toolOf(talk, "skill_read_file").execute({ name: "greet", file: "words.md" })).toBe(
      "Good evening",
    );
    await expect(
      toolOf(talk, "skill_read_file").execute({ name: "greet", file: "../../etc/hosts" }),
    ).rejects.toThrow("There is no file");
    const found = await toolOf(talk, "skill_search").execute({ query: "say hello" });
    expect(found).toContain("- greet");
  });

  it("have their permissions, and two of one name are refused", async () => {
    const talk = (await openSkills({ from: [greet], permissions: { default: "confirm" } })).conversation();
    expect(await toolOf(talk, "skill_load").question({ name: "greet" })).toMatchObject({ skill: "greet" });
    await expect(openSkills({ from: [greet, greet] })).rejects.toThrow("Two skills in code");
  });
});

describe("the instructions", () => {
  it("list name and description once, without paths, and the tools' definitions do not repeat it", async () => {
    using folder = makeProduct();
    const talk = (await open(folder)).conversation();
    expect(talk.instructions).toContain("- review: Review a pull request.\n");
    const all = talk.instructions + JSON.stringify(talk.tools) + (await load(talk, { name: "review" }));
    expect(all).not.toContain(folder.path);
    expect(JSON.stringify(talk.tools)).not.toContain("Review a pull request.");
    expect(talk.tools.map(({ name }) => name)).toEqual(["skill_search", "skill_load", "skill_read_file"]);
  });

  it("stay within their limit", async () => {
    const from = { name: "long", description: "x".repeat(500), body: "" };
    const talk = (await openSkills({ from, limits: { instructions: 100 } })).conversation();
    const [, list = ""] = /<skills_catalog>\n([\s\S]*)\n<\/skills_catalog>/.exec(talk.instructions) ?? [];
    expect(list).toMatch(/^- long: x+…\nDescriptions are shortened.*skill_search/);
    expect(list.length).toBeLessThanOrEqual(100);
  });

  it("a prefix is in every name of a tool, and in no word of a skill", async () => {
    using folder = makeProduct();
    folder.write({ "product/skills/review/SKILL.md": `${skillText("review", "Reviews.")}Not skill_load.\n` });
    const talk = (await open(folder, { prefix: "kn_" })).conversation();
    expect(talk.tools.map(({ name }) => name)).toEqual([
      "kn_skill_search",
      "kn_skill_load",
      "kn_skill_read_file",
    ]);
    expect(talk.instructions).toContain("kn_skill_load");
    const { execute } = toolOf(talk, "kn_skill_load");
    expect(await execute({ name: "review" })).toContain("Not skill_load.");
    expect(await execute({ name: "review" })).toContain("kn_skill_load with ref");
    await expect(execute({ name: "revue" })).rejects.toThrow("Use kn_skill_search");
  });

  it("paths are named as the program wants them", async () => {
    using folder = makeProduct();
    const told = async (paths: "absolute" | "relative" | "none") =>
      load((await open(folder, { paths })).conversation(), { name: "review" });
    expect(await told("absolute")).toContain(`<file>${folder.at("product/skills/review/more.md")}</file>`);
    expect(await told("relative")).toContain("<file>more.md</file>");
    expect(await told("none")).not.toContain("<file>");
    const talk = (await open(folder)).conversation();
    expect(await toolOf(talk, "skill_read_file").execute({ name: "review", file: "more.md" })).toBe("More.");
  });
});

describe("two skills of one name", () => {
  const inCode = { name: "review", description: "Review in code.", body: "Of code.\n" };

  it("are told apart by paths that lead to them, and that show nothing of the machine", async () => {
    using folder = makeProduct();
    const cwd = folder.at("product");
    const from = ["./skills", inCode];
    for (const paths of ["relative", "none"] as const) {
      const talk = (await openSkills({ from, cwd, paths })).conversation();
      const found = await toolOf(talk, "skill_search").execute({ query: "review" });
      expect(found).toContain("\n  skills/review/SKILL.md");
      const refusal = await load(talk, { name: "review" }).catch(({ message }: Error) => message);
      const typed = (await talk.input("$review this")).text;
      for (const text of [found, refusal, typed]) {
        expect(text).not.toContain(folder.path);
        const told = text.split("\n").flatMap((line) => /^ {2}(\S.*SKILL\.md)$/.exec(line)?.[1] ?? []);
        expect(told).toHaveLength(2);
        const texts = await Promise.all(told.map((path) => load(talk.child(), { path })));
        expect(texts.map((one) => one.includes("Of code.")).toSorted()).toEqual([false, true]);
      }
    }
  });
});

describe("once", () => {
  it("of several loads in one turn, one gives the text", async () => {
    using folder = makeProduct();
    const talk = (await open(folder)).conversation();
    const texts = await Promise.all([1, 2, 3].map(() => load(talk, { name: "review" })));
    expect(texts.filter((text) => text.startsWith("<skill_context"))).toHaveLength(1);
    expect(texts.filter((text) => text.includes("already loaded"))).toHaveLength(2);
  });

  it("a mention does not repeat it, and a load after a mention does not", async () => {
    using folder = makeProduct();
    const talk = (await open(folder)).conversation();
    await load(talk, { name: "review" });
    const again = await talk.input("$review this");
    expect([again.to, again.text]).toEqual([
      "model",
      expect.stringMatching(/already loaded[\s\S]*\$review this$/),
    ]);
    const other = (await open(folder)).conversation();
    expect((await other.input("$review this")).text).toMatch(/^<skill_context/);
    expect(await load(other, { name: "review" })).toContain("already loaded");
  });

  it("a subagent has a context of its own, and a state goes on in another process", async () => {
    using folder = makeProduct();
    const skills = await open(folder);
    const talk = skills.conversation();
    await load(talk, { name: "review" });
    expect(await load(talk.child(), { name: "review" })).toContain("<skill_context");
    const later = (await open(folder)).conversation(JSON.parse(JSON.stringify(talk.state())));
    expect(await load(later, { name: "review" })).toContain("already loaded");
  });
});

describe("permissions in code", () => {
  const asking = { permissions: { allow: ["review"], default: "confirm" } } as const;

  it("the question has no effect, and approval comes from outside", async () => {
    using folder = makeProduct();
    const events: SessionEvent[] = [];
    const observe = (event: SessionEvent): void => void events.push(event);
    const talk = (await open(folder, { ...asking, observe })).conversation();
    const { question, execute } = toolOf(talk, "skill_load");
    expect(await question({ name: "review" })).toBeUndefined();
    expect(await toolOf(talk, "skill_search").question({ query: "deploy" })).toBeUndefined();
    expect(await question({ name: "deploy" })).toMatchObject({
      skill: "deploy",
      text: expect.stringContaining('Load the skill "deploy"?'),
    });
    expect(await question({ name: "unknown" })).toBeUndefined();
    expect([events, talk.state().loaded]).toEqual([[], []]);
    await expect(execute({ name: "deploy" })).rejects.toThrow("nobody can be asked here");
    await expect(execute({ name: "deploy" }, { approved: false })).rejects.toThrow("The user refused");
    expect(await execute({ name: "deploy" }, { approved: true })).toContain("<skill_context");
    expect(await question({ name: "deploy", force: true })).toBeDefined();
  });

  it("a question is told for the tool of a skill too, which does not run for it", async () => {
    using folder = makeProduct();
    let runs = 0;
    const ship: Tool = {
      name: "ship_it",
      description: "Ships.",
      inputSchema: { type: "object" },
      executes: true,
      run: async () => ({ data: { runs: ++runs }, text: "Shipped." }),
    };
    const more = "invocation_mode: tool_dispatch\ncommand_tool: ship_it\n";
    folder.write({ "product/skills/go/SKILL.md": skillText("go", "Goes.", more) });
    const talk = (await open(folder, { tools: [ship] })).conversation();
    const { question, execute } = toolOf(talk, "skill_load");
    expect((await question({ name: "go" }))?.text).toContain('Run the tool ship_it of the skill "go"?');
    expect(runs).toBe(0);
    expect(await execute({ name: "go" }, { approved: true })).toBe("Shipped.");
  });

  it("always is kept by the host, and holds from then on", async () => {
    using folder = makeProduct();
    const kept: PermissionRule[] = [];
    const remember = (rule: PermissionRule): void => void kept.push(rule);
    const skills = await open(folder, { ...asking, remember });
    await load(skills.conversation(), { name: "deploy" }, { approved: "remember" });
    expect(kept).toEqual([{ tool: "skill_load", skill_name: "deploy" }]);
    expect(await load(skills.conversation(), { name: "deploy" })).toContain("<skill_context");
  });

  it("a host that is asked while the tool waits may say true and false", async () => {
    using folder = makeProduct();
    const asked = async (answer: boolean) =>
      load((await open(folder, { ...asking, confirm: async () => answer })).conversation(), {
        name: "deploy",
      });
    expect(await asked(true)).toContain("<skill_context");
    await expect(asked(false)).rejects.toThrow("The user refused");
  });

  it("what a function of the host throws goes to the host", async () => {
    using folder = makeProduct();
    const broken = new TypeError("database is down");
    const fail = (): never => {
      throw broken;
    };
    const confirm = async (): Promise<never> => fail();
    const events: unknown[] = [];
    const observe = (event: unknown): void => void events.push(event);
    const asked = (await open(folder, { ...asking, confirm, observe })).conversation();
    await expect(load(asked, { name: "deploy" })).rejects.toBe(broken);
    expect(events).toEqual([]);
    const observed = (await open(folder, { observe: fail })).conversation();
    await expect(load(observed, { name: "deploy" })).rejects.toBe(broken);
    await expect(observed.input("$review")).rejects.toBe(broken);
  });

  it("a denied or disabled skill is not listed, and no advice is for people who have the command line", async () => {
    using folder = makeProduct();
    const more = { permissions: { deny: ["deploy"] }, disabled: ["review"] };
    const skills = await open(folder, more);
    const talk = skills.conversation();
    expect(talk.instructions).toBe("");
    const place = { permissions: { deny: ["deploy"] }, cwd: folder.at("product") };
    const other = (await open(folder, place)).conversation();
    const refusals = await Promise.all(
      [{ name: "deploy" }, { name: "broken" }, { name: "none" }].map((input) =>
        load(other, input).catch((error: Error) => error.message),
      ),
    );
    const typed = await Promise.all(["/skill nope", "/skill deploy"].map((line) => other.input(line)));
    for (const text of [...refusals, ...typed.map((one) => one.text)]) expect(text).not.toMatch(/knack /);
    expect(refusals[0]).toBe(
      'Policy denies the skill "deploy": The rule permissions.deny { tool: skill_load, skill_name: "deploy" } forbids it.',
    );
    expect(refusals[1]).toMatch(/^The skill was skipped\. skills\/broken\/SKILL\.md:1: /);
  });

  it("a default that is none throws, and so does a program that says not what to open", async () => {
    using folder = makeProduct();
    const permissions = { default: "deny" } as unknown as { default: "allow" };
    await expect(open(folder, { permissions })).rejects.toThrow(
      'permissions.default is "allow" or "confirm"',
    );
    for (const none of [{}, { from: undefined }, { from: [null] }])
      await expect(openSkills(none as unknown as OpenSkillsOptions)).rejects.toThrow(
        '"from" says what to open',
      );
  });

  it("a rule that never applies throws", async () => {
    using folder = makeProduct();
    const permissions = { deny: [{ tool: "skil_load" }] };
    await expect(open(folder, { permissions })).rejects.toMatchObject({ code: "INVALID_PARAM" });
  });
});

describe("what a person typed", () => {
  it.each(["/clear", "/model x", "/home/me/x.log has an error", "/help", "/agent smith", "/"])(
    "%s goes back to the host as it is",
    async (text) => {
      using folder = makeProduct();
      expect(await (await open(folder)).conversation().input(text)).toEqual({ to: "host", text });
    },
  );

  it("commands of skills are done here", async () => {
    using folder = makeProduct();
    const talk = (await open(folder)).conversation();
    expect(await talk.input("/ship now")).toMatchObject({ to: "model", skill: { name: "deploy" } });
    expect(await talk.input("/skills")).toMatchObject({ to: "person" });
    expect(await talk.input("hello")).toEqual({ to: "model", text: "hello" });
  });
});

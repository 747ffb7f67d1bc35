import { readFileSync } from "node:fs";
import { setTimeout } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import type { Question, Tool } from "../../packages/core/src/access/tool.ts";
import { skillText } from "../../packages/core/src/testing/files.ts";
import { converse, makeProject, outcome } from "./conversation.ts";

const SKILLS = "repo/.agents/skills";
const CONFIG = "home/.knack/config.yaml";
const FILES = {
  [`${SKILLS}/deploy/SKILL.md`]: skillText("deploy", "Deploys the service.", "command: ship\n"),
  [`${SKILLS}/deploy/notes.md`]: "Notes.\n",
  [`${SKILLS}/review/SKILL.md`]: skillText("review", "Reviews a change."),
};

const hostTool = (name: string, executes: boolean): Tool => ({
  name,
  description: "Does it.",
  inputSchema: { type: "object" },
  executes,
  run: async () => ({ data: {}, text: "Done." }),
});

const DENY = "permissions:\n  deny:\n    - { tool: skill_load, skill_name: deploy }\n";

describe("004 §8.1 permissions by skill name", () => {
  it("a deny holds for every way to the skill's text, and for everyone", async () => {
    using folder = makeProject({ ...FILES, [CONFIG]: DENY, "repo/way": { link: ".agents/skills/deploy" } });
    const talk = await converse(folder);
    const file = folder.at(SKILLS, "deploy", "SKILL.md");
    const answers = [
      await talk.call("skill_load", { name: "deploy" }),
      await talk.call("skill_load", { path: file }),
      await talk.call("skill_load", { path: `${SKILLS.slice(5)}/./review/../deploy/` }),
      await talk.call("skill_load", { path: "way" }),
      await talk.call("skill_load", { name: "deploy" }, { actor: "person" }),
      await talk.call("Skill", { name: "deploy" }),
      await talk.call("skill_read_file", { name: "deploy", file: "notes.md" }),
      await talk.execute("/skill deploy"),
      await talk.execute("/ship it"),
    ];
    for (const answer of answers) {
      expect(outcome(answer)).toBe("ACCESS_DENIED");
      expect(answer.text).toContain("deploy");
      expect(JSON.stringify(answer)).not.toContain("# deploy");
    }
    expect((await talk.input("Use $deploy now.")).to).toBe("person");
    expect(outcome(await talk.call("skill_load", { name: "review" }))).toBe("success");
    // Rules apply to the skill that was found, so another case does not bypass them.
    expect(outcome(await talk.call("skill_load", { name: "DEPLOY" }))).toBe("ACCESS_DENIED");
  });

  it("a skill inside of another skill's folder keeps its own rules, by whichever folder its files are asked for", async () => {
    const inner = (name: string, more = ""): Record<string, string> => ({
      [`${SKILLS}/review/more/${name}/SKILL.md`]: `${skillText(name, "Inner.", more)}KEPT`,
      [`${SKILLS}/review/more/${name}/references/notes.md`]: "KEPT",
    });
    using folder = makeProject({
      ...FILES,
      ...inner("denied"),
      ...inner("switched-off"),
      ...inner("for-people", "disable-model-invocation: true\n"),
      ...inner("open"),
      [`${SKILLS}/review/way.md`]: { link: "more/denied/SKILL.md" },
      [CONFIG]: `skills: { disabled: [switched-off] }\n${DENY.replace("deploy", "denied")}`,
    });
    const talk = await converse(folder);
    const read = async (file: string): Promise<string> => {
      const answer = await talk.call("skill_read_file", { name: "review", file });
      expect(answer.text.includes("KEPT")).toBe(answer.status === "success");
      return outcome(answer);
    };
    for (const name of ["denied", "switched-off", "for-people"]) {
      expect(await read(`more/${name}/SKILL.md`)).toBe("ACCESS_DENIED");
      expect(await read(`more/${name}/references/notes.md`)).toBe("ACCESS_DENIED");
    }
    expect(await read("way.md")).toBe("ACCESS_DENIED");
    expect(await read("more/open/SKILL.md")).toBe("success");
    const { data } = await talk.call("skill_load", { name: "review" });
    expect(data.files).toEqual(
      ["more/open/SKILL.md", "more/open/references/notes.md", "way.md"].map((file) =>
        folder.at(SKILLS, "review", file),
      ),
    );
  });

  it("a denied skill is not offered to a model", async () => {
    using folder = makeProject({ ...FILES, [CONFIG]: DENY });
    const talk = await converse(folder);
    expect(talk.session.systemPrompt()).not.toContain("deploy");
    expect(JSON.stringify(talk.session.tools)).not.toContain("deploy:");
    expect((await talk.call("skill_search", { query: "deploys the service" })).data.count).toBe(0);
    expect((await talk.execute("/skills")).text).toContain("deploy");
  });

  it("a rule for a host's tool may name the skill that calls it; leave to read the skill is none to call the tool", async () => {
    const calling = (name: string, tool: string): string =>
      skillText(name, "Calls.", `invocation_mode: tool_dispatch\ncommand_tool: ${tool}\n`);
    using folder = makeProject({
      [`${SKILLS}/one/SKILL.md`]: calling("one", "run_it"),
      [`${SKILLS}/two/SKILL.md`]: calling("two", "run_it"),
      [`${SKILLS}/three/SKILL.md`]: calling("three", "look_up"),
    });
    const talk = await converse(folder, { tools: [hostTool("run_it", true), hostTool("look_up", false)] });
    const under = async (rules: string, name: string, actor: "model" | "person"): Promise<string> => {
      folder.write({ [CONFIG]: `permissions:\n  ${rules}\n` });
      return outcome(await talk.call("Skill", { name }, { actor }));
    };
    const deny = "deny: [{ tool: run_it, skill_name: one }]";
    expect(await under(deny, "one", "person")).toBe("ACCESS_DENIED");
    expect(await under(deny, "two", "person")).toBe("success");
    const allow = "allow: [{ tool: run_it, skill_name: one }]";
    expect(await under(allow, "one", "model")).toBe("success");
    expect(await under(allow, "two", "model")).toBe("ACCESS_DENIED");
    const read = "allow: [{ tool: skill_load }]\n  default: confirm";
    expect(await under(read, "three", "model")).toBe("ACCESS_DENIED");
    expect(await under(`${read.replace("]", ", { tool: look_up }]")}`, "three", "model")).toBe("success");
  });

  it("asks where the policy says confirm, and remembers where it is told to", async () => {
    using folder = makeProject({ ...FILES, [CONFIG]: "permissions: { default: confirm } # ask me\n" });
    const questions: Question[] = [];
    const answers = ["no", "yes", "remember"] as const;
    const talk = await converse(folder, {
      confirm: async (question) => {
        questions.push(question);
        return answers[questions.length - 1] ?? "no";
      },
    });
    const load = async (): Promise<string> =>
      outcome(await talk.call("skill_load", { name: "deploy", force: true }));
    expect([await load(), await load(), await load()]).toEqual(["ACCESS_DENIED", "success", "success"]);
    expect(questions.map(({ tool, skill }) => [tool, skill?.name])).toEqual(
      Array(3).fill(["skill_load", "deploy"]),
    );
    expect(await load()).toBe("success");
    expect(questions).toHaveLength(3);
    const written = readFileSync(folder.at(CONFIG), "utf8");
    expect(written).toMatch(/tool: skill_load/);
    expect(written).toMatch(/skill_name: deploy/);
    expect(written).toContain("# ask me");
    // Typing a command is consent.
    expect(outcome(await talk.execute("/skill review"))).toBe("success");
    expect(questions).toHaveLength(3);
  });

  it("sees a rule at once, and allows nothing while a rule cannot be understood", async () => {
    using folder = makeProject(FILES);
    const talk = await converse(folder);
    const load = () => talk.call("skill_load", { name: "deploy", force: true });
    expect(outcome(await load())).toBe("success");
    folder.write({ [CONFIG]: DENY });
    expect(outcome(await load())).toBe("ACCESS_DENIED");
    folder.write({ [CONFIG]: "permissions:\n  deny:\n    - { tool: skill_load, skil_name: deploy }\n" });
    const broken = await talk.call("skill_load", { name: "review" });
    expect([outcome(broken), broken.text]).toEqual([
      "ACCESS_DENIED",
      expect.stringContaining(`${folder.at(CONFIG)}:3`),
    ]);
    expect(outcome(await talk.execute("/skill review"))).toBe("ACCESS_DENIED");
    folder.write({ [CONFIG]: "" });
    expect(outcome(await load())).toBe("success");
  });

  it("a skill that was switched off is ACCESS_DENIED, and the message says disabled", async () => {
    using folder = makeProject({ ...FILES, [CONFIG]: "skills: { disabled: [deploy] }\n" });
    const talk = await converse(folder);
    for (const params of [{ name: "deploy" }, { path: folder.at(SKILLS, "deploy") }]) {
      const answer = await talk.call("skill_load", params);
      expect([outcome(answer), answer.text]).toEqual(["ACCESS_DENIED", expect.stringContaining("disabled")]);
    }
    folder.write({ [CONFIG]: "skills: { disabled: [review] }\n" });
    expect(outcome(await talk.call("skill_load", { name: "review" }))).toBe("ACCESS_DENIED");
  });

  it("what executes asks by default, and an allow rule for it answers", async () => {
    using folder = makeProject(FILES);
    const talk = await converse(folder, { tools: [hostTool("run_it", true)] });
    expect(outcome(await talk.call("run_it"))).toBe("ACCESS_DENIED");
    folder.write({ [CONFIG]: "permissions: { allow: [{ tool: run_it }] }\n" });
    expect(outcome(await talk.call("run_it"))).toBe("success");
  });
});

describe("disable-model-invocation", () => {
  it("hides a skill from models and not from people", async () => {
    using folder = makeProject({
      [`${SKILLS}/manual/SKILL.md`]: skillText("manual", "Done by hand.", "disable-model-invocation: true\n"),
    });
    const talk = await converse(folder);
    expect(talk.session.systemPrompt()).not.toContain("manual");
    expect(JSON.stringify(talk.session.tools)).not.toContain("manual");
    expect((await talk.call("skill_search", { query: "manual" })).data.count).toBe(0);
    expect(outcome(await talk.call("skill_load", { name: "manual" }))).toBe("ACCESS_DENIED");
    expect(outcome(await talk.call("Skill", { name: "manual" }))).toBe("ACCESS_DENIED");
    expect(outcome(await talk.execute("/skill manual"))).toBe("success");
    expect((await talk.input("Use $manual.")).to).toBe("model");
  });

  it("does not make a name ambiguous for a model that is told of one skill alone", async () => {
    using folder = makeProject({
      [`${SKILLS}/twin/SKILL.md`]: skillText("twin", "d", "disable-model-invocation: true\n"),
      "home/.agents/skills/twin/SKILL.md": skillText("twin"),
    });
    const talk = await converse(folder);
    expect((await talk.call("skill_load", { name: "twin" })).data.path).toBe(
      folder.at("home/.agents/skills/twin/SKILL.md"),
    );
    expect(outcome(await talk.execute("/skill twin"))).toBe("INVALID_PARAM");
  });

  it("is not got around by a file that changes under a snapshot", async () => {
    using folder = makeProject({ [`${SKILLS}/a/SKILL.md`]: skillText("a") });
    const talk = await converse(folder, { env: { SKILLS_REFRESH_ON_CALL: "false" } });
    folder.write({ [`${SKILLS}/a/SKILL.md`]: skillText("a", "d", "disable-model-invocation: true\n") });
    expect(outcome(await talk.call("skill_load", { name: "a" }))).toBe("CONFLICT");
    folder.write({ [`${SKILLS}/a/SKILL.md`]: "---\nname: other\ndescription: d\n---\nOther.\n" });
    expect((await talk.call("skill_load", { name: "a" })).status).toBe("error");
  });
});

describe("quality 5: trust first", () => {
  const files = {
    ...FILES,
    "home/.agents/skills/mine/SKILL.md": skillText("mine"),
    "home/.agents/skills/review/SKILL.md": skillText("review", "The user's own review."),
  };

  it("offers only the user's own skills in an untrusted project, and says how many wait", async () => {
    using folder = makeProject(files);
    const talk = await converse(folder, { trusted: false });
    expect(talk.session.catalog.skills.map(({ name, scope }) => [name, scope])).toEqual([
      ["mine", "user"],
      ["review", "user"],
    ]);
    expect(talk.session.catalog.waitingForTrust).toBe(2);
    expect(talk.session.systemPrompt()).not.toContain("deploy");
    expect(outcome(await talk.call("skill_load", { name: "deploy" }))).toBe("NOT_FOUND");
    const byPath = await talk.call("skill_load", { path: ".agents/skills/deploy" });
    expect([outcome(byPath), byPath.text]).toEqual(["ACCESS_DENIED", expect.stringContaining("knack trust")]);
    expect(outcome(await talk.execute("/ship"))).toBe("INVALID_PARAM");
  });

  it("an untrusted project's skill does not stand in the way of the user's", async () => {
    using folder = makeProject(files);
    const talk = await converse(folder, { trusted: false });
    const { data } = await talk.call("skill_load", { name: "review" });
    expect(data.path).toBe(folder.at("home/.agents/skills/review/SKILL.md"));
  });

  it("does not let an untrusted project allow anything, and lets it deny", async () => {
    using folder = makeProject({
      ...files,
      [CONFIG]: "permissions: { default: confirm }\n",
      "repo/.knack/config.yaml":
        "permissions: { allow: [{ tool: skill_load }], deny: [{ tool: skill_load, skill_name: mine }] }\n",
    });
    const talk = await converse(folder, { trusted: false });
    expect((await talk.call("skill_load", { name: "review" })).text).toContain("nobody can be asked");
    expect((await talk.call("skill_load", { name: "mine" })).text).toContain("denies");
  });
});

describe("the catalog in context", () => {
  it("is the same bytes from call to call", async () => {
    using folder = makeProject(FILES);
    const talk = await converse(folder);
    const before = talk.session.systemPrompt();
    expect(before).toMatch(/^<skills_context>\n[\s\S]*<\/skills_context>$/);
    folder.write({ [`${SKILLS}/new/SKILL.md`]: skillText("new") });
    await talk.call("skill_search", { query: "new" });
    expect(talk.session.systemPrompt()).toBe(before);
    expect((await converse(folder)).session.systemPrompt()).not.toBe(before);
  });

  it("is empty where skills are switched off", async () => {
    using folder = makeProject({ ...FILES, [CONFIG]: "skills: { enabled: false }\n" });
    expect((await converse(folder)).session.systemPrompt()).toBe("");
  });
});

describe("a session while its files change", () => {
  it("a skill that is switched off is in no search from then on", async () => {
    using folder = makeProject(FILES);
    const talk = await converse(folder);
    const count = async (): Promise<unknown> =>
      (await talk.call("skill_search", { query: "reviews a change" })).data.count;
    expect(await count()).toBe(1);
    folder.write({ [CONFIG]: "skills: { disabled: [review] }\n" });
    expect(await count()).toBe(0);
    expect(outcome(await talk.call("skill_load", { name: "review" }))).toBe("ACCESS_DENIED");
  });

  it("a reload is not undone by a call that began before it", async () => {
    using folder = makeProject({ ...FILES, "more/later/SKILL.md": skillText("later") });
    const talk = await converse(folder);
    folder.write({ [CONFIG]: `skills: { roots: [{ path: ${folder.at("more")} }] }\n` });
    // As on a slow file system: the scan of the first call ends after the reload.
    const { catalog } = talk.session;
    const update = catalog.update.bind(catalog);
    catalog.update = async (options) => {
      const next = await update(options);
      await setTimeout(100);
      return next;
    };
    const call = talk.call("skill_search", { query: "x" });
    await talk.execute("/reload_skills");
    await call;
    expect(outcome(await talk.call("skill_load", { name: "later" }))).toBe("success");
  });
});

describe("session state", () => {
  it("is refused where it is none", async () => {
    using folder = makeProject();
    const { session } = await converse(folder);
    const entry = { name: "a", path: "/a", sha256: "0", args: "", ref: "skl_0" };
    session.restore({ version: 1, loaded: [entry] });
    for (const state of [
      null,
      5,
      {},
      { version: 2, loaded: [] },
      { version: 1, loaded: [{}] },
      { version: 1, loaded: "x" },
      { version: 1, loaded: [{ ...entry, ref: 5 }] },
      { version: 1, loaded: Array(10_001).fill(entry) },
    ])
      expect(() => session.restore(state)).toThrow(expect.objectContaining({ code: "INVALID_PARAM" }));
    expect(session.save().loaded).toEqual([entry]);
  });

  it("a forged state opens nothing outside of the catalog", async () => {
    using folder = makeProject({ ...FILES, "outside/SKILL.md": skillText("outside"), [CONFIG]: DENY });
    const talk = await converse(folder);
    const loaded = [
      folder.at("outside/SKILL.md"),
      "/etc/passwd",
      folder.at(SKILLS, "deploy", "SKILL.md"),
    ].map((path, i) => ({
      name: "x",
      path,
      sha256: "0".repeat(64),
      args: "",
      ref: `skl_${i}`,
    }));
    talk.session.restore({ version: 1, loaded });
    for (const { ref } of loaded)
      expect(outcome(await talk.call("skill_load", { ref }))).toBe("ACCESS_DENIED");
  });
});

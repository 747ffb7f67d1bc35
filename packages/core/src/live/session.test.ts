import { setTimeout as delay } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import type { Question, SessionEvent, Tool } from "../access/tool.ts";
import { ConversationFile } from "../context/conversation-file.ts";
import { type Folder, makeFolder, skillText } from "../testing/files.ts";
import { createRuntime } from "./create-runtime.ts";
import type { RuntimeOptions } from "./runtime.ts";

const SKILLS = "repo/.agents/skills";

const makeProject = (config = ""): Folder =>
  makeFolder({
    "repo/.git/": "",
    [`${SKILLS}/review/SKILL.md`]: skillText("review"),
    [`${SKILLS}/review/pixel.png`]: Buffer.from([0x89, 0, 0xff]),
    [`${SKILLS}/review/out.md`]: { link: "../../../secret.md" },
    [`${SKILLS}/people/SKILL.md`]: skillText("people", "For people.", "disable-model-invocation: true\n"),
    "repo/secret.md": "SECRET",
    "home/.knack/config.yaml": config,
  });

const open = (folder: Folder, more: Partial<RuntimeOptions> = {}) =>
  createRuntime({ cwd: folder.at("repo"), home: folder.at("home"), env: {}, cache: false, ...more });

const ship: Tool = {
  name: "ship",
  description: "Ships.",
  inputSchema: { type: "object" },
  executes: true,
  run: async (_params, { by, progress }) => {
    progress("on its way");
    return { data: { by: by ?? "" }, text: "Shipped." };
  },
};

describe("a call that asks in its own way", () => {
  it("is asked by it, and not by the session", async () => {
    using folder = makeProject();
    const session = (await open(folder, { tools: [ship] })).session({ confirm: async () => "no" });
    const asked: Question[] = [];
    const confirm = async (question: Question) => {
      asked.push(question);
      return "yes" as const;
    };
    const told: string[] = [];
    const answer = await session.call(
      "ship",
      {},
      { confirm, by: "me", onProgress: (text) => told.push(text) },
    );
    expect(answer).toMatchObject({ status: "success", data: { by: "me" } });
    expect(told).toEqual(["on its way"]);
    expect(asked).toEqual([expect.objectContaining({ tool: "ship" })]);
    expect((await session.call("ship", {})).error?.code).toBe("ACCESS_DENIED");
  });
});

describe("a conversation that two processes serve", () => {
  it("gets a text from the first alone, where both load it at the same moment", async () => {
    using folder = makeProject();
    const loads: SessionEvent[] = [];
    const both = Promise.withResolvers<void>();
    const observe = async (event: SessionEvent) => {
      if (event.type !== "SKILL_LOADED") return;
      loads.push(event);
      if (loads.length === 2) both.resolve();
      await both.promise;
    };
    const load = async () => {
      const session = (await open(folder, { observe })).session();
      session.share(new ConversationFile(folder.at("home/.knack"), "claude", "s1"));
      return (await session.call("skill_load", { name: "review" })).data.already_loaded;
    };
    expect((await Promise.all([load(), load()])).sort()).toEqual([false, true]);
    expect(loads.map(({ data }) => data.already_loaded).sort()).toEqual([false, true]);
  });
});

describe("a skill that must be confirmed", () => {
  it.each(["no", "declined", "dismissed", undefined] as const)(
    "counts as unasked unless a person refused it: %s",
    async (answer) => {
      using folder = makeProject("permissions: { default: confirm }\n");
      const session = (await open(folder)).session(answer ? { confirm: async () => answer } : {});
      const conversation = new ConversationFile(folder.at("home/.knack"), "claude", "s1");
      session.share(conversation);
      const skill = session.catalog.skills.find(({ name }) => name === "review");
      expect((await session.call("skill_load", { name: "review" })).error?.code).toBe("ACCESS_DENIED");
      expect(conversation.wasUnasked([skill?.path ?? ""])).toBe(answer !== "no");
    },
  );
});

describe("what may be known", () => {
  it("is by the rules as they are now, for each as they may have it", async () => {
    using folder = makeProject();
    const session = (await open(folder)).session();
    const names = async (actor: "model" | "person"): Promise<string[]> =>
      (await session.visibleTo(actor)).map(({ name }) => name);
    expect(await names("model")).toEqual(["review"]);
    expect(await names("person")).toEqual(["people", "review"]);
    folder.write({
      "home/.knack/config.yaml": "permissions: { deny: [{ tool: skill_load, skill_name: review }] }\n",
      [`${SKILLS}/new/SKILL.md`]: skillText("new"),
    });
    expect(await names("person")).toEqual(["new", "people"]);
    expect(await names("model")).toEqual(["new"]);
  });

  it("follows a snapshot that was made for several conversations", async () => {
    using folder = makeProject();
    const runtime = await open(folder);
    const session = runtime.session();
    folder.write({ [`${SKILLS}/new/SKILL.md`]: skillText("new") });
    const next = await runtime.live.refresh();
    expect(session.catalog).not.toBe(next);
    session.adopt();
    expect(session.snapshotVersion).toBeGreaterThan(1);
    expect(session.catalog).toBe(next);
    expect(runtime.session().systemPrompt()).toBe(session.systemPrompt());
  });
});

describe("a file as it is", () => {
  it("is served from the skill's folder alone, to whoever may have the skill", async () => {
    using folder = makeProject();
    const session = (await open(folder)).session();
    const limits = { maxBytes: 1_000 };
    const { bytes, skill } = await session.readFile({ name: "review" }, "pixel.png", limits);
    expect([skill.name, ...bytes]).toEqual(["review", 0x89, 0, 0xff]);
    const denied = { code: "ACCESS_DENIED" };
    await expect(session.readFile({ name: "review" }, "out.md", limits)).rejects.toMatchObject(denied);
    const people = { name: "people" };
    await expect(session.readFile(people, "SKILL.md", limits)).rejects.toMatchObject(denied);
    expect(await session.readFile(people, "SKILL.md", { ...limits, actor: "person" })).toBeDefined();
  });

  it("a person uses a skill by its path, with arguments", async () => {
    using folder = makeProject();
    const session = (await open(folder)).session();
    const answer = await session.use({ path: folder.at(SKILLS, "people", "SKILL.md") }, "a b");
    expect(answer.text).toContain("ARGUMENTS: a b");
    expect((await session.use({ name: "none" }, "")).error?.code).toBe("NOT_FOUND");
  });
});

describe("work that was given up", () => {
  it("is waited for by whoever closes the runtime", async () => {
    using folder = makeProject();
    let isDone = false;
    const slow: Tool = {
      ...ship,
      name: "slow",
      executes: false,
      run: async () => {
        await delay(100);
        isDone = true;
        throw new Error("too late");
      },
    };
    const runtime = await open(folder, { tools: [slow] });
    const answer = await runtime.session().call("slow", {}, { signal: AbortSignal.timeout(10) });
    expect([answer.error?.code, isDone]).toEqual(["TIMEOUT", false]);
    await runtime.idle();
    expect(isDone).toBe(true);
  });
});

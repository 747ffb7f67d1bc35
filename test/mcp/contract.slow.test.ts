import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import { setTimeout as delay } from "node:timers/promises";
import { SkillsClient } from "@modelcontextprotocol/client/ext/skills";
import { describe, expect, it } from "vitest";
import { type Folder, skillText } from "../../packages/core/src/testing/files.ts";
import { REPO } from "../cli/run.ts";
import { makeTypedProject, stateOf } from "../cli/typed-skills.ts";
import { call } from "./call.ts";
import { hearChanges, open, SOME_WAYS, user } from "./ways.ts";

const PIXEL = Buffer.from("89504e470d0a1a0a00ff", "hex");

function makeMcpProject(more: Parameters<typeof makeTypedProject>[0] = {}): Folder {
  return makeTypedProject({
    [`${REPO}/review/SKILL.md`]: skillText("review", "Reviews a change for correctness.").replace(
      "# review\n",
      "# review\nLook at $ARGUMENTS.\n",
    ),
    [`${REPO}/review/references/list.md`]: "- one\n",
    [`${REPO}/review/assets/pixel.png`]: PIXEL,
    [`${REPO}/notes/SKILL.md`]: skillText("notes", "Writes release notes."),
    [`${REPO}/people/SKILL.md`]: skillText("people", "For people.", "disable-model-invocation: true\n"),
    [`${REPO}/denied/SKILL.md`]: skillText("denied"),
    "home/.knack/config.yaml": `${ALL}permissions: { deny: [{ tool: skill_load, skill_name: denied }] }\n`,
    ...more,
  });
}

const ALL = "mcp: { tools: all }\n";

function events(folder: Folder): { event_type: string; actor: string; payload: Record<string, unknown> }[] {
  using db = new DatabaseSync(stateOf(folder), { readOnly: true });
  const rows = db.prepare("SELECT event_type, actor, payload_json FROM task_events ORDER BY rowid").all() as {
    event_type: string;
    actor: string;
    payload_json: string;
  }[];
  return rows.map(({ payload_json, ...row }) => ({ ...row, payload: JSON.parse(payload_json) }));
}

describe.each(SOME_WAYS)("the server over $name", (way) => {
  const hasSession = way.transport === "stdio" || way.revision !== "2026-07-28";

  it("lists every tool with what it changes and a digest, and answers with one text", async () => {
    using folder = makeMcpProject();
    await using opened = await open(folder, way);
    const { client } = opened;
    const { tools } = await client.listTools();
    const names = tools.map(({ name }) => name);
    expect(names).toEqual(
      expect.arrayContaining([
        "skill_search",
        "skill_load",
        "Skill",
        "skill_read_file",
        "file_fingerprint",
        "says",
      ]),
    );
    for (const tool of tools)
      expect(tool._meta?.["knack/digest"], tool.name).toMatch(/^sha256:[0-9a-f]{64}$/);
    const reading = tools.filter((tool) => tool.annotations?.readOnlyHint).map(({ name }) => name);
    expect(reading).toEqual(expect.arrayContaining(["skill_search", "skill_load", "skill_read_file"]));
    for (const name of ["Skill", "skill_dispatch", "file_fingerprint", "says"])
      expect(reading).not.toContain(name);
    expect(tools.find(({ name }) => name === "skill_search")?.annotations).toEqual({
      readOnlyHint: true,
      openWorldHint: false,
    });
    expect(tools.find(({ name }) => name === "says")?.annotations).toEqual({
      readOnlyHint: false,
      idempotentHint: true,
    });
    for (const [name, params, status] of [
      ["skill_search", { query: "review" }, "success"],
      ["skill_search", { quarry: "review" }, "error"],
      ["skill_load", { name: "review", args: "a.ts" }, "success"],
      ["skill_load", { name: "nothing" }, "error"],
      ["Skill", { name: "notes" }, "success"],
      ["skill_read_file", { name: "review", file: "references/list.md" }, "success"],
      ["skill_read_file", { name: "review", file: "assets/pixel.png" }, "error"],
      ["file_fingerprint", { inputs: [{ path: "a.md" }] }, "success"],
    ] as const) {
      const answer = await call(client, name, params);
      expect(answer.status, answer.text).toBe(status);
    }
  });

  it("gives a skill's text once in a conversation, and again by its reference", async () => {
    using folder = makeMcpProject();
    await using opened = await open(folder, way);
    const { client } = opened;
    const first = await call(client, "skill_load", { name: "review" });
    expect(first.text).toContain("Look at .");
    const second = await call(client, "skill_load", { name: "review" });
    expect(second.text.includes("already loaded")).toBe(hasSession);
    expect(second.text.includes("Look at .")).toBe(!hasSession);
    const again = await call(client, "skill_load", { ref: String(first.meta["knack/ref"]) });
    expect(again.status).toBe(hasSession ? "success" : "error");
  });

  it("shows a model neither what is denied nor what is for people, and a person only the latter", async () => {
    using folder = makeMcpProject();
    await using opened = await open(folder, way);
    const { client } = opened;
    expect((await call(client, "skill_load", { name: "denied" })).code).toBe("ACCESS_DENIED");
    expect((await call(client, "skill_load", { name: "people" })).code).toBe("ACCESS_DENIED");
    const { prompts } = await client.listPrompts();
    expect(prompts.map(({ name }) => name)).toEqual(["notes", "people", "review"]);
    expect(prompts[2]).toMatchObject({
      description: "Reviews a change for correctness.",
      arguments: [{ name: "arguments", required: false }],
    });
    const { messages } = await client.getPrompt({ name: "review", arguments: { arguments: "src/a.ts" } });
    expect(messages).toHaveLength(1);
    expect(messages[0]).toMatchObject({ role: "user", content: { type: "text" } });
    expect(JSON.stringify(messages)).toContain("Look at src/a.ts.");
    expect(JSON.stringify(await client.getPrompt({ name: "people" }))).toContain("skill_context");
    for (const name of ["denied", "nothing", "__proto__"])
      await expect(client.getPrompt({ name })).rejects.toMatchObject({ code: -32602 });
    const skills = new SkillsClient(client);
    expect((await skills.list()).skills.map(({ uri }) => uri)).toEqual([
      "skill://notes/SKILL.md",
      "skill://review/SKILL.md",
    ]);
    for (const name of ["denied", "people"])
      for (const asked of [
        () => skills.get(`skill://${name}/SKILL.md`),
        () => skills.readDirectory(`skill://${name}`),
      ])
        await expect(asked()).rejects.toMatchObject({ code: -32602 });
    await expect(client.readResource({ uri: "skill://people/SKILL.md" })).rejects.toThrow();
  });

  it("serves skills by the protocol's extension, each file by its digest", async () => {
    using folder = makeMcpProject();
    await using opened = await open(folder, way);
    const { client } = opened;
    const skills = new SkillsClient(client);
    expect(skills.supported && skills.directoryRead).toBe(true);
    const { skill } = await skills.get("skill://review/SKILL.md");
    expect(skill.frontmatter).toEqual({ name: "review", description: "Reviews a change for correctness." });
    expect(skill.resources).toEqual([
      {
        uri: "skill://review/SKILL.md",
        size: expect.any(Number),
        digest: expect.stringMatching(/^sha256:/),
      },
      {
        uri: "skill://review/assets/pixel.png",
        size: PIXEL.length,
        digest: `sha256:${createHash("sha256").update(PIXEL).digest("hex")}`,
      },
      { uri: "skill://review/references/list.md", size: 6, digest: expect.stringMatching(/^sha256:/) },
    ]);
    expect(await skills.read(skill)).toMatchObject({ verified: true });
    expect(await skills.read(skill, "references/list.md")).toMatchObject({ verified: true, text: "- one\n" });
    const { contents } = await client.readResource({ uri: "skill://review/assets/pixel.png" });
    expect(contents).toEqual([
      { uri: "skill://review/assets/pixel.png", mimeType: "image/png", blob: PIXEL.toString("base64") },
    ]);
    const { resources } = await skills.readDirectory("skill://review");
    expect(resources.map(({ uri, mimeType }) => `${uri} ${mimeType}`)).toEqual([
      "skill://review/SKILL.md text/markdown",
      "skill://review/assets inode/directory",
      "skill://review/references inode/directory",
    ]);
    const listed = await client.listResources();
    expect(listed.resources.map(({ uri }) => uri)).toEqual([
      "skill://notes/SKILL.md",
      "skill://review/SKILL.md",
    ]);
    const { resourceTemplates } = await client.listResourceTemplates();
    expect(resourceTemplates).toHaveLength(1);
    const { completion } = await client.complete({
      ref: { type: "ref/resource", uri: resourceTemplates[0]?.uriTemplate ?? "" },
      argument: { name: "path", value: "re" },
    });
    expect(completion.values).toEqual(["review/SKILL.md"]);
    for (const uri of [
      "skill://review/none.md",
      "skill://none/SKILL.md",
      "skill://review/..%2f..%2fa.md",
      "file:///etc/passwd",
    ])
      await expect(client.readResource({ uri }), uri).rejects.toThrow();
  });

  it("tells of changes, and goes on with what is there now", async () => {
    using folder = makeMcpProject();
    await using opened = await open(folder, way);
    const { client } = opened;
    const heard = await hearChanges(client, way);
    // Clients of older revisions open a stream after connecting, which takes a moment.
    await delay(200);
    folder.write({ [`${REPO}/fresh/SKILL.md`]: skillText("fresh", "A fresh one.") });
    const skills = new SkillsClient(client);
    expect((await skills.get("skill://fresh/SKILL.md")).skill.frontmatter.name).toBe("fresh");
    await expect.poll(() => heard.size).toBe(3);
    expect(
      (await client.listPrompts(undefined, { cacheMode: "refresh" })).prompts.map(({ name }) => name),
    ).toContain("fresh");
  });

  it("asks the user before code runs, and refuses where nobody can be asked", async () => {
    using folder = makeMcpProject();
    const { asked, elicit } = user("accept", "decline");
    {
      await using opened = await open(folder, way, { elicit });
      const done = await call(opened.client, "says", { params: { text: "hello" } });
      expect(done.status, done.text).toBe("success");
      expect(asked).toEqual([expect.stringContaining('call says with {"params":{"text":"hello"}}')]);
      const refused = await call(opened.client, "says", { params: { text: "again" } });
      expect([refused.code, refused.text]).toEqual([
        "ACCESS_DENIED",
        "Error: The question about the tool says was declined, by the user or by a client that cannot show it. Do not try another way; ask the user. To allow it, the user can add the rule {tool: says} to permissions.allow in ~/.knack/config.yaml.",
      ]);
    }
    await using opened = await open(folder, way);
    const { code, text } = await call(opened.client, "says", { params: { text: "third" } });
    expect(code).toBe("ACCESS_DENIED");
    expect(text).toContain("permissions.allow");
  });

  it("asks for each skill of a dispatch by name, and runs none of them twice", async () => {
    using folder = makeMcpProject({
      [`${REPO}/first/SKILL.md`]: `${skillText("first")}\nREQUIRED SUB-SKILL: Use second\n\nREQUIRED SUB-SKILL: Use third\n`,
      [`${REPO}/second/SKILL.md`]: skillText("second"),
      [`${REPO}/third/SKILL.md`]: skillText("third"),
      "home/runner.mjs":
        'import fs from "node:fs";\nconst frame = fs.readFileSync(0, "utf8");\nfs.appendFileSync(import.meta.dirname + "/ran", /current_skill: (.*)/.exec(frame)[1] + " ");\n',
    });
    const command = JSON.stringify([process.execPath, folder.at("home/runner.mjs")]);
    folder.write({
      "home/.knack/config.yaml": `${ALL}runners: { default: mine, mine: { command: ${command} } }\n`,
    });
    const asked: string[] = [];
    await using opened = await open(folder, way, {
      elicit: ({ message }) => {
        asked.push(/hands work to the skill "(\w+)"/.exec(message)?.[1] ?? message);
        return { action: message.includes('"second"') ? "decline" : "accept", content: {} };
      },
    });
    const { status, text } = await call(opened.client, "skill_dispatch", { role: "fixer", skill: "first" });
    expect(asked).toEqual(["first", "second", "third"]);
    expect(readFileSync(folder.at("home/ran"), "utf8")).toBe("first third ");
    expect(status).toBe("partial");
    expect(text).toContain("second was refused: ACCESS_DENIED: ");
  });

  it("tells how a run goes on, and ends it when the client gives up", async () => {
    using folder = makeMcpProject();
    await using opened = await open(folder, way, { elicit: user("accept").elicit });
    const messages: string[] = [];
    const giveUp = new AbortController();
    const running = opened.client.callTool(
      { name: "waits", arguments: {} },
      {
        signal: giveUp.signal,
        onprogress: ({ message }) => {
          messages.push(message ?? "");
        },
      },
    );
    running.catch(() => {});
    await expect.poll(() => messages.at(-1)).toBe("begun");
    giveUp.abort();
    await expect(running).rejects.toThrow();
    await expect
      .poll(
        () =>
          events(folder)
            .filter(({ event_type }) => event_type === "SKILL_RUN")
            .at(-1)?.payload.status,
      )
      .toBe("FAILED");
  });

  it("records an offer that was made by the instructions alone", async () => {
    using folder = makeMcpProject();
    await using opened = await open(folder, way);
    expect(opened.client.getInstructions()).toContain("<skills_catalog>");
    const offers = (): string[] =>
      events(folder).flatMap(({ actor, payload }) => ("offered" in payload ? [actor] : []));
    await expect.poll(offers).toEqual(["mcp:test-client"]);
  });
});

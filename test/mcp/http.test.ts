import { SkillsClient } from "@modelcontextprotocol/client/ext/skills";
import { describe, expect, it } from "vitest";
import { makeFolder, skillText } from "../../packages/core/src/testing/files.ts";
import { REPO } from "../cli/run.ts";
import { ask as askProgram, makeTypedProject } from "../cli/typed-skills.ts";
import { call } from "./call.ts";
import { ACCEPT, type Answer, begin, ping, post, project } from "./raw-requests.ts";
import { type HttpServer, open, SOME_WAYS, serveHttp, user } from "./ways.ts";

const FIRST = { authorization: "Bearer first" };
const SECOND = { authorization: "Bearer second" };

describe("a session is not authentication", () => {
  it("answers 404 to an id that was never given, or is over", async () => {
    using folder = project();
    await using server = await serveHttp(folder);
    for (const id of ["", "1", "__proto__", "a".repeat(43)])
      expect((await ping(server, id)).status).toBe(404);
    const { session } = await begin(server);
    expect((await ping(server, session)).status).toBe(200);
    const ended = await fetch(server.url, { method: "DELETE", headers: { "mcp-session-id": session ?? "" } });
    expect(ended.status).toBe(200);
    expect((await ping(server, session)).status).toBe(404);
  });

  it("takes no array of messages, however many", async () => {
    using folder = project();
    await using server = await serveHttp(folder);
    const { session } = await begin(server);
    const call = { jsonrpc: "2.0", id: 1, method: "ping" };
    for (const messages of [[], [call], Array(10_000).fill(call)]) {
      const response = await fetch(server.url, {
        method: "POST",
        headers: { ...ACCEPT, "mcp-session-id": session ?? "" },
        body: JSON.stringify(messages),
      });
      expect([response.status, await response.json()]).toMatchObject([400, { error: { code: -32600 } }]);
    }
    expect((await ping(server, session)).status).toBe(200);
  });

  it("gives ids that nobody guesses, and takes none from a client", async () => {
    using folder = project();
    await using server = await serveHttp(folder);
    const ids = await Promise.all(Array.from({ length: 20 }, () => begin(server)));
    expect(new Set(ids.map(({ session }) => session)).size).toBe(20);
    for (const { session } of ids) expect(session).toMatch(/^[\w-]{43}$/);
    expect((await begin(server, { "mcp-session-id": "mine" })).status).toBe(404);
  });

  it("refuses a session to whoever has another token than the one who opened it", async () => {
    using folder = project();
    await using server = await serveHttp(folder);
    const { session } = await begin(server, FIRST);
    expect((await ping(server, session, SECOND)).status).toBe(403);
    const end = { method: "DELETE", headers: { "mcp-session-id": session ?? "", ...SECOND } };
    expect((await fetch(server.url, end)).status).toBe(403);
    expect((await ping(server, session, FIRST)).status).toBe(200);
  });

  it("of too many ends the one that was idle longest", async () => {
    using folder = project();
    await using server = await serveHttp(folder, {}, { maxSessions: 2, idleMs: 60_000 });
    const first = await begin(server);
    const second = await begin(server);
    await ping(server, first.session);
    const third = await begin(server);
    expect((await ping(server, second.session)).status).toBe(404);
    expect((await ping(server, first.session)).status).toBe(200);
    expect((await ping(server, third.session)).status).toBe(200);
  });

  it("and of the token that has most: nobody ends the sessions of others", async () => {
    using folder = project();
    await using server = await serveHttp(folder, {}, { maxSessions: 4, idleMs: 60_000 });
    const { session } = await begin(server, FIRST);
    for (let i = 0; i < 6; i++) await begin(server, SECOND);
    expect((await ping(server, session, FIRST)).status).toBe(200);
  });
});

describe("a client that opens no stream of its own", () => {
  it.each(["2025-06-18", "2025-11-25"] as const)(
    "is asked in the stream of the answer, revision %s",
    async (revision) => {
      using folder = makeFolder({
        "repo/.git/": "",
        [`${REPO}/good/SKILL.md`]: skillText("good"),
        "home/.knack/config.yaml": "permissions: { default: confirm }\n",
      });
      const { asked, elicit } = user("accept");
      await using opened = await open(folder, { transport: "http", revision }, { elicit, listens: false });
      const { text } = await call(opened.client, "skill_load", { name: "good" });
      expect(text).toContain("<skill_context");
      expect(asked).toEqual([expect.stringContaining('use the skill "good"')]);
    },
  );
});

describe.each(SOME_WAYS)("what is recorded from the first call on, over $name", (way) => {
  it("who searched, loaded, used a prompt and was refused, in one log that holds", async () => {
    using folder = makeFolder({
      "repo/.git/": "",
      [`${REPO}/good/SKILL.md`]: skillText("good", "Does good."),
      [`${REPO}/notes/SKILL.md`]: skillText("notes"),
      [`${REPO}/secret/SKILL.md`]: skillText("secret", "Hidden.", "disable-model-invocation: true\n"),
    });
    {
      await using opened = await open(folder, way);
      await call(opened.client, "skill_search", { query: "does good" });
      await call(opened.client, "skill_load", { name: "good" });
      await opened.client.getPrompt({ name: "good", arguments: { arguments: "the words" } });
      await opened.client.readResource({ uri: "skill://notes/SKILL.md" });
      expect((await call(opened.client, "skill_load", { name: "secret" })).code).toBe("ACCESS_DENIED");
    }
    interface Recorded {
      readonly actor: string;
      readonly event_type: string;
      readonly payload: Readonly<Record<string, unknown>>;
    }
    const { events } = askProgram<{ events: Recorded[] }>(folder, ["audit"]).data;
    const told = events.filter(({ payload }) => payload.offered === undefined && payload.allowed !== true);
    expect(told.map(({ event_type, payload }) => [event_type, payload.by])).toEqual([
      ["SKILL_SEARCHED", "model"],
      ["SKILL_LOADED", "model"],
      ["SKILL_LOADED", "person"],
      ["SKILL_LOADED", "model"],
      ["PERMISSION_DECIDED", "model"],
    ]);
    expect(told[0]?.payload).toMatchObject({ results: ["good"], words_sha256: expect.any(String) });
    expect(told[3]?.payload).toMatchObject({ name: "notes", sha256: expect.any(String) });
    expect(told[4]?.payload).toMatchObject({ skill: "secret", allowed: false, code: "ACCESS_DENIED" });
    const offers = events.filter(({ payload }) => payload.offered !== undefined);
    expect(offers.length).toBeGreaterThan(0);
    for (const { payload } of offers)
      expect(payload).toMatchObject({ query: "", offered: 2, sha256: expect.any(String) });
    for (const { actor, payload } of events)
      expect([actor, payload.client]).toEqual(["mcp:test-client", "test-client/1.0.0"]);
    const conversations = new Set(events.map(({ payload }) => payload.conversation));
    expect([...conversations]).toEqual([way.transport === "stdio" ? expect.any(String) : undefined]);
    expect(JSON.stringify(events)).not.toMatch(/does good|the words/);
    expect(askProgram<{ ok: boolean }>(folder, ["audit", "verify"]).data.ok).toBe(true);
  });
});

describe("the state of a question, revision 2026-07-28", () => {
  const ask = (
    server: HttpServer,
    text: string,
    more: object = {},
    headers: Record<string, string> = {},
  ): Promise<Answer> =>
    post(
      server,
      {
        id: 1,
        method: "tools/call",
        params: {
          name: "says",
          arguments: { params: { text } },
          ...more,
          _meta: {
            "io.modelcontextprotocol/protocolVersion": "2026-07-28",
            "io.modelcontextprotocol/clientInfo": { name: "raw", version: "1" },
            "io.modelcontextprotocol/clientCapabilities": { elicitation: { form: {} } },
          },
        },
      },
      { "mcp-protocol-version": "2026-07-28", "mcp-method": "tools/call", "mcp-name": "says", ...headers },
    );
  const yes = (requestState: unknown): object => ({
    requestState,
    inputResponses: { confirm: { action: "accept", content: {} } },
  });

  it("is taken once, for the call that it is of, and only as it was made", async () => {
    using folder = makeTypedProject();
    await using server = await serveHttp(folder);
    const { message } = await ask(server, "a");
    expect(message.result).toMatchObject({ resultType: "input_required" });
    const state = String(message.result?.requestState);
    const broken = `${state.slice(0, -3)}${state.endsWith("AAA") ? "BBB" : "AAA"}`;
    expect((await ask(server, "a", yes(broken))).message.error?.code).toBe(-32602);
    expect((await ask(server, "b", yes(state))).message.error?.code).toBe(-32602);
    expect((await ask(server, "a", yes(state), SECOND)).message.error?.code).toBe(-32602);
    // An answer to a question that was not asked is ignored.
    const unasked = await ask(server, "a", {
      inputResponses: { confirm: { action: "accept", content: {} } },
    });
    expect(unasked.message.result).toMatchObject({ resultType: "input_required" });
    const done = await ask(server, "a", yes(String(unasked.message.result?.requestState)));
    expect(done.message.result).toMatchObject({ isError: false });
    expect(
      (await ask(server, "a", yes(String(unasked.message.result?.requestState)))).message.error?.code,
    ).toBe(-32602);
  });
});

describe("a large catalog", () => {
  const skills = Object.fromEntries(
    Array.from({ length: 250 }, (_, place) => {
      const name = `skill-${String(place).padStart(3, "0")}`;
      return [`${REPO}/${name}/SKILL.md`, skillText(name)];
    }),
  );

  it.each(SOME_WAYS.filter(({ transport }) => transport === "http"))(
    "comes in pages over $name",
    async (way) => {
      using folder = makeFolder({ "repo/.git/": "", ...skills });
      await using opened = await open(folder, way);
      const { client } = opened;
      expect((await new SkillsClient(client).list()).skills).toHaveLength(250);
      const page = await client.request({ method: "prompts/list", params: {} });
      expect(page.prompts).toHaveLength(100);
      // After a skill is added before the cursor, no item is repeated and none is missing.
      folder.write({ [`${REPO}/aaa/SKILL.md`]: skillText("aaa") });
      await expect
        .poll(async () => (await client.request({ method: "prompts/list", params: {} })).prompts[0]?.name)
        .toBe("aaa");
      const { nextCursor } = page;
      const next = await client.request({ method: "prompts/list", params: { cursor: nextCursor } });
      expect(next.prompts[0]?.name).toBe("skill-100");
      await expect(
        client.request({ method: "resources/list", params: { cursor: "odd" } }),
      ).rejects.toMatchObject({
        code: -32602,
      });
    },
  );
});

describe("what the extension cannot serve", () => {
  it("stays with the tools, and is told", async () => {
    using folder = makeTypedProject({
      "repo/skills/a_b/SKILL.md": "---\nsummary: Its name is its folder's.\n---\n# a_b\n",
      "repo/skills/elsewhere/SKILL.md": skillText("other-name", "Not the folder's."),
      [`${REPO}/twice/SKILL.md`]: skillText("twice"),
      "home/.agents/skills/twice/SKILL.md": skillText("twice"),
      ...Object.fromEntries(
        Array.from({ length: 513 }, (_, place) => [`${REPO}/many/assets/${place}.txt`, "x"]),
      ),
      [`${REPO}/many/SKILL.md`]: skillText("many"),
    });
    await using opened = await open(folder, { transport: "stdio", revision: "2025-11-25" });
    const { client } = opened;
    const skills = new SkillsClient(client);
    expect((await skills.list()).skills.map(({ uri }) => uri)).toEqual(["skill://other-name/SKILL.md"]);
    for (const told of [/a_b.*does not follow the standard/, /twice.*several skills/, /many.*512 files/])
      expect(opened.stderr()).toMatch(told);
    for (const name of ["a_b", "many"])
      expect((await client.callTool({ name: "skill_load", arguments: { name } })).isError ?? false).toBe(
        false,
      );
    const { prompts } = await client.listPrompts();
    const named = prompts.map(({ name }) => name);
    expect(new Set(named).size).toBe(named.length);
    expect(named.filter((name) => name.startsWith("twice_"))).toHaveLength(2);
    await skills.list();
    expect(opened.stderr().match(/512 files/g)).toHaveLength(1);
  });
});

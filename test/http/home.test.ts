import { readFileSync, writeFileSync } from "node:fs";
import type { StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { afterAll, describe, expect, it } from "vitest";
import { ProjectNow } from "../../packages/core/src/live/project-now.ts";
import { skillText } from "../../packages/core/src/testing/files.ts";
import type { Project } from "../../packages/knack/src/host/open-project.ts";
import { lockCheck } from "../../packages/knack/src/http/home/lock-check.ts";
import { homeRoutes } from "../../packages/knack/src/http/routes/home.ts";
import { addToken } from "../access/team.ts";
import { knack, makeProject, REPO } from "../cli/run.ts";
import { type AnswerOf, Api } from "./api.ts";
import { Events } from "./event-stream.ts";
import { callText, connectClient } from "./mcp-client.ts";
import { Server } from "./server.ts";

const PLAN = `version: 1
plan: report
title: A report
tasks:
  - { id: sign, title: Sign it, requirements: [{ name: ok, kind: CONFIRMATION, required: true }] }
`;
const CONFIG = "home/.knack/config.yaml";
const TRUST = { env: { KNACK_TRUST: "all" } };

type Needs = AnswerOf<"GET /api/needs">;
type Use = AnswerOf<"GET /api/use">;
type Questions = AnswerOf<"GET /api/questions">;
type Clients = AnswerOf<"GET /api/clients">;

const folder = makeProject({
  "repo/a.md": "# A\n",
  "repo/plan.yaml": PLAN,
  [`${REPO}/careful/SKILL.md`]: skillText("careful", "Needs a yes before anybody reads it."),
  [`${REPO}/notes/SKILL.md`]: skillText("notes", "Draft release notes from the commits of a release."),
  [CONFIG]:
    "permissions: { deny: [], allow: [{ tool: skill_search }, { tool: skill_load, skill_name: notes }], default: confirm }\n",
});
expect(knack(folder, ["plan", "apply", "plan.yaml"], TRUST).code).toBe(0);
expect(knack(folder, ["lock", "good"], TRUST).code).toBe(0);
const server = await Server.forFile(folder);
const api = await Api.of(server);
const client = await connectClient(server);
afterAll(async () => {
  await client.close();
});

describe("GET /api/needs", () => {
  it("has what was left out, what changed since it was locked, and blocked tasks", async () => {
    folder.write({ [`${REPO}/good/SKILL.md`]: skillText("good", "Does better.") });
    const { data } = await api.get<Needs>("/api/needs");
    expect(data.trust).toMatchObject({ trusted: true, waiting: 0, code: [] });
    expect(data.left_out).toMatchObject({
      // An ineligible skill is in the catalog, with its reason.
      count: 1,
      first: [
        {
          path: folder.at(REPO, "bad/SKILL.md"),
          problems: [{ code: "E_NAME_INVALID", line: 2 }, { code: "E_NAME_DIR_MISMATCH" }],
        },
      ],
    });
    expect(data.changed).toMatchObject({
      count: 1,
      first: [{ skill: "good", files: [{ path: "SKILL.md", kind: "changed" }], file_count: 1 }],
    });
    expect(data.blocked).toEqual({
      count: 1,
      first: [
        {
          ...{ plan: "report", plan_title: "A report", task: "sign", title: "Sign it" },
          reason: "WAITING_APPROVAL",
          missing: [{ name: "ok", kind: "CONFIRMATION", have: 0, min_count: 1 }],
        },
      ],
    });
  });

  it("never answers with a comparison that was made before a lock was written", async () => {
    folder.write({ [`${REPO}/good/SKILL.md`]: skillText("good", "Does better.") });
    const lock = folder.at("repo/skills.lock");
    const old = readFileSync(lock);
    expect(knack(folder, ["lock", "good"], TRUST).code).toBe(0);
    const fresh = readFileSync(lock);
    const now = await ProjectNow.open({ cwd: folder.at("repo"), home: folder.at("home"), env: {} });
    // Where the lock of the project is believed, whatever was accepted before.
    const place = { projectRoot: folder.at("repo"), home: folder.at("home"), env: TRUST.env };
    const project = { place, isTrusted: true } as unknown as Project;
    const changed = lockCheck(project, { looks: [], signal: () => undefined });
    for (const [content, count] of [
      [old, 1],
      [fresh, 0],
      [old, 1],
    ] as const) {
      writeFileSync(lock, content);
      expect(await changed(now.catalog)).toHaveLength(count);
    }
    const events = await Events.open(server);
    await events.until(({ event }) => event === "catalog");
    writeFileSync(lock, fresh);
    await events.until(({ event }) => event === "locks");
    expect((await api.get<Needs>("/api/needs")).data.changed.count).toBe(0);
    await events.close();
    now.close();
  });

  it("of an untrusted project says only how many skills trust would give", async () => {
    await using stranger = await Server.start(folder, { env: { KNACK_TOKEN: "the-token-of-a-stranger" } });
    const { trust, left_out, changed } = await stranger.json<Needs>("/api/needs");
    expect(trust).toMatchObject({ trusted: false, waiting: 4 });
    expect([left_out.count, changed.count]).toEqual([0, 0]);
  });
});

describe("GET /api/use", () => {
  it("counts loads, searches and runs by day and client, and only once each", async () => {
    const before = (await api.get<Use>("/api/use")).data;
    expect(before.days.length).toBe(30);
    await callText(client, "skill_search", { query: "release notes" });
    await callText(client, "skill_load", { name: "notes" });
    // A reminder is no load.
    expect(await callText(client, "skill_load", { name: "notes" })).toContain("already");
    expect(knack(folder, ["run", "file_fingerprint", "--input", "a.md"], TRUST).code).toBe(0);
    const { data } = await api.get<Use>("/api/use?days=7");
    expect(data.days.length).toBe(7);
    const [then, now] = [before.days.at(-1), data.days.at(-1)];
    expect({ ...now, day: "" }).toEqual({
      day: "",
      loads: (then?.loads ?? 0) + 1,
      searches: (then?.searches ?? 0) + 1,
      runs: (then?.runs ?? 0) + 1,
    });
    expect(data.clients.find((one) => one.client === "scripted")).toMatchObject({ loads: 1, searches: 1 });
    expect(data.clients.find((one) => one.client === "knack")).toMatchObject({ runs: 1 });
    expect(data.most_used.map(({ name, uses }) => [name, uses])).toEqual([
      ["file_fingerprint", 1],
      ["notes", 1],
    ]);
    expect(data.never_used.first.map(({ name }) => name)).toContain("mine");
    expect(data.never_used.first.map(({ name }) => name)).not.toContain("notes");
    expect((await api.get<Use>("/api/use?days=0")).status).toBe(400);
  });

  it("GET /api/skills/{id}/use has one skill by client", async () => {
    const { data } = await api.get<AnswerOf<"GET /api/skills/{id}/use">>("/api/skills/notes/use?days=2");
    expect(data.days.map(({ clients }) => clients)).toEqual([
      [],
      [{ client: "scripted", loads: 1, found: 1, runs: 0 }],
    ]);
    expect((await api.get("/api/skills/nothing/use")).status).toBe(404);
  });
});

describe("GET /api/cost", () => {
  it("says what names, descriptions, instructions and tools cost", async () => {
    const { data } = await api.get<Record<string, number> & { largest: { name: string; tokens: number }[] }>(
      "/api/cost",
    );
    expect(data.skills).toBe(5);
    const fresh = await connectClient(server);
    const { tools } = await fresh.listTools();
    expect(data.tool_count).toBe(tools.length);
    expect(data.instructions).toBe(Math.ceil((fresh.getInstructions() ?? "").length / 4));
    await (fresh.transport as StreamableHTTPClientTransport).terminateSession();
    await fresh.close();
    expect(data.catalog).toBeGreaterThanOrEqual(data.largest.reduce((sum, { tokens }) => sum + tokens, 0));
    expect(data.largest[0]?.tokens).toBeGreaterThanOrEqual(data.largest[1]?.tokens ?? 0);
  });
});

describe("GET /api/clients", () => {
  it("has the clients of this server, and readers of the feed hear of changes", async () => {
    const events = await Events.open(server);
    await events.until(({ event }) => event === "clients");
    const second = await connectClient(server, { name: "second\u0007 one", version: "3" });
    await events.until(({ event }) => event === "clients");
    const { clients } = (await api.get<Clients>("/api/clients")).data;
    expect(clients.map(({ name, version, transport }) => [name, version, transport])).toEqual([
      ["second one", "3", "http"],
      ["scripted", "2.0.0", "http"],
    ]);
    await (second.transport as StreamableHTTPClientTransport).terminateSession();
    await second.close();
    await expect.poll(async () => (await api.get<Clients>("/api/clients")).data.clients.length).toBe(1);
    await events.close();
  });

  it("has clients without a session for a while after their last request", async () => {
    const stateless = await connectClient(server, { name: "stateless", revision: "2026-07-28" });
    await callText(stateless, "skill_search", { query: "notes" });
    await stateless.close();
    const { clients } = (await api.get<Clients>("/api/clients")).data;
    expect(clients.find(({ name }) => name === "stateless")).toMatchObject({ calls: 1, transport: "http" });
  });
});

describe("questions of agents", () => {
  const load = (): Promise<string> => callText(client, "skill_load", { name: "careful", force: true });
  const open = async (): Promise<Questions["questions"]> =>
    (await api.get<Questions>("/api/questions")).data.questions;
  const waiting = async () => {
    await expect.poll(open).toHaveLength(1);
    const [question] = await open();
    return question as NonNullable<typeof question>;
  };

  it("are not asked while no page is open", async () => {
    const follower = await Events.open(server);
    expect(await load()).toContain("nobody can be asked here");
    await follower.close();
  });

  it("are not asked while the only page is that of somebody who may not answer", async () => {
    const reader = { Authorization: `Bearer ${addToken(folder, "onlooker", "reader")}` };
    const page = await Events.open(server, reader, "?answers=true");
    expect(await load()).toContain("nobody can be asked here");
    await page.close();
  });

  it("wait on the page, which allows, denies or dismisses them", async () => {
    const page = await Events.open(server, {}, "?answers=true");
    const loaded = load();
    await page.until(({ event, data }) => event === "questions" && data.version !== 0);
    const question = await waiting();
    expect(question).toMatchObject({ client: "scripted", skill: "careful", can_last: true });
    expect(question.text).toContain('use the skill "careful"');
    const path = `/api/questions/${question.id}`;
    expect((await api.post(path, { answer: "perhaps" })).status).toBe(400);
    expect((await api.post(path, { answer: "allow" })).data).toMatchObject({
      answer: "allow",
      always: false,
    });
    expect(await loaded).toContain("<skill_context");
    expect((await api.post(path, { answer: "allow" })).status).toBe(404);

    const denied = load();
    await api.post(`/api/questions/${(await waiting()).id}`, { answer: "deny" });
    expect(await denied).toContain("The user refused");
    const dismissed = load();
    await api.post(`/api/questions/${(await waiting()).id}`, { answer: "dismiss" });
    expect(await dismissed).toContain("The user has not refused");
    await page.close();

    await expect
      .poll(() => knack(folder, ["audit", "--json"], TRUST).stdout)
      .toContain("The user refused the skill");
    expect(readFileSync(folder.at(CONFIG), "utf8")).not.toContain("careful");
  });

  it("end with the call, and last where the person says always", async () => {
    const page = await Events.open(server, {}, "?answers=true");
    const stop = new AbortController();
    const cancelled = client
      .callTool({ name: "skill_load", arguments: { name: "careful" } }, { signal: stop.signal })
      .catch(() => "cancelled");
    await waiting();
    stop.abort();
    expect(await cancelled).toBe("cancelled");
    await expect.poll(open).toEqual([]);
    const loaded = load();
    const answer = { answer: "allow", always: true };
    await api.post(`/api/questions/${(await waiting()).id}`, answer);
    expect(await loaded).toContain("<skill_context");
    expect(readFileSync(folder.at(CONFIG), "utf8")).toContain("careful");
    expect(await load()).toContain("<skill_context");
    await page.close();
  });
});

describe("GET /api/search?try=true", () => {
  type Found = Required<AnswerOf<"GET /api/search">>;

  it("has the very texts that an agent gets, and records and loads nothing", async () => {
    const log = async (): Promise<object> => (await api.get<object>("/api/audit")).data;
    const before = await log();
    const query = "draft release notes";
    const { data: found } = await api.get<Found>(`/api/search?try=true&q=${encodeURIComponent(query)}`);
    const data = found.trial;
    expect(await log()).toEqual(before);
    expect(found.results[0]?.skill.name).toBe("notes");
    expect(data.skill?.name).toBe("notes");
    expect(data.dispatch?.frame).toContain(query);
    const fresh = await connectClient(server);
    expect(data.answers.map(({ tool }) => tool)).toEqual(["skill_search", "skill_load"]);
    expect(data.answers[0]?.text).toBe(await callText(fresh, "skill_search", { query }));
    expect(data.answers[1]?.text).toBe(await callText(fresh, "skill_load", { name: "notes" }));
    await fresh.close();
    expect(data.questions).toEqual([]);
  });

  it("shows another skill when asked, with what a person would be asked first", async () => {
    const { trial: data } = (await api.get<Found>("/api/search?try=true&q=anything&skill=good")).data;
    expect(data.skill?.name).toBe("good");
    expect(data.questions).toEqual([expect.stringContaining('use the skill "good"')]);
    expect(data.answers[1]?.text).toContain("<skill_context");
    expect((await api.get("/api/search?try=true&q=anything&skill=nothing")).status).toBe(404);
    expect((await api.get("/api/search?try=true")).status).toBe(400);
  });
});

api.heldTo(homeRoutes);

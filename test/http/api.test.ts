import { mkdirSync, writeFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { skillText } from "../../packages/core/src/testing/files.ts";
import { describedRoutes } from "../../packages/knack/src/http/api/routes.ts";
import { catalogRoutes } from "../../packages/knack/src/http/routes/catalog.ts";
import { registryRoutes } from "../../packages/knack/src/http/routes/registry.ts";
import { HOME, knack, makeProject, REPO } from "../cli/run.ts";
import { makeTypedProject } from "../cli/typed-skills.ts";
import { type AnswerOf, Api } from "./api.ts";
import { Server } from "./server.ts";

const PLAN = `version: 1
plan: report
title: A report
tasks:
  - { id: hash, skill: file_fingerprint, inputs: [{ file: a.md }] }
  - { id: sign, depends_on: [hash], requirements: [{ name: ok, kind: CONFIRMATION, required: true }] }
`;

const folder = makeProject({
  "repo/a.md": "# A\n",
  "repo/plan.yaml": PLAN,
  [`${REPO}/good/notes.md`]: "notes\n",
  [`${REPO}/good/picture.png`]: new Uint8Array([0x89, 0x50, 0x4e, 0x47, 0, 1]),
  [`${REPO}/needy/SKILL.md`]: `${skillText("needy")}\nREQUIRED: use the good skill.\n`,
  [`${REPO}/alone/SKILL.md`]: skillText("alone", "For people.", "disable-model-invocation: true\n"),
});
expect(knack(folder, ["plan", "apply", "plan.yaml"], { env: { KNACK_TRUST: "all" } }).code).toBe(0);
const server = await Server.forFile(folder);
const api = await Api.of(server);

/** The command lists by scope. */
function byName(list: unknown): { readonly skills: readonly object[] } {
  const { skills, ...rest } = list as { skills: { name: string }[] };
  return { ...rest, skills: skills.toSorted((a, b) => (a.name < b.name ? -1 : 1)) };
}

const same = (args: readonly string[]): unknown =>
  knack(folder, [...args, "--json"], { env: { KNACK_TRUST: "all" } }).json();

describe("interfaces HTTP: reading", () => {
  it("GET /api/skills is what knack list --json says", async () => {
    const { data } = await api.get("/api/skills");
    expect(data).toMatchObject(byName(same(["list"])));
    const all = await api.get("/api/skills?all=true&scope=repo");
    expect(all.data.skills).toMatchObject(byName(same(["list", "--all", "--scope", "repo"])).skills);
    expect(all.data.skills).toHaveLength(all.data.total as number);
    expect((await api.get("/api/skills?scope=mars")).status).toBe(400);
  });

  it("GET /api/skills/{id} is what knack show --json says, by id and by name", async () => {
    const shown = same(["show", "needy"]) as { skill: { id: string } };
    const byId = await api.get(`/api/skills/${shown.skill.id}`);
    expect(byId.data).toEqual(shown);
    expect((await api.get("/api/skills/needy")).data).toEqual(shown);
    expect((await api.get("/api/skills/off")).status).toBe(200);
    expect((await api.get("/api/skills/none")).status).toBe(404);
  });

  it("a name that two skills have is refused with both paths", async () => {
    folder.write({ [`${HOME}/good/SKILL.md`]: skillText("good") });
    await expect.poll(async () => (await server.get("/api/skills/good")).status).toBe(409);
    const { data } = await api.get<{ error: { candidates: string[] } }>("/api/skills/good");
    expect(data.error.candidates).toHaveLength(2);
    const { rmSync } = await import("node:fs");
    rmSync(folder.at(HOME, "good"), { recursive: true });
    await expect.poll(async () => (await server.get("/api/skills/good")).status).toBe(200);
  });

  it("GET /api/skills/{id}/files/{path} returns a text file, and refuses a file that is not text", async () => {
    const { data } = await api.get("/api/skills/good/files/notes.md");
    expect(data).toMatchObject({ content: "notes\n", size_bytes: 6, truncated: false });
    expect((await api.get("/api/skills/good/files/picture.png")).status).toBe(422);
    expect((await api.get("/api/skills/good/files/none.md")).status).toBe(404);
  });

  it("GET /api/skills/{id}/load shows what a model would read, and a deny holds", async () => {
    const { data } = await api.get<{ text: string }>("/api/skills/good/load?args=x%20y");
    expect(data.text).toContain("<skill_context");
    expect(data.text).toContain("ARGUMENTS: x y");
    expect((await api.get("/api/skills/alone/load")).status).toBe(200);
    expect(knack(folder, ["deny", "mine"]).code).toBe(0);
    expect((await api.get("/api/skills/mine/load")).status).toBe(403);
    expect((await server.get("/api/skills/mine/files/SKILL.md")).status).toBe(403);
    expect(knack(folder, ["allow", "mine"]).code).toBe(0);
    expect((await api.get("/api/skills/mine/load")).status).toBe(200);
  });

  it("GET /api/search, /api/graph and /api/registry are what the commands say", async () => {
    const found = await api.get("/api/search?q=does%20good&limit=2");
    expect(found.data).toEqual(same(["search", "does", "good", "--limit", "2"]));
    expect((await api.get("/api/search?q=")).data).toEqual({
      results: [],
      count: 0,
      fitting: 0,
      truncated: false,
    });
    // A request in another language that nothing fits is translated word by word.
    const german = "Wie schreibe ich morgen mit Nachbarn etwas ganz Anderes, das good ist und Gäste freut?";
    const translated = await api.get(`/api/search?q=${encodeURIComponent(german)}`);
    expect(translated.data).toMatchObject({ translated: true });
    expect(translated.data).toEqual(same(["search", german]));
    const both = await api.get("/api/search?q=%E5%AF%A9%E6%9F%A5&also=does%20good&also=well");
    expect(both.data).toEqual(same(["search", "審查", "--also", "does good", "--also", "well"]));
    for (const query of [
      "",
      "?query=good",
      "?q=x&limit=many",
      "?q=x&limit=0",
      "?q=x&limit=-1",
      "?q=x&also=1&also=2&also=3&also=4&also=5",
    ])
      expect((await api.get(`/api/search${query}`)).status, query).toBe(400);
    const clamped = await api.get("/api/search?q=does%20good&limit=99999999999");
    expect(clamped.data).toEqual(same(["search", "does", "good", "--limit", "50"]));
    for (const long of ["good ".repeat(4_000), "审查".repeat(1_500)])
      expect((await api.get(`/api/search?q=${encodeURIComponent(long)}`)).status).toBe(200);
    expect((await api.get("/api/search?q=zzz&scope=user")).status).toBe(200);
    expect((await api.get("/api/graph")).data).toEqual(same(["graph"]));
    const tried = await api.get<AnswerOf<"GET /api/search">>("/api/search?q=does%20good&try=true");
    expect(tried.data.trial?.route).toEqual(same(["route", "does", "good"]));
    const { skills } = same(["registry"]) as { skills: unknown };
    expect((await api.get("/api/registry")).data).toMatchObject({ skills, count: 5 });
  });

  it("GET /api/search?try=true waits for the texts of many skills", async () => {
    using many = makeProject();
    for (let i = 0; i < 600; i++)
      many.write({
        [`${HOME}/paint-${i}/SKILL.md`]: `${skillText(`paint-${i}`, `Paint house ${i}.`)}\nUse zirconium${i} nails.\n`,
      });
    await using started = await Server.start(many);
    const words = ["which", "house", "needs", "zirconium77", "nails"];
    const { trial } = await started.json<AnswerOf<"GET /api/search">>(
      `/api/search?try=true&q=${words.join("%20")}`,
    );
    expect(trial?.route).toEqual(JSON.parse(knack(many, ["route", ...words, "--json"]).stdout));
  });

  it("GET /api/status, /api/plans and /api/plans/{id}", async () => {
    expect((await api.get("/api/status")).data).toMatchObject({ skills: 4, trusted: true });
    expect((await api.get("/api/plans")).data).toMatchObject({
      plans: [{ plan: "report", title: "A report", tasks: 2, done: 0 }],
    });
    const { data } = await api.get("/api/plans/report");
    // The page says what a task waits for in sentences, the command with commands.
    const { tasks, ...rest } = same(["plan", "status", "plan.yaml"]) as { tasks: { waits_for: unknown }[] };
    expect(data).toMatchObject({ ...rest, tasks: tasks.map(({ waits_for: _, ...task }) => task) });
    expect((await api.get("/api/plans/none")).status).toBe(404);
  });

  it("GET /api/status and /api/registry count the same typed skills, also in a project that is not trusted", async () => {
    using typed = makeTypedProject();
    await using started = await Server.start(typed, { env: {} });
    const { typed_skills } = await started.json<{ typed_skills: number }>("/api/status");
    expect(typed_skills).toBe((await started.json<{ count: number }>("/api/registry")).count);
  });

  it("follows what another process does to skills and configuration", async () => {
    folder.write({ [`${REPO}/later/SKILL.md`]: skillText("later") });
    await expect.poll(async () => (await server.get("/api/skills/later")).status).toBe(200);
    expect(knack(folder, ["disable", "later"]).code).toBe(0);
    expect((await server.json<{ skill: { status: string } }>("/api/skills/later")).skill.status).toBe(
      "disabled",
    );
    expect(knack(folder, ["enable", "later"]).code).toBe(0);
    expect((await server.json<{ skill: { status: string } }>("/api/skills/later")).skill.status).toBe(
      "active",
    );
  });
});

describe("interfaces HTTP: changing", () => {
  it("POST /api/policy does what the commands do, and the next answer has it", async () => {
    const change = (action: string, skill: string, more: object = {}) =>
      api.post("/api/policy", { action, skill, ...more });
    expect((await change("disable", "good")).data).toMatchObject({
      skill: "good",
      changed: true,
      enabled: false,
      effective: true,
    });
    const { skill } = await server.json<{ skill: { status: string; id: string } }>("/api/skills/good");
    expect(skill.status).toBe("disabled");
    expect((await change("enable", skill.id)).data).toMatchObject({ changed: true, enabled: true });
    expect((await change("deny", "good")).data).toMatchObject({ decision: "deny" });
    expect((await server.get("/api/skills/good/load")).status).toBe(403);
    expect((await change("allow", "good")).data).toMatchObject({ decision: "allow", changed: true });
    expect((await change("allow", "good")).data).toMatchObject({ changed: false });
    expect((await change("deny", "good", { project: true })).data).toMatchObject({ changed: true });
    expect((await change("allow", "good")).data).toMatchObject({ effective: false, decision: "deny" });
    expect((await change("allow", "good", { project: true })).data).toMatchObject({ effective: true });
  });

  it("POST /api/policy also takes what its own answers call the same", async () => {
    const change = async (body: object) =>
      (await server.post("/api/policy", body)).json() as Promise<Record<string, unknown>>;
    const { skill } = await server.json<{ skill: { id: string; path: string } }>("/api/skills/good");
    expect(await change({ name: "good", enabled: false })).toMatchObject({ enabled: false, effective: true });
    expect(await change({ path: skill.path, enabled: true })).toMatchObject({ enabled: true });
    expect(await change({ id: skill.id, decision: "deny" })).toMatchObject({ decision: "deny" });
    expect(await change({ skill: "good", decision: "allow" })).toMatchObject({ decision: "allow" });
    const { error } = (await change({ skill: "good" })) as { error: { message: string } };
    expect(error.message).toContain('{"action": "deny", "skill": "name"}');
  });

  it.each([
    ["an unknown action", { action: "love", skill: "good" }],
    ["no skill", { action: "deny" }],
    ["a number", { action: "deny", skill: 1 }],
    ["an unknown property", { action: "deny", skill: "good", force: true }],
    ["two names of the skill", { action: "deny", skill: "good", name: "mine" }],
    ["two wishes", { action: "deny", enabled: true, skill: "good" }],
    ["a decision that is none", { decision: "enable", skill: "good" }],
    ["a list", []],
    ["no object", "null"],
    ["no JSON", "{"],
    ["a key twice", '{"action":"deny","action":"allow","skill":"good"}'],
  ])("POST /api/policy refuses %s", async (_name, body) => {
    expect((await api.post("/api/policy", body)).status).toBe(400);
  });

  it("POST /api/policy says of a skill that is not there that it is not", async () => {
    const body = { action: "deny", skill: "nobody" };
    expect((await api.post("/api/policy", body)).status).toBe(404);
  });
});

describe("interfaces HTTP: running", () => {
  it("POST /api/run runs a typed skill once, and the history has it", async () => {
    const body = { skill: "file_fingerprint", inputs: [{ path: "a.md" }] };
    const run = () => api.post<{ id: string; status: string }>("/api/run", body);
    const first = await run();
    expect(first.data).toMatchObject({
      status: "SUCCEEDED",
      cached: false,
      evidences: [{ kind: "FILE_HASH" }],
    });
    expect((await run()).data).toMatchObject({ id: first.data.id, cached: true });
    const { data } = await api.get<{ runs: object[] }>("/api/runs?limit=1&skill=file_fingerprint");
    expect(data.runs).toMatchObject([{ id: first.data.id }]);
    const one = await api.get(`/api/runs/${first.data.id}`);
    expect(one.data).toMatchObject({ id: first.data.id, status: "SUCCEEDED", log: expect.any(String) });
    expect((await api.get("/api/runs/none")).status).toBe(404);
  });

  it("POST /api/run answers a run that failed, with its error", async () => {
    const body = { skill: "template_render", inputs: [{ path: "wrong.liquid" }] };
    folder.write({ "repo/wrong.liquid": "{% if %}" });
    const { status, data } = await api.post("/api/run", body);
    expect([status, data.status]).toEqual([200, "FAILED"]);
  });

  it("POST /api/run refuses what a rule denies, for everyone", async () => {
    folder.write({ "repo/.knack/config.yaml": "permissions: { deny: [{ tool: file_fingerprint }] }\n" });
    const body = { skill: "file_fingerprint", inputs: [{ path: "a.md" }] };
    expect((await api.post("/api/run", body)).status).toBe(403);
    writeFileSync(folder.at("repo/.knack/config.yaml"), "");
  });
});

describe("errors of every kind", () => {
  it("have a code and a sentence, and no stack, path, environment or SQL", async () => {
    mkdirSync(folder.at(REPO, "good", "folder"), { recursive: true });
    const { token } = server;
    const answers = await Promise.all([
      server.get("/none"),
      server.get("/api/skills/none"),
      server.get("/api/skills/good/files/none.md"),
      server.get("/api/skills/good/files/folder"),
      server.get("/api/skills/never/load"),
      server.get("/api/skills/off/load"),
      server.get("/api/runs/none"),
      server.get("/api/runs/'%20OR%201=1"),
      server.get("/api/runs?status=none"),
      server.post("/api/run", { skill: "none" }),
      server.post("/api/run", { skill: "file_fingerprint", inputs: [{ path: "none.md" }] }),
      server.post("/api/run", { skill: "file_fingerprint", inputs: [{ path: folder.at("repo/none.md") }] }),
      server.post("/api/run", { skill: "file_fingerprint", inputs: "x" }),
      server.post("/api/run", { skill: "skill_load", params: { name: "good" } }),
      server.post("/api/run", { skill: "__proto__" }),
      server.post("/api/policy", `{"a":${"[".repeat(100_000)}${"]".repeat(100_000)}}`),
    ]);
    for (const response of answers) {
      const text = await response.text();
      expect(response.status, text).toBeGreaterThanOrEqual(400);
      expect(response.status, text).toBeLessThan(500);
      expect(JSON.parse(text)).toEqual({ error: { code: expect.any(String), message: expect.any(String) } });
      expect(text).not.toMatch(
        /\bat .*:\d+:\d+|node:internal|node_modules|SELECT |sqlite|\/home\/|\/repo\//i,
      );
      expect(text).not.toContain(folder.path);
      expect(text).not.toContain(token);
      expect(text).not.toContain(process.env.PATH ?? "PATH");
    }
  });

  it("says of a wrong configuration where to look, not where it is", async () => {
    folder.write({ "repo/.knack/config.yaml": "skills: { validaton: strict }\n" });
    const { status, data } = await api.get<{ error: { code: string } }>("/api/skills");
    expect([status, data.error.code]).toEqual([500, "CONFIG_INVALID"]);
    expect(JSON.stringify(data)).not.toContain(folder.path);
    expect((await server.get("/api/skills/good/load")).status).toBeGreaterThanOrEqual(400);
    writeFileSync(folder.at("repo/.knack/config.yaml"), "");
    expect((await server.get("/api/skills")).status).toBe(200);
  });
});

describe("GET /api/openapi.json", () => {
  it("describes every route, and nothing else", () => {
    expect(api.description.openapi).toBe("3.1.0");
    const described = Object.entries(api.description.paths).flatMap(([path, operations]) =>
      Object.keys(operations).map((method) => `${method.toUpperCase()} ${path}`),
    );
    const there = describedRoutes.map(({ name }) => name);
    expect(described.sort()).toEqual(there.sort());
  });

  it("has what generated clients need: a name each, and every part of a path", () => {
    const operations = Object.entries(api.description.paths).flatMap(([path, methods]) =>
      Object.values(methods).map((operation) => ({ path, ...operation })),
    );
    const ids = operations.map(({ operationId }) => operationId);
    expect(new Set(ids).size).toBe(ids.length);
    expect(ids).toContain("getSkillsByIdFilesByPath");
    for (const { path, parameters = [], responses } of operations) {
      const named = parameters.filter((one) => one.in === "path" && one.required).map(({ name }) => name);
      expect(named).toEqual([...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name));
      expect(Object.keys(responses)).toEqual(expect.arrayContaining(["200", "400", "401", "403", "500"]));
    }
  });

  it("says of everything but the page's own files that it needs the token, and so it is", async () => {
    for (const [path, operations] of Object.entries(api.description.paths)) {
      for (const [method, operation] of Object.entries(operations)) {
        const isPage = path === "/";
        expect(operation.security).toEqual(isPage ? [] : [{ token: [] }]);
        const response = await fetch(`${server.url}${path}`, { method: method.toUpperCase() });
        expect(response.status, path).toBe(isPage ? 200 : 401);
      }
    }
  });
});

api.heldTo([
  ...catalogRoutes.filter(({ name }) => name !== "GET /api/left-out"),
  ...registryRoutes.filter(({ path }) => !path.includes("{name}")),
]);

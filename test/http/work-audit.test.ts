import { describe, expect, it } from "vitest";
import { auditRoutes } from "../../packages/knack/src/http/routes/audit.ts";
import { knack, makeProject } from "../cli/run.ts";
import { changeState } from "../cli/typed-skills.ts";
import { type AnswerOf, Api } from "./api.ts";
import { Server } from "./server.ts";

type Page = AnswerOf<"GET /api/audit">;

const trusted = { env: { KNACK_TRUST: "all" } };

const folder = makeProject({ "repo/a.md": "# A\n", "repo/b_%.md": "# B\n" });
const server = await Server.forFile(folder);
const api = await Api.of(server);
for (const path of ["a.md", "b_%.md"])
  expect((await server.post("/api/run", { skill: "file_fingerprint", inputs: [{ path }] })).status).toBe(200);
expect(knack(folder, ["run", "text_extract", "a.md"], trusted).code).toBe(0);
expect(knack(folder, ["load", "good"], trusted).code).toBe(0);

const list = async (query = ""): Promise<Page> => (await api.get<Page>(`/api/audit${query}`)).data;

describe("GET /api/audit", () => {
  it("has every record once, newest first, page by page", async () => {
    const seqs: number[] = [];
    for (let cursor: string | null = ""; cursor !== null; ) {
      const page: Page = await list(`?limit=2${cursor && `&cursor=${cursor}`}`);
      seqs.push(...page.events.map(({ seq }) => seq));
      cursor = page.next_cursor;
    }
    const { total } = await list("?limit=1");
    expect(seqs).toEqual(Array.from({ length: total }, (_, place) => total - place));
    expect((await api.get("/api/audit?cursor=x")).status).toBe(400);
  });

  it("filters by type, skill, actor and time", async () => {
    const runs = await list("?type=SKILL_RUN");
    expect(runs.events.map(({ actor }) => actor)).toEqual(["cli", "serve", "serve"]);
    expect((await list("?type=SKILL_RUN&actor=serve")).total).toBe(2);
    const extracted = await list("?skill=text_extract");
    expect(new Set(extracted.events.map(({ event_type }) => event_type))).toEqual(
      new Set(["SKILL_RUN", "ARTIFACT_CREATED"]),
    );
    expect((await list("?skill=good")).events.map(({ event_type }) => event_type)).toContain("SKILL_LOADED");
    expect((await list("?skill=%25")).total).toBe(0);
    const at = runs.events[0]?.created_at ?? "";
    expect((await list(`?since=${at}`)).events.every(({ created_at }) => created_at >= at)).toBe(true);
    expect((await list(`?until=${at}`)).events.every(({ created_at }) => created_at <= at)).toBe(true);
    expect((await list("?since=2100-01-01")).total).toBe(0);
    expect((await api.get("/api/audit?since=soon")).status).toBe(400);
    const { data } = await api.get<AnswerOf<"GET /api/audit/filters">>("/api/audit/filters");
    expect(data.types).toContain("SKILL_RUN");
    expect(data.actors).toEqual(expect.arrayContaining(["cli", "serve"]));
  });
});

describe("GET /api/audit/export and /verify", () => {
  it("export what knack audit export prints, and its head verifies", async () => {
    const response = await server.get("/api/audit/export");
    expect(response.headers.get("content-type")).toMatch(/^application\/x-ndjson/);
    expect(response.headers.get("content-disposition")).toMatch(/^attachment/);
    const text = await response.text();
    expect(text).toBe(knack(folder, ["audit", "export"], trusted).stdout);
    const { head } = JSON.parse(text.trimEnd().split("\n").at(-1) ?? "") as { head: string };
    const verify = async (query = "") =>
      (await api.get<AnswerOf<"GET /api/audit/verify">>(`/api/audit/verify${query}`)).data;
    expect(await verify()).toMatchObject({ ok: true, head });
    expect(await verify(`?head=${head}`)).toMatchObject({ ok: true });
    expect(await verify(`?head=${"0".repeat(63)}1`)).toMatchObject({ ok: false, fault: "cut" });
    changeState(folder, "UPDATE task_events SET actor = 'nobody' WHERE seq = 2");
    expect(await verify()).toMatchObject({ ok: false, seq: 2, message: expect.stringContaining("Record 2") });
  });
});

api.heldTo(auditRoutes);

import { existsSync, mkdirSync, readFileSync, symlinkSync } from "node:fs";
import { userInfo } from "node:os";
import { describe, expect, it } from "vitest";
import { planRoutes } from "../../packages/knack/src/http/routes/plans.ts";
import { makeTypedProject, openState } from "../cli/typed-skills.ts";
import { type AnswerOf, Api } from "./api.ts";
import { Events } from "./event-stream.ts";
import { InProcess } from "./in-process.ts";
import { Server } from "./server.ts";

const PLAN = `version: 1
plan: report
title: A report
tasks:
  - { id: hash, skill: file_fingerprint, inputs: [{ file: a.md }] }
  - { id: wait, skill: waits, depends_on: [sign], inputs: [] }
  - id: sign
    title: Sign it off
    depends_on: [hash]
    requirements:
      - { name: ok, kind: CONFIRMATION, required: true }
      - { name: sources, kind: FILE, required: true, min_count: 2, allowed_types: [md, txt] }
`;

type View = AnswerOf<"GET /api/plans/{id}">;

const folder = makeTypedProject({ "repo/plan.yaml": PLAN });
const server = await Server.forFile(folder, { env: { KNACK_TRUST: "all" } });
const api = await Api.of(server);

const view = async (): Promise<View> => (await api.get<View>("/api/plans/report")).data;
const task = async (id: string) => (await view()).tasks.find((one) => one.id === id);
const evidence = (body: object, of = "report", id = "sign") =>
  api.post(`/api/plans/${of}/tasks/${id}/evidence`, body);
const upload = async (name: string, bytes: string | Uint8Array, requirement = "sources", headers = {}) =>
  api.check<{ added: boolean; path: string; error?: { message: string } }>(
    await fetch(
      `${server.url}/api/plans/report/tasks/sign/files?requirement=${requirement}&name=${encodeURIComponent(name)}`,
      {
        method: "POST",
        body: bytes as NonNullable<RequestInit["body"]>,
        headers: { ...server.bearer, "Content-Type": "application/octet-stream", ...headers },
      },
    ),
    "POST",
    "/api/plans/{id}/tasks/{task}/files",
  );

describe("a plan", () => {
  it("is applied from its file, and drawn", async () => {
    const { data } = await api.post("/api/plans", { file: "plan.yaml" });
    expect(data).toMatchObject({ plan: "report", changed: true });
    expect((await api.post("/api/plans", { file: "plan.yaml" })).data).toMatchObject({
      changed: false,
    });
    for (const [body, status] of [
      [{ file: "none.yaml" }, 404],
      [{}, 400],
      [{ file: "plan.yaml", x: 1 }, 400],
      [{ file: "a.md" }, 400],
    ] as const)
      expect((await api.post("/api/plans", body)).status).toBe(status);
    expect((await api.get("/api/plans")).data).toMatchObject({ count: 1 });
    expect((await api.get("/api/plans/report")).status).toBe(200);
    expect(await (await server.get("/api/plans/report/drawing")).text()).toMatch(/^(?:graph|flowchart)/);
    expect(await (await server.get("/api/plans/report/drawing?format=dot")).text()).toMatch(/^digraph/);
    expect((await api.get("/api/plans/none/drawing")).status).toBe(404);
    expect((await api.get("/api/plans/report/drawing?format=png")).status).toBe(400);
  });

  it("says what each task waits for", async () => {
    expect((await view()).file).toBe("plan.yaml");
    expect((await task("sign"))?.waits_for).toEqual([
      { kind: "task", name: "hash", text: "The task hash must be done." },
      { kind: "confirmation", name: "ok", text: "Confirm ok." },
      { kind: "file", name: "sources", text: "Attach 2 files, 0 so far as sources (md, txt)." },
    ]);
    expect((await task("hash"))?.waits_for).toEqual([]);
    expect((await api.get("/api/plans/none")).status).toBe(404);
  });

  it("says by an event that its run has ended, when the answer says so too", async () => {
    const events = await Events.open(server);
    // Each stream begins with the state of all lists.
    await events.until(({ event }) => event === "plans");
    expect((await api.post("/api/plans/report/run")).status).toBe(200);
    await events.until(({ event }) => event === "plans");
    expect((await view()).run.running).toBe(false);
    await events.close();
  });

  it("runs in the background until it waits for somebody", async () => {
    const { data } = await api.post("/api/plans/report/run");
    expect(data).toMatchObject({ running: true });
    await expect.poll(async () => (await view()).run.running).toBe(false);
    expect((await task("hash"))?.status).toBe("DONE");
    expect(await task("sign")).toMatchObject({ status: "BLOCKED", blocked_reason: "WAITING_INPUT" });
    for (const parallel of [0, 17, 1.5, "2"])
      expect((await api.post("/api/plans/report/run", { parallel })).status).toBe(400);
    expect((await api.post("/api/plans/none/run")).status).toBe(404);
  });
});

describe("evidence", () => {
  it("is a confirmation, recorded with who gave it", async () => {
    expect((await evidence({ requirement: "ok", confirm: true })).data).toMatchObject({ added: true });
    expect((await task("sign"))?.requirements[0]).toMatchObject({
      have: 1,
      evidences: [{ by: userInfo().username }],
    });
    for (const body of [
      { requirement: "ok" },
      { requirement: "ok", confirm: false },
      { requirement: "ok", confirm: true, file: "a.md" },
      { confirm: true },
    ])
      expect((await evidence(body)).status).toBe(400);
    expect((await evidence({ requirement: "none", confirm: true })).status).toBe(404);
    expect((await evidence({ requirement: "ok", confirm: true }, "report", "none")).status).toBe(404);
    expect((await evidence({ requirement: "sources", confirm: true })).status).toBe(400);
  });

  it("is a file that is there, or one that is uploaded into the project", async () => {
    expect((await evidence({ requirement: "sources", file: "b.md" })).data).toMatchObject({ added: true });
    const { data } = await upload("notes.txt", "first\n");
    expect(data).toMatchObject({ added: true, path: "workspace/attached/report/sign/sources/notes.txt" });
    expect(readFileSync(folder.at("repo", data.path), "utf8")).toBe("first\n");
    expect(readFileSync(folder.at("repo/workspace/attached/.gitignore"), "utf8")).toContain("\n*\n");
    expect((await task("sign"))?.status).toBe("READY");
    expect((await upload("notes.txt", "first\n")).data).toMatchObject({ added: false });
    // Different bytes never share a path.
    expect((await upload("notes.txt", "second\n")).data.path).toMatch(/notes-2\.txt$/);
    using db = openState(folder);
    const logged = db.prepare("SELECT actor FROM task_events WHERE event_type = 'EVIDENCE_ADDED'").all();
    expect(logged.length).toBeGreaterThanOrEqual(4);
    expect(new Set(logged.map(({ actor }) => actor))).toEqual(new Set(["serve"]));
  });

  it.each([
    "../../out.txt",
    "/etc/out.txt",
    "..",
    ".hidden.txt",
    "a\\b.txt",
    "con.txt",
    "a\u0000.txt",
    `${"x".repeat(250)}.txt`,
    "",
  ])("refuses the file name %j", async (name) => {
    expect((await upload(name, "x")).status).toBe(400);
    expect(existsSync(folder.at("out.txt"))).toBe(false);
  });

  it("refuses other types, requirements and bodies, and writes nothing for them", async () => {
    expect((await upload("figures.pdf", "x")).status).toBe(400);
    expect((await upload("a.txt", "x", "ok")).status).toBe(400);
    expect((await upload("a.txt", "x", "none")).status).toBe(404);
    expect((await upload("a.txt", "x", "sources", { "Content-Type": "text/plain" })).status).toBe(415);
    expect((await upload("a.txt", "{}", "sources", { "Content-Type": "application/json" })).status).toBe(415);
    const json = await server.post("/api/plans", "{}", { "Content-Type": "application/octet-stream" });
    expect(json.status).toBe(415);
    expect(existsSync(folder.at("repo/workspace/attached/report/sign/sources/a.txt"))).toBe(false);
    expect(existsSync(folder.at("repo/workspace/attached/report/sign/ok"))).toBe(false);
  });

  it("is never written through a link that leads out of the project", async () => {
    using other = makeTypedProject({ "repo/plan.yaml": PLAN, "outside/": "" });
    mkdirSync(other.at("repo/workspace"), { recursive: true });
    symlinkSync(other.at("outside"), other.at("repo/workspace/attached"));
    await using tricked = await Server.start(other);
    expect((await tricked.post("/api/plans", { file: "plan.yaml" })).status).toBe(200);
    const response = await fetch(
      `${tricked.url}/api/plans/report/tasks/sign/files?requirement=sources&name=a.txt`,
      {
        method: "POST",
        body: "x",
        headers: { ...tricked.bearer, "Content-Type": "application/octet-stream" },
      },
    );
    expect(response.status).toBe(409);
    expect(existsSync(other.at("outside/report"))).toBe(false);
  });

  it("is bounded in size, also without a Content-Length, and leaves nothing of what was too large", async () => {
    await using small = await InProcess.start(folder, { uploadBytes: 1_000 });
    const send = (body: NonNullable<RequestInit["body"]>, more: object = {}) =>
      fetch(
        `http://127.0.0.1:${small.port}/api/plans/report/tasks/sign/files?requirement=sources&name=large.txt`,
        {
          method: "POST",
          body,
          headers: { ...small.bearer, "Content-Type": "application/octet-stream" },
          ...more,
        },
      );
    expect((await send("x".repeat(1_001))).status).toBe(413);
    const pieces = new ReadableStream<Uint8Array>({
      pull: (stream) => stream.enqueue(new Uint8Array(400)),
    });
    const answer = await send(pieces, { duplex: "half" }).then(
      ({ status }) => status,
      () => "closed",
    );
    expect([413, "closed"]).toContain(answer);
    expect(existsSync(folder.at("repo/workspace/attached/report/sign/sources/large.txt"))).toBe(false);
  });
});

describe("a plan that is run", () => {
  it("can be stopped: its task stays READY, and it can be run again", async () => {
    const run = () => api.post("/api/plans/report/run");
    expect((await run()).status).toBe(200);
    await expect.poll(async () => (await task("wait"))?.status).toBe("IN_PROGRESS");
    expect((await run()).status).toBe(409);
    const stop = () => api.post("/api/plans/report/stop");
    expect((await stop()).data).toEqual({ stopped: true });
    expect((await stop()).data).toEqual({ stopped: false });
    expect((await view()).run).toMatchObject({ running: false, error: { code: "SKILL_INTERRUPTED" } });
    expect((await task("wait"))?.status).toBe("READY");
  });

  it("shows a task that somebody cancelled as failed, and goes on with the others", async () => {
    await api.post("/api/plans/report/run");
    const runOf = async () =>
      (await task("wait")) as { status: string; run?: string; failures: number } | undefined;
    await expect.poll(async () => (await runOf())?.status).toBe("IN_PROGRESS");
    expect((await server.post(`/api/runs/${(await runOf())?.run}/cancel`, {})).status).toBe(200);
    await expect.poll(async () => (await view()).run.running).toBe(false);
    expect(await runOf()).toMatchObject({
      status: "FAILED",
      failures: 0,
      error: { code: "SKILL_INTERRUPTED" },
    });
  });

  it("ends with the server", async () => {
    await api.post("/api/plans/report/run");
    await expect.poll(async () => (await task("wait"))?.status).toBe("IN_PROGRESS");
    expect(await server.end("SIGTERM")).toBe(0);
    using db = openState(folder);
    expect(db.prepare("SELECT count(*) AS n FROM skill_runs WHERE status = 'RUNNING'").get()?.n).toBe(0);
    expect(db.prepare("SELECT status FROM task_nodes WHERE task_id = 'wait'").get()?.status).toBe("READY");
    expect(server.stderr).not.toContain("error:");
  });
});

api.heldTo(planRoutes);

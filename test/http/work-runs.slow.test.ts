import { writeFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { registryRoutes } from "../../packages/knack/src/http/routes/registry.ts";
import { runRoutes } from "../../packages/knack/src/http/routes/runs.ts";
import { ask, makeTypedProject, start } from "../cli/typed-skills.ts";
import { type AnswerOf, Api } from "./api.ts";
import { Server } from "./server.ts";

/** Prints as many lines as it is told to. */
const TALKS = `export const run = async ({ log, params, signal }) => {
  for (let line = 1; line <= (params.lines ?? 3); line++) {
    log("line " + line + " with " + (params.api_key ?? "no key"));
    await new Promise((done) => setTimeout(done, params.ms ?? 20));
  }
  return { status: "SUCCEEDED", artifacts: [], error: null, evidences: [] };
};
`;
const REGISTRY = `version: 1
skills:
  - name: talks
    description: Prints lines.
    implementation: "impl/talks.mjs:run"
    inputs: []
    outputs: { artifacts: [], evidences: [] }
    params: { schema: { type: object, properties: { lines: { type: integer, minimum: 1 }, ms: { type: number }, mode: { enum: [a, b] }, api_key: { type: string }, deep: { type: object, properties: { names: { type: array, items: { type: string } } } } }, required: [mode] } }
    idempotency: { cache: true }
`;

type Run = AnswerOf<"GET /api/runs/{id}">;
type Runs = AnswerOf<"GET /api/runs">;

const folder = makeTypedProject({
  "repo/impl/talks.mjs": TALKS,
  "repo/skills/registry.yaml": REGISTRY,
  "repo/page.html": "<script>alert(1)</script>\n",
  "repo/hello.liquid": "Hello {{ name }}\n<script>alert(1)</script>\n",
});
const server = await Server.forFile(folder);
const api = await Api.of(server);

const runOf = async (id: string): Promise<Run> => (await api.get<Run>(`/api/runs/${id}`)).data;
const run = async (body: object, headers = {}): Promise<Run> =>
  (await (await server.post("/api/run", body, headers)).json()) as Run;
const SECRET = "very-secret-1";
const ASYNC = { Prefer: "respond-async" };
const ended = (id: string) => expect.poll(async () => (await runOf(id)).status).not.toBe("RUNNING");

describe("a run that is started and watched", () => {
  it("is answered as soon as it has started, and its log can be followed from an offset", async () => {
    const response = await server.post(
      "/api/run",
      { skill: "talks", params: { mode: "a", lines: 100_000, ms: 20, api_key: SECRET } },
      ASYNC,
    );
    expect(response.headers.get("preference-applied")).toBe("respond-async");
    const begun = (await response.json()) as Run;
    expect(begun).toMatchObject({ skill: "talks", status: "RUNNING" });
    expect(await runOf(begun.id)).toMatchObject({ live: true, actor: null });
    let text = "";
    let next = 0;
    for (let parts = 0; parts < 3; ) {
      const { data } = await api.get<AnswerOf<"GET /api/runs/{id}/log">>(
        `/api/runs/${begun.id}/log?offset=${next}`,
      );
      expect(data).toMatchObject({ live: true, running: true });
      if (data.text !== "") parts++;
      text += data.text;
      next = data.next;
    }
    expect(text).toMatch(/^line 1 with \[redacted\]\nline 2 with \[redacted\]\n/);
    expect(text).not.toContain(SECRET);
    await api.post(`/api/runs/${begun.id}/cancel`);
    await ended(begun.id);
    expect((await api.get(`/api/runs/${begun.id}/log?offset=-1`)).status).toBe(400);
  });

  it("has its whole log when it has ended", async () => {
    const { id } = await run({ skill: "talks", params: { mode: "a", lines: 6, api_key: SECRET } }, ASYNC);
    await ended(id);
    expect(await runOf(id)).toMatchObject({ status: "SUCCEEDED", live: false, actor: "serve" });
    expect((await runOf(id)).log).toMatch(/^(?:line \d with \[redacted\]\n){6}$/);
  });

  it("is in the events while it runs, with the length of its log", async () => {
    const stream = await server.get("/api/events");
    const reader = stream.body!.pipeThrough(new TextDecoderStream()).getReader();
    const begun = await run({ skill: "talks", params: { mode: "a", lines: 100_000, ms: 200 } }, ASYNC);
    const lengths = new Set<number>();
    let [isCancelled, isListed] = [false, false];
    for (let text = ""; ; ) {
      text += (await reader.read()).value ?? "";
      for (const [, data = ""] of text.matchAll(/event: runs\n(?:id: .*\n)?data: (.*)\n\n/g)) {
        const { running } = JSON.parse(data) as { running: { id: string; log_length: number | null }[] };
        const own = running.find(({ id }) => id === begun.id);
        if (own) lengths.add(own.log_length ?? -1);
        isListed = own !== undefined;
      }
      // Until its log has grown; then it is ended.
      if (lengths.size > 1 && !isCancelled) {
        isCancelled = true;
        await api.post(`/api/runs/${begun.id}/cancel`);
      }
      if (isCancelled && !isListed) break;
    }
    expect([...lengths].every((length) => length >= 0)).toBe(true);
    await reader.cancel();
  });

  it("can be cancelled, keeps its log, and whoever waits for it gets the answer", async () => {
    const body = { skill: "talks", params: { mode: "b", lines: 500, ms: 100 } };
    const begun = await run(body, ASYNC);
    await expect.poll(async () => (await runOf(begun.id)).log).toContain("line 2");
    expect((await api.post(`/api/runs/${begun.id}/cancel`)).data).toEqual({
      id: begun.id,
      cancelled: true,
    });
    await ended(begun.id);
    const after = await runOf(begun.id);
    expect(after).toMatchObject({ status: "FAILED", error: { code: "SKILL_INTERRUPTED" }, live: false });
    expect(after.log).toContain("line 2");
    expect((await api.post(`/api/runs/${begun.id}/cancel`)).data).toMatchObject({ cancelled: false });
    expect((await api.post("/api/runs/none/cancel")).status).toBe(404);
  });

  it("of another process says where to stop it", async () => {
    const { child, closed } = start(
      folder,
      ["run", "talks", "--param", "mode=a", "--param", "lines=300", "--param", "ms=100"],
      {
        KNACK_TRUST: "all",
      },
    );
    try {
      const running = async () =>
        (await server.json<Runs>("/api/runs?status=RUNNING")).runs.map(({ id }) => id);
      await expect.poll(running).toHaveLength(1);
      const [id = ""] = await running();
      const { status, data } = await api.post<{ error: { message: string } }>(`/api/runs/${id}/cancel`);
      expect(status).toBe(409);
      expect(data.error.message).toContain("Another process");
      expect((await api.get(`/api/runs/${id}/log`)).data).toMatchObject({
        live: false,
        running: true,
      });
    } finally {
      child.kill("SIGINT");
      await closed;
    }
  });

  it("is refused at once where it may not run", async () => {
    const wrong = await server.post("/api/run", { skill: "talks", params: { mode: "z" } }, ASYNC);
    expect(wrong.status).toBe(400);
  });
});

describe("the history", () => {
  it("has executions, cached results or both, page by page", async () => {
    const body = { skill: "file_fingerprint", inputs: [{ path: "a.md" }] };
    const first = await run(body);
    for (let again = 0; again < 3; again++) expect((await run(body)).cached).toBe(true);
    const query = "/api/runs?skill=file_fingerprint";
    const list = async (more: string) => {
      const found: Runs["runs"] = [];
      for (let cursor = ""; ; ) {
        const { data } = await api.get<Runs>(
          `${query}${more}&limit=2${cursor && `&cursor=${encodeURIComponent(cursor)}`}`,
        );
        found.push(...data.runs);
        if (data.next_cursor === null) return found;
        cursor = data.next_cursor;
      }
    };
    expect((await list("")).map(({ cached }) => cached)).toEqual([false]);
    const served = await list("&cached=true");
    expect(served.map(({ id, cached }) => [id, cached])).toEqual(Array(3).fill([first.id, true]));
    expect(served[0]?.served).toMatchObject({ actor: "serve" });
    const all = await list("&cached=all");
    expect(all.map(({ cached }) => cached)).toEqual([true, true, true, false]);
    expect((await api.get(`${query}&cursor=x`)).status).toBe(400);
    expect((await api.get(`${query}&cached=maybe`)).status).toBe(400);
  });

  it("says which part of a key changed, against the nearest earlier run", async () => {
    interface Key {
      reason: string;
      compared_with: { id: string } | null;
      parts: { part: string; name: string; same: boolean }[];
      served: object[];
    }
    const keyOf = async (id: string) => (await api.get<Key>(`/api/runs/${id}/key`)).data;
    const changed = (key: Key) =>
      key.parts.filter(({ same }) => !same).map(({ part, name }) => `${part} ${name}`.trim());
    const render = (name: string, path = "hello.liquid") =>
      run({ skill: "template_render", inputs: [{ role: "template", path }], params: { data: { name } } });
    const first = await render("Ada");
    expect(await keyOf(first.id)).toMatchObject({
      compared_with: null,
      reason: expect.stringContaining("No earlier run"),
    });
    const second = await render("Grace");
    const key = await keyOf(second.id);
    expect(key.compared_with?.id).toBe(first.id);
    expect(changed(key)).toEqual(["param data"]);
    expect(key.reason).toContain("the parameter data changed");
    writeFileSync(folder.at("repo/hello.liquid"), "Good day {{ name }}\n");
    const third = await keyOf((await render("Grace")).id);
    expect(third.compared_with?.id).toBe(second.id);
    expect(changed(third)).toEqual(["input template"]);
    expect((await render("Ada", "hello.liquid")).cached).toBe(false);
    expect((await render("Ada", "hello.liquid")).cached).toBe(true);
    expect((await api.get("/api/runs/none/key")).status).toBe(404);
  });
});

describe("artifacts", () => {
  it("are bytes that a browser never executes", async () => {
    folder.write({ "repo/note.html": "<h1>{{ name }}</h1>\n<script>alert(1)</script>\n" });
    const { id } = await run({
      skill: "template_render",
      inputs: [{ role: "template", path: "note.html" }],
      params: { data: { name: "Grace" } },
    });
    const response = await server.get(`/api/runs/${id}/artifacts/rendered`);
    expect(await response.text()).toContain("<h1>Grace</h1>");
    expect(response.headers.get("content-type")).toBe("text/plain; charset=utf-8");
    expect(response.headers.get("content-disposition")).toMatch(/^attachment; filename=/);
    expect(response.headers.get("content-security-policy")).toBe("sandbox; default-src 'none'");
    expect(response.headers.get("x-content-type-options")).toBe("nosniff");
    const start = await server.get(`/api/runs/${id}/artifacts/rendered?first=4`);
    expect(await start.text()).toBe("<h1>");
    expect(await (await server.get(`/api/runs/${id}/artifacts/rendered?first=0`)).text()).toBe("");
    expect((await api.get(`/api/runs/${id}/artifacts/none`)).status).toBe(404);
  });

  it("are refused when the file was changed after the run", async () => {
    const { artifacts, id } = ask(folder, ["run", "text_extract", "b.md"]).data;
    writeFileSync(folder.at("repo", artifacts[0]?.path ?? ""), "other\n");
    expect((await api.get(`/api/runs/${id}/artifacts/extracted_text`)).status).toBe(409);
  });
});

describe("the contract of a typed skill", () => {
  it("is a JSON Schema for a form, and says whether it may run", async () => {
    const { data } = await api.get("/api/registry/talks");
    expect(data).toMatchObject({
      name: "talks",
      code: true,
      refused: null,
      request: { properties: { params: { required: ["mode"], properties: { lines: { type: "integer" } } } } },
    });
    expect((await api.get("/api/registry/none")).status).toBe(404);
  });

  it("is checked with every fault at its place, or explained", async () => {
    const check = async (name: string, body: object) =>
      (await api.post<AnswerOf<"POST /api/registry/{name}/check">>(`/api/registry/${name}/check`, body)).data;
    const { faults } = await check("talks", { params: { lines: 0, deep: { names: [1] } } });
    expect(faults.map(({ at }) => at.join("/")).sort()).toEqual([
      "params/deep/names/0",
      "params/lines",
      "params/mode",
    ]);
    expect(faults.find(({ at }) => at.includes("lines"))?.message).toBe("must be >= 1.");
    const files = await check("template_render", { inputs: [{ role: "data", path: "none.json" }] });
    expect(files.faults.map(({ at }) => at.join("/"))).toEqual(["inputs/template", "inputs/data"]);
    const body = { inputs: [{ role: "input", path: "a.md" }] };
    expect(await check("file_fingerprint", body)).toMatchObject({ faults: [], explanation: { hit: true } });
    for (const wrong of [{ inputs: 1 }, { inputs: [1] }, { more: 1 }])
      expect((await api.post("/api/registry/talks/check", wrong)).status).toBe(400);
    expect((await api.post("/api/registry/none/check")).status).toBe(404);
  });
});

describe("in a project that is not trusted", () => {
  it("the project's own typed skills are not shown, checked or run", async () => {
    await using stranger = await Server.start(folder, { env: {} });
    expect((await stranger.get("/api/registry/talks")).status).toBe(404);
    expect((await stranger.post("/api/registry/talks/check", {})).status).toBe(404);
    expect(
      (await stranger.post("/api/run", { skill: "talks", params: { mode: "a" } }, ASYNC)).status,
    ).toBeGreaterThanOrEqual(400);
    expect((await stranger.get("/api/registry/file_fingerprint")).status).toBe(200);
  });
});

api.heldTo([...runRoutes, ...registryRoutes.filter(({ path }) => path.includes("{name}"))]);

import { beforeAll, describe, expect, it } from "vitest";
import type { Folder } from "../../packages/core/src/testing/files.ts";
import { knack } from "../cli/run.ts";
import { Server } from "../http/server.ts";
import { endAll, lookAt, visit } from "./browser.ts";
import { makeWorkScene } from "./work-scene.ts";

let folder: Folder;
let server: Server;
let ids: { summary: string; failed: string; hello: string };

interface Run {
  readonly id: string;
}

const run = async (body: object): Promise<Run> =>
  (await server.post("/api/run", body)).json() as Promise<Run>;

beforeAll(async () => {
  folder = makeWorkScene();
  const trusted = { env: { KNACK_TRUST: "all" }, timeout: 60_000 };
  expect(knack(folder, ["plan", "run", "plan.yaml"], trusted).code).toBe(0);
  expect(knack(folder, ["plan", "run", "release.yaml"], trusted).code).toBe(0);
  server = await Server.start(folder);
  const render = (name: string) =>
    run({
      skill: "template_render",
      inputs: [{ role: "template", path: "hello.liquid" }],
      params: { data: { name } },
    });
  await render("Ada");
  const hello = (await render("Grace")).id;
  await render("Grace");
  folder.write({ "repo/wrong.liquid": "{% if %}" });
  const failed = (await run({ skill: "template_render", inputs: [{ path: "wrong.liquid" }] })).id;
  const document = [{ role: "document", path: "documents/figures.pdf" }];
  const summary = (await run({ skill: "makes", inputs: document, params: { title: "Q3" } })).id;
  await run({ skill: "counts", params: { lines: 40, pause: 1 } });
  ids = { summary, failed, hello };
  return () => endAll(server, folder);
});

const look = (path: string, name: string, text: string | RegExp, tag = "*") =>
  lookAt({
    server,
    path,
    name,
    ready: (page) => page.locator(tag).filter({ hasText: text, visible: true }).last().waitFor(),
  });

describe("each page in both widths and colours", () => {
  it("Runs", async () => look("/runs", "runs", /^Failed$/, "span"));
  it("a run with its result", async () => look(`/runs/${ids.summary}`, "run-result", "Summary for Q3"));
  it("a run and why it ran", async () =>
    look(`/runs/${ids.hello}?tab=key`, "run-key", "the parameter data changed"));
  it("a failed run", async () => look(`/runs/${ids.failed}`, "run-failed", "A failed run has no result"));
  it("a form", async () => look("/runs?new=counts", "run-form", "How many lines to print."));
  it("the choice of a skill", async () => look("/runs?new=-", "run-choice", "Counts lines, slowly."));
  it("Plans", async () => look("/plans", "plans", "Release 1.4"));
  it("a plan that waits for somebody", async () =>
    look("/plans/release?task=review", "plan", "Review the notes"));
  it("a plan that is done", async () => look("/plans/quarterly-report", "plan-done", "Text of the figures"));
  it("Audit", async () => look("/audit", "audit", "Chain verified"));

  it("without anything in it", async () => {
    using empty = makeWorkScene();
    await using other = await Server.start(empty);
    for (const [path, text] of [
      ["/runs", "Nothing ran yet"],
      ["/plans", "No plan was applied yet"],
      ["/audit", "The log is empty"],
    ] as const) {
      await using page = await visit(other, path);
      await page.getByText(text).waitFor();
      await page.looksRight(`empty-${path.slice(1)}`);
    }
  });
});

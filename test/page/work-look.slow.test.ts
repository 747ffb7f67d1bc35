import { afterAll, describe, expect, it } from "vitest";
import { knack } from "../cli/run.ts";
import { Server } from "../http/server.ts";
import { lookAt, visit } from "./browser.ts";
import { makeWorkScene } from "./work-scene.ts";

const folder = makeWorkScene();
const trusted = { env: { KNACK_TRUST: "all" }, timeout: 60_000 };
for (const plan of ["plan.yaml", "release.yaml"])
  expect(knack(folder, ["plan", "run", plan], trusted).code).toBe(0);
const server = await Server.forFile(folder);

const run = async (body: object): Promise<string> =>
  ((await (await server.post("/api/run", body)).json()) as { id: string }).id;
const render = (name: string): Promise<string> =>
  run({
    skill: "template_render",
    inputs: [{ role: "template", path: "hello.liquid" }],
    params: { data: { name } },
  });
await render("Ada");
const hello = await render("Grace");
await render("Grace");
folder.write({ "repo/wrong.liquid": "{% if %}" });
const failed = await run({ skill: "template_render", inputs: [{ path: "wrong.liquid" }] });
const inputs = [{ role: "document", path: "documents/figures.pdf" }];
const summary = await run({ skill: "makes", inputs, params: { title: "Q3" } });
await run({ skill: "counts", params: { lines: 40, pause: 1 } });

const tab = await visit(server, "/");
afterAll(() => tab[Symbol.asyncDispose]());

const look = (path: string, name: string, text: string | RegExp, tag = "*") =>
  lookAt({
    server,
    tab,
    path,
    name,
    ready: (page) => page.locator(tag).filter({ hasText: text, visible: true }).last().waitFor(),
  });

describe("each page in both widths and colours", () => {
  it("Runs", async () => look("/runs", "runs", /^Failed$/, "span"));
  it("a run with its result", async () => look(`/runs/${summary}`, "run-result", "Summary for Q3"));
  it("a run and why it ran", async () =>
    look(`/runs/${hello}?tab=key`, "run-key", "the parameter data changed"));
  it("a failed run", async () => look(`/runs/${failed}`, "run-failed", "A failed run has no result"));
  it("a form", async () => look("/runs?new=counts", "run-form", "How many lines to print."));
  it("the choice of a skill", async () => look("/runs?new=-", "run-choice", "Counts lines, slowly."));
  it("Plans", async () => look("/plans", "plans", "Release 1.4"));
  it("a plan that waits for somebody", async () =>
    look("/plans/release?task=review", "plan", "Review the notes"));
  it("a plan that is done", async () => look("/plans/quarterly-report", "plan-done", "Text of the figures"));
  it("Audit", async () => look("/audit", "audit", "Chain verified"));
});

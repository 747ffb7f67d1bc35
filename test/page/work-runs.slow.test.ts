import { text as textOf } from "node:stream/consumers";
import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import { Server } from "../http/server.ts";
import { NARROW, type Tab, visit } from "./browser.ts";
import { makeWorkScene } from "./work-scene.ts";

const folder = makeWorkScene();
const server = await Server.forFile(folder);

const run = async (body: object): Promise<{ id: string }> =>
  (await server.post("/api/run", body)).json() as Promise<{ id: string }>;
const render = (name: string) =>
  run({
    skill: "template_render",
    inputs: [{ role: "template", path: "hello.liquid" }],
    params: { data: { name } },
  });

for (const name of ["Ada", "Grace", "Grace"]) await render(name);
const { id: made } = await run({
  skill: "makes",
  inputs: [{ role: "document", path: "documents/figures.pdf" }],
  params: { title: "Q3" },
});

const open = (path: string, options?: Parameters<typeof visit>[2]): Promise<Tab> =>
  visit(server, path, options);
const rows = (page: Page) => page.getByRole("grid", { name: "Runs" }).getByRole("row");
/** Presses Tab until the element has the focus. */
async function tabTo(
  page: Page,
  name: string | RegExp,
  role: "button" | "textbox" | "combobox" | "link" | "tab",
): Promise<void> {
  const target = page.getByRole(role, { name }).first();
  await target.waitFor();
  for (let step = 0; step < 80; step++) {
    if (await target.evaluate((element) => element === document.activeElement)) return;
    await page.keyboard.press("Tab");
  }
  throw new Error(`The Tab key never reaches ${name}.`);
}

describe("the history", () => {
  it("is filtered and read with the mouse; the address keeps it all", async () => {
    await using page = await open("/runs");
    await rows(page).first().waitFor();
    expect(await rows(page).count()).toBe(4);
    await page.getByRole("combobox", { name: "Cache" }).selectOption("From cache");
    await expect.poll(() => rows(page).count()).toBe(1);
    await rows(page).first().getByText("template_render").click();
    await page.getByText("Why it was cached").click();
    await page.getByText("its result was returned at once to serve").waitFor();
    expect(page.url()).toMatch(/\/runs\/[\w-]+\?cached=true&served=\d+&tab=key$/);
    await page.goBack();
    expect(page.url()).toContain("/runs?cached=true");
    await page.getByRole("combobox", { name: "State" }).selectOption("Failed");
    await page.getByText("No run matches these filters.").waitFor();
    await page.getByRole("button", { name: "Clear filters" }).click();
    await expect.poll(() => rows(page).count()).toBe(4);
  });

  it("is read with the keyboard", async () => {
    await using page = await open("/runs");
    await rows(page).first().waitFor();
    await page.getByRole("grid", { name: "Runs" }).focus();
    await page.keyboard.press("ArrowDown");
    await page.getByRole("article", { name: "Run of makes" }).waitFor();
    await page.keyboard.press("j");
    await page.getByRole("article", { name: "Run of template_render" }).waitFor();
    await tabTo(page, /^Result/, "tab");
    await page.keyboard.press("ArrowRight");
    await page.keyboard.press("ArrowRight");
    await page.getByText("Compared", { exact: true }).waitFor();
    await page.getByRole("cell", { name: "Parameter data" }).waitFor();
  });

  it("shows runs of other programs as they happen", async () => {
    await using page = await open("/runs?skill=counts");
    await page.getByText("No run matches").waitFor();
    await run({ skill: "counts", params: { lines: 2 } });
    await rows(page).getByText("counts").waitFor();
  });

  it("loads the next page at its end", async () => {
    const body = { skill: "counts", params: { lines: 2 } };
    for (let batch = 0; batch < 12; batch++) await Promise.all(Array.from({ length: 10 }, () => run(body)));
    await using page = await open("/runs");
    const grid = page.getByRole("grid", { name: "Runs" });
    await rows(page).first().waitFor();
    await grid.focus();
    await page.keyboard.press("End");
    await expect.poll(async () => Number(await grid.getAttribute("aria-rowcount"))).toBeGreaterThan(120);
    await page.keyboard.press("End");
    await rows(page).getByText("template_render").last().waitFor();
  });

  it("is one thing at a time on a narrow screen", async () => {
    await using page = await open("/runs?skill=makes", { viewport: NARROW });
    await rows(page).getByText("makes").click();
    const detail = page.getByRole("article", { name: "Run of makes" });
    await detail.waitFor();
    expect(await page.getByRole("grid", { name: "Runs" }).isVisible()).toBe(false);
    expect(await page.title()).toBe("makes · Runs · Knack");
    await page.getByRole("main").getByRole("link", { name: "Runs" }).click();
    await rows(page).first().waitFor();
    await expect.poll(() => page.title()).toBe("Runs · Knack");
  });
});

describe("artifacts", () => {
  it("are shown by their kind, and nothing in them is executed", async () => {
    await using page = await open(`/runs/${made}`);
    const artifact = (name: string) => page.getByRole("region", { name: `Artifact ${name}` });
    await artifact("summary").getByRole("heading", { name: "Summary for Q3" }).waitFor();
    await artifact("page").getByRole("button", { name: "Preview" }).click();
    await artifact("page").getByText("<h1>Q3</h1>").waitFor();
    await artifact("picture").getByRole("button", { name: "Preview" }).click();
    const picture = artifact("picture").getByRole("img", { name: "Artifact picture" });
    await picture.waitFor();
    expect(
      await picture.evaluate((image: HTMLImageElement) => image.decode().then(() => image.naturalWidth)),
    ).toBe(96);
    await artifact("document").getByRole("button", { name: "Preview" }).click();
    await artifact("document")
      .locator("iframe")
      .or(artifact("document").getByText("This browser shows no PDF"))
      .waitFor();
    await artifact("archive").getByRole("button", { name: "Preview" }).click();
    await artifact("archive").getByText("zip files have no preview.").waitFor();
    await page.picture("run-artifacts");
    expect(await page.title()).toContain("makes");
    // The browser's own viewer loads its parts.
    expect(page.faults().filter((fault) => !/^request: chrome(?:-extension)?:/.test(fault))).toEqual([]);
    const saving = page.waitForEvent("download");
    await artifact("page").getByRole("button", { name: "Download" }).click();
    const saved = await saving;
    expect(saved.suggestedFilename()).toBe("page.html");
    expect(await textOf(await saved.createReadStream())).toContain("<h1>Q3</h1>");
  });
});

describe("a run from a form", () => {
  it("says what is wrong at its field, then runs, is watched and cancelled, with the mouse", async () => {
    await using page = await open("/runs");
    await page.getByRole("link", { name: "Run a skill" }).click();
    await page.getByRole("link", { name: /^counts/ }).click();
    const form = page.getByRole("form", { name: "Run counts" });
    await form.getByRole("button", { name: "Run", exact: true }).click();
    await form.getByText("It is required.").waitFor();
    const lines = form.getByRole("textbox", { name: "lines" });
    expect(await lines.getAttribute("aria-invalid")).toBe("true");
    await expect.poll(() => lines.evaluate((input) => input === document.activeElement)).toBe(true);
    await lines.fill("0");
    await form.getByText("must be >= 1.").waitFor();
    await page.looksRight("run-form-wrong");
    await lines.fill("2000");
    await form.getByRole("textbox", { name: "pause" }).fill("30");
    await form.getByRole("checkbox", { name: "loud" }).check();
    await form.getByRole("combobox", { name: "mode" }).selectOption("careful");
    await form.getByRole("button", { name: "Add to names" }).click();
    await form.getByRole("textbox", { name: "names 1" }).fill("Ada");
    await form.getByRole("group", { name: "more" }).getByRole("textbox", { name: "note" }).fill("hi");
    await form.getByRole("textbox", { name: "extra" }).fill('{"a": [1]}');
    await form.getByText("It would run.").waitFor();
    await form.getByRole("button", { name: "Run", exact: true }).click();
    const log = page.getByRole("log", { name: "Log" });
    await log.getByText("line 3 of 2000").waitFor();
    await log.getByText("line 20 of 2000").waitFor();
    await page.picture("run-live");
    await page.getByRole("button", { name: "Cancel" }).click();
    const detail = page.getByRole("article", { name: "Run of counts" });
    await detail.getByText("Interrupted", { exact: true }).waitFor();
    await page.getByRole("tab", { name: "Inputs" }).click();
    await page.getByRole("figure", { name: "Parameters" }).getByText('"careful"').waitFor();
    await page.getByRole("tab", { name: "Log" }).click();
    await log.getByText("line 20 of 2000").waitFor();
    // The whole value of each field reached the skill.
    const { runs } = await server.json<{ runs: { params: object }[] }>("/api/runs?skill=counts&limit=1");
    expect(runs[0]?.params).toEqual({
      lines: 2000,
      pause: 30,
      loud: true,
      mode: "careful",
      names: ["Ada"],
      more: { note: "hi" },
      extra: { a: [1] },
    });
  });

  it("is filled in and run with the keyboard; the same again comes from the cache", async () => {
    await using page = await open("/runs?new=file_fingerprint");
    const again = async (): Promise<void> => {
      await tabTo(page, "input", "combobox");
      await page.keyboard.type("hello.liquid");
      // Enter in the field would take a suggestion, and an open list of them takes the first Tab.
      const leave = async (): Promise<string | undefined> => {
        await page.keyboard.press("Tab");
        return page.evaluate(() => document.activeElement?.tagName);
      };
      await expect.poll(leave).not.toBe("INPUT");
      await page.keyboard.press("Control+Enter");
    };
    await again();
    await page.getByText("Evidence FILE_HASH").waitFor();
    await page.go("/runs?new=file_fingerprint", "");
    await again();
    await page.getByText("The result of an earlier run with the same key was returned.").waitFor();
    await page.getByText("Evidence FILE_HASH").waitFor();
    await tabTo(page, "Run again", "link");
    await page.keyboard.press("Enter");
    const input = page.getByRole("combobox", { name: "input" });
    await expect.poll(() => input.inputValue()).toBe("hello.liquid");
    await page.getByText("It would return the result of an earlier run at once.").waitFor();
    await input.fill("none.md");
    await tabTo(page, /^Run$/, "button");
    await page.keyboard.press("Enter");
    await page.getByText("There is no file none.md.").waitFor();
  });

  it("shows what another process runs, and that its log comes later", async () => {
    const { start } = await import("../cli/typed-skills.ts");
    const { child, closed } = start(
      folder,
      ["run", "counts", "--param", "lines=900", "--param", "pause=50"],
      { KNACK_TRUST: "all" },
    );
    try {
      await using page = await open("/runs?status=RUNNING");
      await rows(page).getByText("counts").click({ timeout: 20_000 });
      await page.getByText("Another process executes this run.").waitFor();
      expect(await page.getByRole("button", { name: "Cancel" }).count()).toBe(0);
    } finally {
      child.kill("SIGINT");
      await closed;
    }
  });
});

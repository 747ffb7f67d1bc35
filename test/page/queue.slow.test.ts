import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { Server } from "../http/server.ts";
import { Team } from "../queue/team.ts";
import { expectNothingCut, lookAt, NARROW, openTab, type Tab, visitLive, WIDE } from "./browser.ts";
import { makeQueueScene, type QueueScene, queueMachine } from "./queue-scene.ts";

const MARKUP = `<img src=x onerror="document.title='broken'"><script>alert(1)</script>${"W".repeat(300)}`;

const team = await Team.start();
const machine = queueMachine(team);
const server = await Server.start(machine.folder);
let scene: QueueScene;

afterAll(async () => {
  await server.end();
  await scene?.[Symbol.asyncDispose]();
  await team[Symbol.asyncDispose]();
});

const open = (path: string): Promise<Tab> => visitLive(server, path);

const row = (page: Page, section: string | RegExp, text: string | RegExp) =>
  page.getByRole("list", { name: section }).getByRole("listitem").filter({ hasText: text });
const status = (page: Page, text: string) => page.getByRole("status").filter({ hasText: text }).first();

describe("a queue with nothing in it", () => {
  it("says how to queue a run and how to start a worker", async () => {
    await lookAt({
      server,
      path: "/queue",
      name: "queue-empty",
      ready: async (page) => {
        await page.getByText("Nothing is queued, and no worker is running.").waitFor();
        await page.getByText("knack worker", { exact: true }).waitFor();
        await page.getByText("knack run file_fingerprint README.md --queue").waitFor();
      },
    });
  });
});

describe("the queue", () => {
  beforeAll(async () => {
    scene = await makeQueueScene(team, machine);
  });

  it("looks right in both widths and colours", async () => {
    await using tab = await open("/queue");
    const ready = async (page: Page) => {
      await row(page, /^Running/, "says").waitFor();
      await page.locator(".plot canvas").waitFor();
    };
    for (const [name, id] of [
      ["queue-dead", scene.ids.dead],
      ["queue-waiting", scene.ids.waiting],
    ] as const)
      await lookAt({ server, tab, path: `/queue/${id}`, name, ready });
  });

  it("shows what waits and why, what runs where, what is dead, what ended, the workers and the throughput", async () => {
    await using page = await open("/queue");
    await row(page, /^Waiting/, "report/figures")
      .getByText("No worker with the tag gpu.")
      .waitFor();
    await row(page, /^Running/, "says")
      .getByText(/^On .+, process \d+$/)
      .waitFor();
    await row(page, /^Dead letters/, "fails")
      .getByText("E_NO: It always fails.")
      .waitFor();
    await row(page, /^Ended last/, "on_gpu")
      .getByText("Cancelled")
      .waitFor();
    await row(page, /^Ended last/, "says")
      .first()
      .getByText("Succeeded")
      .waitFor();
    const worker = page.getByRole("list", { name: /^Workers/ }).getByRole("listitem");
    await worker.getByText("1 of 2 at once").waitFor();
    await worker.getByText(`process ${scene.worker.child.pid}`).waitFor();
    await worker.getByText("eu", { exact: true }).waitFor();
    await worker.getByText(/^Takes \d+ skills$/).click();
    await worker.getByText(/fails, .*file_fingerprint, .*says/).waitFor();
    const plot = page.getByRole("figure", { name: "Runs that ended, per minute" });
    await plot.getByText("Show as a table").click();
    expect(await plot.getByRole("row").count()).toBe(61);
  });

  it("leads from a run to its run page, task and plan, by a link that stays valid", async () => {
    await using page = await open(`/queue/${scene.ids.waiting}`);
    await expect.poll(() => page.title()).toBe("on_gpu · Queue · Knack");
    await page.getByRole("link", { name: "figures of report" }).click();
    await page.getByRole("heading", { name: "The report" }).waitFor();
    await page.getByText("No worker with the tag gpu.").waitFor();
    await page.getByRole("link", { name: "Waits in the queue." }).click();
    await row(page, /^Waiting/, "report/figures")
      .getByText("Queued by")
      .waitFor();
    await page.goto(`${server.url}/queue/${scene.ids.dead}`);
    await page.getByRole("link", { name: "Open the run" }).click();
    await page.getByText("It always fails.").first().waitFor();
    await page.goto(`${server.url}/queue/none`);
    await page.getByText(/There is no queued run/).waitFor();
  });

  it("shows a run go from waiting to done, live", async () => {
    await using page = await open("/queue");
    await row(page, /^Running/, "says").waitFor();
    scene.worker.child.kill("SIGSTOP");
    const id = await machine.enqueue("says", "--param", "text=live", "--param", "ms=3000");
    const link = page.locator(`[data-queued="${id}"]`);
    await link.filter({ hasText: "Waiting" }).waitFor();
    scene.worker.child.kill("SIGCONT");
    await link.filter({ hasText: "Running" }).waitFor();
    await link.filter({ hasText: "Succeeded" }).waitFor();
  });
});

describe("what a person does", () => {
  it("sends a dead run again with the mouse, and all of them", async () => {
    await using page = await open("/queue");
    await page.getByRole("button", { name: /^Send again: fails/ }).click();
    await status(page, "fails was sent again.").waitFor();
    await page.getByRole("list", { name: /^Dead letters/ }).waitFor({ state: "detached" });
    // Three tries later it is dead again.
    await row(page, /^Dead letters/, "fails").waitFor();
    await page.getByRole("button", { name: "Send all again" }).click();
    await status(page, "1 run sent again.").waitFor();
    await row(page, /^Dead letters/, "fails").waitFor();
  });

  it("cancels a waiting and a running run with the keyboard; the focus stays on the run", async () => {
    const id = await machine.enqueue("on_gpu", "--param", "text=unwanted");
    const long = await machine.enqueue("says", "--param", "ms=600001");
    await using page = await open("/queue");
    const focused = () => page.evaluate(() => document.activeElement?.getAttribute("data-queued"));
    const goTo = async (wanted: string): Promise<void> => {
      await page.locator(`[data-queued="${wanted}"]`).waitFor();
      await page.keyboard.press("k");
      for (let step = 0; step < 40 && (await focused()) !== wanted; step++) await page.keyboard.press("j");
      expect(await focused()).toBe(wanted);
    };
    await goTo(id);
    await page.keyboard.press("x");
    await status(page, "on_gpu was cancelled.").waitFor();
    await page.locator(`[data-queued="${id}"]`).filter({ hasText: "Cancelled" }).waitFor();
    await expect.poll(focused).toBe(id);
    await page.locator(`[data-queued="${long}"]`).filter({ hasText: "Running" }).waitFor();
    await page.evaluate(() => (document.activeElement as HTMLElement).blur());
    await goTo(long);
    await page.keyboard.press("Tab");
    await page.keyboard.press("Enter");
    const dialog = page.getByRole("dialog", { name: "Cancel says" });
    await dialog.getByRole("button", { name: "Keep it running" }).waitFor();
    await page.looksRight("queue-cancel");
    await page.keyboard.press("Escape");
    await dialog.waitFor({ state: "detached" });
    await goTo(long);
    await page.keyboard.press("x");
    await dialog.getByRole("button", { name: "Cancel the run" }).focus();
    await page.keyboard.press("Enter");
    await page.locator(`[data-queued="${long}"]`).filter({ hasText: "Cancelled" }).waitFor();
    await page.keyboard.press("?");
    await page.getByRole("dialog").getByText("Cancel the run in focus").waitFor();
  });

  it("is refused to a reader: the buttons say why, and do nothing", async () => {
    const added = await machine.knack(["token", "add", "rita", "--role", "reader"]);
    await using page = await openTab(server.url);
    await page.go("/queue", added.stdout.trim());
    for (const name of [/^Send again/, /^Cancel says/, "Send all again"]) {
      const button = page.getByRole("button", { name }).first();
      await button.waitFor();
      await expect.poll(() => button.getAttribute("title")).toBe("Needs the role runner; you are a reader.");
      expect(await button.getAttribute("aria-disabled")).toBe("true");
      // By the keyboard: a click of Playwright waits until a button is enabled.
      await button.focus();
      await page.keyboard.press("Enter");
    }
    expect(await page.getByRole("dialog").count()).toBe(0);
    await page.looksRight("queue-reader");
    expect((await machine.queue()).counts).toMatchObject({ dead: 1, running: 1 });
  });
});

describe("hostile words", () => {
  it("of an error, a skill, a task and a worker are shown as words", async () => {
    const id = scene.ids.cancelled;
    {
      await using db = await team.db();
      await db.run(
        `UPDATE queued_runs SET state = 'DEAD', error_code = 'E', error_message = ?, skill_name = ?, queued_by = ?,
           plan_id = ?, task_id = ? WHERE queue_id = ?`,
        [MARKUP, MARKUP, MARKUP, MARKUP, "../x", id],
      );
      await db.run("UPDATE workers SET host = ?", [MARKUP]);
    }
    await using page = await open(`/queue/${id}`);
    for (const viewport of [WIDE, NARROW]) {
      await page.setViewportSize(viewport);
      await page.getByText(`E: ${MARKUP}`).waitFor();
      expect(await page.locator("main img, main script").count()).toBe(0);
      await expectNothingCut(page);
    }
  });
});

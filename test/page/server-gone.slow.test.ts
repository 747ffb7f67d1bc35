import type { Page } from "playwright-core";
import { afterAll, describe, expect, it } from "vitest";
import { knack } from "../cli/run.ts";
import { lastingPort, Server } from "../http/server.ts";
import { live, openTab, type Tab, visitLive } from "./browser.ts";
import { pageProject } from "./project.ts";

const PATHS = [
  "/",
  "/skills",
  "/skills/page-guide",
  "/graph?focus=page-guide",
  "/try?q=review",
  "/runs",
  "/plans",
  "/queue",
  "/audit",
  "/connect",
];

const folder = pageProject();
folder.write({ "repo/a.md": "# A\n" });
knack(folder, ["run", "file_fingerprint", "a.md"], { env: { KNACK_TRUST: "all" } });

const args = await lastingPort();
const start = (letter: string): Promise<Server> =>
  Server.start(folder, { args, env: { KNACK_TRUST: "all", KNACK_TOKEN: letter.repeat(43) } });
/** Each test finds it running, and leaves one that runs on the same port. */
let server = await start("a");
afterAll(async () => {
  await server.end();
  folder[Symbol.dispose]();
});

const mainText = (page: Page): Promise<string> => page.locator("main").innerText();

async function open(path: string, from = server): Promise<Tab> {
  const page = await visitLive(from, path);
  await page.locator("main h1").first().waitFor();
  return page;
}

describe("the server is killed under open pages", () => {
  it("each keeps what it shows, says that the server is gone, and returns by itself", async () => {
    const tabs = await Promise.all(
      PATHS.map(async (path) => {
        const page = await open(path);
        await page.settled();
        return { path, page, before: (await mainText(page)).length };
      }),
    );
    await server.end("SIGKILL");
    for (const { path, page, before } of tabs) {
      await page.getByText(/Gone since \d\d:\d\d/).waitFor();
      await page.getByText("this page returns by itself").waitFor();
      const text = await mainText(page);
      expect(text.length, `${path} keeps its data`).toBeGreaterThan(before * 0.8);
      expect(await page.locator(".is-stale").count(), `${path} says its data are old`).toBeGreaterThan(0);
    }
    // The page itself cannot be loaded now, but everything that is open still works.
    const skills = tabs.find(({ path }) => path === "/skills")?.page;
    await skills?.getByRole("searchbox", { name: "Search skills" }).fill("review");
    await skills
      ?.getByText(/does not answer/)
      .first()
      .waitFor();

    // A page that is opened meanwhile says so, and is loaded when the server is back.
    const elsewhere = tabs.find(({ path }) => path === "/connect")?.page;
    await elsewhere?.getByRole("link", { name: "Audit", exact: true }).click();
    await elsewhere?.getByRole("button", { name: "Try again" }).waitFor();

    server = await start("a");
    for (const { path, page } of tabs) {
      await live(page).waitFor();
      await expect.poll(() => page.locator(".is-stale").count(), { timeout: 10_000, message: path }).toBe(0);
      expect(page.faults(), path).toEqual([]);
    }
    await elsewhere?.getByRole("heading", { level: 1, name: "Audit" }).waitFor();
    for (const { page } of tabs) await page[Symbol.asyncDispose]();
  });

  it("another token after the restart: the page says so, and takes the new link", async () => {
    await using page = await open("/skills");
    await server.end("SIGKILL");
    await page.getByText(/Gone since/).waitFor();
    server = await start("b");
    await page.getByRole("heading", { name: "The server does not accept this token" }).waitFor();
    await page.go("/skills", server.token);
    await live(page).waitFor();
  });
});

describe("two tabs", () => {
  it("see each other's changes, and one that loses its server leaves the other alone", async () => {
    await using other = await Server.start(folder);
    await using first = await open("/skills?q=page-guide");
    await using second = await open("/skills?state=disabled");
    await using third = await open("/skills?state=disabled", other);
    await first.getByRole("grid").focus();
    await first.keyboard.press("Home");
    await first.keyboard.press(" ");
    for (const page of [second, third])
      await page.getByRole("row").filter({ hasText: "page-guide" }).waitFor();
    await other.end("SIGKILL");
    await third.getByText(/Gone since/).waitFor();
    expect(await live(second).count()).toBe(1);
    await first.getByRole("button", { name: "Undo" }).click();
    await expect.poll(() => second.getByRole("row").filter({ hasText: "page-guide" }).count()).toBe(0);
    expect([...first.faults(), ...second.faults(), ...third.faults()]).toEqual([]);
  });
});

describe("a wrong token", () => {
  it("shows nothing of the machine, asks no more, and the right link works in the same tab", async () => {
    await using page = await openTab(server.url);
    await page.clock.install();
    const asked: string[] = [];
    page.on("request", (request) => asked.push(request.url()));
    await page.go("/skills", "wrong".repeat(9));
    await page.getByRole("heading", { name: "The server does not accept this token" }).waitFor();
    expect(await page.evaluate(() => JSON.stringify({ ...sessionStorage, ...localStorage }))).not.toContain(
      "wrong",
    );
    expect(await page.locator("body").innerText()).not.toContain(folder.path);
    asked.length = 0;
    await page.clock.runFor("10:00");
    await page.settled();
    expect(asked).toEqual([]);
    await page.evaluate((token) => {
      location.hash = `token=${token}`;
    }, server.token);
    await live(page).waitFor();
    expect(page.url()).toBe(`${server.url}/skills`);
    // No other test gets this tab: its clock is not the real one.
    await page.context().close();
  });
});

import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Folder } from "../../packages/core/src/testing/files.ts";
import { knack } from "../cli/run.ts";
import { lastingPort, Server } from "../http/server.ts";
import { live, Tab } from "./browser.ts";
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

let folder: Folder;

beforeAll(async () => {
  folder = pageProject();
  folder.write({ "repo/a.md": "# A\n" });
  knack(folder, ["run", "file_fingerprint", "a.md"], { env: { KNACK_TRUST: "all" } });
});
afterAll(async () => {
  folder?.[Symbol.dispose]();
});

const mainText = (page: Page): Promise<string> => page.locator("main").innerText();

async function open(server: Server, path: string): Promise<Tab> {
  const tab = await Tab.open(server.url);
  tab.page.setDefaultTimeout(15_000);
  await tab.go(path, server.token);
  await live(tab.page).waitFor();
  await tab.page.locator("main h1").first().waitFor();
  return tab;
}

describe("the server is killed under open pages", () => {
  it("each keeps what it shows, says that the server is gone, and returns by itself", async () => {
    const first = await Server.start(folder, { args: await lastingPort() });
    const tabs = await Promise.all(
      PATHS.map(async (path) => {
        const tab = await open(first, path);
        await tab.settled();
        return { path, tab, before: (await mainText(tab.page)).length };
      }),
    );
    await first.end("SIGKILL");
    for (const { path, tab, before } of tabs) {
      await tab.page.getByText(/Gone since \d\d:\d\d/).waitFor();
      const text = await mainText(tab.page);
      expect(text.length, `${path} keeps its data`).toBeGreaterThan(before * 0.8);
      expect(await tab.page.locator(".is-stale").count(), `${path} says its data are old`).toBeGreaterThan(0);
    }
    // The page itself cannot be loaded now, but everything that is open still works.
    const skills = tabs.find(({ path }) => path === "/skills")?.tab.page;
    await skills?.getByRole("searchbox", { name: "Search skills" }).fill("review");
    await skills
      ?.getByText(/does not answer/)
      .first()
      .waitFor();

    await using _second = await Server.start(folder, { args: ["--port", String(first.port)] });
    for (const { path, tab } of tabs) {
      await live(tab.page).waitFor();
      await expect
        .poll(() => tab.page.locator(".is-stale").count(), { timeout: 10_000, message: path })
        .toBe(0);
      expect(tab.faults(), path).toEqual([]);
      await tab[Symbol.asyncDispose]();
    }
  });

  it("a page that is opened meanwhile by a click says so, and loads when the server is back", async () => {
    const first = await Server.start(folder, { args: await lastingPort() });
    await using tab = await open(first, "/connect");
    await first.end("SIGKILL");
    await tab.page.getByText(/Gone since/).waitFor();
    await tab.page.getByRole("link", { name: "Audit", exact: true }).click();
    await tab.page.getByRole("button", { name: "Try again" }).waitFor();
    await using _second = await Server.start(folder, { args: ["--port", String(first.port)] });
    await live(tab.page).waitFor();
    await tab.page.getByRole("heading", { level: 1, name: "Audit" }).waitFor();
  });

  it("another token after the restart: the page says so, and takes the new link", async () => {
    const first = await Server.start(folder, {
      args: await lastingPort(),
      env: { KNACK_TRUST: "all", KNACK_TOKEN: "a".repeat(43) },
    });
    await using tab = await open(first, "/skills");
    await first.end("SIGKILL");
    await tab.page.getByText(/Gone since/).waitFor();
    await using second = await Server.start(folder, {
      args: ["--port", String(first.port)],
      env: { KNACK_TRUST: "all", KNACK_TOKEN: "b".repeat(43) },
    });
    await tab.page.getByRole("heading", { name: "The server does not accept this token" }).waitFor();
    await tab.go("/skills", second.token);
    await live(tab.page).waitFor();
  });
});

describe("two tabs", () => {
  it("see each other's changes, and one that loses its server leaves the other alone", async () => {
    await using one = await Server.start(folder);
    await using other = await Server.start(folder);
    await using first = await open(one, "/skills?q=page-guide");
    await using second = await open(one, "/skills?state=disabled");
    await using third = await open(other, "/skills?state=disabled");
    await first.page.getByRole("grid").focus();
    await first.page.keyboard.press("Home");
    await first.page.keyboard.press(" ");
    for (const { page } of [second, third])
      await page.getByRole("row").filter({ hasText: "page-guide" }).waitFor();
    await other.end("SIGKILL");
    await third.page.getByText(/Gone since/).waitFor();
    expect(await live(second.page).count()).toBe(1);
    await first.page.getByRole("button", { name: "Undo" }).click();
    await expect.poll(() => second.page.getByRole("row").filter({ hasText: "page-guide" }).count()).toBe(0);
    expect([...first.faults(), ...second.faults(), ...third.faults()]).toEqual([]);
  });
});

describe("a wrong token", () => {
  it("shows nothing of the machine, asks no more, and the right link works in the same tab", async () => {
    await using server = await Server.start(folder);
    await using tab = await Tab.open(server.url);
    const asked: string[] = [];
    tab.page.on("request", (request) => asked.push(request.url()));
    await tab.go("/skills", "wrong".repeat(9));
    await tab.page.getByRole("heading", { name: "The server does not accept this token" }).waitFor();
    expect(
      await tab.page.evaluate(() => JSON.stringify({ ...sessionStorage, ...localStorage })),
    ).not.toContain("wrong");
    expect(await tab.page.locator("body").innerText()).not.toContain(folder.path);
    asked.length = 0;
    await tab.page.waitForTimeout(3_000);
    expect(asked).toEqual([]);
    await tab.page.evaluate((token) => {
      location.hash = `token=${token}`;
    }, server.token);
    await live(tab.page).waitFor();
    expect(tab.page.url()).toBe(`${server.url}/skills`);
  });
});

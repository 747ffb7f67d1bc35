import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Folder } from "../../packages/core/src/testing/files.ts";
import { knack } from "../cli/run.ts";
import { lastingPort, Server } from "../http/server.ts";
import { live, openTab, type Tab } from "./browser.ts";
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
  const page = await openTab(server.url);
  page.setDefaultTimeout(15_000);
  await page.go(path, server.token);
  await live(page).waitFor();
  await page.locator("main h1").first().waitFor();
  return page;
}

describe("the server is killed under open pages", () => {
  it("each keeps what it shows, says that the server is gone, and returns by itself", async () => {
    const first = await Server.start(folder, { args: await lastingPort() });
    const tabs = await Promise.all(
      PATHS.map(async (path) => {
        const page = await open(first, path);
        await page.settled();
        return { path, page, before: (await mainText(page)).length };
      }),
    );
    await first.end("SIGKILL");
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

    await using _second = await Server.start(folder, { args: ["--port", String(first.port)] });
    for (const { path, page } of tabs) {
      await live(page).waitFor();
      await expect.poll(() => page.locator(".is-stale").count(), { timeout: 10_000, message: path }).toBe(0);
      expect(page.faults(), path).toEqual([]);
      await page[Symbol.asyncDispose]();
    }
  });

  it("a page that is opened meanwhile by a click says so, and loads when the server is back", async () => {
    const first = await Server.start(folder, { args: await lastingPort() });
    await using page = await open(first, "/connect");
    await first.end("SIGKILL");
    await page.getByText(/Gone since/).waitFor();
    await page.getByRole("link", { name: "Audit", exact: true }).click();
    await page.getByRole("button", { name: "Try again" }).waitFor();
    await using _second = await Server.start(folder, { args: ["--port", String(first.port)] });
    await live(page).waitFor();
    await page.getByRole("heading", { level: 1, name: "Audit" }).waitFor();
  });

  it("another token after the restart: the page says so, and takes the new link", async () => {
    const first = await Server.start(folder, {
      args: await lastingPort(),
      env: { KNACK_TRUST: "all", KNACK_TOKEN: "a".repeat(43) },
    });
    await using page = await open(first, "/skills");
    await first.end("SIGKILL");
    await page.getByText(/Gone since/).waitFor();
    await using second = await Server.start(folder, {
      args: ["--port", String(first.port)],
      env: { KNACK_TRUST: "all", KNACK_TOKEN: "b".repeat(43) },
    });
    await page.getByRole("heading", { name: "The server does not accept this token" }).waitFor();
    await page.go("/skills", second.token);
    await live(page).waitFor();
  });
});

describe("two tabs", () => {
  it("see each other's changes, and one that loses its server leaves the other alone", async () => {
    await using one = await Server.start(folder);
    await using other = await Server.start(folder);
    await using first = await open(one, "/skills?q=page-guide");
    await using second = await open(one, "/skills?state=disabled");
    await using third = await open(other, "/skills?state=disabled");
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
    await using server = await Server.start(folder);
    await using page = await openTab(server.url);
    const asked: string[] = [];
    page.on("request", (request) => asked.push(request.url()));
    await page.go("/skills", "wrong".repeat(9));
    await page.getByRole("heading", { name: "The server does not accept this token" }).waitFor();
    expect(await page.evaluate(() => JSON.stringify({ ...sessionStorage, ...localStorage }))).not.toContain(
      "wrong",
    );
    expect(await page.locator("body").innerText()).not.toContain(folder.path);
    asked.length = 0;
    await page.waitForTimeout(3_000);
    expect(asked).toEqual([]);
    await page.evaluate((token) => {
      location.hash = `token=${token}`;
    }, server.token);
    await live(page).waitFor();
    expect(page.url()).toBe(`${server.url}/skills`);
  });
});

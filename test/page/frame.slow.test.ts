import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import type { Page } from "playwright-core";
import { beforeAll, describe, expect, it } from "vitest";
import type { Folder } from "../../packages/core/src/testing/files.ts";
import { Server } from "../http/server.ts";
import { endAll, lookAt, NARROW, openBrowser, Tab } from "./browser.ts";
import { pageProject } from "./project.ts";

let folder: Folder;
let server: Server;

beforeAll(async () => {
  folder = pageProject();
  server = await Server.start(folder);
  return () => endAll(server, folder);
});

const heading = (page: Page, name: string) => page.getByRole("heading", { level: 1, name });

const open = (path: string, options: Parameters<typeof Tab.open>[1] = {}): Promise<Tab> =>
  Tab.visitLive(server, path, options);

describe("a page elsewhere", () => {
  it("that opens this one is cut off from it", async () => {
    const elsewhere = createServer((_request, response) => {
      response.setHeader("Content-Type", "text/html");
      response.end("<!doctype html><title>Elsewhere</title><button>Open</button>");
    }).listen(0, "127.0.0.1");
    await once(elsewhere, "listening");
    const context = await (await openBrowser()).newContext();
    try {
      const page = await context.newPage();
      // Another host than the server's, so another site.
      await page.goto(`http://localhost:${(elsewhere.address() as AddressInfo).port}/`);
      const opened = context.waitForEvent("page");
      await page.evaluate((url) => Object.assign(globalThis, { other: open(url) }), server.url);
      await heading(await opened, "This page needs its link").waitFor();
      const isClosed = () => page.evaluate(() => (globalThis as unknown as { other: Window }).other.closed);
      await expect.poll(isClosed).toBe(true);
    } finally {
      await context.close();
      elsewhere.close();
    }
  });
});

describe("the frame", () => {
  it("looks right in both widths and colours", async () => {
    await lookAt({
      server,
      path: "/connect",
      name: "frame",
      ready: (page) => page.getByText("Trusted").waitFor(),
    });
  });

  it("goes to every page by keyboard, and the focus goes along", async () => {
    await using tab = await open("/");
    for (const [key, name] of [
      ["s", "Skills"],
      ["g", "Graph"],
      ["t", "Try"],
      ["r", "Runs"],
      ["p", "Plans"],
      ["q", "Queue"],
      ["a", "Audit"],
      ["c", "Connect"],
      ["h", "Home"],
    ] as const) {
      await tab.page.keyboard.press("g");
      await tab.page.keyboard.press(key);
      await heading(tab.page, name).waitFor();
      await expect
        .poll(() =>
          tab.page.evaluate(() => document.getElementById("main")?.contains(document.activeElement)),
        )
        .toBe(true);
      await tab.page.evaluate(() => (document.activeElement as HTMLElement).blur());
    }
    expect(tab.faults()).toEqual([]);
  });

  it("has a way past the rail for the Tab key", async () => {
    await using tab = await open("/connect");
    await tab.page.evaluate(() => (document.activeElement as HTMLElement).blur());
    await tab.page.keyboard.press("Tab");
    expect(await tab.page.evaluate(() => document.activeElement?.textContent)).toBe("Skip to the page");
    await tab.page.keyboard.press("Enter");
    expect(await tab.page.evaluate(() => document.activeElement?.id)).toBe("main");
  });

  it("switches between light and dark, and keeps the choice", async () => {
    await using tab = await open("/connect", { colorScheme: "light" });
    const color = () => tab.page.evaluate(() => getComputedStyle(document.body).backgroundColor);
    const light = await color();
    await tab.page.getByRole("button", { name: /^Colours/ }).click();
    await tab.page.getByRole("button", { name: /^Colours: light/ }).click();
    await expect.poll(color).not.toBe(light);
    await tab.page.reload();
    await tab.page.getByRole("button", { name: /^Colours: dark/ }).waitFor();
    expect(await color()).not.toBe(light);
  });

  it("folds its rail, and is a bar at the bottom of a narrow screen", async () => {
    await using tab = await open("/connect");
    await tab.page.getByRole("button", { name: "Collapse" }).click();
    await expect
      .poll(async () => (await tab.page.getByRole("navigation").boundingBox())?.width)
      .toBeLessThan(80);
    await tab.page.setViewportSize(NARROW);
    const box = await tab.page.getByRole("navigation").boundingBox();
    expect(box?.width).toBe(NARROW.width);
    expect((box?.y ?? 0) + (box?.height ?? 0)).toBeCloseTo(NARROW.height, 0);
    // The bar has colours of its own.
    expect(await tab.accessibilityFindings({ runOnly: ["color-contrast"] })).toEqual([]);
  });
});

describe("the palette and the help sheet", () => {
  it("opens a page by mouse, and Escape gives the focus back", async () => {
    await using tab = await open("/connect");
    await tab.page.getByRole("button", { name: "Search skills and pages" }).click();
    await tab.page.getByRole("option", { name: /^Runs/ }).click();
    await heading(tab.page, "Runs").waitFor();
    await tab.page.getByRole("button", { name: "Search skills and pages" }).focus();
    await tab.page.keyboard.press("Enter");
    await tab.page.keyboard.press("Escape");
    await expect
      .poll(() => tab.page.evaluate(() => document.activeElement?.getAttribute("aria-label")))
      .toBe("Search skills and pages");
  });

  it("lists the keys that work", async () => {
    await using tab = await open("/connect");
    await tab.page.keyboard.press("?");
    await tab.page.getByRole("dialog").getByText("Go to Skills").waitFor();
    expect(await tab.accessibilityFindings()).toEqual([]);
    await tab.picture("keys");
    await tab.page.keyboard.press("Escape");
    await expect.poll(() => tab.page.getByRole("dialog").count()).toBe(0);
  });
});

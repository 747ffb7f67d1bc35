import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import { Server } from "../http/server.ts";
import { NARROW, openBrowser, type openTab, type Tab, visitLive } from "./browser.ts";
import { pageProject } from "./project.ts";

const server = await Server.forFile(pageProject());

const heading = (page: Page, name: string) => page.getByRole("heading", { level: 1, name });

const open = (path: string, options: Parameters<typeof openTab>[1] = {}): Promise<Tab> =>
  visitLive(server, path, options);

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
  it("goes to every page by keyboard, and the focus goes along", async () => {
    await using page = await open("/");
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
      await page.keyboard.press("g");
      await page.keyboard.press(key);
      await heading(page, name).waitFor();
      await expect
        .poll(() => page.evaluate(() => document.getElementById("main")?.contains(document.activeElement)))
        .toBe(true);
      await page.evaluate(() => (document.activeElement as HTMLElement).blur());
    }
  });

  it("has a way past the rail for the Tab key", async () => {
    await using page = await open("/connect");
    await page.evaluate(() => (document.activeElement as HTMLElement).blur());
    await page.keyboard.press("Tab");
    expect(await page.evaluate(() => document.activeElement?.textContent)).toBe("Skip to the page");
    await page.keyboard.press("Enter");
    expect(await page.evaluate(() => document.activeElement?.id)).toBe("main");
  });

  it("switches between light and dark, and keeps the choice", async () => {
    await using page = await open("/connect", { colorScheme: "light" });
    const color = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
    const light = await color();
    await page.getByRole("button", { name: /^Colours/ }).click();
    await page.getByRole("button", { name: /^Colours: light/ }).click();
    await expect.poll(color).not.toBe(light);
    await page.reload();
    await page.getByRole("button", { name: /^Colours: dark/ }).waitFor();
    expect(await color()).not.toBe(light);
  });

  it("folds its rail, and is a bar at the bottom of a narrow screen", async () => {
    await using page = await open("/connect");
    await page.getByRole("button", { name: "Collapse" }).click();
    await expect.poll(async () => (await page.getByRole("navigation").boundingBox())?.width).toBeLessThan(80);
    await page.setViewportSize(NARROW);
    const box = await page.getByRole("navigation").boundingBox();
    expect(box?.width).toBe(NARROW.width);
    expect((box?.y ?? 0) + (box?.height ?? 0)).toBeCloseTo(NARROW.height, 0);
    // The bar has colours of its own.
    await page.looksRight("frame-bar", { runOnly: ["color-contrast"] });
  });
});

describe("the palette and the help sheet", () => {
  it("opens a page by mouse, and Escape gives the focus back", async () => {
    await using page = await open("/connect");
    await page.getByRole("button", { name: "Search skills and pages" }).click();
    await page.getByRole("option", { name: /^Runs/ }).click();
    await heading(page, "Runs").waitFor();
    await page.getByRole("button", { name: "Search skills and pages" }).focus();
    await page.keyboard.press("Enter");
    await page.keyboard.press("Escape");
    await expect
      .poll(() => page.evaluate(() => document.activeElement?.getAttribute("aria-label")))
      .toBe("Search skills and pages");
  });

  it("lists the keys that work", async () => {
    await using page = await open("/connect");
    await page.keyboard.press("?");
    await page.getByRole("dialog").getByText("Go to Skills").waitFor();
    await page.looksRight("keys");
    await page.keyboard.press("Escape");
    await expect.poll(() => page.getByRole("dialog").count()).toBe(0);
  });
});

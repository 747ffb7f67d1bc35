import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Folder } from "../../packages/core/src/testing/files.ts";
import { lastingPort, Server } from "../http/server.ts";
import { lookAt, NARROW, openBrowser, Tab } from "./browser.ts";
import { pageProject } from "./project.ts";

let folder: Folder;
let server: Server;
let browser: Browser;

beforeAll(async () => {
  folder = pageProject();
  server = await Server.start(folder);
  browser = await openBrowser();
});
afterAll(async () => {
  await browser?.close();
  await server?.end();
  folder?.[Symbol.dispose]();
});

const heading = (page: Page, name: string) => page.getByRole("heading", { level: 1, name });

async function open(path = "/skills", options: Parameters<typeof Tab.open>[2] = {}): Promise<Tab> {
  const tab = await Tab.open(browser, server.url, options);
  await tab.go(path, server.token);
  await tab.page.getByText("Live", { exact: true }).waitFor();
  return tab;
}

describe("the token", () => {
  it("leaves the address at once, and a reload still works", async () => {
    await using tab = await open("/skills?q=review");
    expect(tab.page.url()).toBe(`${server.url}/skills?q=review`);
    await tab.page.reload();
    await tab.page.getByText("Live", { exact: true }).waitFor();
    expect(tab.faults()).toEqual([]);
  });

  it("is in no storage that outlives the tab", async () => {
    await using tab = await open();
    const kept = await tab.page.evaluate(() => JSON.stringify({ ...localStorage }) + document.cookie);
    expect(kept).not.toContain(server.token);
    const second = await tab.page.context().newPage();
    await second.goto(server.url);
    await second.getByText("This page needs its link").waitFor();
  });

  it("is missing: the page says how to get the link, and asks the server nothing", async () => {
    await using tab = await Tab.open(browser, server.url);
    const asked: string[] = [];
    tab.page.on("request", (request) => asked.push(new URL(request.url()).pathname));
    await tab.go("/skills", "");
    await heading(tab.page, "This page needs its link").waitFor();
    await tab.page.getByText("knack open").waitFor();
    expect(asked.filter((path) => path.startsWith("/api"))).toEqual([]);
    expect(await tab.accessibilityFindings()).toEqual([]);
    expect(tab.faults()).toEqual([]);
  });

  it("is wrong: the page says so, and takes the right one", async () => {
    await using tab = await Tab.open(browser, server.url);
    await tab.go("/", "wrong");
    await heading(tab.page, "The server does not accept this token").waitFor();
    await tab.go("/", server.token);
    await heading(tab.page, "Home").waitFor();
  });
});

describe("a page elsewhere", () => {
  it("that opens this one is cut off from it", async () => {
    const elsewhere = createServer((_request, response) => {
      response.setHeader("Content-Type", "text/html");
      response.end("<!doctype html><title>Elsewhere</title><button>Open</button>");
    }).listen(0, "127.0.0.1");
    await once(elsewhere, "listening");
    const context = await browser.newContext();
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
      browser,
      server,
      path: "/connect",
      name: "frame",
      ready: (page) => page.getByText("Trusted").waitFor(),
    });
  });

  it("goes to every page by mouse, with its title and address, and back", async () => {
    await using tab = await open("/");
    for (const name of ["Skills", "Graph", "Try", "Runs", "Plans", "Queue", "Audit", "Connect", "Home"]) {
      await tab.page.getByRole("navigation").getByRole("link", { name, exact: true }).click();
      await heading(tab.page, name).waitFor();
      await expect.poll(() => tab.page.title()).toBe(`${name} · Knack`);
    }
    await tab.page.goBack();
    await heading(tab.page, "Connect").waitFor();
    expect(new URL(tab.page.url()).pathname).toBe("/connect");
    expect(tab.faults()).toEqual([]);
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
  });
});

describe("the palette and the help sheet", () => {
  it("finds a skill as one types, and opens it with Enter", async () => {
    await using tab = await open("/connect");
    await tab.page.keyboard.press("Control+k");
    await tab.page.getByRole("combobox").pressSequentially("review my changes");
    await tab.page.getByRole("option", { name: /code-review/ }).waitFor();
    expect(await tab.accessibilityFindings()).toEqual([]);
    await tab.picture("palette");
    await tab.page.keyboard.press("Enter");
    await expect.poll(() => tab.page.url()).toContain("/skills/");
    expect(tab.faults()).toEqual([]);
  });

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

describe("the connection", () => {
  it("shows that the server is gone and since when, keeps what is there, and returns by itself", async () => {
    const own = await Server.start(folder, { args: await lastingPort() });
    const { port } = own;
    await using tab = await Tab.open(browser, own.url);
    await tab.go("/connect", own.token);
    await tab.page.getByText("Live", { exact: true }).waitFor();
    await own.end("SIGKILL");
    await tab.page.getByText(/^(?:Reconnecting|Gone since)/).waitFor();
    await expect.poll(() => tab.page.getByText(/Gone since \d\d:\d\d/).count(), { timeout: 15_000 }).toBe(1);
    await tab.page.getByText("Trusted").waitFor();
    await tab.picture("gone");
    await using _again = await Server.start(folder, { args: ["--port", String(port)] });
    await tab.page.getByText("Live", { exact: true }).waitFor();
    expect(tab.faults()).toEqual([]);
  });
});

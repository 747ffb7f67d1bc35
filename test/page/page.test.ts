import type { Page } from "playwright-core";
import { beforeAll, describe, expect, it } from "vitest";
import type { Folder } from "../../packages/core/src/testing/files.ts";
import { Server } from "../http/server.ts";
import { endAll, live, Tab } from "./browser.ts";
import { pageProject } from "./project.ts";

/** What `npm test` looks at: the way in, the way to each page, search, and that a skill's text stays text. */
let folder: Folder;
let server: Server;

beforeAll(async () => {
  folder = pageProject();
  server = await Server.start(folder);
  return () => endAll(server, folder);
});

const heading = (page: Page, name: string) => page.getByRole("heading", { level: 1, name });

const open = (path = "/skills"): Promise<Tab> => Tab.visitLive(server, path);

describe("the token", () => {
  it("leaves the address at once, and a reload still works", async () => {
    await using tab = await open("/skills?q=review");
    expect(tab.page.url()).toBe(`${server.url}/skills?q=review`);
    await tab.page.reload();
    await live(tab.page).waitFor();
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
    await using tab = await Tab.open(server.url);
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
    await using tab = await Tab.open(server.url);
    await tab.go("/", "wrong");
    await heading(tab.page, "The server does not accept this token").waitFor();
    await tab.go("/", server.token);
    await heading(tab.page, "Home").waitFor();
  });
});

describe("the frame", () => {
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
});

describe("the palette", () => {
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
});

describe("the list of skills", () => {
  it("searches as one types, marks what matched, and says why", async () => {
    await using tab = await open("/skills");
    await tab.page.getByRole("searchbox", { name: "Search skills" }).pressSequentially("release notes");
    await expect
      .poll(() => tab.page.locator('.list-row[aria-selected="true"] .skill-name').textContent())
      .toBe("release-notes");
    await tab.page.locator(".list-row mark").first().waitFor();
    await tab.page.locator(".peek").getByText("release, notes").waitFor();
    await expect.poll(() => new URL(tab.page.url()).search).toBe("?q=release+notes");
    expect(tab.faults()).toEqual([]);
  });
});

describe("a skill", () => {
  it("is rendered: no script runs, no picture is requested, code is coloured, what a model reads is beside it", async () => {
    await using tab = await open("/skills/page-guide");
    const text = tab.page.getByRole("region", { name: "Text", exact: true });
    await text.getByRole("heading", { name: "The guide" }).waitFor();
    await text.getByText('<script>alert("from a skill")</script>').waitFor();
    await text.getByText("a picture (https://example.com/a.png)").waitFor();
    await text.locator(".hljs-number", { hasText: "42" }).waitFor();
    expect(await text.getByRole("link", { name: "the site" }).getAttribute("rel")).toBe(
      "noopener noreferrer",
    );
    const model = tab.page.getByRole("region", { name: "What a model reads" });
    expect(await model.locator("code").textContent()).toMatch(/^<skill_context name="page-guide"/);
    expect(await model.textContent()).toMatch(/about [\d,]+ tokens/);
    await tab.page.getByRole("button", { name: "Hide what a model reads" }).click();
    await expect.poll(() => model.count()).toBe(0);
    expect(tab.faults()).toEqual([]);
  });
});

import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import { Server } from "../http/server.ts";
import { live, openTab, type Tab, visitLive } from "./browser.ts";
import { pageProject } from "./project.ts";

/** What `npm test` looks at: the way in, the way to each page, search, and that a skill's text stays text. */
const server = await Server.forFile(pageProject());

const heading = (page: Page, name: string) => page.getByRole("heading", { level: 1, name });

const open = (path = "/skills"): Promise<Tab> => visitLive(server, path);

describe("the token", () => {
  it("leaves the address at once, and a reload still works", async () => {
    await using page = await open("/skills?q=review");
    expect(page.url()).toBe(`${server.url}/skills?q=review`);
    await page.reload();
    await live(page).waitFor();
  });

  it("is in no storage that outlives the tab", async () => {
    await using page = await open();
    const kept = await page.evaluate(() => JSON.stringify({ ...localStorage }) + document.cookie);
    expect(kept).not.toContain(server.token);
    const second = await page.context().newPage();
    await second.goto(server.url);
    await second.getByText("This page needs its link").waitFor();
  });

  it("is missing: the page says how to get the link, and asks the server nothing", async () => {
    await using page = await openTab(server.url);
    const asked: string[] = [];
    page.on("request", (request) => asked.push(new URL(request.url()).pathname));
    await page.go("/skills", "");
    await heading(page, "This page needs its link").waitFor();
    await page.getByText("knack open").waitFor();
    expect(asked.filter((path) => path.startsWith("/api"))).toEqual([]);
    await page.looksRight("no-token");
  });
});

describe("the frame", () => {
  it("goes to every page by mouse, with its title and address, and back", async () => {
    await using page = await open("/");
    for (const name of ["Skills", "Graph", "Try", "Runs", "Plans", "Queue", "Audit", "Connect", "Home"]) {
      await page.getByRole("navigation").getByRole("link", { name, exact: true }).click();
      await heading(page, name).waitFor();
      await expect.poll(() => page.title()).toBe(`${name} · Knack`);
    }
    await page.goBack();
    await heading(page, "Connect").waitFor();
    expect(new URL(page.url()).pathname).toBe("/connect");
  });
});

describe("the palette", () => {
  it("finds a skill as one types, and opens it with Enter", async () => {
    await using page = await open("/connect");
    await page.keyboard.press("Control+k");
    await page.getByRole("combobox").pressSequentially("review my changes");
    await page.getByRole("option", { name: /code-review/ }).waitFor();
    await page.looksRight("palette");
    await page.keyboard.press("Enter");
    await expect.poll(() => page.url()).toContain("/skills/");
  });
});

describe("the list of skills", () => {
  it("searches as one types, marks what matched, and says why", async () => {
    await using page = await open("/skills");
    await page.getByRole("searchbox", { name: "Search skills" }).pressSequentially("release notes");
    await expect
      .poll(() => page.locator('.list-row[aria-selected="true"] .skill-name').textContent())
      .toBe("release-notes");
    await page.locator(".list-row mark").first().waitFor();
    await page.locator(".peek").getByText("release, notes").waitFor();
    await expect.poll(() => new URL(page.url()).search).toBe("?q=release+notes");
  });
});

describe("a skill", () => {
  it("is rendered: no script runs, no picture is requested, code is coloured, what a model reads is beside it", async () => {
    await using page = await open("/skills/page-guide");
    const text = page.getByRole("region", { name: "Text", exact: true });
    await text.getByRole("heading", { name: "The guide" }).waitFor();
    await text.getByText('<script>alert("from a skill")</script>').waitFor();
    await text.getByText("a picture (https://example.com/a.png)").waitFor();
    await text.locator(".hljs-number", { hasText: "42" }).waitFor();
    expect(await text.getByRole("link", { name: "the site" }).getAttribute("rel")).toBe(
      "noopener noreferrer",
    );
    const model = page.getByRole("region", { name: "What a model reads" });
    expect(await model.locator("code").textContent()).toMatch(/^<skill_context name="page-guide"/);
    expect(await model.textContent()).toMatch(/about [\d,]+ tokens/);
    await page.getByRole("button", { name: "Hide what a model reads" }).click();
    await expect.poll(() => model.count()).toBe(0);
  });
});

import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import { Server } from "../http/server.ts";
import { type Tab, visit, visitLive } from "./browser.ts";
import { largeGraph } from "./graph-project.ts";

const server = await Server.forFile(largeGraph(10_000));

const shownRows = (page: Page) => page.locator(".list-row");
/** Rows whose skills have not arrived yet. */
const emptyRows = (page: Page) => page.locator(".list .loading-row");

async function openList(): Promise<Tab> {
  const page = await visit(server, "/skills");
  await shownRows(page).nth(5).waitFor();
  return page;
}

describe("10,000 skills", () => {
  it("load as they come into view, and only those in view are drawn", async () => {
    await using page = await openList();
    const list = page.locator(".list");
    for (const to of [100_000, 300_000, 50_000]) {
      await list.evaluate((element, y) => element.scrollTo(0, y), to);
      await expect.poll(() => emptyRows(page).count()).toBe(0);
      expect(await list.evaluate(({ scrollTop }) => scrollTop)).toBe(to);
    }
    expect(await shownRows(page).count()).toBeLessThan(80);
  });

  it("are where they were when one comes back from a skill", async () => {
    await using page = await openList();
    const list = page.locator(".list");
    await list.evaluate((element) => element.scrollTo(0, 123_456));
    await expect.poll(() => emptyRows(page).count()).toBe(0);
    const row = page.locator(".list-row .skill-name").nth(12);
    const name = (await row.textContent()) ?? "";
    await row.dblclick();
    // The skill's own text has the same heading.
    await page.getByRole("heading", { level: 1, name }).first().waitFor();
    await page.goBack();
    await page.getByText(name, { exact: true }).first().waitFor();
    expect(await list.evaluate(({ scrollTop }) => scrollTop)).toBeCloseTo(123_456, -2);
  });
});

describe("their graph", () => {
  it("is a list, says why, and draws what is around one of them", async () => {
    await using page = await visit(server, "/graph");
    await page.getByText(/skills have edges, too many to draw at once/).waitFor();
    await page.looksRight("graph-10000");
    await page.getByLabel("Find a skill in the graph").fill("skill-00042");
    await page.getByText("Found (1)").waitFor();
    await page.keyboard.press("Enter");
    await page.locator(".node[aria-current]").getByText("skill-00042").waitFor();
  });
});

describe("the first load", () => {
  it.each(["/", "/skills", "/try", "/runs", "/plans", "/queue", "/audit", "/connect"])(
    "sends at most 120 kB for %s",
    async (path) => {
      await using page = await visitLive(server, path);
      await page.locator("main h1").first().waitFor();
      // Parts that come on demand are part of it too.
      await page.settled();
      const bytes = await page.evaluate(() =>
        [...performance.getEntriesByType("navigation"), ...performance.getEntriesByType("resource")]
          .map((entry) => entry as PerformanceResourceTiming)
          .filter(({ name }) => !new URL(name).pathname.startsWith("/api/"))
          .reduce((sum, { encodedBodySize }) => sum + encodedBodySize, 0),
      );
      expect(bytes).toBeLessThanOrEqual(120_000);
    },
  );
});

import type { Page } from "playwright-core";
import { beforeAll, describe, expect, it } from "vitest";
import { type Folder, makeFolder } from "../../packages/core/src/testing/files.ts";
import { Server } from "../http/server.ts";
import { endAll, Tab } from "./browser.ts";
import { manySkills } from "./many-skills.ts";

let folder: Folder;
let server: Server;

beforeAll(async () => {
  folder = makeFolder(manySkills(10_000));
  server = await Server.start(folder);
  return () => endAll(server, folder);
});

const shownRows = (page: Page) => page.locator(".list-row");
/** Rows whose skills have not arrived yet. */
const emptyRows = (page: Page) => page.locator(".skill-wait");

async function openList(): Promise<Tab> {
  const tab = await Tab.visit(server, "/skills");
  await shownRows(tab.page).nth(5).waitFor();
  return tab;
}

describe("10,000 skills", () => {
  it("load as they come into view, and only those in view are drawn", async () => {
    await using tab = await openList();
    const list = tab.page.locator(".list");
    for (const to of [100_000, 300_000, 50_000]) {
      await list.evaluate((element, y) => element.scrollTo(0, y), to);
      await expect.poll(() => emptyRows(tab.page).count()).toBe(0);
      expect(await list.evaluate(({ scrollTop }) => scrollTop)).toBe(to);
    }
    expect(await shownRows(tab.page).count()).toBeLessThan(80);
    expect(tab.faults()).toEqual([]);
  });

  it("are where they were when one comes back from a skill", async () => {
    await using tab = await openList();
    const list = tab.page.locator(".list");
    await list.evaluate((element) => element.scrollTo(0, 123_456));
    await expect.poll(() => emptyRows(tab.page).count()).toBe(0);
    const row = tab.page.locator(".list-row .skill-name").nth(12);
    const name = (await row.textContent()) ?? "";
    await row.dblclick();
    // The skill's own text has the same heading.
    await tab.page.getByRole("heading", { level: 1, name }).first().waitFor();
    await tab.page.goBack();
    await tab.page.getByText(name, { exact: true }).first().waitFor();
    expect(await list.evaluate(({ scrollTop }) => scrollTop)).toBeCloseTo(123_456, -2);
    expect(tab.faults()).toEqual([]);
  });
});

describe("the first load", () => {
  it.each(["/", "/skills", "/try", "/runs", "/plans", "/queue", "/audit", "/connect"])(
    "sends at most 120 kB for %s",
    async (path) => {
      await using tab = await Tab.visitLive(server, path);
      await tab.page.locator("main h1").first().waitFor();
      // Parts that come on demand are part of it too.
      await tab.settled();
      const bytes = await tab.page.evaluate(() =>
        [...performance.getEntriesByType("navigation"), ...performance.getEntriesByType("resource")]
          .map((entry) => entry as PerformanceResourceTiming)
          .filter(({ name }) => !new URL(name).pathname.startsWith("/api/"))
          .reduce((sum, { encodedBodySize }) => sum + encodedBodySize, 0),
      );
      expect(bytes).toBeLessThanOrEqual(120_000);
    },
  );
});

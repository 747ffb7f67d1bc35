import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import { knack } from "../cli/run.ts";
import { callText, connectClient } from "../http/mcp-client.ts";
import { Server } from "../http/server.ts";
import { lookAt, type Tab, visitLive } from "./browser.ts";
import { makeScene } from "./scene.ts";

const folder = await makeScene();
const server = await Server.forFile(folder);

async function openTry(path = "/try"): Promise<Tab> {
  const page = await visitLive(server, path);
  // The page is loaded after its frame: before, keys go nowhere.
  await page.locator("textarea:focus").waitFor();
  return page;
}

describe("Try", () => {
  it("looks right in both widths and colours", async () => {
    await using tab = await openTry();
    const request = "/try?q=draft+release+notes";
    const look = (path: string, name: string, ready: (page: Page) => Promise<void>): Promise<void> =>
      lookAt({ server, tab, path, name, ready });
    await look(request, "try", (page) => page.locator(".ranking-row").first().waitFor());
    await look("/try", "try-empty", (page) => page.locator(".try-start").first().waitFor());
    for (const [tab, name] of [
      ["Load answer", "try-load"],
      ["Frame", "try-frame"],
    ] as const)
      await look(request, name, async (page) => {
        await page.getByRole("tab", { name: tab }).click();
        await page.locator(".outcome .code-block").waitFor();
      });
  });

  it("answers as one types, and shows the very text that an agent gets", async () => {
    await using page = await openTry();
    const log = (): string => knack(folder, ["audit", "--json"], { env: { KNACK_TRUST: "all" } }).stdout;
    const before = log();
    await page.keyboard.type("draft release notes");
    await page.locator(".ranking-row").first().getByText("release-notes").waitFor();
    await expect.poll(() => page.url()).toBe(`${server.url}/try?q=draft+release+notes`);
    const outcome = page.getByRole("region", { name: "What happens" });
    await outcome.getByText("the search is confident").waitFor();
    await outcome.getByRole("tab", { name: "Load answer" }).click();
    const shown = await outcome.locator("pre").textContent();
    await outcome.getByRole("tab", { name: "Frame" }).click();
    await outcome.locator("pre").getByText("draft release notes").first().waitFor();
    expect(log()).toBe(before);
    const client = await connectClient(server);
    expect(shown).toBe(await callText(client, "skill_load", { name: "release-notes" }));
    await client.close();
  });

  it("keeps the space of somebody who pauses between two words", async () => {
    await using page = await openTry();
    await page.keyboard.type("draft ");
    await expect.poll(() => page.url()).toBe(`${server.url}/try?q=draft`);
    await page.keyboard.type("notes");
    await expect.poll(() => page.url()).toBe(`${server.url}/try?q=draft+notes`);
    expect(await page.getByRole("textbox").inputValue()).toBe("draft notes");
  });

  it("shows another skill of the ranking, by mouse and by keyboard, and goes back", async () => {
    await using page = await openTry("/try?q=review+my+code");
    const rows = page.locator(".ranking-row");
    await rows.nth(1).click();
    await expect.poll(() => rows.nth(1).getAttribute("aria-current")).toBe("true");
    expect(page.url()).toContain("skill=");
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("Enter");
    await expect.poll(() => rows.nth(2).getAttribute("aria-current")).toBe("true");
    await page.goBack();
    await expect.poll(() => rows.nth(1).getAttribute("aria-current")).toBe("true");
    await page.goBack();
    await expect.poll(() => rows.nth(0).getAttribute("aria-current")).toBe("true");
    // Tabs by keyboard.
    await page.getByRole("tab", { name: "Route" }).focus();
    await page.keyboard.press("ArrowRight");
    await page.getByText("Load one with skill_load").waitFor();
    await page.keyboard.press("ArrowRight");
    await page.getByRole("tabpanel").getByText("<skill_context").first().waitFor();
    await page.keyboard.press("End");
    await expect
      .poll(() => page.getByRole("tab", { name: "Frame" }).getAttribute("aria-selected"))
      .toBe("true");
    // "e" goes back to the request.
    await page.keyboard.press("e");
    await page.keyboard.press("End");
    await page.keyboard.type(" please");
    await expect.poll(() => page.url()).toContain("q=review+my+code+please");
  });

  it("says what a person would be asked first, and that nothing fits", async () => {
    await using page = await openTry("/try?q=rotate+the+keys+of+the+shop");
    await page.getByRole("tab", { name: "Load answer" }).click();
    await page.getByText("First a person is asked").waitFor();
    await page.getByRole("textbox").fill("xyzzy plugh qwfp");
    await page
      .getByRole("region", { name: "Ranking" })
      .getByText("No skill has any of these words")
      .waitFor();
  });

  it("begins with requests made of what the skills here are for, by mouse and by keyboard", async () => {
    await using page = await openTry();
    const starts = page.locator(".try-start");
    await starts.first().click();
    await page.locator(".ranking-row").first().waitFor();
    await page.goBack();
    await starts.nth(1).focus();
    await page.keyboard.press("Enter");
    await page.locator(".ranking-row").first().waitFor();
  });
});

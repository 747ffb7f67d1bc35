import { readFileSync, writeFileSync } from "node:fs";
import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import { makeFolder, skillText } from "../../packages/core/src/testing/files.ts";
import { Server } from "../http/server.ts";
import { lookAt, NARROW, type openTab, type Tab, visit } from "./browser.ts";
import { pageProject } from "./project.ts";

const folder = pageProject();
const server = await Server.forFile(folder);

async function open(path = "/skills", options: Parameters<typeof openTab>[1] = {}): Promise<Tab> {
  const page = await visit(server, path, options);
  await rows(page).first().waitFor();
  return page;
}

const rows = (page: Page) => page.getByRole("row");
const row = (page: Page, name: string) =>
  page.locator(".list-row", { has: page.getByText(name, { exact: true }) });
const search = (page: Page) => page.getByRole("searchbox", { name: "Search skills" });
const chosen = (page: Page) => page.locator('.list-row[aria-selected="true"] .skill-name');
const config = (): string => {
  try {
    return readFileSync(folder.at("home/.knack/config.yaml"), "utf8");
  } catch {
    return "";
  }
};

describe("the list of skills", () => {
  it("looks right in both widths and colours, and so does a search", async () => {
    await using tab = await open();
    const ready = (page: Page) => rows(page).nth(3).waitFor();
    await lookAt({ server, tab, path: "/skills", name: "skills", ready });
    await lookAt({
      server,
      tab,
      path: "/skills?q=review+my+changes",
      name: "skills-search",
      ready: (page) => page.locator("mark").first().waitFor(),
    });
  });

  it("draws a line between what fits and what nearly does, and says so where nothing fits", async () => {
    await using page = await open("/skills?q=bake+a+cake+with+code");
    await page
      .getByText(/^(?:Nearly|Nothing fits)/)
      .first()
      .waitFor();
    await search(page).fill("zzqqxx");
    await page.getByText("No skill matches").waitFor();
    await page.getByRole("button", { name: "Show all skills" }).click();
    await row(page, "code-review").waitFor();
  });

  it("says that it searches until the answer is there, and Enter opens the first row of that", async () => {
    await using page = await open();
    const answer = Promise.withResolvers<void>();
    await page.route(/\/api\/skills\?.*q=/, async (route) => {
      await answer.promise;
      await route.continue();
    });
    await search(page).fill("release-notes");
    await page.getByText("Searching…").waitFor();
    await search(page).press("Enter");
    expect(await page.getByText("No skill fits").count()).toBe(0);
    expect(new URL(page.url()).pathname).toBe("/skills");
    answer.resolve();
    await page.getByRole("heading", { name: "release-notes", level: 1 }).waitFor();
  });

  it("filters by mouse and by keyboard; the address and the back button have it", async () => {
    await using page = await open();
    await page.getByLabel("Language").selectOption({ label: "Chinese (1)" });
    await expect.poll(() => page.locator(".list-row").count()).toBe(1);
    await row(page, "daima-shencha").waitFor();
    expect(new URL(page.url()).search).toBe("?language=chinese");
    await page.getByLabel("Language").focus();
    await page.keyboard.press("Home");
    await row(page, "code-review").waitFor();
    await page.getByLabel("Folder").selectOption({ label: "claude (1)" });
    await row(page, "theirs").waitFor();
    await page.goBack();
    await row(page, "code-review").waitFor();
    await page.goBack();
    await expect.poll(() => page.locator(".list-row").count()).toBe(1);
  });

  it("says what was left out, why, and how to fix it", async () => {
    await using page = await open();
    await page.getByLabel("State").selectOption("=left_out");
    await page.getByText('The name "Broken" must be lowercase').waitFor();
    await page.getByRole("button", { name: /^Copy: knack validate --fix .*broken/ }).click();
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(
      `knack validate --fix ${folder.at("repo/.agents/skills/broken/SKILL.md")}`,
    );
    await page.looksRight("left-out");
  });

  it("disables, enables, denies and allows by mouse, each with undo", async () => {
    await using page = await open();
    const before = config();
    await row(page, "release-notes").click();
    const peek = page.locator(".peek");
    await peek.getByRole("button", { name: "Disable" }).click();
    await peek.getByText("Disabled", { exact: true }).waitFor();
    await page.getByRole("button", { name: "Undo" }).click();
    await peek.getByText("Active", { exact: true }).waitFor();
    expect(config()).toBe(before);
    await peek.getByRole("button", { name: "Deny" }).click();
    await peek.getByText("Denied", { exact: true }).waitFor();
    expect(config()).toContain("release-notes");
    await page.looksRight("skills-denied");
    await peek.getByRole("button", { name: "Allow" }).click();
    await peek.getByText("Active", { exact: true }).waitFor();
    await peek.getByRole("button", { name: "Disable" }).click();
    await peek.getByRole("button", { name: "Enable" }).click();
    await peek.getByText("Active", { exact: true }).waitFor();
    writeFileSync(folder.at("home/.knack/config.yaml"), before);
  });

  it("does all of that by keyboard", async () => {
    await using page = await open();
    const { keyboard } = page;
    await search(page).focus();
    await keyboard.type("release notes");
    await expect.poll(() => chosen(page).textContent()).toBe("release-notes");
    await keyboard.press("ArrowDown");
    const peek = page.locator(".peek");
    await keyboard.press("Space");
    await page.getByText("Disabled release-notes.").waitFor();
    await keyboard.press("Control+z");
    await page.getByText("release-notes is as it was before.").waitFor();
    await keyboard.press("d");
    await page.getByText("Denied release-notes.").waitFor();
    await keyboard.press("a");
    await page.getByText("Allowed release-notes.").waitFor();
    await peek.getByText("Active", { exact: true }).waitFor();
    await keyboard.press("Enter");
    await page.getByRole("heading", { level: 1, name: /release-notes/ }).waitFor();
  });

  it("moves with j and k, and / returns to the field", async () => {
    await using page = await open();
    await row(page, "code-review").click();
    const first = await chosen(page).textContent();
    await page.keyboard.press("j");
    await expect.poll(() => chosen(page).textContent()).not.toBe(first);
    await page.keyboard.press("k");
    await expect.poll(() => chosen(page).textContent()).toBe(first);
    await page.keyboard.press("/");
    expect(await search(page).evaluate((field) => field === document.activeElement)).toBe(true);
  });

  it("opens a skill on a narrow screen with one tap, and comes back to the same search", async () => {
    await using page = await open("/skills?q=review", { viewport: NARROW });
    await row(page, "code-review").click();
    await page.getByRole("heading", { level: 1, name: /code-review/ }).waitFor();
    await page.goBack();
    await row(page, "code-review").waitFor();
    expect(await search(page).inputValue()).toBe("review");
  });
});

describe("a project that is not trusted", () => {
  it("teaches the next step where there is no skill, and says that those that come wait for trust", async () => {
    using stranger = makeFolder({ "repo/.git/": "" });
    await using own = await Server.start(stranger, { env: {} });
    await using page = await visit(own, "/skills");
    await page.getByText("knack new my-skill").waitFor();
    await page.looksRight("skills-empty");
    stranger.write({ "repo/.agents/skills/a/SKILL.md": skillText("a") });
    await page.getByText("knack trust").waitFor();
    await page.getByText("Not trusted").waitFor();
  });
});

import { readFileSync, writeFileSync } from "node:fs";
import type { Page } from "playwright-core";
import { beforeAll, describe, expect, it } from "vitest";
import { type Folder, makeFolder, skillText } from "../../packages/core/src/testing/files.ts";
import { Server } from "../http/server.ts";
import { endAll, lookAt, NARROW, Tab } from "./browser.ts";
import { pageProject } from "./project.ts";

let folder: Folder;
let server: Server;

beforeAll(async () => {
  folder = pageProject();
  server = await Server.start(folder);
  return () => endAll(server, folder);
});

async function open(path = "/skills", options: Parameters<typeof Tab.open>[1] = {}): Promise<Tab> {
  const tab = await Tab.visit(server, path, options);
  await rows(tab.page).first().waitFor();
  return tab;
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
    const ready = (page: Page) => rows(page).nth(3).waitFor();
    await lookAt({ server, path: "/skills", name: "skills", ready });
    await lookAt({
      server,
      path: "/skills?q=review+my+changes",
      name: "skills-search",
      ready: (page) => page.locator("mark").first().waitFor(),
    });
  });

  it("draws a line between what fits and what nearly does, and says so where nothing fits", async () => {
    await using tab = await open("/skills?q=bake+a+cake+with+code");
    await tab.page
      .getByText(/^(?:Nearly|Nothing fits)/)
      .first()
      .waitFor();
    await search(tab.page).fill("zzqqxx");
    await tab.page.getByText("No skill matches").waitFor();
    await tab.page.getByRole("button", { name: "Show all skills" }).click();
    await row(tab.page, "code-review").waitFor();
    expect(tab.faults()).toEqual([]);
  });

  it("says that it searches until the answer is there, and Enter opens the first row of that", async () => {
    await using tab = await open();
    const { page } = tab;
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
    expect(tab.faults()).toEqual([]);
  });

  it("filters by mouse and by keyboard; the address and the back button have it", async () => {
    await using tab = await open();
    await tab.page.getByLabel("Language").selectOption({ label: "Chinese (1)" });
    await expect.poll(() => tab.page.locator(".list-row").count()).toBe(1);
    await row(tab.page, "daima-shencha").waitFor();
    expect(new URL(tab.page.url()).search).toBe("?language=chinese");
    await tab.page.getByLabel("Language").focus();
    await tab.page.keyboard.press("Home");
    await row(tab.page, "code-review").waitFor();
    await tab.page.getByLabel("Folder").selectOption({ label: "claude (1)" });
    await row(tab.page, "theirs").waitFor();
    await tab.page.goBack();
    await row(tab.page, "code-review").waitFor();
    await tab.page.goBack();
    await expect.poll(() => tab.page.locator(".list-row").count()).toBe(1);
    expect(tab.faults()).toEqual([]);
  });

  it("says what was left out, why, and how to fix it", async () => {
    await using tab = await open();
    await tab.page.getByLabel("State").selectOption("=left_out");
    await tab.page.getByText('The name "Broken" must be lowercase').waitFor();
    await tab.page.getByRole("button", { name: /^Copy: knack validate --fix .*broken/ }).click();
    expect(await tab.page.evaluate(() => navigator.clipboard.readText())).toBe(
      `knack validate --fix ${folder.at("repo/.agents/skills/broken/SKILL.md")}`,
    );
    expect(await tab.accessibilityFindings()).toEqual([]);
    await tab.picture("left-out");
    expect(tab.faults()).toEqual([]);
  });

  it("disables, enables, denies and allows by mouse, each with undo", async () => {
    await using tab = await open();
    const before = config();
    await row(tab.page, "release-notes").click();
    const peek = tab.page.locator(".peek");
    await peek.getByRole("button", { name: "Disable" }).click();
    await peek.getByText("Disabled", { exact: true }).waitFor();
    await tab.page.getByRole("button", { name: "Undo" }).click();
    await peek.getByText("Active", { exact: true }).waitFor();
    expect(config()).toBe(before);
    await peek.getByRole("button", { name: "Deny" }).click();
    await peek.getByText("Denied", { exact: true }).waitFor();
    expect(config()).toContain("release-notes");
    await tab.picture("skills-denied");
    expect(await tab.accessibilityFindings()).toEqual([]);
    await peek.getByRole("button", { name: "Allow" }).click();
    await peek.getByText("Active", { exact: true }).waitFor();
    await peek.getByRole("button", { name: "Disable" }).click();
    await peek.getByRole("button", { name: "Enable" }).click();
    await peek.getByText("Active", { exact: true }).waitFor();
    expect(tab.faults()).toEqual([]);
    writeFileSync(folder.at("home/.knack/config.yaml"), before);
  });

  it("does all of that by keyboard", async () => {
    await using tab = await open();
    const { keyboard } = tab.page;
    await search(tab.page).focus();
    await keyboard.type("release notes");
    await expect.poll(() => chosen(tab.page).textContent()).toBe("release-notes");
    await keyboard.press("ArrowDown");
    const peek = tab.page.locator(".peek");
    await keyboard.press("Space");
    await tab.page.getByText("Disabled release-notes.").waitFor();
    await keyboard.press("Control+z");
    await tab.page.getByText("release-notes is as it was before.").waitFor();
    await keyboard.press("d");
    await tab.page.getByText("Denied release-notes.").waitFor();
    await keyboard.press("a");
    await tab.page.getByText("Allowed release-notes.").waitFor();
    await peek.getByText("Active", { exact: true }).waitFor();
    await keyboard.press("Enter");
    await tab.page.getByRole("heading", { level: 1, name: /release-notes/ }).waitFor();
    expect(tab.faults()).toEqual([]);
  });

  it("moves with j and k, and / returns to the field", async () => {
    await using tab = await open();
    await row(tab.page, "code-review").click();
    const first = await chosen(tab.page).textContent();
    await tab.page.keyboard.press("j");
    await expect.poll(() => chosen(tab.page).textContent()).not.toBe(first);
    await tab.page.keyboard.press("k");
    await expect.poll(() => chosen(tab.page).textContent()).toBe(first);
    await tab.page.keyboard.press("/");
    expect(await search(tab.page).evaluate((field) => field === document.activeElement)).toBe(true);
  });

  it("opens a skill on a narrow screen with one tap, and comes back to the same search", async () => {
    await using tab = await open("/skills?q=review", { viewport: NARROW });
    await row(tab.page, "code-review").click();
    await tab.page.getByRole("heading", { level: 1, name: /code-review/ }).waitFor();
    await tab.page.goBack();
    await row(tab.page, "code-review").waitFor();
    expect(await search(tab.page).inputValue()).toBe("review");
    expect(tab.faults()).toEqual([]);
  });

  it("shows in one tab what another one changed", async () => {
    await using tab = await open();
    const other = await tab.page.context().newPage();
    await other.goto(`${server.url}/skills#token=${server.token}`);
    await row(other, "code-review").click();
    await other.locator(".peek").getByRole("button", { name: "Disable" }).click();
    await row(tab.page, "code-review").getByText("Disabled").waitFor();
    await other.locator(".peek").getByRole("button", { name: "Enable" }).click();
    await expect.poll(() => row(tab.page, "code-review").getByText("Disabled").count()).toBe(0);
    expect(tab.faults()).toEqual([]);
  });

  it("shows a skill that appears while it is open", async () => {
    await using tab = await open();
    folder.write({ "repo/.agents/skills/just-now/SKILL.md": skillText("just-now", "New here.") });
    await row(tab.page, "just-now").waitFor();
  });
});

describe("where there is nothing", () => {
  it("teaches the next step", async () => {
    using empty = makeFolder({ "repo/.git/": "" });
    await using own = await Server.start(empty);
    await using tab = await Tab.visit(own, "/skills");
    await tab.page.getByText("knack new my-skill").waitFor();
    await tab.picture("skills-empty");
    expect(await tab.accessibilityFindings()).toEqual([]);
  });

  it("says that a project waits for trust", async () => {
    using waiting = makeFolder({ "repo/.git/": "", "repo/.agents/skills/a/SKILL.md": skillText("a") });
    await using own = await Server.start(waiting, { env: {} });
    await using tab = await Tab.visit(own, "/skills");
    await tab.page.getByText("knack trust").waitFor();
    await tab.page.getByText("Not trusted").waitFor();
  });
});

import type { Page } from "playwright-core";
import { afterAll, describe, expect, it } from "vitest";
import { makeFolder, skillText } from "../../packages/core/src/testing/files.ts";
import { knack } from "../cli/run.ts";
import { callText, connectClient } from "../http/mcp-client.ts";
import { Server } from "../http/server.ts";
import { lookAt, type Tab, visit, visitLive } from "./browser.ts";
import { makeScene } from "./scene.ts";

const folder = await makeScene();
const server = await Server.forFile(folder);
const client = await connectClient(server, { name: "claude-code", version: "2.1.4" });
afterAll(() => client.close());

const card = (page: Page, name: string) => page.getByRole("region", { name, exact: true });
const load = (): Promise<string> => callText(client, "skill_load", { name: "careful", force: true });

/** A question takes no answer in its first moment. */
const ready = (page: Page): Promise<void> => page.locator('.question[aria-busy="false"]').waitFor();

const openHome = (path = "/"): Promise<Tab> => visitLive(server, path);

describe("Home", () => {
  it("looks right in both widths and colours, with a question", async () => {
    await callText(client, "skill_search", { query: "release notes" });
    await using first = await openHome();
    const asked = load();
    await first.getByRole("button", { name: "Allow", exact: true }).waitFor();
    await lookAt({
      ...{ server, path: "/", name: "question" },
      ready: async (page) => {
        await page.locator(".plot canvas").waitFor();
        await page.getByText("claude-code").first().waitFor();
        await page.getByRole("button", { name: "Allow", exact: true }).waitFor();
      },
    });
    await first.getByRole("button", { name: "Dismiss", exact: true }).click();
    expect(await asked).toContain("The user has not refused");
  });

  it("shows what needs the user, with a command to copy by mouse and by keyboard", async () => {
    await using page = await openHome();
    const needs = card(page, "Needs you");
    await needs.getByText("waits for the file sources (0 of 2)").waitFor();
    await needs.getByText("changed since you locked it").waitFor();
    await needs.getByText('The name "Deploy" must be').waitFor();
    const copied = () => page.evaluate(() => navigator.clipboard.readText());
    await needs.getByRole("button", { name: "Copy: knack diff release-notes" }).click();
    expect(await copied()).toBe("knack diff release-notes");
    await needs.getByRole("button", { name: "Copy: knack lock release-notes" }).focus();
    await page.keyboard.press("Enter");
    await expect.poll(copied).toBe("knack lock release-notes");
    await needs.getByRole("link", { name: "Gather sources" }).click();
    await page.waitForURL("**/plans/quarterly-report");
    await page.goBack();
    await needs.getByText("left out").waitFor();
    // What is done at the terminal is gone here.
    expect(knack(folder, ["lock", "release-notes"], { env: { KNACK_TRUST: "all" } }).code).toBe(0);
    await needs.getByText("changed since you locked it").waitFor({ state: "detached" });
  });

  it("counts what agents use as it happens, with values in a table", async () => {
    await using page = await openHome();
    const use = card(page, "What agents use");
    const loads = use.locator("dt:text-is('Loads') + dd");
    const before = Number(await loads.textContent());
    await callText(client, "skill_load", { name: "release-notes", force: true });
    await expect.poll(async () => Number(await loads.textContent())).toBe(before + 1);
    await use.getByText("Show as a table").click();
    const today = use.getByRole("row").nth(1);
    await expect.poll(() => today.textContent()).toMatch(/\d/);
    await use.getByRole("button", { name: "7 days" }).click();
    await expect.poll(() => use.getByRole("row").count()).toBe(8);
    await use.getByRole("button", { name: "90 days" }).focus();
    await page.keyboard.press("Enter");
    await expect.poll(() => use.getByRole("row").count()).toBe(91);
    await use.locator(".u-over").hover();
    await expect.poll(() => use.locator(".u-legend").textContent()).toMatch(/Loads:?\s*\d+/);
    const skills = card(page, "Skills");
    await skills.getByRole("link", { name: "release-notes" }).waitFor();
    await skills.getByRole("link", { name: "careful" }).click();
    await page.waitForURL("**/skills/*");
  });

  it("shows clients as they come and go, and what the catalog costs", async () => {
    await using page = await openHome();
    const clients = card(page, "Connected clients");
    const codex = await connectClient(server, { name: "codex", version: "0.61.0", revision: "2026-07-28" });
    await callText(codex, "skill_search", { query: "debug" });
    await clients.getByText("codex").waitFor();
    await codex.close();
    const cost = card(page, "What it costs in tokens");
    await cost.getByText("Each conversation over MCP").waitFor();
    await cost.getByRole("link").first().waitFor();
  });

  it("answers questions of agents with the mouse", async () => {
    await using page = await openHome();
    for (const [button, words] of [
      ["Allow", "<skill_context"],
      ["Deny", "The user refused"],
      ["Dismiss", "The user has not refused"],
    ] as const) {
      const loaded = load();
      await page.getByText("claude-code wants to use the skill careful").waitFor();
      await ready(page);
      await page.locator(".question").getByRole("button", { name: button, exact: true }).click();
      expect(await loaded).toContain(words);
      await expect.poll(() => page.locator(".question").count()).toBe(0);
    }
  });

  it("answers them with the keyboard, from another page too", async () => {
    await using page = await openHome("/try");
    const loaded = load();
    await expect.poll(() => page.title()).toBe("(1) Try · Knack");
    await page.getByRole("link", { name: /claude-code asks you something/ }).focus();
    await page.keyboard.press("Enter");
    await ready(page);
    await page.keyboard.press("q");
    await page.keyboard.press("Tab");
    await page.keyboard.press("Tab");
    await page.keyboard.press("Enter");
    expect(await loaded).toContain("The user refused");
    await expect.poll(() => page.locator(".question").count()).toBe(0);
    const again = load();
    await ready(page);
    await page.keyboard.press("q");
    await page.keyboard.press("Tab");
    await page.keyboard.press("Enter");
    expect(await again).toContain("<skill_context");
    // Nobody is asked again.
    expect(await load()).toContain("<skill_context");
  });

  it("of an untrusted project shows how to trust it, and nothing that trusts it", async () => {
    await using stranger = await Server.start(folder, { env: { KNACK_TOKEN: "the-token-of-a-stranger" } });
    await using page = await visit(stranger, "/");
    const needs = card(page, "Needs you");
    await needs.getByText("wait for your trust").waitFor();
    await needs.getByText("knack trust", { exact: true }).waitFor();
    expect(await page.getByRole("button", { name: /^trust/i }).count()).toBe(0);
    await page.picture("home-untrusted");
    // The owner reads what waits before they decide.
    await needs.getByRole("link", { name: "release-notes" }).click();
    await page.getByText("You have not trusted this project").waitFor();
    await page.getByRole("region", { name: "Text", exact: true }).waitFor();
    await page.getByRole("region", { name: "SKILL.md", exact: true }).waitFor();
    expect(page.faults().filter((fault) => !fault.includes("404"))).toEqual([]);
  });
});

const REPO = "repo/.agents/skills";

const empty = makeFolder({ "repo/.git/": "" });
const ofEmpty = await Server.forFile(empty);

describe("an empty project", () => {
  it.each([
    [
      "/",
      "home-empty",
      ...["Nothing waits for you.", "No agent is connected now.", "knack new my-skill"],
      "knack run file_fingerprint",
    ],
    ["/try", "try-no-skills", "There are no skills here yet"],
    ["/runs", "empty-runs", "Nothing ran yet"],
    ["/plans", "empty-plans", "No plan was applied yet"],
    ["/audit", "empty-audit", "The log is empty"],
    ["/queue", "queue-sqlite", "One person's store has no queue", "postgres://"],
  ])("teaches the next step on %s, in both widths and colours", async (path, name, ...texts) => {
    const ready = async (page: Page): Promise<void> => {
      for (const text of texts) await page.getByText(text).first().waitFor();
    };
    await lookAt({ server: ofEmpty, path, name, ready });
  });

  it("leads to the page that connects an agent", async () => {
    await using page = await visit(ofEmpty, "/");
    await page.getByRole("link", { name: "Connect one" }).click();
    await page.getByRole("heading", { name: "Connect", exact: true }).waitFor();
  });

  it("says what to do when the configuration is wrong, and shows the rest; then all of it", async () => {
    empty.write({
      [`${REPO}/good/SKILL.md`]: skillText("good"),
      "home/.knack/config.yaml": "skills: { enabled: perhaps }\n",
    });
    await using page = await visit(ofEmpty, "/");
    await page.getByText('"knack doctor" shows where').first().waitFor();
    await page.getByText("No agent is connected now.").waitFor();
    await page.picture("home-failed");
    empty.write({ "home/.knack/config.yaml": "" });
    await page.getByRole("button", { name: "Try again" }).first().click();
    await page.getByText("Nothing waits for you.").waitFor();
    expect(page.faults().filter((fault) => !fault.includes("status of 500"))).toEqual([]);
  });
});

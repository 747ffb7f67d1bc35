import { appendFileSync, writeFileSync } from "node:fs";
import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import { knack } from "../cli/run.ts";
import { connectClient } from "../http/mcp-client.ts";
import { Server } from "../http/server.ts";
import { lookAt, type Tab, visit } from "./browser.ts";
import { pageProject } from "./project.ts";

const NOTES = "repo/.agents/skills/page-guide/references/notes.md";
const TABS = ["Text", "Files", "Connections", "Findings", "Lock", "Use", "Triggers"] as const;

const folder = pageProject();
const env = { KNACK_TRUST: "all" };
knack(folder, ["lock", "page-guide"], { env });
// The log begins with the first run.
folder.write({ "repo/a.md": "# A\n" });
knack(folder, ["run", "file_fingerprint", "a.md"], { env });
const server = await Server.forFile(folder);
const client = await connectClient(server, { name: "claude-code" });
for (let i = 0; i < 3; i++)
  await client.callTool({ name: "skill_load", arguments: { name: "page-guide", force: true } });
await client.close();

const heading = (page: Page, name = "page-guide") => page.getByRole("heading", { level: 1, name });
const tabOf = (page: Page, name: string) => page.getByRole("tab", { name });

async function open(path = "/skills/page-guide"): Promise<Tab> {
  const page = await visit(server, path);
  await heading(page).waitFor();
  return page;
}

describe("a skill", () => {
  it("looks right in both widths and colours, in each of its tabs", async () => {
    await using tab = await open();
    for (const [query, name, ready] of [
      ["", "skill", (page: Page) => page.locator(".hljs-keyword").first().waitFor()],
      ["?tab=files&file=scripts%2Frun.py", "skill-files", (page: Page) => page.getByText("print(").waitFor()],
      [
        "?tab=edges",
        "skill-edges",
        (page: Page) => page.getByText("no-such-skill", { exact: true }).waitFor(),
      ],
      ["?tab=findings", "skill-findings", (page: Page) => page.getByText("override-instructions").waitFor()],
      ["?tab=lock", "skill-lock", (page: Page) => page.getByText("As it was locked").waitFor()],
      ["?tab=use", "skill-use", (page: Page) => page.getByRole("table", { name: "Use by client" }).waitFor()],
      ["?tab=triggers", "skill-triggers", (page: Page) => page.getByText("bake a cake").waitFor()],
    ] as const)
      await lookAt({ server, tab, path: `/skills/page-guide${query}`, name, ready });
  });

  it("opens a file that its text links to, and goes back to the text", async () => {
    await using page = await open();
    await page.getByRole("link", { name: "the notes" }).click();
    await page.getByRole("heading", { name: "Notes" }).waitFor();
    await page.getByRole("link", { name: "Show as text" }).click();
    await page.getByText("Some *notes*.").waitFor();
    await page.goBack();
    await page.goBack();
    await page.getByRole("heading", { name: "The guide" }).waitFor();
  });

  it("has its parts as tabs: by mouse, by arrow keys, by numbers, each with its address", async () => {
    await using page = await open();
    for (const name of TABS.slice(1)) {
      await tabOf(page, name).click();
      await expect.poll(() => tabOf(page, name).getAttribute("aria-selected")).toBe("true");
    }
    expect(new URL(page.url()).search).toBe("?tab=triggers");
    await page.goBack();
    await expect.poll(() => tabOf(page, "Use").getAttribute("aria-selected")).toBe("true");
    await tabOf(page, "Use").focus();
    await page.keyboard.press("ArrowLeft");
    await expect.poll(() => tabOf(page, "Lock").getAttribute("aria-selected")).toBe("true");
    await page.keyboard.press("1");
    await expect.poll(() => tabOf(page, "Text").getAttribute("aria-selected")).toBe("true");
  });

  it("leads to the skills that it names, with the sentence, and says what is missing", async () => {
    await using page = await open("/skills/page-guide?tab=edges");
    await page.getByText("no-such-skill", { exact: true }).waitFor();
    await page.getByText("REQUIRED SUB-SKILL: Use code-review.").first().waitFor();
    await page.getByRole("link", { name: "code-review" }).first().click();
    await heading(page, "code-review").waitFor();
    await page.keyboard.press("3");
    await page.getByText("Skills that lead here").waitFor();
  });

  it("says what changed since it was locked", async () => {
    await using page = await open("/skills/page-guide?tab=lock");
    await page.getByText("As it was locked").waitFor();
    appendFileSync(folder.at(NOTES), "More notes.\n");
    await page.reload();
    await page.locator(".diff-line.means-done", { hasText: "More notes." }).waitFor();
    await page.looksRight("skill-changed");
    writeFileSync(folder.at(NOTES), "# Notes\n\nSome *notes*.\n");
  });

  it("shows its use by client, as a plot and as a table", async () => {
    await using page = await open("/skills/page-guide?tab=use");
    const line = page.getByRole("row", { name: /claude-code/ });
    expect(await line.getByRole("cell").nth(1).textContent()).toBe("3");
    await page.getByText("Show as a table").click();
    await page.getByRole("table", { name: "Loads and runs per day" }).waitFor();
  });

  it("has its trigger tests with their results, and a box to try a request", async () => {
    await using page = await open("/skills/page-guide?tab=triggers");
    const failed = page.getByRole("row", { name: /bake a cake/ });
    await failed.getByText("Failed").waitFor();
    await page.getByRole("textbox", { name: "A request" }).fill("explain the page guide to me");
    await page.getByText("Found first", { exact: true }).first().waitFor();
    await page.getByRole("textbox", { name: "A request" }).fill("bake a cake");
    await page.getByText(/^(?:Not found|Only a weaker match)$/).waitFor();
  });

  it("can be denied, and then says so above its text, which its owner still reads; undo brings it back", async () => {
    await using page = await open();
    await page.getByRole("button", { name: "Deny" }).click();
    await page.getByText("Denied", { exact: true }).waitFor();
    await page.reload();
    await page.getByText("No model can read this text now").waitFor();
    await page.getByRole("region", { name: "Text", exact: true }).getByRole("heading").first().waitFor();
    await page.looksRight("skill-denied");
    await page.keyboard.press("a");
    await page.getByText("Active", { exact: true }).waitFor();
    await page.getByRole("heading", { name: "The guide" }).waitFor();
    await page.keyboard.press("e");
    await page.getByText("Disabled", { exact: true }).waitFor();
    await page.keyboard.press("Control+z");
    await page.getByText("Active", { exact: true }).waitFor();
  });

  it("that is not there says so, with what to do", async () => {
    await using page = await visit(server, "/skills/none-of-this-name");
    await page.getByText("There is no such skill").waitFor();
    await page.getByRole("button", { name: "Try again" }).waitFor();
    await page.looksRight("skill-none");
  });
});

import { text as textOf } from "node:stream/consumers";
import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import { knack } from "../cli/run.ts";
import { changeState } from "../cli/typed-skills.ts";
import { Server } from "../http/server.ts";
import { type Tab, visit } from "./browser.ts";
import { makeWorkScene } from "./work-scene.ts";

const folder = makeWorkScene();
const server = await Server.forFile(folder);
const trusted = { env: { KNACK_TRUST: "all" }, timeout: 60_000 };
await server.post("/api/run", { skill: "counts", params: { lines: 2 } });
expect(knack(folder, ["run", "file_fingerprint", "hello.liquid"], trusted).code).toBe(0);
expect(knack(folder, ["plan", "apply", "release.yaml"], trusted).code).toBe(0);

async function open(path: string): Promise<Tab> {
  const page = await visit(server, path);
  await page.getByRole("grid", { name: "Records" }).waitFor();
  return page;
}
const rows = (page: Page) => page.getByRole("grid", { name: "Records" }).getByRole("row");

describe("the log with the mouse", () => {
  it("opens the record of a link that the list does not have, and says if the log has none", async () => {
    await using page = await open("/audit?actor=cli&seq=1");
    await page.getByRole("article", { name: "Record 1", exact: true }).waitFor();
    await page.go("/audit?seq=999999", server.token);
    await page.getByText("The log has no record 999999.").waitFor();
  });

  it("is filtered by type, client, skill and time; a record leads to its run and plan", async () => {
    await using page = await open("/audit");
    const all = await rows(page).count();
    await page.getByRole("combobox", { name: "Type" }).selectOption("Run");
    await page.getByText("2 records match").waitFor();
    await page.getByRole("combobox", { name: "Client" }).selectOption("cli");
    await page.getByText("1 record matches").waitFor();
    await rows(page).getByText("file_fingerprint").click();
    const record = page.getByRole("article");
    await record.getByRole("heading", { name: /^Record \d+: Run$/ }).waitFor();
    await page.looksRight("audit-record-open");
    await record.getByRole("link", { name: "Open the run" }).click();
    await page.getByRole("article", { name: "Run of file_fingerprint" }).waitFor();
    await page.goBack();
    await page.getByRole("combobox", { name: "Type" }).selectOption("Any type");
    await page.getByRole("combobox", { name: "Client" }).selectOption("Any client");
    await page.getByRole("searchbox", { name: "Skill" }).fill("counts");
    await page.keyboard.press("Enter");
    await expect.poll(() => rows(page).count()).toBeLessThan(all);
    await page.getByRole("searchbox", { name: "Skill" }).fill("");
    await page.keyboard.press("Enter");
    await page.getByLabel("From").fill("2100-01-01T00:00");
    await page.getByText("No record matches these filters.").waitFor();
    await page.getByRole("button", { name: "Clear filters" }).click();
    await expect.poll(() => rows(page).count()).toBe(all);
  });

  it("keeps what somebody types into a filter while records arrive", async () => {
    await using page = await open("/audit");
    const before = await rows(page).count();
    const field = page.getByRole("searchbox", { name: "Skill" });
    await field.fill("counts");
    await server.post("/api/run", { skill: "counts", params: { lines: 3 } });
    await expect.poll(() => rows(page).count()).toBeGreaterThan(before);
    expect(await field.inputValue()).toBe("counts");
    await page.keyboard.press("Enter");
    await page.getByText(/records match/).waitFor();
    expect(new URL(page.url()).searchParams.get("skill")).toBe("counts");
  });

  it("is exported, and its head is verified", async () => {
    await using page = await open("/audit");
    const saving = page.waitForEvent("download");
    await page.getByRole("button", { name: "Export" }).click();
    const text = await textOf(await (await saving).createReadStream());
    expect(text).toBe(knack(folder, ["audit", "export"], trusted).stdout);
    const { head } = JSON.parse(text.trimEnd().split("\n").at(-1) ?? "") as { head: string };
    await page.getByRole("button", { name: "Verify a head" }).click();
    await page.getByRole("textbox", { name: "Head" }).fill(head);
    await page.getByRole("dialog").getByRole("button", { name: "Verify" }).click();
    await page.getByText("Chain verified").waitFor();
  });
});

describe("the log with the keyboard", () => {
  it("is read record by record, and new records appear", async () => {
    await using page = await open("/audit");
    const before = await rows(page).count();
    await page.getByRole("grid", { name: "Records" }).focus();
    await page.keyboard.press("j");
    await page.getByRole("article", { name: `Record ${before}` }).waitFor();
    await page.keyboard.press("ArrowDown");
    await page.getByRole("article", { name: `Record ${before - 1}` }).waitFor();
    await page.keyboard.press("End");
    await page.getByRole("article", { name: "Record 1", exact: true }).waitFor();
    expect(knack(folder, ["run", "file_fingerprint", "report.liquid"], trusted).code).toBe(0);
    await expect.poll(() => rows(page).count(), { timeout: 15_000 }).toBeGreaterThan(before);
    await page.getByRole("button", { name: "Verify a head" }).focus();
    await page.keyboard.press("Enter");
    await page.keyboard.type(`${"0".repeat(63)}1`);
    await page.keyboard.press("Enter");
    await page.getByText("The chain is broken").waitFor();
    await page.getByText("The log does not contain the given head").waitFor();
  });

  it("says which record was changed", async () => {
    changeState(folder, "UPDATE task_events SET actor = 'nobody' WHERE seq = 2");
    await using page = await open("/audit");
    await page.getByText("Record 2 was changed").waitFor();
    await page.picture("audit-broken");
    await page.getByRole("button", { name: "Verify", exact: true }).focus();
    await page.keyboard.press("Enter");
    await page.getByText("Record 2 was changed").waitFor();
    await page.looksRight("audit-verified");
  });
});

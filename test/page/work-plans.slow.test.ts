import { existsSync, readFileSync } from "node:fs";
import { userInfo } from "node:os";
import type { Locator, Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import { knack } from "../cli/run.ts";
import { Server } from "../http/server.ts";
import { pressEnter, visit } from "./browser.ts";
import { makeWorkScene } from "./work-scene.ts";

const folder = makeWorkScene();
const server = await Server.forFile(folder);

/** The plan under another name, without results from the cache: a plan remembers what was done to it. */
function copyPlan(name: string, pause: number): void {
  const plan = readFileSync(folder.at("repo/release.yaml"), "utf8");
  folder.write({
    [`repo/${name}.yaml`]: plan
      .replace("plan: release", `plan: ${name}`)
      .replace("pause: 25", `pause: ${pause}`),
  });
}

const task = (page: Page, title: string) =>
  page.getByRole("list", { name: "Tasks" }).getByRole("listitem").filter({ hasText: title }).first();
const node = (page: Page, title: string) =>
  page.getByRole("region", { name: "Task graph" }).getByRole("button", { name: title });
/** Both say the same state. */
async function isIn(page: Page, title: string, state: string): Promise<void> {
  await node(page, title).filter({ hasText: state }).waitFor({ timeout: 20_000 });
  await task(page, title).getByRole("button").first().filter({ hasText: state }).waitFor();
}
/** While a plan runs, it takes up a task as soon as nothing is missing any more. */
async function isOver(page: Page): Promise<void> {
  await page.getByRole("button", { name: "Stop" }).waitFor({ state: "detached" });
}

/** Drops files on an element, as a browser does when they are dragged in from outside. */
async function drop(target: Locator, files: readonly { name: string; text: string }[]): Promise<void> {
  const data = await target.page().evaluateHandle((given) => {
    const transfer = new DataTransfer();
    for (const { name, text } of given) transfer.items.add(new File([text], name));
    return transfer;
  }, files);
  await target.dispatchEvent("dragenter", { dataTransfer: data });
  await target.dispatchEvent("dragover", { dataTransfer: data });
  await target.dispatchEvent("drop", { dataTransfer: data });
}

describe("a plan with the mouse", () => {
  it("is applied, run and watched; files are dropped on it, it is confirmed, and run to its end", async () => {
    await using page = await visit(server, "/plans");
    await page.getByText("No plan was applied yet").waitFor();
    await page.getByRole("button", { name: "Apply a plan" }).click();
    const dialog = page.getByRole("dialog", { name: "Apply a plan" });
    await dialog.getByRole("textbox").fill("none.yaml");
    await dialog.getByRole("button", { name: "Apply" }).click();
    await dialog.getByText("There is no plan").waitFor();
    await dialog.getByRole("textbox").fill("release.yaml");
    await dialog.getByRole("button", { name: "Apply" }).click();
    await page.getByRole("heading", { name: "Release 1.4" }).waitFor();
    await isIn(page, "Draft the notes", "Ready");
    await page.getByRole("button", { name: "Run", exact: true }).click();
    await isIn(page, "Count the lines", "Running");
    await page.picture("plan-running");
    await isIn(page, "Count the lines", "Done");
    await isIn(page, "Review the notes", "Waits for a file");
    await isOver(page);
    await task(page, "Sign it off").getByText("The task review must be done.").waitFor();

    // A file on the graph, one on the list, and one that does not fit.
    await drop(node(page, "Review the notes"), [{ name: "one.md", text: "# One" }]);
    await page.getByText("one.md was attached to sources.").waitFor();
    await task(page, "Review the notes").getByText("1 of 2").waitFor();
    await drop(page.getByRole("group", { name: "Attach a file as sources" }), [
      { name: "wrong.exe", text: "x" },
    ]);
    await page.getByText("sources accepts only files of type md, txt.").waitFor();
    await drop(node(page, "Publish"), [{ name: "x.md", text: "x" }]);
    await page.getByText("Publish takes no file like x.md.").waitFor();
    await drop(page.getByRole("group", { name: "Attach a file as sources" }), [
      { name: "two.txt", text: "two" },
    ]);
    await isIn(page, "Review the notes", "Ready");
    expect(existsSync(folder.at("repo/workspace/attached/release/review/sources/two.txt"))).toBe(true);

    await page.getByRole("button", { name: "Run", exact: true }).click();
    await isIn(page, "Review the notes", "Done");
    await isIn(page, "Sign it off", "Waits for you");
    await task(page, "Sign it off").getByRole("button", { name: "Confirm" }).click();
    const ask = page.getByRole("dialog", { name: "Confirm sign_off" });
    await page.picture("plan-confirm");
    await ask.getByRole("button", { name: "Confirm" }).click();
    await page.getByText("sign_off was confirmed.").waitFor();
    await page.getByRole("button", { name: "Run", exact: true }).click();
    await isIn(page, "Publish", "Done");
    await page.getByText("5 of 5 done").waitFor();
    await node(page, "Sign it off").click();
    await task(page, "Sign it off").getByText(`Confirmed by ${userInfo().username}`).waitFor();
    await page.picture("plan-finished");
    await page.getByRole("button", { name: "Copy as Mermaid" }).click();
    await page.getByText("The graph was copied as Mermaid.").waitFor();
    expect(await page.evaluate(() => navigator.clipboard.readText())).toContain("review");
    await page.getByRole("button", { name: "Apply again" }).click();
    await page.getByText("The plan is unchanged.").waitFor();
  });
});

describe("a plan with the keyboard", () => {
  it("is applied, run, stopped, given files and confirmed", async () => {
    copyPlan("second", 26);
    await using page = await visit(server, "/plans");
    await pressEnter(page.getByRole("button", { name: "Apply a plan" }));
    await page.getByRole("textbox").focus();
    await page.keyboard.press("Control+A");
    await page.keyboard.type("second.yaml");
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { name: "Release 1.4" }).waitFor();
    await page.keyboard.press("x");
    await isIn(page, "Count the lines", "Running");
    await pressEnter(page.getByRole("button", { name: "Stop" }));
    await page.getByRole("status").filter({ hasText: "The plan was stopped." }).first().waitFor();
    await isIn(page, "Count the lines", "Ready");
    await pressEnter(page.getByRole("button", { name: "Run", exact: true }));
    await isIn(page, "Review the notes", "Waits for a file");
    await isIn(page, "Count the lines", "Done");
    await isOver(page);
    await pressEnter(node(page, "Review the notes"));
    await task(page, "Review the notes").getByText("Id").waitFor();
    const chooser = page.waitForEvent("filechooser");
    await pressEnter(task(page, "Review the notes").getByRole("button", { name: "Attach file" }));
    folder.write({ "one.md": "# One", "two.md": "# Two" });
    await (await chooser).setFiles([folder.at("one.md"), folder.at("two.md")]);
    await isIn(page, "Review the notes", "Ready");
    await task(page, "Review the notes")
      .getByText("workspace/attached/second/review/sources/two.md")
      .waitFor();
    await pressEnter(page.getByRole("button", { name: "Run", exact: true }));
    await isIn(page, "Sign it off", "Waits for you");
    await isOver(page);
    await pressEnter(task(page, "Sign it off").getByRole("button", { name: "Confirm" }));
    await pressEnter(page.getByRole("dialog").getByRole("button", { name: "Confirm" }));
    await page.getByText("sign_off was confirmed.").waitFor();
    await isIn(page, "Sign it off", "Ready");
    // A skill that the task asks for is run for it.
    await pressEnter(task(page, "Review the notes").getByRole("link", { name: "Run file_fingerprint" }));
    await page.getByText("For the task second/review").waitFor();
    await page.getByRole("combobox", { name: "input" }).fill("hello.liquid");
    await pressEnter(page.getByRole("button", { name: "Run", exact: true }));
    await pressEnter(page.getByRole("link", { name: "second/review" }).last());
    await task(page, "Review the notes")
      .getByText("FILE_HASH")
      .or(task(page, "Review the notes").getByText("hello.liquid"))
      .first()
      .waitFor();
  });
});

describe("an open plan", () => {
  it("follows what a command does to it", async () => {
    copyPlan("third", 27);
    const trusted = { env: { KNACK_TRUST: "all" }, timeout: 60_000 };
    expect(knack(folder, ["plan", "apply", "third.yaml"], trusted).code).toBe(0);
    await using page = await visit(server, "/plans/third");
    await isIn(page, "Draft the notes", "Ready");
    expect(knack(folder, ["evidence", "add", "third/sign", "sign_off", "--confirm"], trusted).code).toBe(0);
    await task(page, "Sign it off").getByRole("button").first().click();
    await task(page, "Sign it off")
      .getByText(/^Confirmed/)
      .waitFor();
  });
});

import { userInfo } from "node:os";
import { describe, expect, it } from "vitest";
import { ask, makeTypedProject, PUBLISH } from "../cli/typed-skills.ts";
import { connectClient } from "../http/mcp-client.ts";
import { Server } from "../http/server.ts";
import { visit } from "./browser.ts";

const folder = makeTypedProject({
  ...PUBLISH,
  "repo/b.md": "# B\n",
  "home/.knack/config.yaml": "permissions: { allow: [{ tool: publish }] }\n",
});
const server = await Server.forFile(folder);

describe("003 §3.1 a confirmation on the page", () => {
  it("is asked in a dialog that says for what; the run shows who gave it", async () => {
    await using page = await visit(server, "/runs?new=publish");
    const form = page.getByRole("form", { name: "Run publish" });
    await form.getByRole("combobox", { name: "report" }).fill("a.md");
    const dialog = page.getByRole("dialog", { name: "Confirm sign_off" });
    await form.getByRole("button", { name: "Run" }).click();
    await dialog.getByText("report: a.md").waitFor();
    await dialog.getByRole("button", { name: "Not yet" }).click();
    await dialog.waitFor({ state: "detached" });
    expect(ask<{ runs: object[] }>(folder, ["runs"]).data.runs).toEqual([]);
    await form.getByRole("button", { name: "Run" }).click();
    await dialog.getByRole("button", { name: "Confirm and run" }).click();
    await page.getByRole("tab", { name: "Inputs" }).click();
    await page.getByText(`Confirmed by ${userInfo().username}`).waitFor();
  });

  it("is asked for an agent whose client cannot ask; the one who answers is recorded", async () => {
    await using page = await visit(server, "/");
    const client = await connectClient(server);
    const called = client.callTool({
      name: "publish",
      arguments: { inputs: [{ role: "report", path: "b.md" }] },
    });
    // A click right after it appeared answers nothing.
    await page.locator('article.question[aria-busy="false"]').waitFor();
    await page.getByRole("button", { name: "Confirm" }).click();
    expect(await called).toMatchObject({
      structuredContent: { inputs: [{}, { confirmed_by: userInfo().username }] },
    });
    await client.close();
  });
});

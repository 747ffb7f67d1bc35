import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import { addTokens, logOf, makeTeamProject, type Role } from "../access/team.ts";
import { Server } from "../http/server.ts";
import { live, lookAt, openTab, type Tab, visitLive } from "./browser.ts";

const folder = makeTeamProject();
const tokens: Record<Role, string> = addTokens(folder);
const server = await Server.forFile(folder, { args: ["--listen", "127.0.0.1:0"] });
await server.post("/api/plans", { file: "plan.yaml" });

async function open(role: Role, path: string): Promise<Tab> {
  const page = await visitLive({ url: server.url, token: tokens[role] }, path);
  await page.locator(".top-who").getByText(role).first().waitFor();
  return page;
}
const button = (page: Page, name: string) => page.getByRole("button", { name, exact: true }).first();
const reason = (page: Page, name: string) => button(page, name).getAttribute("title");

describe("the page of a team", () => {
  it("lets somebody in with the token that they type, and keeps it in the tab alone", async () => {
    await using page = await openTab(server.url);
    await page.go("/skills", "");
    await page.getByLabel("Or enter the access token").fill(tokens.reader);
    await page.keyboard.press("Enter");
    await live(page).waitFor();
    expect(page.url()).toBe(`${server.url}/skills`);
    const kept = await page.evaluate(
      () => JSON.stringify({ ...localStorage }) + document.cookie + location.href,
    );
    expect(kept).not.toContain(tokens.reader);
    await page.locator(".top-who").getByText("reader").first().waitFor();
  });

  it("disables what the role may not do, with the reason", async () => {
    await using page = await open("reader", "/plans/report");
    await button(page, "Confirm").waitFor();
    expect(await reason(page, "Confirm")).toBe("Needs the role approver; you are a reader.");
    expect(await reason(page, "Run")).toBe("Needs the role runner; you are a reader.");
    expect(await button(page, "Confirm").isDisabled()).toBe(true);
    await button(page, "Confirm").click({ force: true });
    await button(page, "Confirm").focus();
    await page.keyboard.press("Enter");
    expect(await page.getByRole("dialog").count()).toBe(0);
    await page.goto(`${server.url}/skills/good`);
    await button(page, "Disable").waitFor();
    expect(await reason(page, "Disable")).toBe("Needs the role owner; you are a reader.");
    await page.goto(`${server.url}/connect`);
    await page.getByText("Only an owner can see and change the tokens.").waitFor();
  });

  it("an approver confirms a task, and the log has their name", async () => {
    await using page = await open("approver", "/plans/report");
    await button(page, "Confirm").click();
    await page.getByRole("dialog").getByRole("button", { name: "Confirm" }).click();
    await page.getByText("ok was confirmed.").waitFor();
    expect(logOf(folder).filter(({ event_type }) => event_type === "EVIDENCE_ADDED")).toMatchObject([
      { actor: "token:approver" },
    ]);
  });

  it("an owner adds a token, sees it once, and revokes it", async () => {
    await using page = await open("owner", "/connect");
    await page.getByRole("button", { name: "Add a token" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel("Whose token it is").fill("a b");
    await dialog.getByRole("button", { name: "Add" }).click();
    await dialog.getByText("The name of a token has").waitFor();
    await dialog.getByLabel("Whose token it is").fill("dora");
    await dialog.getByLabel("Role").selectOption("runner");
    await dialog.getByRole("button", { name: "Add" }).click();
    const token = (await dialog.locator("code").textContent()) ?? "";
    expect(token).toMatch(/^knack_[\w-]{43}$/);
    const me = await server.get("/api/me", { Authorization: `Bearer ${token}` });
    expect(await me.json()).toEqual({ name: "dora", role: "runner" });
    await dialog.getByRole("button", { name: "Done" }).click();
    expect(await page.content()).not.toContain(token);
    await page.getByRole("button", { name: "Revoke the token of dora" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Revoke", exact: true }).click();
    await page.getByText("The token of dora was revoked.").waitFor();
    await expect.poll(() => page.getByRole("button", { name: "Revoke the token of dora" }).count()).toBe(0);
    expect((await server.get("/api/me", { Authorization: `Bearer ${token}` })).status).toBe(401);
  });

  it("looks right in both widths and colours, for an owner and for a reader", async () => {
    await lookAt({
      ...{ path: "/connect", name: "access-owner" },
      server: { url: server.url, token: tokens.owner },
      ready: (page) => page.getByRole("button", { name: "Revoke the token of reader" }).waitFor(),
    });
    await lookAt({
      ...{ path: "/plans/report", name: "access-plan" },
      server: { url: server.url, token: tokens.reader },
      ready: (page) => button(page, "Run").waitFor(),
    });
  });
});

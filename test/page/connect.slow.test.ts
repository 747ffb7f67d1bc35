import { chmodSync, existsSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { environment } from "../cli/run.ts";
import { Server } from "../http/server.ts";
import { lookAt, pressEnter, type Tab, visit } from "./browser.ts";
import { makeScene } from "./scene.ts";

const QWEN = '{\n  // mine\n  "theme": "dark"\n}\n';
const CODEX = 'model = "o4"\n';

const folder = await makeScene({
  "home/.qwen/settings.json": QWEN,
  "home/.codex/config.toml": CODEX,
  "home/.claude.json": '{\n  "mcpServers": { "knack": { "command": "old-knack", "args": ["mcp"] } }\n}\n',
  "home/.gemini/settings.json": "{ broken",
  "bin/codex": "#!/bin/sh\necho knack\n",
});
chmodSync(folder.at("bin/codex"), 0o755);
const server = await Server.forFile(folder, {
  env: { KNACK_TRUST: "all", PATH: `${folder.at("bin")}:${environment(folder).PATH}` },
});

const text = (file: string): string => readFileSync(folder.at("home", file), "utf8");

async function openConnect(): Promise<Tab> {
  const page = await visit(server, "/connect");
  await page.getByRole("button", { name: "Set up Qwen Code" }).waitFor();
  return page;
}

describe("Connect", () => {
  it("looks right in both widths and colours, with the change that it asks about", async () => {
    await using tab = await openConnect();
    const at = { server, tab, path: "/connect" };
    await lookAt({
      ...{ ...at, name: "connect" },
      ready: (page) => page.getByText("Claude Code").first().waitFor(),
    });
    await lookAt({
      ...{ ...at, name: "connect-change" },
      ready: async (page) => {
        await page.getByRole("button", { name: "Set up Qwen Code" }).click();
        await page.getByRole("button", { name: "Write the change" }).waitFor();
      },
    });
  });

  it("says the state of each agent", async () => {
    await using page = await openConnect();
    const row = (name: string) => page.locator(".connection").filter({ hasText: name });
    await row("Claude Code").getByText("Set up, out of date").waitFor();
    await row("Gemini CLI").getByText("File is broken").waitFor();
    await row("Codex").getByText("Not set up").waitFor();
    await row("Zed").getByText("Not found").waitFor();
  });

  it("sets an agent up after it has shown the change, and undoes it, with the mouse", async () => {
    await using page = await openConnect();
    await page.getByRole("button", { name: "Set up Qwen Code" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByText('"mcpServers": {').waitFor();
    expect(text(".qwen/settings.json")).toBe(QWEN);
    await dialog.getByRole("button", { name: "Write the change" }).click();
    await page.getByText("Qwen Code is set up.").waitFor();
    expect(text(".qwen/settings.json")).toContain('"knack"');
    await page.getByRole("button", { name: "Remove from Qwen Code" }).waitFor();
    await page.getByRole("button", { name: "Undo" }).click();
    await page.getByText("Qwen Code is as it was before.").waitFor();
    expect(text(".qwen/settings.json")).toBe(QWEN);
    expect(existsSync(folder.at("home/.qwen/settings.json.knack-backup"))).toBe(false);
  });

  it("does the same with the keyboard: set up, undo, set up, remove", async () => {
    await using page = await openConnect();
    const press = (name: string) => pressEnter(page.getByRole("button", { name }));
    await press("Set up Codex");
    await page.getByRole("dialog").getByText("[mcp_servers.knack]").waitFor();
    await page.keyboard.press("Escape");
    await expect.poll(() => page.getByRole("dialog").count()).toBe(0);
    expect(text(".codex/config.toml")).toBe(CODEX);
    await press("Set up Codex");
    await press("Write the change");
    await page.getByText("Codex is set up.").waitFor();
    await page.keyboard.press("Control+z");
    await page.getByText("Codex is as it was before.").waitFor();
    expect(text(".codex/config.toml")).toBe(CODEX);
    await press("Set up Codex");
    await press("Write the change");
    await press("Remove from Codex");
    await press("Remove the entry");
    await page.getByText("Codex is no longer set up.").waitFor();
    expect(text(".codex/config.toml")).toBe(CODEX);
  });

  it("updates an entry that starts another Knack, and refuses a file that changed meanwhile", async () => {
    await using page = await openConnect();
    await page.getByRole("button", { name: "Update Claude Code" }).click();
    await page.getByRole("dialog").getByText("old-knack").waitFor();
    folder.write({ "home/.claude.json": text(".claude.json").replace("old-knack", "older-knack") });
    await page.getByRole("button", { name: "Write the change" }).click();
    await page.getByRole("dialog").getByText("has changed since the change was shown").waitFor();
    await page.getByRole("dialog").getByText("older-knack").waitFor();
    await page.getByRole("button", { name: "Write the change" }).click();
    await page.getByText("Claude Code is set up.").waitFor();
    expect(text(".claude.json")).not.toContain("older-knack");
  });
});

import type { Client } from "@modelcontextprotocol/client";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, it } from "vitest";
import type { Folder } from "../../packages/core/src/testing/files.ts";
import { callText, connectClient } from "../http/mcp-client.ts";
import { Server } from "../http/server.ts";
import { Team } from "../queue/team.ts";
import { visitLive } from "./browser.ts";
import { makeQueueScene, queueMachine } from "./queue-scene.ts";
import { makeScene } from "./scene.ts";

/** The pictures of docs/page.md: "npm run page:pictures" writes them to docs/page/. */
let folder: Folder;
let server: Server;
let client: Client;

beforeAll(async () => {
  folder = await makeScene();
  server = await Server.start(folder);
  client = await connectClient(server, { name: "claude-code", version: "2.1.4" });
  await callText(client, "skill_search", { query: "release notes" });
});
afterAll(async () => {
  await client?.close();
  await server?.end();
  folder?.[Symbol.dispose]();
});

const SHOWN: readonly [name: string, path: string, ready: (page: Page) => Promise<unknown>][] = [
  ["home", "/", (page) => page.locator(".plot canvas").waitFor()],
  ["skills", "/skills?q=review+this+change", (page) => page.getByText("code-review").first().waitFor()],
  ["skill", "/skills/code-review", (page) => page.getByText("What a model reads").first().waitFor()],
  ["graph", "/graph", (page) => page.getByText("tao-of-coding").first().waitFor()],
  ["try", "/try?q=draft+release+notes", (page) => page.getByText("Because").waitFor()],
  ["runs", "/runs", (page) => page.locator("main :text('file_fingerprint'):visible").first().click()],
  ["plans", "/plans/quarterly-report", (page) => page.getByText("Gather sources").first().waitFor()],
  ["audit", "/audit", (page) => page.locator("main :text('about release-notes'):visible").first().click()],
  ["connect", "/connect", (page) => page.getByText("Claude Code").first().waitFor()],
];

describe("the pictures of the documentation", () => {
  it.each(SHOWN)("%s", (name, path, ready) => take(server, name, path, ready));

  it("queue", async () => {
    await using team = await Team.start();
    const machine = queueMachine(team);
    await using scene = await makeQueueScene(team, machine);
    await using own = await Server.start(machine.folder);
    await take(own, "queue", `/queue/${scene.ids.dead}`, (page) => page.locator(".plot canvas").waitFor());
  });
});

async function take(
  from: Server,
  name: string,
  path: string,
  ready: (page: Page) => Promise<unknown>,
): Promise<void> {
  await using page = await visitLive(from, path, { viewport: { width: 1280, height: 800 } });
  await ready(page);
  await page.evaluate(() => document.fonts.ready);
  await page.picture(name);
}

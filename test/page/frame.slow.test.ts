import { cpSync } from "node:fs";
import { join } from "node:path";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Folder, makeFolder } from "../../packages/core/src/testing/files.ts";
import { Server } from "../http/server.ts";
import { lookAt, openBrowser, Tab } from "./browser.ts";

let folder: Folder;
let server: Server;
let browser: Browser;

beforeAll(async () => {
  folder = makeFolder();
  folder.write({ "repo/.git/": "" });
  cpSync(join(import.meta.dirname, "../../skills"), folder.at("repo/.agents/skills"), { recursive: true });
  server = await Server.start(folder);
  browser = await openBrowser();
});
afterAll(async () => {
  await browser?.close();
  await server?.end();
  folder?.[Symbol.dispose]?.();
});

describe("the frame", () => {
  it("looks right in both widths and colours", async () => {
    await lookAt(browser, server.url, server.token, "/", "frame", (page) =>
      page.getByText("Trusted").waitFor(),
    );
  });

  it("takes the token out of the address", async () => {
    await using tab = await Tab.open(browser, server.url);
    await tab.go("/skills?q=a", server.token);
    await tab.page.getByRole("heading", { name: "Skills" }).waitFor();
    expect(tab.page.url()).toBe(`${server.url}/skills?q=a`);
    await tab.page.reload();
    await tab.page.getByText("Live").waitFor();
    expect(tab.faults()).toEqual([]);
  });
});

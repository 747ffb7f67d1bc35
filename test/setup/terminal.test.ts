import { existsSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { makeFolder } from "../../packages/core/src/testing/files.ts";
import { TerminalWindow } from "../cli/terminal-window.ts";

describe("knack setup in a terminal", () => {
  it("shows the change and asks; no, Ctrl-C and yes mean what they say", async () => {
    using folder = makeFolder({ "repo/.git/": "", "home/.zshrc": "" });
    using window = new TerminalWindow(folder, { columns: 100, rows: 40 });
    const file = folder.at("home/.config/zed/settings.json");
    window.run("told knack setup zed");
    await window.shows("Change ~/.config/zed/settings.json?");
    expect(window.screen).toContain('+  "context_servers": {');
    window.press("n");
    await window.shows("Nothing was changed.");
    await window.shows("ended with 1");
    await window.clear();
    window.run("told knack setup zed");
    await window.shows("Change ~/.config/zed/settings.json?");
    window.press("C-c");
    await window.shows("ended with 130");
    expect(existsSync(file)).toBe(false);
    await window.clear();
    window.run("told knack setup zed");
    await window.shows("Change ~/.config/zed/settings.json?");
    window.press("Enter");
    await window.shows("Zed is set up: ~/.config/zed/settings.json");
    expect(JSON.parse(readFileSync(file, "utf8"))).toHaveProperty("context_servers.knack");
  });
});

import { describe, expect, it } from "vitest";
import { makeFolder, skillText } from "../../packages/core/src/testing/files.ts";
import { Server } from "../http/server.ts";
import { lookAt, Tab } from "./browser.ts";

const REPO = "repo/.agents/skills";

describe("Home in its other states", () => {
  it("in an empty project teaches the next step on each part", async () => {
    using folder = makeFolder({ "repo/.git/": "" });
    await using server = await Server.start(folder);
    await lookAt({
      ...{ server, path: "/", name: "home-empty" },
      ready: async (page) => {
        await page.getByText("Nothing waits for you.").waitFor();
        await page.getByText("No agent is connected now.").waitFor();
        await page.getByText("knack new my-skill").first().waitFor();
        await page.getByText("knack run file_fingerprint").waitFor();
      },
    });
    await lookAt({
      ...{ server, path: "/try", name: "try-no-skills" },
      ready: (page) => page.getByText("There are no skills here yet").waitFor(),
    });
    await using tab = await Tab.open(server.url);
    await tab.go("/", server.token);
    await tab.page.getByRole("link", { name: "Connect one" }).click();
    await tab.page.getByRole("heading", { name: "Connect", exact: true }).waitFor();
    expect(tab.faults()).toEqual([]);
  });

  it("says what to do when the configuration is wrong, and shows the rest; then all of it", async () => {
    using folder = makeFolder({ "repo/.git/": "", [`${REPO}/good/SKILL.md`]: skillText("good") });
    await using server = await Server.start(folder);
    folder.write({ "home/.knack/config.yaml": "skills: { enabled: perhaps }\n" });
    await using tab = await Tab.open(server.url);
    await tab.go("/", server.token);
    const { page } = tab;
    await page.getByText('"knack doctor" shows where').first().waitFor();
    await page.getByText("No agent is connected now.").waitFor();
    await tab.picture("home-failed");
    folder.write({ "home/.knack/config.yaml": "" });
    await page.getByRole("button", { name: "Try again" }).first().click();
    await page.getByText("Nothing waits for you.").waitFor();
  });

  it("shows names and descriptions of hostile skills as text", async () => {
    const evil = '<img src=x onerror="alert(1)"><script>alert(2)</script>';
    using folder = makeFolder({
      "repo/.git/": "",
      [`${REPO}/evil/SKILL.md`]: `---\nname: evil\ndescription: '${evil} rotate keys'\n---\n${evil}\n</skill_context>\n`,
      "repo/.agents/skills/<b>x</b>/SKILL.md": skillText("b", "d"),
    });
    await using server = await Server.start(folder);
    await using tab = await Tab.open(server.url);
    await tab.go("/", server.token);
    await tab.page.getByText("<img src=x").first().waitFor();
    await tab.go("/try?q=rotate+keys", "");
    await tab.page.locator(".ranking-row").first().waitFor();
    await tab.page.getByRole("tab", { name: "Load answer" }).click();
    await tab.page.locator(".outcome pre").getByText("<script>").waitFor();
    expect(tab.faults()).toEqual([]);
  });
});

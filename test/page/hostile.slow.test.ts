import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import { makeFolder } from "../../packages/core/src/testing/files.ts";
import { knack } from "../cli/run.ts";
import { connectClient } from "../http/mcp-client.ts";
import { Server } from "../http/server.ts";
import { follow, live, visitLive } from "./browser.ts";
import { hostileFiles, SHOWN } from "./hostile-skills.ts";

const MARKUP = "<img src=x onerror=alert(1)><script>globalThis.attacked=1</script>";

const folder = makeFolder({
  "repo/.git/": "",
  "home/": "",
  ...hostileFiles(),
  "repo/a.md": `# ${MARKUP}\n`,
  "repo/plan.yaml": `plan: hostile\ntitle: ${JSON.stringify(MARKUP)}\ntasks:\n  - id: constructor\n    title: ${JSON.stringify(MARKUP)}\n    requires:\n      - name: draft\n        kind: FILE\n  - id: second\n    title: "javascript:alert(1)"\n    depends_on: [constructor]\n`,
});
for (const args of [
  ["lock"],
  ["run", "md_to_html", "a.md"],
  ["run", "file_fingerprint", "a.md"],
  ["plan", "apply", "plan.yaml"],
])
  knack(folder, args, { env: { KNACK_TRUST: "all" } });
const server = await Server.forFile(folder);
// A client's name is its own choice too.
const client = await connectClient(server, { name: MARKUP });
await client.callTool({ name: "skill_search", arguments: { query: MARKUP } });
await client.callTool({ name: "skill_load", arguments: { name: "script-tag", force: true } });
await client.close();
/** One for all: each check opens another page in it. */
const page = await visitLive(server, "/connect");
/** The one style that the page has in its HTML. */
const [, ownStyle = ""] = /<style>(.*?)<\/style>/s.exec(await (await server.get("/")).text()) ?? [];

/** What must not be in a page, whatever a skill says. */
const foreignParts = (page: Page): Promise<string[]> =>
  page.evaluate((style) => {
    const found: string[] = [];
    if ("attacked" in globalThis) found.push("a script ran");
    for (const one of document.querySelectorAll(
      "iframe:not([src^='blob:']), object, embed, base, meta[http-equiv], link[rel=stylesheet], style, video, audio",
    ))
      if (
        !(one instanceof HTMLLinkElement && one.href.startsWith(`${location.origin}/assets/`)) &&
        !(one.parentElement === document.head && one.textContent === style)
      )
        found.push(one.outerHTML.slice(0, 200));
    for (const one of document.querySelectorAll("script"))
      if (!one.src.startsWith(`${location.origin}/assets/`)) found.push(one.outerHTML.slice(0, 200));
    for (const one of document.querySelectorAll("img"))
      if (!/^(?:blob:|data:image\/(?!svg))/.test(one.src)) found.push(one.outerHTML.slice(0, 200));
    for (const one of document.querySelectorAll("a[href], area[href]")) {
      const link = one as HTMLAnchorElement;
      const isOwn = link.origin === location.origin && link.protocol === "http:";
      const isSafe = /^https?:$/.test(link.protocol) && link.target === "_blank" && /noopener/.test(link.rel);
      if (!isOwn && !isSafe && link.getAttribute("href") !== "") found.push(link.outerHTML.slice(0, 200));
    }
    for (const one of document.querySelectorAll("#page *"))
      for (const { name } of one.attributes)
        if (name.startsWith("on")) found.push(one.outerHTML.slice(0, 200));
    if (getComputedStyle(document.body).display === "none") found.push("the page is hidden");
    return found;
  }, ownStyle);

/** Loads the page anew. */
async function load(path: string): Promise<void> {
  // Between two addresses that differ in their fragment alone, nothing would be loaded.
  await page.goto("about:blank");
  await page.go(path, server.token);
  await live(page).waitFor();
}

/** Goes there by a link, as a person does, unless it is to be loaded. */
async function check(path: string, open = (to: string) => follow(page, to)): Promise<void> {
  await open(path);
  await page.locator("main h1, main .state").first().waitFor();
  await page.settled();
  expect(await foreignParts(page), path).toEqual([]);
  expect(page.faults(), path).toEqual([]);
  expect(new URL(page.url()).origin, path).toBe(server.url);
}

describe("hostile skills", () => {
  it.each([
    "/",
    "/skills",
    "/skills?q=hostile",
    "/skills?state=left_out",
    "/graph",
    "/graph?focus=script-tag&depth=3",
    "/try",
    "/runs",
    "/plans",
    "/plans/hostile",
    "/queue",
    "/audit",
    "/connect",
  ])("do nothing on %s", async (path) => {
    await check(path);
  });

  it.each([
    "/",
    "/skills/ct-inject",
    `/graph?focus=${encodeURIComponent(MARKUP)}`,
    `/try?q=${encodeURIComponent(`hostile script ${MARKUP}`)}`,
    `/queue/${encodeURIComponent("<img src=x onerror=alert(1)>")}`,
    `/skills/${encodeURIComponent("<img src=x onerror=alert(1)>")}`,
  ])("do nothing when the page is loaded with the address %s", async (path) => {
    await check(path, load);
  });

  it.each(SHOWN)("do nothing on their own page: %s", async (name) => {
    await check(`/skills/${name}`);
  });

  it.each(["files", "edges", "findings", "lock", "use", "triggers"])(
    "do nothing in the tab %s of a skill",
    async (name) => {
      for (const one of ["script-tag", "bidi-override", "ct-inject"])
        await check(`/skills/${one}?tab=${name}`);
    },
  );

  it.each([
    "evil.html",
    "evil.svg",
    "evil.md",
    "long.js",
    "<img src=x onerror=alert(1)>.txt",
    "\u202etxt.exe",
  ])("do nothing as a file: %s", async (file) => {
    const path = `/skills/script-tag?tab=files&file=${encodeURIComponent(file)}`;
    await check(path);
    if (file.endsWith(".md")) await check(`${path}&as=text`);
  });

  it("do nothing in runs, their artifacts and the log", async () => {
    const { runs } = await server.json<{ runs: { id: string }[] }>("/api/runs");
    expect(runs.length).toBeGreaterThan(0);
    for (const { id } of runs) await check(`/runs/${id}`);
  });

  it("do nothing while they are found in the palette", async () => {
    await check("/connect");
    await page.keyboard.press("Control+k");
    await page.getByRole("combobox").pressSequentially("hostile onerror alert");
    await page.getByRole("option").nth(3).waitFor();
    expect(await foreignParts(page)).toEqual([]);
    expect(page.faults()).toEqual([]);
  });
});

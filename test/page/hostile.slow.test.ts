import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Folder, makeFolder } from "../../packages/core/src/testing/files.ts";
import { knack } from "../cli/run.ts";
import { connectClient } from "../http/mcp-client.ts";
import { Server } from "../http/server.ts";
import { openBrowser, Tab } from "./browser.ts";
import { hostileFiles, SHOWN } from "./hostile-skills.ts";

const MARKUP = "<img src=x onerror=alert(1)><script>globalThis.attacked=1</script>";
/** How long the page may not answer, also on a busy machine. */
const LONGEST_TASK_MS = 2_500;

let folder: Folder;
let server: Server;
let browser: Browser;

beforeAll(async () => {
  folder = makeFolder({
    "repo/.git/": "",
    "home/": "",
    ...hostileFiles(),
    "repo/a.md": `# ${MARKUP}\n`,
    "repo/plan.yaml": `plan: hostile\ntitle: ${JSON.stringify(MARKUP)}\ntasks:\n  - id: constructor\n    title: ${JSON.stringify(MARKUP)}\n    requires:\n      - name: draft\n        kind: FILE\n  - id: second\n    title: "javascript:alert(1)"\n    depends_on: [constructor]\n`,
  });
  const env = { KNACK_TRUST: "all" };
  knack(folder, ["lock"], { env });
  knack(folder, ["run", "md_to_html", "a.md"], { env });
  knack(folder, ["run", "file_fingerprint", "a.md"], { env });
  knack(folder, ["plan", "apply", "plan.yaml"], { env });
  server = await Server.start(folder);
  // A client's name is its own choice too.
  const client = await connectClient(server, { name: MARKUP });
  await client.callTool({ name: "skill_search", arguments: { query: MARKUP } });
  await client.callTool({ name: "skill_load", arguments: { name: "script-tag", force: true } });
  await client.close();
  browser = await openBrowser();
});
afterAll(async () => {
  await browser?.close();
  await server?.end();
  folder?.[Symbol.dispose]();
});

/** What must not be in a page, whatever a skill says. */
const foreignParts = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    const found: string[] = [];
    if ("attacked" in globalThis) found.push("a script ran");
    for (const one of document.querySelectorAll(
      "iframe:not([src^='blob:']), object, embed, base, meta[http-equiv], link[rel=stylesheet], style, video, audio",
    ))
      if (!(one instanceof HTMLLinkElement && one.href.startsWith(`${location.origin}/assets/`)))
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
  });

/** The longest task of the page so far, and that it still answers. */
const longestTask = (page: Page): Promise<number> =>
  page.evaluate(
    () =>
      new Promise<number>((done) => {
        let longest = 0;
        new PerformanceObserver((list) => {
          for (const { duration } of list.getEntries()) longest = Math.max(longest, duration);
        }).observe({ type: "longtask", buffered: true });
        requestAnimationFrame(() => setTimeout(() => done(longest), 100));
      }),
  );

async function check(tab: Tab, path: string): Promise<void> {
  await tab.go(path, server.token);
  await tab.page.getByText("Live", { exact: true }).waitFor();
  await tab.page.locator("main h1, main .state").first().waitFor();
  await tab.page.waitForLoadState("networkidle", { timeout: 1_500 }).catch(() => undefined);
  const longest = await longestTask(tab.page);
  expect(await foreignParts(tab.page), path).toEqual([]);
  expect(tab.faults(), path).toEqual([]);
  expect(longest, `${path}: the longest task`).toBeLessThan(LONGEST_TASK_MS);
  expect(new URL(tab.page.url()).origin, path).toBe(server.url);
}

describe("hostile skills", () => {
  it.each([
    "/",
    "/skills",
    "/skills?q=hostile",
    "/skills?state=left_out",
    "/graph",
    "/graph?focus=script-tag&depth=3",
    `/graph?focus=${encodeURIComponent(MARKUP)}`,
    "/try",
    `/try?q=${encodeURIComponent(`hostile script ${MARKUP}`)}`,
    "/runs",
    "/plans",
    "/plans/hostile",
    "/audit",
    "/connect",
    `/skills/${encodeURIComponent("<img src=x onerror=alert(1)>")}`,
  ])("do nothing on %s", async (path) => {
    await using tab = await Tab.open(browser, server.url);
    await check(tab, path);
  });

  it.each(SHOWN)("do nothing on their own page: %s", async (name) => {
    await using tab = await Tab.open(browser, server.url);
    await check(tab, `/skills/${name}`);
  });

  it.each(["text", "files", "edges", "findings", "lock", "use", "triggers"])(
    "do nothing in the tab %s of a skill",
    async (name) => {
      await using tab = await Tab.open(browser, server.url);
      for (const one of ["script-tag", "bidi-override", "ct-inject"])
        await check(tab, `/skills/${one}?tab=${name}`);
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
    await using tab = await Tab.open(browser, server.url);
    await check(tab, `/skills/script-tag?tab=files&file=${encodeURIComponent(file)}`);
    await check(tab, `/skills/script-tag?tab=files&file=${encodeURIComponent(file)}&as=text`);
  });

  it("do nothing in runs, their artifacts and the log", async () => {
    await using tab = await Tab.open(browser, server.url);
    const { runs } = await server.json<{ runs: { id: string }[] }>("/api/runs");
    expect(runs.length).toBeGreaterThan(0);
    for (const { id } of runs) await check(tab, `/runs/${id}`);
  });

  it("do nothing while they are found in the palette", async () => {
    await using tab = await Tab.open(browser, server.url);
    await check(tab, "/connect");
    await tab.page.keyboard.press("Control+k");
    await tab.page.getByRole("combobox").pressSequentially("hostile onerror alert");
    await tab.page.getByRole("option").nth(3).waitFor();
    expect(await foreignParts(tab.page)).toEqual([]);
    expect(tab.faults()).toEqual([]);
  });
});

import { mkdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { type Browser, chromium, type Locator, type Page, type Request } from "playwright-core";
import { expect } from "vitest";
import { sharedService } from "../../packages/core/src/shared/testing/shared-service.ts";

const AXE = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

const SETTLED = { quiet: 300, most: 1_500 };

export const WIDE = { width: 1440, height: 900 };
export const NARROW = { width: 390, height: 844 };

/** The dot of a page that the server keeps up to date. */
export const live = (page: Page) => page.getByText("Live", { exact: true });

/** Presses Enter on a button as soon as it can be used: one that is still disabled takes no focus. */
export async function pressEnter(button: Locator): Promise<void> {
  await expect.poll(() => button.isEnabled()).toBe(true);
  await button.press("Enter");
}

/** Nothing of the page is cut off at the right: the frame hides what is too wide. */
export async function expectNothingCut(page: Page): Promise<void> {
  const wide = await page.evaluate(() => {
    const main = document.getElementById("main");
    return main ? main.scrollWidth - main.clientWidth : -1;
  });
  expect(wide, "the page is too wide").toBe(0);
}

let connected: Promise<Browser> | undefined;

/** The browser that all files of a run share (test/services.ts). */
export function openBrowser(): Promise<Browser> {
  connected ??= sharedService("/browser").then((address) => chromium.connect(address));
  return connected;
}

/** Tabs that a test has closed. A new one is a process of its own, so the next test gets one of these, emptied. */
const unused: Page[] = [];
const MOST_UNUSED = 3;

async function newTab(): Promise<Page> {
  const context = await (await openBrowser()).newContext({ locale: "en-GB" });
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  await context.addInitScript(() => {
    document.addEventListener("securitypolicyviolation", (event) => {
      console.error(`CSP: ${event.effectiveDirective} ${event.blockedURI} ${event.sample}`);
    });
  });
  return context.newPage();
}

/** Forgets what a page has stored and what listens to it; what cannot be emptied is closed. */
async function putBack(page: Page): Promise<void> {
  const context = page.context();
  try {
    for (const other of context.pages()) if (other !== page) await other.close();
    for (const type of EVENTS) page.removeAllListeners(type);
    await page.unrouteAll({ behavior: "ignoreErrors" });
    await page.evaluate(() => {
      localStorage.clear();
      sessionStorage.clear();
    });
    await page.goto("about:blank");
    if (unused.length < MOST_UNUSED) unused.push(page);
    else await context.close();
  } catch {
    await context.close();
  }
}

/** A page that remembers everything that it must not do. */
export type Tab = Awaited<ReturnType<typeof openTab>>;

export async function openTab(
  origin: string,
  {
    viewport = WIDE,
    colorScheme = "light",
  }: { viewport?: { width: number; height: number }; colorScheme?: "light" | "dark" } = {},
) {
  const page = unused.pop() ?? (await newTab());
  await page.setViewportSize(viewport);
  await page.emulateMedia({ colorScheme });
  // A guard against waiting forever: a busy machine may be slow.
  page.setDefaultTimeout(100_000);
  const { faults, loading } = watch(page, origin);
  return Object.assign(page, {
    /** Opens an address of the page; with the token unless it is "". */
    async go(path: string, token: string): Promise<void> {
      await page.goto(`${origin}${path}${token === "" ? "" : `#token=${token}`}`);
    },

    /** Waits until the page has loaded nothing for a while; the stream of events stays open. */
    async settled(): Promise<void> {
      const end = performance.now() + SETTLED.most;
      for (let since = performance.now(); performance.now() < end; await setTimeout(20)) {
        if (loading.size > 0) since = performance.now();
        if (performance.now() - since >= SETTLED.quiet) return;
      }
    },

    /** Faults until now: console errors, broken rules, dialogs, requests to elsewhere. They are then forgotten. */
    faults: (): string[] => faults.splice(0),

    /** A picture for a person to look at, in the folder of KNACK_SCREENSHOTS; none without, because nothing checks it. */
    async picture(name: string): Promise<void> {
      const folder = process.env.KNACK_SCREENSHOTS;
      if (folder === undefined) return;
      mkdirSync(folder, { recursive: true });
      await page.screenshot({ path: join(folder, `${name}.png`), animations: "disabled" });
    },

    /** There is no finding of accessibility; with a picture. */
    async looksRight(name: string, options?: AxeOptions): Promise<void> {
      await this.picture(name);
      expect(await accessibilityFindings(page, options), name).toEqual([]);
    },

    /** Closes the page. A fault that its test did not ask for fails the test. */
    async [Symbol.asyncDispose](): Promise<void> {
      const found = faults.splice(0);
      await putBack(page);
      expect(found).toEqual([]);
    },
  });
}

/** A page of a server at an address, with its token. */
export async function visit(
  server: { readonly url: string; readonly token: string },
  path: string,
  options: Parameters<typeof openTab>[1] = {},
): Promise<Tab> {
  const page = await openTab(server.url, options);
  await page.go(path, server.token);
  return page;
}

/** Goes to an address as a link does. */
export const follow = (page: Page, path: string): Promise<void> =>
  page.evaluate((to) => {
    const link = Object.assign(document.createElement("a"), { href: to });
    document.body.append(link);
    link.click();
    link.remove();
  }, path);

/** The same, once the server keeps the page up to date. */
export async function visitLive(...where: Parameters<typeof visit>): Promise<Tab> {
  const page = await visit(...where);
  await live(page).waitFor();
  return page;
}

const EVENTS = ["console", "pageerror", "dialog", "request", "requestfinished", "requestfailed"] as const;

/** The faults of a page, and the requests that are on their way. */
function watch(page: Page, origin: string) {
  const faults: string[] = [];
  const loading = new Set<Request>();
  page.on("console", (message) => {
    if (message.type() === "error" && !isNetworkNoise(message.text()))
      faults.push(`console: ${message.text()} (${message.location().url})`);
  });
  page.on("pageerror", (error) => faults.push(`error: ${error.message}`));
  page.on("dialog", (dialog) => {
    faults.push(`dialog: ${dialog.message()}`);
    void dialog.dismiss();
  });
  page.on("request", (request) => {
    const url = request.url();
    if (!url.startsWith(`${origin}/`) && !/^(?:blob|data):/.test(url)) faults.push(`request: ${url}`);
    if (!url.startsWith(`${origin}/api/events`)) loading.add(request);
  });
  page.on("requestfinished", (request) => loading.delete(request));
  page.on("requestfailed", (request) => loading.delete(request));
  return { faults, loading };
}

/** axe-core's serious and critical findings by all its rules, unless its options say less. */
async function accessibilityFindings(page: Page, options: AxeOptions = {}): Promise<string[]> {
  // In the page's own world its Trusted Types would refuse the text of a script.
  if (!(await page.evaluate(() => "axe" in globalThis))) await page.evaluate(AXE);
  const { violations } = await page.evaluate(
    (more) =>
      (
        globalThis as unknown as { axe: { run: (where: unknown, options: object) => Promise<AxeResults> } }
      ).axe.run(document, { resultTypes: ["violations"], ...more }),
    options,
  );
  return violations
    .filter(({ impact }) => impact === "serious" || impact === "critical")
    .map(
      ({ id, nodes }) =>
        `${id}: ${nodes.map(({ target, failureSummary }) => `${target.join(" ")} ${failureSummary}`).join("; ")}`,
    );
}

interface AxeOptions {
  readonly runOnly?: readonly string[];
  readonly rules?: Readonly<Record<string, { readonly enabled: boolean }>>;
}

interface AxeResults {
  readonly violations: readonly {
    readonly id: string;
    readonly impact: string;
    readonly nodes: readonly { readonly target: readonly string[]; readonly failureSummary: string }[];
  }[];
}

/**
 * Chromium writes refused requests to the console by itself: errors that a server answers on purpose (503: it is stopping), and
 * connections that end with it. The page says the same in its own words.
 */
function isNetworkNoise(text: string): boolean {
  return /^Failed to load resource: (?:the server responded with a status of (?:4|503)|net::ERR_CONNECTION_(?:REFUSED|RESET)|net::ERR_(?:INCOMPLETE|EMPTY_RESPONSE))/.test(
    text,
  );
}

interface Look {
  readonly server: { readonly url: string; readonly token: string };
  readonly path: string;
  /** A tab that is open already: it goes there by a link, which costs less than to load the page. */
  readonly tab?: Tab;
  /** The beginning of the names of its pictures. */
  readonly name: string;
  /** Waits until all that belongs in the picture is there. */
  readonly ready: (page: Page) => Promise<unknown>;
}

/** Of axe's rules only contrast depends on colours, and colours do not depend on the width: a dark narrow page is only a picture. */
const LOOKS = [
  { viewport: WIDE, colorScheme: "light", axe: {} },
  { viewport: WIDE, colorScheme: "dark", axe: { runOnly: ["color-contrast"] } },
  { viewport: NARROW, colorScheme: "light", axe: { rules: { "color-contrast": { enabled: false } } } },
  { viewport: NARROW, colorScheme: "dark", axe: undefined },
] as const;

/** The page in both widths and colours: no findings, no faults, nothing cut off. It is loaded once, and changes while it is open. */
export async function lookAt({ server, path, tab, name, ready }: Look): Promise<void> {
  await using own = tab ? undefined : await visit(server, path);
  const page = tab ?? own!;
  if (tab) await follow(tab, path);
  await ready(page);
  for (const { viewport, colorScheme, axe } of LOOKS) {
    if (axe === undefined && process.env.KNACK_SCREENSHOTS === undefined) continue;
    const look = `${path} ${viewport.width} ${colorScheme}`;
    await page.setViewportSize(viewport);
    await page.emulateMedia({ colorScheme });
    // Colours change by a transition.
    await page.evaluate(() => new Promise((done) => requestAnimationFrame(done)));
    await page.waitForFunction(() => !document.getAnimations().some((one) => one instanceof CSSTransition));
    const picture = `${name}-${viewport.width}-${colorScheme}`;
    await (axe ? page.looksRight(picture, axe) : page.picture(picture));
    const beyond = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
    expect(beyond, `${look} is too wide`).toBeLessThanOrEqual(0);
    await expectNothingCut(page);
    expect(page.faults(), look).toEqual([]);
  }
}

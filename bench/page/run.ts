/**
 * How fast the page is beside what it cannot be faster than: typing into the search of 10,000 skills beside an empty catalog, the
 * first paint beside an empty static page, scrolling through all skills, and the longest task on the pages of hostile skills.
 *
 *   npm run bench:page -- [--skills 10000]
 */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { parseArgs } from "node:util";
import { chromium, type Page } from "playwright-core";
import { type Folder, makeFolder } from "../../packages/core/src/testing/files.ts";
import { Server } from "../../test/http/server.ts";
import { ARGUMENTS, CHROMIUM } from "../../test/page/chromium.ts";
import { hostileFiles, SHOWN } from "../../test/page/hostile-skills.ts";
import { manySkills } from "../../test/page/many-skills.ts";

interface Served {
  readonly folder: Folder;
  readonly server: Server;
}

const { values } = parseArgs({ options: { skills: { type: "string", default: "10000" } } });
const serve = async (folder: Folder): Promise<Served> => ({ folder, server: await Server.start(folder) });
const many = await serve(makeFolder(manySkills(Number(values.skills))));
const none = await serve(makeFolder(manySkills(0)));
const hostile = await serve(makeFolder({ "repo/.git/": "", "home/": "", ...hostileFiles() }));
const browser = await chromium.launch({ executablePath: CHROMIUM, args: ARGUMENTS });
try {
  await typing(many);
  compare(
    "typing to results",
    "no skills",
    await typing(none),
    `${values.skills} skills`,
    await typing(many),
  );
  for (const when of ["the first time", "again"]) await paints(when);
  await scrolling();
  await hostilePages();
} finally {
  await browser.close();
  for (const { server, folder } of [many, none, hostile]) {
    await server.end();
    folder[Symbol.dispose]();
  }
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
}

function compare(
  what: string,
  bareName: string,
  bareTimes: readonly number[],
  name: string,
  times: readonly number[],
): void {
  const [bare, own] = [median(bareTimes), median(times)];
  console.log(
    `${what}, median: ${bareName} ${bare.toFixed(0)} ms, ${name} ${own.toFixed(0)} ms: ${(own / bare).toFixed(2)} x`,
  );
}

/** From each key to the frame after the answer to what was typed until then. */
async function typing({ server }: Served): Promise<number[]> {
  await using context = await browser.newContext();
  const page = await context.newPage();
  await page.addInitScript(() => {
    const own = globalThis.fetch;
    const answered = new Map<string, number>();
    Object.assign(globalThis, { answered });
    globalThis.fetch = async (...given) => {
      const response = await own(...given);
      const asked = new URL(String(given[0]), location.href).searchParams.get("q");
      const read = response.json.bind(response);
      response.json = async () => {
        const data = await read();
        // After the page has drawn it.
        if (asked !== null)
          requestAnimationFrame(() => setTimeout(() => answered.set(asked, performance.now())));
        return data;
      };
      return response;
    };
  });
  await page.goto(`${server.url}/skills#token=${server.token}`);
  await page.getByText("Live", { exact: true }).waitFor();
  const field = page.getByRole("searchbox", { name: "Search skills" });
  await field.waitFor();
  const times: number[] = [];
  for (const text of ["review docs", "deploy serv", "measure gra"]) {
    await field.fill("");
    await page.waitForTimeout(400);
    for (let end = 1; end <= text.length; end++) {
      if (text[end - 1] === " ") {
        await field.press("Space");
        continue;
      }
      const start = await page.evaluate(() => performance.now());
      await field.press(text[end - 1] as string);
      const time = await page.evaluate(
        (typed) =>
          new Promise<number>((done) => {
            const answered = (globalThis as unknown as { answered: Map<string, number> }).answered;
            const look = (): unknown => {
              const at = answered.get(typed);
              return at === undefined ? setTimeout(look, 1) : done(at);
            };
            look();
          }),
        text.slice(0, end),
      );
      times.push(time - start);
      await page.evaluate(() =>
        (globalThis as unknown as { answered: Map<string, number> }).answered.clear(),
      );
    }
  }
  return times;
}

/** Loads with a browser at rest: it still ends the tab before, and starts processes for the next one. */
async function firstPaint(page: Page, url: string): Promise<number> {
  await page.goto("about:blank");
  await page.waitForTimeout(300);
  await page.goto(url);
  return page.evaluate(
    () =>
      new Promise<number>((done) => {
        new PerformanceObserver((all) => {
          for (const { name, startTime } of all.getEntries())
            if (name === "first-contentful-paint") done(startTime);
        }).observe({ type: "paint", buffered: true });
      }),
  );
}

async function paints(when: string): Promise<void> {
  const plain = createServer((_request, response) => {
    response.setHeader("Content-Type", "text/html");
    response.end("<!doctype html><title>Empty</title><p>Empty");
  });
  await new Promise<void>((done) => plain.listen(0, "127.0.0.1", done));
  const addresses = {
    empty: `http://127.0.0.1:${(plain.address() as AddressInfo).port}/`,
    own: `${many.server.url}/skills#token=${many.server.token}`,
  };
  const times = { empty: [] as number[], own: [] as number[] };
  let context = await browser.newContext();
  let page = await context.newPage();
  for (let turn = 0; turn < 11; turn++)
    for (const which of ["empty", "own"] as const) {
      // A new context has nothing in its cache.
      if (when === "the first time") {
        await context.close();
        context = await browser.newContext();
        page = await context.newPage();
      }
      const time = await firstPaint(page, addresses[which]);
      // The first two warm up.
      if (turn > 1) times[which].push(time);
    }
  plain.close();
  await context.close();
  compare(`first contentful paint ${when}`, "an empty page", times.empty, "this page", times.own);
}

async function scrolling(): Promise<void> {
  await using context = await browser.newContext();
  const page = await context.newPage();
  await page.goto(`${many.server.url}/skills#token=${many.server.token}`);
  await page.locator(".list-row").nth(5).waitFor();
  await page.waitForTimeout(1_000);
  await page.evaluate(() => {
    const tasks: number[] = [];
    Object.assign(globalThis, { tasks });
    new PerformanceObserver((all) => {
      for (const { duration } of all.getEntries()) tasks.push(duration);
    }).observe({ type: "longtask" });
  });
  await page.getByRole("grid", { name: "Skills" }).hover();
  for (let step = 0; step < 150; step++) {
    await page.mouse.wheel(0, step < 75 ? 400 : 4_000);
    await page.waitForTimeout(16);
  }
  await page.waitForTimeout(500);
  const tasks = await page.evaluate(() => (globalThis as unknown as { tasks: number[] }).tasks);
  console.log(`scrolling: tasks over 50 ms: ${tasks.length === 0 ? "none" : tasks.join(", ")}`);
}

/** No text of a skill keeps the page from answering. */
async function hostilePages(): Promise<void> {
  await using context = await browser.newContext();
  const page = await context.newPage();
  let [longest, name] = [0, ""];
  for (const skill of SHOWN) {
    await page.goto("about:blank");
    await page.goto(`${hostile.server.url}/skills/${skill}#token=${hostile.server.token}`);
    await page.locator("main h1, main .state").first().waitFor();
    const task = await page.evaluate(
      () =>
        new Promise<number>((done) => {
          let longest = 0;
          new PerformanceObserver((all) => {
            for (const { duration } of all.getEntries()) longest = Math.max(longest, duration);
          }).observe({ type: "longtask", buffered: true });
          setTimeout(() => done(longest), 500);
        }),
    );
    if (task > longest) [longest, name] = [task, skill];
  }
  console.log(`hostile skills: longest task ${longest.toFixed(0)} ms (${name}), goal: at most 2500 ms`);
}

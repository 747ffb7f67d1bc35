import { rmSync } from "node:fs";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Folder, makeFolder, skillText } from "../../packages/core/src/testing/files.ts";
import { Server } from "../http/server.ts";
import { lookAt, NARROW, Tab } from "./browser.ts";
import { largeGraph, smallGraph } from "./graph-project.ts";

let small: { folder: Folder; server: Server };
let large: { folder: Folder; server: Server };

const serve = async (folder: Folder) => ({ folder, server: await Server.start(folder) });

beforeAll(async () => {
  [small, large] = await Promise.all([serve(smallGraph()), serve(largeGraph(500))]);
});
afterAll(async () => {
  for (const one of [small, large]) {
    await one?.server.end();
    one?.folder[Symbol.dispose]();
  }
});

const drawing = (page: Page) => page.getByRole("group", { name: "Drawing" });
const node = (page: Page, name: string) =>
  drawing(page).getByRole("link", { name: new RegExp(`^${name}(?: |$)`) });
const list = (page: Page) => page.getByRole("grid", { name: "Skills and edges" });
const find = (page: Page) => page.getByLabel("Find a skill in the graph");
const note = (page: Page) => page.locator(".edge-note");

async function open(path: string, { server } = small, options: Parameters<typeof Tab.open>[1] = {}) {
  const tab = await Tab.visit(server, path, options);
  await list(tab.page).waitFor();
  return tab;
}

const focusOf = (page: Page): string | null => new URL(page.url()).searchParams.get("focus");

describe("a small graph", () => {
  it("looks right in both widths and colours", async () => {
    await lookAt({
      server: small.server,
      path: "/graph",
      name: "graph",
      ready: (page) => node(page, "release").waitFor(),
    });
  });

  it("shows every kind of edge by stroke, colour and word, cycles, and names that mean no skill", async () => {
    await using tab = await open("/graph");
    await node(tab.page, "release").waitFor();
    for (const kind of ["requires_now", "requires_later", "reference_only", "cycle", "missing"])
      expect(await tab.page.locator(`.edge.edge-${kind}`).count(), kind).toBeGreaterThan(0);
    const strokes = await tab.page.evaluate(() =>
      ["requires_now", "requires_later", "reference_only", "cycle"].map((kind) => {
        const line = document.querySelector(`.edge.edge-${kind} .edge-line`) as Element;
        const { stroke, strokeDasharray, strokeWidth } = getComputedStyle(line);
        return { stroke, shape: `${strokeDasharray} ${strokeWidth}` };
      }),
    );
    expect(new Set(strokes.map(({ stroke }) => stroke)).size).toBe(4);
    expect(new Set(strokes.map(({ shape }) => shape)).size).toBe(4);
    await drawing(tab.page).getByText("no-such-skill").waitFor();
    await drawing(tab.page).getByText("Missing").waitFor();
    expect(await drawing(tab.page).getByText("Cycle", { exact: true }).count()).toBe(2);
    const text = await list(tab.page).textContent();
    expect(text).toContain("planning");
    expect(text).toMatch(/Cycles \(1\)/);
    expect(text).toMatch(/Required now, one of several/);
  });

  it("shows the sentence and the rule behind an edge on hover, and when its row is chosen by key", async () => {
    await using tab = await open("/graph?focus=release");
    await node(tab.page, "release").waitFor();
    const line = tab.page.locator(".edge-requires_later .edge-hit");
    const middle = await line.evaluate((path) => {
      const point = (path as SVGPathElement).getPointAtLength((path as SVGPathElement).getTotalLength() / 2);
      const { x, y } = new DOMPoint(point.x, point.y).matrixTransform(
        (path as SVGPathElement).getScreenCTM() as DOMMatrix,
      );
      return { x, y };
    });
    await tab.page.mouse.move(middle.x, middle.y);
    await note(tab.page).getByText("After the release is published").waitFor();
    expect(await note(tab.page).textContent()).toMatch(/Required later.*Line \d+.*Rules?: \S/);
    await tab.picture("graph-hover");
    await tab.page.mouse.move(5, 5);
    await expect.poll(() => note(tab.page).count()).toBe(0);

    await list(tab.page).focus();
    await tab.page.keyboard.press("Home");
    await note(tab.page).waitFor();
    await tab.page.keyboard.press("j");
    await note(tab.page).getByText("After the release is published").waitFor();
    await tab.page.keyboard.press("End");
    await note(tab.page).getByText("there is no such skill").waitFor();
    expect(tab.faults()).toEqual([]);
  });

  it("goes to a neighbour by mouse, further with steps, and back", async () => {
    await using tab = await open("/graph");
    await node(tab.page, "release").click();
    await expect.poll(() => focusOf(tab.page)).not.toBeNull();
    await tab.page.getByText("around").waitFor();
    await expect.poll(() => node(tab.page, "systematic-debugging").count()).toBe(0);
    await tab.page.getByRole("button", { name: "2 steps" }).click();
    await node(tab.page, "systematic-debugging").waitFor();
    await list(tab.page).getByRole("button", { name: "code-review", exact: true }).click();
    await drawing(tab.page).locator("[aria-current]").getByText("code-review").waitFor();
    await tab.page.goBack();
    await drawing(tab.page).locator("[aria-current]").getByText("release").waitFor();
    await tab.page.getByRole("button", { name: "Show the whole" }).click();
    await node(tab.page, "planning").waitFor();
    expect(focusOf(tab.page)).toBeNull();
    expect(tab.faults()).toEqual([]);
  });

  it("does the same by keyboard alone", async () => {
    await using tab = await open("/graph?focus=code-review");
    await node(tab.page, "code-review").focus();
    await tab.page.keyboard.press("ArrowRight");
    const active = () => tab.page.evaluate(() => document.activeElement?.textContent ?? "");
    await expect.poll(active).toMatch(/systematic-debugging|style-guide/);
    await tab.page.keyboard.press("ArrowLeft");
    await expect.poll(active).toMatch(/^code-review/);
    await tab.page.keyboard.press("ArrowLeft");
    const left = (await active()).replace(/\+\d+.*$/, "");
    expect(left).toMatch(/release|changelog/);
    await tab.page.keyboard.press("Enter");
    await drawing(tab.page).locator("[aria-current]").getByText(left).waitFor();
    await tab.page.keyboard.press("3");
    await expect.poll(() => tab.page.url()).toContain("depth=3");
    await tab.page.keyboard.press("w");
    await node(tab.page, "planning").waitFor();
    await list(tab.page).focus();
    await tab.page.keyboard.press("Home");
    await tab.page.keyboard.press("Enter");
    await drawing(tab.page)
      .locator("[aria-current]")
      .getByText(/planning|executing/)
      .waitFor();
    expect(tab.faults()).toEqual([]);
  });

  it("finds a skill by name and focuses it, by keyboard and by mouse", async () => {
    await using tab = await open("/graph");
    await tab.page.keyboard.press("f");
    await expect.poll(() => find(tab.page).evaluate((field) => field === document.activeElement)).toBe(true);
    await find(tab.page).fill("root");
    await list(tab.page).getByText("Found (1)").waitFor();
    await tab.page.keyboard.press("Enter");
    await drawing(tab.page).locator("[aria-current]").getByText("root-cause-tracing").waitFor();
    expect(await find(tab.page).inputValue()).toBe("");
    await find(tab.page).fill("plan");
    await list(tab.page).getByRole("button", { name: "planning" }).click();
    await drawing(tab.page).locator("[aria-current]").getByText("planning").waitFor();
    await find(tab.page).fill("zzz");
    await tab.page.getByText("No skill has this in its name.").waitFor();
    await tab.page.keyboard.press("Escape");
    await list(tab.page)
      .getByText(/Leads to/)
      .waitFor();
    expect(await tab.accessibilityFindings()).toEqual([]);
  });

  it("hides a kind of edge in the drawing, the list and the address", async () => {
    await using tab = await open("/graph?focus=code-review");
    await node(tab.page, "code-review").waitFor();
    await tab.page.getByRole("button", { name: /^Mentioned/ }).click();
    await expect.poll(() => tab.page.locator(".edge-reference_only.edge").count()).toBe(0);
    expect(await list(tab.page).textContent()).not.toContain("Mentioned");
    expect(tab.page.url()).toContain("hide=reference_only");
    await tab.page.getByRole("button", { name: /^Mentioned/ }).press("Enter");
    await expect.poll(() => tab.page.locator(".edge-reference_only.edge").count()).toBeGreaterThan(0);
  });

  it("opens by a link with a name, and says what to do where there is no such skill", async () => {
    await using tab = await open("/graph?focus=zh-writing&depth=2");
    await drawing(tab.page).locator("[aria-current]").getByText("zh-writing").waitFor();
    await tab.page.getByRole("link", { name: "zh-writing", exact: true }).first().waitFor();
    await tab.page.goto(`${small.server.url}/graph?focus=nothing-of-this-name`);
    await tab.page.getByText("There is no such skill").waitFor();
    await tab.page.getByRole("link", { name: "Show the whole graph" }).click();
    await node(tab.page, "release").waitFor();
  });
});

describe("a large graph", () => {
  it("looks right in both widths and colours", async () => {
    await lookAt({
      server: large.server,
      path: "/graph",
      name: "graph-500",
      ready: (page) => node(page, "skill-00000").waitFor(),
    });
  });

  it("is drawn whole, and a row of the list brings its skill into view", async () => {
    await using tab = await open("/graph", large);
    await node(tab.page, "skill-00000").waitFor();
    expect(await drawing(tab.page).getByRole("link").count()).toBeGreaterThan(300);
    await list(tab.page).focus();
    await tab.page.keyboard.press("Home");
    for (let step = 0; step < 3; step++) await tab.page.keyboard.press("ArrowDown");
    await expect.poll(() => tab.page.locator(".edge-marked").count()).toBeGreaterThan(0);
    const isSeen = () =>
      tab.page
        .locator(".edge-marked")
        .first()
        .evaluate((line) => {
          const [{ left, right, top, bottom }, seen] = [
            line.getBoundingClientRect(),
            (line.closest(".layers") as Element).getBoundingClientRect(),
          ];
          return left < seen.right && right > seen.left && top < seen.bottom && bottom > seen.top;
        });
    await expect.poll(isSeen).toBe(true);
    await tab.picture("graph-500-marked");
    await tab.page.keyboard.press("Enter");
    await drawing(tab.page).locator("[aria-current]").waitFor();
    expect(tab.faults()).toEqual([]);
  });

  it("is a list, and says why, with 8,000 skills", async () => {
    const folder = largeGraph(8_000);
    await using server = await Server.start(folder);
    await using tab = await Tab.open(server.url);
    tab.page.setDefaultTimeout(60_000);
    await tab.go("/graph", server.token);
    await tab.page.getByText(/skills have edges, too many to draw at once/).waitFor();
    expect(await tab.accessibilityFindings()).toEqual([]);
    await tab.picture("graph-8000");
    await find(tab.page).fill("skill-00042");
    await list(tab.page).getByText("Found (1)").waitFor();
    await tab.page.keyboard.press("Enter");
    await drawing(tab.page).locator("[aria-current]").getByText("skill-00042").waitFor();
    await tab.picture("graph-8000-around");
    expect(tab.faults()).toEqual([]);
    folder[Symbol.dispose]();
  });
});

describe("other states", () => {
  it("teach the next step where there are no edges, and where there are no skills", async () => {
    const folder = makeFolder({
      "repo/.git/": "",
      "home/": "",
      "repo/.agents/skills/alone/SKILL.md": skillText("alone"),
    });
    await using server = await Server.start(folder);
    await using tab = await Tab.visit(server, "/graph", { viewport: NARROW });
    await tab.page.getByText("REQUIRED SUB-SKILL: Use code-review.").waitFor();
    await tab.page.getByText("alone").waitFor();
    expect(await tab.accessibilityFindings()).toEqual([]);
    await tab.picture("graph-no-edges");
    // The page follows the files.
    folder.write({
      "repo/.agents/skills/other/SKILL.md": `${skillText("other")}\nREQUIRED SUB-SKILL: Use alone.\n`,
    });
    await node(tab.page, "other").waitFor();
    rmSync(folder.at("repo/.agents/skills"), { recursive: true });
    await tab.page.getByText("knack new my-skill").waitFor();
    expect(tab.faults()).toEqual([]);
    folder[Symbol.dispose]();
  });
});

import { rmSync } from "node:fs";
import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import { skillText } from "../../packages/core/src/testing/files.ts";
import { Server } from "../http/server.ts";
import { lookAt, NARROW, visit } from "./browser.ts";
import { largeGraph, smallGraph } from "./graph-project.ts";

const folder = smallGraph();
const small = await Server.forFile(folder);
const large = await Server.forFile(largeGraph(500));

const drawing = (page: Page) => page.getByRole("group", { name: "Drawing" });
const node = (page: Page, name: string) =>
  drawing(page).getByRole("link", { name: new RegExp(`^${name}(?: |$)`) });
const list = (page: Page) => page.getByRole("grid", { name: "Skills and edges" });
const find = (page: Page) => page.getByLabel("Find a skill in the graph");
const note = (page: Page) => page.locator(".edge-note");

async function open(path: string, server = small) {
  const page = await visit(server, path);
  await list(page).waitFor();
  return page;
}

const focusOf = (page: Page): string | null => new URL(page.url()).searchParams.get("focus");

describe("a small graph", () => {
  it("looks right in both widths and colours", async () => {
    await lookAt({
      server: small,
      path: "/graph",
      name: "graph",
      ready: (page) => node(page, "release").waitFor(),
    });
  });

  it("shows every kind of edge by stroke, colour and word, cycles, and names that mean no skill", async () => {
    await using page = await open("/graph");
    await node(page, "release").waitFor();
    for (const kind of ["requires_now", "requires_later", "reference_only", "cycle", "missing"])
      expect(await page.locator(`.edge.edge-${kind}`).count(), kind).toBeGreaterThan(0);
    const strokes = await page.evaluate(() =>
      ["requires_now", "requires_later", "reference_only", "cycle"].map((kind) => {
        const line = document.querySelector(`.edge.edge-${kind} .edge-line`) as Element;
        const { stroke, strokeDasharray, strokeWidth } = getComputedStyle(line);
        return { stroke, shape: `${strokeDasharray} ${strokeWidth}` };
      }),
    );
    expect(new Set(strokes.map(({ stroke }) => stroke)).size).toBe(4);
    expect(new Set(strokes.map(({ shape }) => shape)).size).toBe(4);
    await drawing(page).getByText("no-such-skill").waitFor();
    await drawing(page).getByText("Missing").waitFor();
    expect(await drawing(page).getByText("Cycle", { exact: true }).count()).toBe(2);
    const text = await list(page).textContent();
    expect(text).toContain("planning");
    expect(text).toMatch(/Cycles \(1\)/);
    expect(text).toMatch(/Required now, one of several/);
  });

  it("shows the sentence and the rule behind an edge on hover, and when its row is chosen by key", async () => {
    await using page = await open("/graph?focus=release");
    await node(page, "release").waitFor();
    const line = page.locator(".edge-requires_later .edge-hit");
    const middle = await line.evaluate((path) => {
      const point = (path as SVGPathElement).getPointAtLength((path as SVGPathElement).getTotalLength() / 2);
      const { x, y } = new DOMPoint(point.x, point.y).matrixTransform(
        (path as SVGPathElement).getScreenCTM() as DOMMatrix,
      );
      return { x, y };
    });
    await page.mouse.move(middle.x, middle.y);
    await note(page).getByText("After the release is published").waitFor();
    expect(await note(page).textContent()).toMatch(/Required later.*Line \d+.*Rules?: \S/);
    await page.picture("graph-hover");
    await page.mouse.move(5, 5);
    await expect.poll(() => note(page).count()).toBe(0);

    await list(page).focus();
    await page.keyboard.press("Home");
    await note(page).waitFor();
    await page.keyboard.press("j");
    await note(page).getByText("After the release is published").waitFor();
    await page.keyboard.press("End");
    await note(page).getByText("there is no such skill").waitFor();
  });

  it("goes to a neighbour by mouse, further with steps, and back", async () => {
    await using page = await open("/graph");
    await node(page, "release").click();
    await expect.poll(() => focusOf(page)).not.toBeNull();
    await page.getByText("around").waitFor();
    await expect.poll(() => node(page, "systematic-debugging").count()).toBe(0);
    await page.getByRole("button", { name: "2 steps" }).click();
    await node(page, "systematic-debugging").waitFor();
    await list(page).getByRole("button", { name: "code-review", exact: true }).click();
    await drawing(page).locator("[aria-current]").getByText("code-review").waitFor();
    await page.goBack();
    await drawing(page).locator("[aria-current]").getByText("release").waitFor();
    await page.getByRole("button", { name: "Show the whole" }).click();
    await node(page, "planning").waitFor();
    expect(focusOf(page)).toBeNull();
  });

  it("does the same by keyboard alone", async () => {
    await using page = await open("/graph?focus=code-review");
    await node(page, "code-review").focus();
    await page.keyboard.press("ArrowRight");
    const active = () => page.evaluate(() => document.activeElement?.textContent ?? "");
    await expect.poll(active).toMatch(/systematic-debugging|style-guide/);
    await page.keyboard.press("ArrowLeft");
    await expect.poll(active).toMatch(/^code-review/);
    await page.keyboard.press("ArrowLeft");
    const left = (await active()).replace(/\+\d+.*$/, "");
    expect(left).toMatch(/release|changelog/);
    await page.keyboard.press("Enter");
    await drawing(page).locator("[aria-current]").getByText(left).waitFor();
    await page.keyboard.press("3");
    await expect.poll(() => page.url()).toContain("depth=3");
    await page.keyboard.press("w");
    await node(page, "planning").waitFor();
    await list(page).focus();
    await page.keyboard.press("Home");
    await page.keyboard.press("Enter");
    await drawing(page)
      .locator("[aria-current]")
      .getByText(/planning|executing/)
      .waitFor();
  });

  it("finds a skill by name and focuses it, by keyboard and by mouse", async () => {
    await using page = await open("/graph");
    await page.keyboard.press("f");
    await expect.poll(() => find(page).evaluate((field) => field === document.activeElement)).toBe(true);
    await find(page).fill("root");
    await list(page).getByText("Found (1)").waitFor();
    await page.keyboard.press("Enter");
    await drawing(page).locator("[aria-current]").getByText("root-cause-tracing").waitFor();
    expect(await find(page).inputValue()).toBe("");
    await find(page).fill("plan");
    await list(page).getByRole("button", { name: "planning" }).click();
    await drawing(page).locator("[aria-current]").getByText("planning").waitFor();
    await find(page).fill("zzz");
    await page.getByText("No skill has this in its name.").waitFor();
    await page.keyboard.press("Escape");
    await list(page)
      .getByText(/Leads to/)
      .waitFor();
    await page.looksRight("graph-found");
  });

  it("hides a kind of edge in the drawing, the list and the address", async () => {
    await using page = await open("/graph?focus=code-review");
    await node(page, "code-review").waitFor();
    await page.getByRole("button", { name: /^Mentioned/ }).click();
    await expect.poll(() => page.locator(".edge-reference_only.edge").count()).toBe(0);
    expect(await list(page).textContent()).not.toContain("Mentioned");
    expect(page.url()).toContain("hide=reference_only");
    await page.getByRole("button", { name: /^Mentioned/ }).press("Enter");
    await expect.poll(() => page.locator(".edge-reference_only.edge").count()).toBeGreaterThan(0);
  });

  it("opens by a link with a name, and says what to do where there is no such skill", async () => {
    await using page = await open("/graph?focus=zh-writing&depth=2");
    await drawing(page).locator("[aria-current]").getByText("zh-writing").waitFor();
    await page.getByRole("link", { name: "zh-writing", exact: true }).first().waitFor();
    await page.goto(`${small.url}/graph?focus=nothing-of-this-name`);
    await page.getByText("There is no such skill").waitFor();
    await page.getByRole("link", { name: "Show the whole graph" }).click();
    await node(page, "release").waitFor();
  });
});

describe("a large graph", () => {
  it("is drawn whole, and a row of the list brings its skill into view", async () => {
    await using page = await open("/graph", large);
    await node(page, "skill-00000").waitFor();
    expect(await drawing(page).getByRole("link").count()).toBeGreaterThan(300);
    await list(page).focus();
    await page.keyboard.press("Home");
    for (let step = 0; step < 3; step++) await page.keyboard.press("ArrowDown");
    await expect.poll(() => page.locator(".edge-marked").count()).toBeGreaterThan(0);
    const isSeen = () =>
      page
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
    await page.picture("graph-500-marked");
    await page.keyboard.press("Enter");
    await drawing(page).locator("[aria-current]").waitFor();
  });
});

describe("other states", () => {
  it("teach the next step where there are no edges, and where there are no skills", async () => {
    rmSync(folder.at("repo/.agents/skills"), { recursive: true });
    folder.write({ "repo/.agents/skills/alone/SKILL.md": skillText("alone") });
    await using page = await visit(small, "/graph", { viewport: NARROW });
    await page.getByText("REQUIRED SUB-SKILL: Use code-review.").waitFor();
    await page.getByText("alone").waitFor();
    await page.looksRight("graph-no-edges");
    // The page follows the files.
    folder.write({
      "repo/.agents/skills/other/SKILL.md": `${skillText("other")}\nREQUIRED SUB-SKILL: Use alone.\n`,
    });
    await node(page, "other").waitFor();
    rmSync(folder.at("repo/.agents/skills"), { recursive: true });
    await page.getByText("knack new my-skill").waitFor();
  });
});

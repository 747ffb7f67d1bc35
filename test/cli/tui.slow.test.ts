import { mkdirSync, writeFileSync } from "node:fs";
import { afterAll, describe, expect, it } from "vitest";
import { type Folder, makeFolder, skillText } from "../../packages/core/src/testing/files.ts";
import { picker, RESTORED, restored } from "./picker-window.ts";
import { makeProject, REPO } from "./run.ts";

const COUNT = 10_000;
const VERBS = ["Draft", "Review", "Deploy", "Test", "Migrate"];
const THINGS = ["release notes", "pull requests", "databases", "invoices", "images"];

/** Created once: it takes longer than most of these tests. */
const large: Folder = makeFolder({ "repo/.git/": "", "home/": "" });
for (let i = 0; i < COUNT; i++) {
  const dir = large.at(REPO, nameOf(i));
  mkdirSync(dir, { recursive: true });
  const about = `${VERBS[i % 5]} ${THINGS[Math.floor(i / 5) % 5]} for team ${i}.`;
  writeFileSync(`${dir}/SKILL.md`, skillText(nameOf(i), about));
}
afterAll(() => large[Symbol.dispose]());

function nameOf(i: number): string {
  return `skill-${String(i).padStart(5, "0")}`;
}

describe.skipIf(process.platform === "win32")("knack tui among 10,000 skills", () => {
  it.each([40, 120])("lists, searches and chooses at %i columns", async (columns) => {
    using window = await picker(large, "told knack tui --print > out", { columns, rows: 24 });
    expect(window.lines[0]).toMatch(/^> type to search +10,000 skills$/);
    expect(window.lines[2]).toMatch(/^> skill-00000/);
    window.press("End");
    await window.shows(/^> skill-09999/m);
    window.press("Home", "Down", "C-n", "C-p");
    await window.shows(/^> skill-00001/m);
    window.press("PageDown");
    await window.shows(/^> skill-00020/m);
    window.type("migrate invoices for team 4319");
    await window.shows(/^> skill-04319/m);
    expect(Math.max(...window.lines.map((line) => line.length))).toBeLessThanOrEqual(columns);
    window.press("Enter");
    await window.shows("ended with 0");
    expect(window.file("out")).toBe("skill-04319\n");
    expect(restored(window)).toEqual(RESTORED);
  });

  it("shows beside the list what a model would get, where there is room, and in its place elsewhere", async () => {
    using wide = await picker(large, "told knack tui team 77", { columns: 120 });
    await wide.shows(/│ <skill_context name="skill-00077"/);
    using narrow = await picker(large, "told knack tui team 77", { columns: 40 });
    expect(narrow.screen).not.toContain("<skill_context");
    narrow.press("Right");
    await narrow.shows('<skill_context name="skill-00077"');
    narrow.press("End");
    await narrow.shows("</skill_context>");
    narrow.press("Escape");
    await narrow.shows(/^> skill-00077/m);
    narrow.press("Escape");
    await narrow.shows("ended with 130");
  });

  it("follows its terminal's size, down to 8 lines and fewer", async () => {
    using window = await picker(large, "told knack tui", { columns: 120, rows: 30 });
    for (const [columns, rows] of [
      [40, 8],
      [100, 12],
      [20, 4],
      [130, 40],
    ] as const) {
      window.resize(columns, rows);
      await window.shows((screen) => {
        const lines = screen.split("\n");
        const listed = lines.filter((line) => /^[> ] skill-\d{5}/.test(line)).length;
        return listed === rows - (rows < 5 ? 1 : 4) && lines.length === rows;
      });
    }
    window.press("Down");
    await window.shows(/^> skill-00001/m);
  });
});

describe.skipIf(process.platform === "win32")("knack tui", () => {
  it.each([
    ["SIGTERM", 143],
    ["SIGINT", 130],
    ["SIGHUP", 129],
  ] as const)("%s ends it with %i and gives the terminal back", async (signal, code) => {
    using folder = makeProject();
    using window = await picker(folder, "told knack tui > out");
    process.kill(Number(window.file("pid")), signal);
    await window.shows(`ended with ${code}`);
    expect(window.file("out")).toBe("");
    expect(restored(window)).toEqual(RESTORED);
    window.run("echo still here");
    await window.shows(/^still here$/m);
  });

  it("gives the terminal back when it crashes", async () => {
    using folder = makeProject();
    const crash = encodeURIComponent('setTimeout(() => { throw new Error("crashed") }, 5000)');
    const NODE_OPTIONS = `--import=data:text/javascript,${crash}`;
    using window = await picker(folder, `NODE_OPTIONS='${NODE_OPTIONS}' told knack tui`);
    await window.shows("ended with 1");
    expect(restored(window)).toEqual(RESTORED);
    window.run("echo still here");
    await window.shows(/^still here$/m);
  });
});

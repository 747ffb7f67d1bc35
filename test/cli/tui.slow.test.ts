import { spawn } from "node:child_process";
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { afterAll, describe, expect, it } from "vitest";
import { type Folder, makeFolder, skillText } from "../../packages/core/src/testing/files.ts";
import { picker, RESTORED, restored } from "./picker-window.ts";
import { HOME, listed, makeProject, PROGRAM, REPO } from "./run.ts";
import { TerminalWindow } from "./terminal-window.ts";

describe.skipIf(process.platform === "win32")("knack tui", () => {
  it("can be used in a command substitution: what it prints is what knack load takes", async () => {
    using folder = makeProject({ [`${HOME}/good/SKILL.md`]: skillText("good", "Another good one.") });
    using window = await picker(folder, 'knack load "$(knack tui --print good)" > out; echo "ended with $?"');
    window.press("Down", "Enter");
    await window.shows("ended with 0");
    expect(window.file("out")).toContain(
      `<skill_context name="good" path="${folder.at(HOME)}/good/SKILL.md">`,
    );
  });

  it.each([
    ["a pipe into it", 'echo ignored | knack tui --print > out; echo "ended with $?"'],
    ["its errors in a file", 'knack tui --print > out 2> err; echo "ended with $?"'],
    ["both", 'knack tui --print < /dev/null > out 2> err; echo "ended with $?"'],
  ])("finds its terminal in spite of %s", async (_what, command) => {
    using folder = makeProject();
    using window = await picker(folder, command);
    window.resize(60, 10);
    await window.shows((screen) => screen.split("\n").length === 10 && /^> good/m.test(screen));
    window.type("mine");
    await window.shows(/^> mine/m);
    window.press("Enter");
    await window.shows("ended with 0");
    expect(window.file("out")).toBe("mine\n");
    expect(window.file("err")).toBe("");
    expect(restored(window)).toEqual(RESTORED);
  });

  it.each(["Escape", "C-c"])("%s leaves with 130 and prints nothing", async (key) => {
    using folder = makeProject();
    using window = await picker(folder, "told knack tui > out");
    window.press(key);
    await window.shows("ended with 130");
    expect(window.file("out")).toBe("");
    expect(restored(window)).toEqual(RESTORED);
  });

  it("tells what is wrong with a configuration on the terminal that it found", async () => {
    using folder = makeProject({ "home/.knack/config.yaml": "skills: { disabled: nonsense }\n" });
    using window = new TerminalWindow(folder);
    window.run("told knack tui > out");
    await window.shows("ended with 1");
    await window.shows(/error: .*config\.yaml/);
    expect(window.file("out")).toBe("");
    expect(restored(window)).toEqual(RESTORED);
  });

  it("--json prints the skill, and without --print it says what to do with it", async () => {
    using folder = makeProject();
    using window = await picker(folder, "told knack tui --json --scope user > out");
    expect(window.lines[1]).toContain("[user]");
    window.press("Enter");
    await window.shows("ended with 0");
    expect(JSON.parse(window.file("out"))).toMatchObject({
      name: "mine",
      scope: "user",
      dialect: "agentskills",
    });
    await window.clear();
    window.run("told knack tui good > out");
    await window.shows(/^> good/m);
    window.press("Enter");
    await window.shows('"knack load good" prints what a model would get.');
    expect(window.file("out")).toBe("good\n");
  });

  it("turns through the scopes, and shows what is not active with its reason on request", async () => {
    using folder = makeProject();
    using window = await picker(folder);
    window.press("Tab");
    await window.shows((screen) => screen.includes("[repo]") && !screen.includes("  mine"));
    window.press("Tab");
    await window.shows(/\[user\][\s\S]*^> mine/m);
    window.press("Tab");
    await window.shows(/\[bundled\][\s\S]*There are no skills of the scope bundled here/);
    window.press("Tab", "C-a");
    await window.shows(
      (screen) => screen.includes("(disabled: it is listed") && screen.includes("(ineligible:"),
    );
    window.type("never");
    await window.shows(/^> never/m);
    window.press("Enter");
    await window.shows(/never cannot be chosen: .*teleport/);
    window.press("C-t");
    await window.shows("cannot be enabled here");
    window.press("C-u");
    await window.shows(/^> type to search +\d skills$[\s\S]*good/m);
  });

  it("switches a skill off and on in the user's file, and says where it could not", async () => {
    using folder = makeProject();
    using window = await picker(folder, "told knack tui good");
    window.press("C-t");
    await window.shows("good is now disabled");
    await window.shows("(disabled:");
    expect(listed(folder)).toEqual(["mine"]);
    window.press("C-t");
    await window.shows("good is now enabled");
    expect(listed(folder)).toEqual(["good", "mine"]);
    folder.write({ "home/.knack/config.yaml": "skills: { disabled: nonsense }\n" });
    window.press("C-t");
    await window.shows(/config\.yaml/);
    expect(window.screen).toMatch(/^> good/m);
  });

  it("follows the files: the list changes, and what is pointed at stays", async () => {
    using folder = makeProject();
    using window = await picker(folder);
    window.press("Down");
    await window.shows(/^> mine/m);
    folder.write({ [`${REPO}/added/SKILL.md`]: skillText("added", "Comes later.") });
    await window.shows(/^ {2}added[\s\S]*^> mine/m);
    rmSync(folder.at(REPO, "good"), { recursive: true });
    await window.shows((screen) => !screen.includes("good") && /^> mine/m.test(screen));
    window.type("comes later");
    await window.shows(/^> added/m);
  });

  it("has no colour where none is wanted", async () => {
    using folder = makeProject();
    const sgr = /\u001b\[[0-9;]*m/;
    using painted = await picker(folder);
    expect(painted.colours).toMatch(sgr);
    using plain = await picker(folder, "told knack tui --no-color");
    expect(plain.colours).not.toMatch(sgr);
    using environment = await picker(folder, "told knack tui", { env: { NO_COLOR: "1" } });
    expect(environment.colours).not.toMatch(sgr);
  });

  it.each([
    ["nothing but pipes", {}],
    ["a terminal that cannot be drawn on", { TERM: "dumb" }],
  ])("with %s it names the commands that need none", async (_what, env) => {
    using folder = makeProject();
    // In its own session, so that it does not use the terminal of whoever runs the tests.
    const child = spawn(process.execPath, [PROGRAM, "tui"], {
      cwd: folder.at("repo"),
      env: { PATH: process.env.PATH, HOME: folder.at("home"), ...env },
      detached: true,
      stdio: ["ignore", "pipe", "pipe"],
    });
    let told = "";
    let printed = "";
    child.stderr.on("data", (text) => {
      told += text;
    });
    child.stdout.on("data", (text) => {
      printed += text;
    });
    const code = await new Promise((resolve) => child.on("close", resolve));
    expect({ code, printed }).toEqual({ code: 2, printed: "" });
    expect(told).toMatch(/^error: .*"knack list".*"knack search/);
    expect(told.trim().split("\n")).toHaveLength(1);
  });
});

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

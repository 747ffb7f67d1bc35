import { describe, expect, it } from "vitest";
import { makeFolder, skillText } from "../../packages/core/src/testing/files.ts";
import { widthOf } from "../../packages/knack/src/terminal/text-width.ts";
import { REPO } from "./run.ts";
import { TerminalWindow } from "./terminal-window.ts";

const LONG = "writing-of-release-notes-for-teams";
const WIDE = "撰写发布说明变更记录";
const ABOUT = "Drafts release notes from the commits since the last tag, grouped by what changed for users.";

function makeNamed() {
  return makeFolder({
    "repo/.git/": "",
    "repo/report.txt": "text",
    [`${REPO}/${LONG}/SKILL.md`]: skillText(LONG, ABOUT),
    [`${REPO}/wide/SKILL.md`]: skillText(WIDE, ABOUT),
    [`${REPO}/never/SKILL.md`]: skillText("never", ABOUT, "requires_tools: teleport\n"),
    "repo/.knack/config.yaml": "skills: { disabled: [never], validation: lenient }\n",
  });
}

describe.skipIf(process.platform === "win32")("in a terminal of 40, 60, 80 and 120 columns", () => {
  it.each([
    ["knack list", [LONG, WIDE]],
    ["knack list --all", [LONG, WIDE, "never"]],
    ["knack search release notes", [LONG, WIDE]],
    ["knack registry", ["text_extract", "file_fingerprint"]],
    ["knack run file_fingerprint report.txt >out 2>&1; knack runs", ["file_fingerprint"]],
    ["knack graph", []],
  ])("%s shows every name whole, on lines that fit", async (command, names) => {
    using folder = makeNamed();
    using window = new TerminalWindow(folder, { columns: 120, rows: 50 });
    for (const columns of [120, 80, 60, 40]) {
      window.resize(columns, 50);
      window.run(`clear; ${command} 2>notes; echo en''d ${columns}`);
      const screen = await window.shows(new RegExp(`^end ${columns}$`, "m"));
      for (const name of names) expect(screen).toMatch(new RegExp(`(?:^|  )${name}(?: |$)`, "m"));
      for (const line of screen.split("\n")) expect(widthOf(line)).toBeLessThanOrEqual(columns);
    }
  });

  it("search drops matched words, score and reason, in this order, and keeps the names", async () => {
    using folder = makeNamed();
    using window = new TerminalWindow(folder, { columns: 40 });
    await window.clear();
    window.run("knack search release notes 2>notes; echo en''d");
    const narrow = await window.shows(/^end$/m);
    expect(narrow).toMatch(/^NAME$/m);
    window.resize(120, 24);
    await window.clear();
    window.run("knack search release notes 2>notes; echo en''d");
    expect(await window.shows(/^end$/m)).toMatch(/^NAME +REASON +SCORE +MATCHED +DESCRIPTION$/m);
  });

  it("the picker gives a long name the room of its description", async () => {
    using folder = makeNamed();
    using window = new TerminalWindow(folder, { columns: 40 });
    window.run("knack tui");
    const screen = await window.shows(LONG);
    expect(screen).toMatch(new RegExp(`^[> ] ${LONG}`, "m"));
    expect(screen).toMatch(new RegExp(`^[> ] ${WIDE} .*Drafts`, "m"));
    window.press("Escape");
  });
});

import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { COMMANDS } from "../packages/knack/src/cli/table/table.ts";
import { manPage } from "../scripts/man/man-page.ts";

const PACKAGE = join(import.meta.dirname, "../packages/knack");
const FILE = join(PACKAGE, "man/knack.1");

describe("the manual page", () => {
  it("says what the help texts say today", () => {
    expect(readFileSync(FILE, "utf8"), "npm run man writes it again").toBe(manPage());
  });

  it("is published with the package", () => {
    const { man, files } = JSON.parse(readFileSync(join(PACKAGE, "package.json"), "utf8"));
    // npm links a list of pages alone, not one as text.
    expect(man).toEqual(["./man/knack.1"]);
    expect(files).toContain("man");
  });

  it("has only requests of the man macros, and closes what it opens", () => {
    const lines = manPage().trimEnd().split("\n");
    const requests = lines.filter((line) => /^[.']/.test(line)).map((line) => line.split(" ")[0] ?? "");
    expect([...new Set(requests)].sort()).toEqual(
      ['.\\"', ".B", ".PP", ".RE", ".RS", ".SH", ".SS", ".TH", ".TP", ".fi", ".nf"].sort(),
    );
    const count = (name: string): number => requests.filter((request) => request === name).length;
    expect([count(".RS"), count(".nf")]).toEqual([count(".RE"), count(".fi")]);
    // Every escape is one that roff knows.
    for (const line of lines.slice(1))
      expect(line.replaceAll(/\\(?:f[BIR]|\(..|[e&-])/g, "")).not.toContain("\\");
  });

  it("is shown by man without a warning, with every command and option", ({ skip }) => {
    const man = spawnSync("man", ["--warnings", "--no-hyphenation", "-E", "UTF-8", "-l", "-P", "cat", FILE], {
      env: { PATH: process.env.PATH, LANG: "C.UTF-8", MANWIDTH: "200" },
      encoding: "utf8",
    });
    skip(
      man.error !== undefined || /invalid option|minimized/.test(man.stderr + man.stdout),
      "man is not installed",
    );
    expect({ code: man.status, stderr: man.stderr }).toEqual({ code: 0, stderr: "" });
    const shown = man.stdout.replaceAll(/.\u0008/g, "");
    for (const { name, description, options = [] } of COMMANDS) {
      expect(shown).toContain(`knack ${name}`);
      expect(shown.replaceAll(/\s+/g, " ")).toContain(description);
      for (const { flags } of options) expect(shown).toContain(flags);
    }
    expect(shown).toContain('knack load "$(knack tui --print)"');
  });
});

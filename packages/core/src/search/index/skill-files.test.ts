import { renameSync, symlinkSync, utimesSync, writeFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { openCatalog } from "../../open-catalog.ts";
import { makeFolder, skillText } from "../../testing/index.ts";
import { BesideCheck, isStateChanged, readBeside } from "./skill-files.ts";

describe("Markdown beside a SKILL.md", () => {
  it("is read in a fixed order, the beginning of each file", () => {
    using folder = makeFolder();
    folder.write({
      "s/SKILL.md": skillText("s", "Own text."),
      "s/guide.md": "guide",
      "s/references/b.md": `${"beta ".repeat(1_000)}end`,
      "s/references/a.MD": "alpha",
      "s/scripts/run.py": "python",
      "s/LICENSE.md": "license",
      "s/.hidden/x.md": "hidden",
      "s/node_modules/p/README.md": "package",
      "s/inner/SKILL.md": skillText("inner", "Other skill."),
      "s/inner/notes.md": "inner notes",
    });
    const { text } = readBeside(folder.at("s"));
    expect(text.replaceAll(/(?:beta ?)+/g, "beta ")).toBe("guide\n\nalpha\n\nbeta ");
    expect(text.length).toBeLessThan(2_600);
  });

  it("follows no links and cuts no character in two", () => {
    using folder = makeFolder();
    folder.write({ "secret.md": "secret", "s/SKILL.md": skillText("s", "x"), "s/zh.md": "审".repeat(2_000) });
    symlinkSync(folder.at("secret.md"), folder.at("s/link.md"));
    symlinkSync(folder.path, folder.at("s/all"));
    const { text } = readBeside(folder.at("s"));
    expect(text).toMatch(/^审+$/);
  });

  it("looks into a few folders only", () => {
    using folder = makeFolder();
    folder.write(Object.fromEntries(Array.from({ length: 60 }, (_, i) => [`s/f${i}/a.txt`, "text"])));
    expect(readBeside(folder.at("s")).state.split("\n")).toHaveLength(20);
  });

  it("ignores a folder with very many files, and a folder that is gone", () => {
    using folder = makeFolder();
    folder.write(Object.fromEntries(Array.from({ length: 600 }, (_, i) => [`s/data/${i}.md`, "data"])));
    expect(readBeside(folder.at("s")).text).toBe("");
    expect(readBeside(folder.at("nowhere")).text).toBe("");
  });

  it("is known to have changed when a file is edited, added, removed or renamed", () => {
    using folder = makeFolder();
    folder.write({ "s/SKILL.md": skillText("s", "x"), "s/references/a b.md": "alpha" });
    const changes: [change: () => void, folder: string | null][] = [
      [() => writeFileSync(folder.at("s/references/a b.md"), "alpha beta"), null],
      [() => folder.write({ "s/references/new.md": "new" }), "s/references"],
      [() => renameSync(folder.at("s/references/new.md"), folder.at("s/references/c.md")), "s/references"],
      [() => folder.write({ "s/top.md": "top" }), "s"],
    ];
    for (const [i, [change, changed]] of changes.entries()) {
      const { state } = readBeside(folder.at("s"));
      expect(isStateChanged(folder.at("s"), state)).toBe(false);
      change();
      // The clock of a folder ticks every few milliseconds: a change right after a look has the same time.
      const later = new Date(Date.now() + (i + 1) * 60_000);
      if (changed) utimesSync(folder.at(changed), later, later);
      expect(isStateChanged(folder.at("s"), state)).toBe(true);
    }
  });
});

describe("search in Markdown beside a SKILL.md", () => {
  const find = async (folder: ReturnType<typeof makeFolder>, query: string): Promise<string[]> => {
    const catalog = await openCatalog({
      ...{ cwd: folder.path, home: folder.path, env: {}, cache: folder.at("cache") },
      roots: [{ path: folder.at("skills") }],
    });
    return catalog.search(query).results.map(({ skill }) => skill.name);
  };

  it("finds a skill by it, and notices an edit at once", async () => {
    using folder = makeFolder();
    folder.write({
      "skills/roof/SKILL.md": skillText("roof", "Work on roofs."),
      "skills/roof/references/tiles.md": "How to replace terracotta tiles.",
      "skills/floor/SKILL.md": skillText("floor", "Work on floors."),
    });
    expect(await find(folder, "terracotta tiles")).toEqual(["roof"]);
    writeFileSync(folder.at("skills/roof/references/tiles.md"), "How to replace slate shingles on a roof.");
    expect(await find(folder, "terracotta")).toEqual([]);
    expect(await find(folder, "slate shingles")).toEqual(["roof"]);
  });
});

describe("a look for changes beside more skills than one search checks", () => {
  const folders = Array.from({ length: 2_500 }, (_, i) => `/nowhere/at/all/${i}`);
  const look = (check: BesideCheck, changed: number): boolean =>
    check.hasChanged({ besideOf: (skill) => (skill === changed ? "1 1 gone.md" : "- - ") });

  it("goes on where the last process stopped, whatever the time", () => {
    using folder = makeFolder();
    const progress = folder.at("index.checked");
    const looks = (changed: number): boolean[] =>
      [1, 2, 3].map(() => look(new BesideCheck(folders, progress), changed));
    expect(looks(700)).toEqual([true, false, false]);
    writeFileSync(progress, "0");
    expect(looks(2_400)).toEqual([false, false, true]);
    writeFileSync(progress, "not a number");
    expect(looks(1_500)).toEqual([false, true, false]);
  });

  it("begins at the first skill where nothing can be kept", () => {
    expect(look(new BesideCheck(folders, null), 999)).toBe(true);
    expect(look(new BesideCheck(folders, null), 1_000)).toBe(false);
  });
});

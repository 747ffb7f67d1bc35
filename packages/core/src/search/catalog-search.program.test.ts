import { readdirSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { type Catalog, openCatalog } from "../open-catalog.ts";
import { type Folder, makeFolder, skillText } from "../testing/index.ts";

const COUNT = 600;

function makeSkills(): Folder {
  const folder = makeFolder();
  for (let i = 0; i < COUNT; i++) {
    const text = skillText(`skill-${i}`, `Mend the ${i % 2 ? "roof" : "floor"} of house ${i}.`);
    folder.write({ [`skills/skill-${i}/SKILL.md`]: `${text}\nUse zirconium${i} nails.\n` });
  }
  return folder;
}

function open(folder: Folder, cache: false | string, searchInBackground: boolean): Promise<Catalog> {
  const roots = [{ path: folder.at("skills") }];
  return openCatalog({ cwd: folder.path, home: folder.path, env: {}, cache, roots, searchInBackground });
}

const names = (catalog: Catalog, query: string): string[] =>
  catalog.search(query).results.map(({ skill }) => skill.name);

describe("the index of many skills", () => {
  it("says how many are read, and at the end all of them", async () => {
    using folder = makeSkills();
    const told: number[][] = [];
    const catalog = await openCatalog({
      cwd: folder.path,
      home: folder.path,
      env: {},
      cache: false,
      roots: [{ path: folder.at("skills") }],
      onIndexProgress: (...numbers) => told.push(numbers),
    });
    expect(told).toEqual([]);
    catalog.search("roof");
    expect(told.length).toBeGreaterThan(2);
    expect(told.every(([done = 0, total]) => done <= COUNT && total === COUNT)).toBe(true);
    expect(told.filter(([done]) => done === COUNT)).toHaveLength(1);
    expect(told.at(-1)).toEqual([COUNT, COUNT]);
    catalog.search("floor");
    expect(told.filter(([done]) => done === COUNT)).toHaveLength(1);
  });
});

describe("a search while the index is being made", () => {
  it.each(["in a file", "in memory"])(
    "answers from names and descriptions, and says so: index %s",
    async (kind) => {
      using folder = makeSkills();
      const cache = kind === "in a file" ? folder.at("cache") : false;
      const catalog = await open(folder, cache, true);
      const first = catalog.search("house 77");
      expect(first.partial).toBe(true);
      expect(first.results[0]?.skill.name).toBe("skill-77");
      expect(names(catalog, "zirconium5")).toEqual([]);
      await catalog.searchReady;
      const whole = await open(folder, false, false);
      for (const query of ["house 77", "zirconium5", "skill-9", "mend the roof"])
        expect(catalog.search(query)).toEqual(whole.search(query));
      expect(catalog.search("zirconium5").partial).toBeUndefined();
    },
  );

  it("does not happen again once the index is stored, nor for a few changes", async () => {
    using folder = makeSkills();
    const cache = folder.at("cache");
    (await open(folder, cache, false)).search("first");
    expect(readdirSync(folder.at("cache/search"))).toHaveLength(1);
    expect((await open(folder, cache, true)).search("zirconium7").partial).toBeUndefined();
    folder.write({ "skills/skill-8/SKILL.md": `${skillText("skill-8", "Paint.")}\nUse zinc.\n` });
    expect(names(await open(folder, cache, true), "zinc")).toEqual(["skill-8"]);
  });

  it("can be waited for, but not longer than asked", async () => {
    using folder = makeSkills();
    const catalog = await open(folder, false, true);
    expect(await catalog.isSearchable(0)).toBe(false);
    expect(await catalog.isSearchable(60_000)).toBe(true);
    expect(names(catalog, "zirconium5")).toEqual(["skill-5"]);
  });

  it("leaves the event loop free", async () => {
    using folder = makeSkills();
    const catalog = await open(folder, false, true);
    catalog.search("roof");
    let turns = 0;
    const timer = setInterval(() => turns++, 1);
    await catalog.searchReady;
    clearInterval(timer);
    expect(turns).toBeGreaterThan(0);
  });
});

import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { indexOver } from "../../../../../test/search/search-over.ts";
import { type Catalog, openCatalog } from "../../open-catalog.ts";
import { cases } from "../../shared/testing/cases.ts";
import { type Folder, makeFolder, skillText } from "../../testing/index.ts";
import { rarityOf } from "../index/bm25f.ts";
import { SkillSearch } from "../search.ts";

const REPO = "repo/.agents/skills";
const open = (folder: Folder): Promise<Catalog> =>
  openCatalog({ cwd: folder.at("repo"), home: folder.at("home"), env: {}, cache: false });
const names = (catalog: Catalog, query: string, all = false): string[] =>
  catalog.search(query, { all }).results.map(({ skill }) => skill.name);

const DESCRIPTIONS: Record<string, string> = {
  "release-notes": "Draft release notes from merged pull requests before a version is tagged.",
  "sql-review": "Review database migrations for locks, missing indexes and slow queries.",
  "incident-report": "Write the report after an outage: timeline, causes and follow-up work.",
  "invoice-check": "Compare supplier invoices with purchase orders and flag differences.",
  "travel-plan": "Plan a business trip with trains, hotels and a budget per day.",
  shencha: "審查合約與條款，找出風險並提出修改建議。",
};
const makeSkills = (): Folder => {
  const folder = makeFolder();
  for (const [name, description] of Object.entries(DESCRIPTIONS))
    folder.write({ [`${REPO}/${name}/SKILL.md`]: `${skillText(name, description)}\nUse zirconium here.\n` });
  return folder;
};

describe("how much of a query is known", () => {
  const index = indexOver([{ name: "one", dir: "/one", description: "Check migrations.", body: "" }]);
  const search = new SkillSearch([], index, 50);
  const shareOf = (query: string): number => search.lookClosely(query).known.share;
  const [rarest, known] = [rarityOf(0, 1_024), rarityOf(1, 1_024)];

  it("a word that no skill has counts as the rarest", () => {
    expect(shareOf("migrations")).toBe(1);
    expect(shareOf("migrations xyzzy")).toBeCloseTo(known / (known + rarest), 5);
  });

  it("a word that was guessed counts six tenths, and the rest of it stays unknown", () => {
    expect(shareOf("migratoins")).toBeCloseTo((0.6 * known) / rarest, 5);
    expect(shareOf("check migratoins xyzzy")).toBeCloseTo((1.6 * known) / (known + 2 * rarest), 5);
    expect(shareOf("migrations migratoins")).toBe(1);
  });
});

describe("whether anything fits", () => {
  it("nothing does where a request only shares a word or two with a skill", async () => {
    using folder = makeSkills();
    const catalog = await open(folder);
    const query =
      "My sourdough starter smells of acetone since Monday; should I feed it twice a day or throw the jar away and begin again with rye flour?";
    expect(catalog.search(query)).toEqual({ results: [], count: 0, truncated: false });
    const { results } = catalog.search(query, { all: true });
    expect(results.length).toBeGreaterThan(0);
    for (const { fits } of results) expect(fits).toBe(false);
  });

  it("a request in other words than the skill's still finds it", async () => {
    using folder = makeSkills();
    const catalog = await open(folder);
    expect(
      names(catalog, "can you look for slow queries in the migration that Ana wrote yesterday?")[0],
    ).toBe("sql-review");
    expect(names(catalog, "幫我看一下這份合約有沒有風險")[0]).toBe("shencha");
  });

  it("a path, a name and the beginning of a name always fit", async () => {
    using folder = makeSkills();
    const catalog = await open(folder);
    for (const { name, path } of catalog.skills) {
      for (const query of [name, path, name.slice(0, 4)])
        expect(catalog.search(query).results[0]).toMatchObject({ skill: { name }, fits: true });
    }
  });

  it("a few words find whatever has one of them, be it a rare one in a body", async () => {
    using folder = makeSkills();
    folder.write({
      [`${REPO}/odd/SKILL.md`]: `${skillText("odd", "Something else.")}\nPolish the chrysoberyl.\n`,
    });
    const catalog = await open(folder);
    expect(names(catalog, "chrysoberyl")).toEqual(["odd"]);
    expect(names(catalog, "chrysoberyl unheard-of")).toContain("odd");
    expect(names(catalog, "review frobnicator")).toContain("sql-review");
    expect(catalog.search("zirconium", { limit: 50 }).count).toBe(6);
  });

  it("a mistyped word finds its skill where there are one or two words", async () => {
    using folder = makeSkills();
    const catalog = await open(folder);
    for (const query of ["migratoins", "migratoins locks", "reveiw migratoins", "migratoins frobnicator"])
      expect(names(catalog, query)).toContain("sql-review");
    expect(names(catalog, "slow qeuries in the migratoins")[0]).toBe("sql-review");
  });

  it("a long request does not fit because one of its words was taken for a skill's", async () => {
    using folder = makeSkills();
    const request =
      "my sourdough starter smells of acetone since Monday; should I feed it twice a day or throw the jar away and begin again with rye flour";
    // All words are known, so nothing prevents the correction.
    folder.write({ [`${REPO}/bread/SKILL.md`]: `${skillText("bread", "Bake bread.")}\n${request}\n` });
    const catalog = await open(folder);
    const query = `${request} before migratoins?`;
    const near = catalog.search(query, { all: true }).results;
    expect(near.find(({ skill }) => skill.name === "sql-review")).toMatchObject({ fits: false });
    expect(near.flatMap(({ matched }) => matched)).toContain("migratoins→migrations");
    expect(names(catalog, query)).toEqual(["bread"]);
  });

  it("a corrected word never counts more than one as written", async () => {
    using folder = makeSkills();
    const catalog = await open(folder);
    const others = fc.array(fc.constantFrom("blah", "orbit", "天氣", "of", "a"), { maxLength: 6 });
    fc.assert(
      fc.property(others, (list) => {
        const right = names(catalog, ["migrations", ...list].join(" "));
        const wrong = names(catalog, ["migratoins", ...list].join(" "));
        for (const name of wrong) expect(right).toContain(name);
      }),
      { numRuns: cases(200) },
    );
  });

  it("any three words of a description that follow each other find the skill", async () => {
    using folder = makeSkills();
    const catalog = await open(folder);
    const english = Object.entries(DESCRIPTIONS).filter(([name]) => name !== "shencha");
    fc.assert(
      fc.property(fc.constantFrom(...english), fc.nat(), ([name, description], place) => {
        const words = description.split(" ");
        const from = place % (words.length - 2);
        expect(names(catalog, words.slice(from, from + 3).join(" "))).toContain(name);
      }),
      { numRuns: cases(300) },
    );
  });

  it("what fits comes in the same order with the rest as without, and `all` never hides anything", async () => {
    using folder = makeSkills();
    const catalog = await open(folder);
    const words = Object.values(DESCRIPTIONS).join(" ").split(" ");
    const query = fc.array(fc.constantFrom(...words, "sourdough", "orbit", "天氣", "你好嗎"), {
      minLength: 1,
      maxLength: 14,
    });
    fc.assert(
      fc.property(query, (list) => {
        const text = list.join(" ");
        const everything = catalog.search(text, { limit: 50, all: true }).results;
        const fitting = catalog.search(text, { limit: 50 }).results;
        expect(everything.filter(({ fits }) => fits)).toEqual(fitting);
      }),
      { numRuns: cases(500) },
    );
  });
});

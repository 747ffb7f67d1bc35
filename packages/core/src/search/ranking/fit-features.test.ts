import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type Catalog, openCatalog } from "../../open-catalog.ts";
import { cases } from "../../shared/testing/cases.ts";
import { type Folder, makeFolder, skillText } from "../../testing/index.ts";

const REPO = "repo/.agents/skills";
const open = (folder: Folder): Promise<Catalog> =>
  openCatalog({ cwd: folder.at("repo"), home: folder.at("home"), env: {}, cache: false });
const names = (catalog: Catalog, query: string): string[] =>
  catalog.search(query).results.flatMap(({ skill, fits }) => (fits ? [skill.name] : []));

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

describe("whether anything fits", () => {
  it("nothing does where a request only shares a word or two with a skill", async () => {
    using folder = makeSkills();
    const catalog = await open(folder);
    const query =
      "My sourdough starter smells of acetone since Monday; should I feed it twice a day or throw the jar away and begin again with rye flour?";
    const { results, fitting, truncated } = catalog.search(query);
    expect({ fitting, truncated }).toEqual({ fitting: 0, truncated: false });
    expect(results.length).toBeGreaterThan(0);
    for (const { fits } of results) expect(fits).toBe(false);
  });

  it.each([
    "what is the of",
    "What is the capital of France?",
    "How do I get red wine out of a carpet?",
    "Who are you and what can you do for me?",
    "今天的天气怎么样？",
    "明日の天気はどうですか？",
  ])("nothing does for an everyday request, however few skills there are: %s", async (query) => {
    using folder = makeSkills();
    expect((await open(folder)).search(query).fitting).toBe(0);
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
    expect(catalog.search("zirconium", { limit: 50 }).fitting).toBe(6);
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
    const near = catalog.search(query).results;
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

  it("a limit cuts the results and changes none of them; `truncated` says that more fit", async () => {
    using folder = makeSkills();
    const catalog = await open(folder);
    const words = Object.values(DESCRIPTIONS).join(" ").split(" ");
    const query = fc.array(fc.constantFrom(...words, "sourdough", "orbit", "天氣", "你好嗎"), {
      minLength: 1,
      maxLength: 14,
    });
    fc.assert(
      fc.property(query, fc.integer({ min: 1, max: 7 }), (list, limit) => {
        const text = list.join(" ");
        const all = catalog.search(text, { limit: 50 });
        expect(all.fitting).toBe(all.results.filter(({ fits }) => fits).length);
        const few = catalog.search(text, { limit });
        expect(few.results).toEqual(all.results.slice(0, limit));
        expect(few.truncated).toBe(few.fitting < all.fitting);
      }),
      { numRuns: cases(500) },
    );
  });
});

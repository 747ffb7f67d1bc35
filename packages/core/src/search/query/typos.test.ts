import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type Catalog, openCatalog } from "../../open-catalog.ts";
import { editDistance } from "../../shared/nearest.ts";
import { cases } from "../../shared/testing/cases.ts";
import { type FileSpec, type Folder, makeFolder, skillText } from "../../testing/index.ts";

const REPO = "repo/.agents/skills";
const SKILLS: Record<string, FileSpec> = {
  [`${REPO}/ship/SKILL.md`]: skillText("ship", "Deploy services to a Kubernetes cluster."),
  [`${REPO}/slides/SKILL.md`]: skillText("slides", "Make a presentation from an outline."),
  [`${REPO}/notes/SKILL.md`]: skillText("notes", "Draft the announcement of a version from commits."),
  [`${REPO}/sql/SKILL.md`]: `${skillText("sql", "Write database queries.")}\nTables of gpt4 and vacuum.\n`,
  [`${REPO}/shencha/SKILL.md`]: skillText("shencha", "審查合約與條款"),
};
const open = (folder: Folder, cache: false | string = false): Promise<Catalog> =>
  openCatalog({ cwd: folder.at("repo"), home: folder.at("home"), env: {}, cache });
const found = (catalog: Catalog, query: string): string[] =>
  catalog.search(query).results.map(({ skill, matched }) => `${skill.name}: ${matched.join(" ")}`);

describe("a query word that no skill has", () => {
  it.each([
    ["deplyo", "two letters swapped"],
    ["deply", "one too few"],
    ["deploey", "one too many"],
    ["deplox", "another one"],
    ["edploy", "the first two swapped"],
  ])("%s: finds the word that was meant, and shows both: %s", async (query) => {
    using folder = makeFolder(SKILLS);
    expect(found(await open(folder), query)).toEqual([`ship: ${query}→deploy`]);
  });

  it("may have its slip in the ending, and two where it is long", async () => {
    using folder = makeFolder(SKILLS);
    const catalog = await open(folder);
    expect(found(catalog, "my Presentatoin")).toEqual(["slides: Presentatoin→presentation"]);
    expect(found(catalog, "kubbrenetes")).toEqual(["ship: kubbrenetes→kubernetes"]);
    expect(found(catalog, "depxoy-kuberntes cluster")).toEqual([
      "ship: depxoy→deploy kuberntes→kubernetes cluster",
    ]);
  });

  it.each(["xeploy", "dxplxy", "gpt5", "dpl", "vacuun", "deplyo.ts", "src/deplyo", "deplyo()", "審合"])(
    "is left alone where that would be guessing: %s",
    async (query) => {
      using folder = makeFolder(SKILLS);
      expect(found(await open(folder), query)).toEqual([]);
    },
  );

  it("stands among too many others: another subject, no slips", async () => {
    using folder = makeFolder(SKILLS);
    expect(found(await open(folder), "deplyo zebras umbrellas giraffes elephants")).toEqual([]);
  });

  it("counts less than a word as it was written", async () => {
    using folder = makeFolder({
      [`${REPO}/one/SKILL.md`]: skillText("one", "Paint walls."),
      [`${REPO}/two/SKILL.md`]: skillText("two", "Clean boats."),
    });
    const catalog = await open(folder);
    expect(found(catalog, "paint boasts")).toEqual(["one: paint", "two: boasts→boats"]);
    expect(found(catalog, "boats piant")).toEqual(["two: boats", "one: piant→paint"]);
  });

  it("is corrected with the index on disk too, and words of removed skills correct nothing", async () => {
    using folder = makeFolder(SKILLS);
    const cache = folder.at("cache");
    const first = found(await open(folder, cache), "kuberntes");
    expect(first).toEqual(["ship: kuberntes→kubernetes"]);
    expect(found(await open(folder, cache), "kuberntes")).toEqual(first);
    folder.write({ [`${REPO}/ship/SKILL.md`]: skillText("ship", "Sail the sea.") });
    expect(found(await open(folder, cache), "kuberntes")).toEqual([]);
    expect(found(await open(folder, cache), "kubernetes")).toEqual([]);
  });
});

describe("properties of stand-ins", () => {
  const words = ["deploy", "services", "cluster", "presentation", "outline", "announcement", "database"];
  const letters = [..."abcdefghijklmnopqrstuvwxyz"];
  const slip = fc.record({
    word: fc.constantFrom(...words),
    at: fc.nat({ max: 20 }),
    letter: fc.constantFrom(...letters),
    kind: fc.constantFrom("less", "more", "other", "swap"),
  });
  const misspell = ({ word, at, letter, kind }: typeof slip extends fc.Arbitrary<infer T> ? T : never) => {
    const i = 1 + (at % (word.length - 1));
    const [before, after] = [word.slice(0, i), word.slice(i + 1)];
    if (kind === "less") return before + after;
    if (kind === "more") return before + letter + word.slice(i);
    if (kind === "other") return before + letter + after;
    return `${word.slice(0, i - 1)}${word[i]}${word[i - 1]}${after}`;
  };

  it("a description's word is found with one letter wrong", async () => {
    using folder = makeFolder(SKILLS);
    const catalog = await open(folder);
    fc.assert(
      fc.property(slip, (wrong) => {
        const [exact] = catalog.search(wrong.word).results;
        const names = catalog.search(misspell(wrong)).results.map(({ skill }) => skill.name);
        expect(names).toContain(exact?.skill.name);
      }),
      { numRuns: cases(1000) },
    );
  });

  it("a word that some skill has is never changed", async () => {
    using folder = makeFolder(SKILLS);
    for (const word of words)
      folder.write({
        [`${REPO}/x${word}/SKILL.md`]: `${skillText(`x${word}`, "Other.")}\n${word}x ${word.slice(0, -1)}\n`,
      });
    const catalog = await open(folder);
    for (const word of words) {
      for (const known of [word, `${word}x`, word.slice(0, -1)]) {
        const { results } = catalog.search(known);
        expect(results.length).toBeGreaterThan(0);
        for (const { matched } of results) expect(matched).toEqual([known]);
      }
    }
  });
});

describe("editDistance", () => {
  /** The textbook definition, without a band or an early exit. */
  function plain(a: string, b: string): number {
    const rows = Array.from({ length: a.length + 1 }, (_, i) =>
      Array.from({ length: b.length + 1 }, (_, j) => (i === 0 ? j : j === 0 ? i : 0)),
    );
    const at = (i: number, j: number): number => rows[i]?.[j] ?? 0;
    for (let i = 1; i <= a.length; i++) {
      for (let j = 1; j <= b.length; j++) {
        const other = a[i - 1] === b[j - 1] ? 0 : 1;
        let steps = Math.min(at(i - 1, j) + 1, at(i, j - 1) + 1, at(i - 1, j - 1) + other);
        if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1])
          steps = Math.min(steps, at(i - 2, j - 2) + 1);
        (rows[i] as number[])[j] = steps;
      }
    }
    return at(a.length, b.length);
  }

  it("is the number of slips, as far as was asked", () => {
    const word = fc.string({ unit: fc.constantFrom("a", "b", "c"), maxLength: 8 });
    fc.assert(
      fc.property(word, word, fc.integer({ min: 1, max: 3 }), (a, b, most) => {
        expect(editDistance(a, b, most)).toBe(Math.min(plain(a, b), most + 1));
      }),
      { numRuns: cases(5000) },
    );
  });
});

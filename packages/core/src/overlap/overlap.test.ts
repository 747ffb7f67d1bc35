import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { openRepo } from "../catalog/testing/open-repo.ts";
import { cases } from "../shared/testing/cases.ts";
import { makeFolder, skillText } from "../testing/index.ts";
import { findOverlaps } from "./overlap.ts";

const skill = (path: string, description: string, name = path) => ({ name, description, path: `/${path}` });
const MERGE = skill("merge-resolver", "Resolve git merge conflicts. Use when a rebase stops with conflicts.");
const CONFLICTS = skill(
  "conflict-fixer",
  "Use this to resolve conflicts of a git merge or a stopped rebase.",
);
const RECIPES = skill("recipes", "Plan meals for a week and write the shopping list.");
const BREAD = skill("bread", "Bake a sourdough loaf from flour, water and salt.");
const names = (skills: Parameters<typeof findOverlaps>[0]): string[] =>
  findOverlaps(skills, 1000).pairs.map(({ a, b }) => `${a.name}+${b.name}`);

describe("skills that claim the same triggers", () => {
  it("are a pair, with the words that both have", () => {
    const { pairs, pairCount, copyCount } = findOverlaps([MERGE, RECIPES, CONFLICTS, BREAD], 20);
    expect({ pairCount, copyCount }).toEqual({ pairCount: 1, copyCount: 0 });
    expect(pairs).toMatchObject([{ a: CONFLICTS, b: MERGE }]);
    expect(pairs[0]?.words.toSorted()).toEqual(["conflict", "git", "merge", "rebase", "resolve", "stopped"]);
  });

  it("are none for the phrases with which every description begins", () => {
    const lead = "Use this skill when the user asks you to";
    expect(
      names([skill("a", `${lead} paint.`), skill("b", `${lead} sing.`), skill("c", `${lead} dig.`)]),
    ).toEqual([]);
  });

  it("show a phrase that both quote before the words", () => {
    const quoting = (name: string, more: string) =>
      skill(name, `Publish the site. Triggers: "push this live", "deploy my app". ${more}`);
    const [pair] = findOverlaps([quoting("ship", "For Vercel."), quoting("go-live", "For Fly.")], 20).pairs;
    expect(pair?.words.slice(0, 2)).toEqual(['"push this live"', '"deploy my app"']);
  });

  it("are found in Chinese, with stretches of characters as they are written", () => {
    const found = findOverlaps([skill("a", "审查合同条款的风险"), skill("b", "检查合同条款的风险")], 20);
    expect(found.pairs).toMatchObject([{ words: ["查合同条款的风险"] }]);
  });

  it("with one description under several names are paired with the first alone", () => {
    const many = ["a", "b", "c", "d"].map((name) => skill(name, MERGE.description));
    expect(names(many)).toEqual(["a+b", "a+c", "a+d"]);
  });

  it("are copies where the name is the same too, one group however many", () => {
    const places = ["x", "y", "z"].map((path) => skill(path, RECIPES.description, "recipes"));
    const { pairs, copies } = findOverlaps([...places, BREAD], 20);
    expect({ pairs, copies }).toEqual({ pairs: [], copies: [places] });
  });

  it("are not looked for among skills without a description", () => {
    expect(names([skill("a", ""), skill("b", ""), skill("c", "")])).toEqual([]);
  });

  it("are at most as many as were asked for, with how many there are", () => {
    const many = Array.from({ length: 30 }, (_, i) => skill(`s${i}`, MERGE.description));
    const { pairs, pairCount } = findOverlaps(many, 5);
    expect({ shown: pairs.length, pairCount }).toEqual({ shown: 5, pairCount: 29 });
  });
});

describe("catalog.overlaps()", () => {
  it("looks at the usable skills and refuses a wrong limit", async () => {
    using folder = makeFolder({
      "repo/.agents/skills/merge/SKILL.md": skillText("merge", MERGE.description),
      "home/.agents/skills/merge/SKILL.md": skillText("merge", MERGE.description),
      "home/.agents/skills/conflicts/SKILL.md": skillText("conflicts", CONFLICTS.description),
    });
    const catalog = await openRepo(folder);
    const { pairs, copies } = await catalog.overlaps();
    expect(pairs.map(({ a, b }) => [a.name, b.name])).toEqual([["conflicts", "merge"]]);
    expect(copies.map((same) => same.map(({ scope }) => scope))).toEqual([["user", "repo"]]);
    await expect(catalog.overlaps({ limit: 0 })).rejects.toMatchObject({ code: "INVALID_PARAM" });
  });
});

/** Eight skills with one description; the name of the one that stands for them is a claim too. */
const SAME_DESCRIPTION = ["审查合同 git", "git 审查合同 git", ...new Array<string>(8).fill("git")].map(
  (description, i) => skill(`s${i}`, description, `n${i % 9}`),
);

describe("properties of overlaps", () => {
  const vocabulary = "git merge rebase conflict deploy cloud bake bread flour review 审查合同 レビュー".split(
    " ",
  );
  const catalogs = fc
    .array(fc.array(fc.constantFrom(...vocabulary), { minLength: 1, maxLength: 8 }), { maxLength: 12 })
    .map((all) => all.map((words, i) => skill(`s${i}`, words.join(" "), `n${i % 9}`)));

  it("the order of the skills makes no difference", () => {
    fc.assert(
      fc.property(
        catalogs.chain((all) =>
          fc.tuple(fc.constant(all), fc.shuffledSubarray(all, { minLength: all.length })),
        ),
        ([all, shuffled]) => {
          expect(findOverlaps(shuffled, 1000)).toEqual(findOverlaps(all, 1000));
        },
      ),
    );
  });

  it("which path comes first does not change how strong a pair is", () => {
    fc.assert(
      fc.property(catalogs, (all) => {
        const mirrored = all.map((one, i) => ({ ...one, path: `/${String(999 - i)}` }));
        const strengths = (skills: typeof all): number[] =>
          findOverlaps(skills, 1000)
            .pairs.map(({ overlap }) => overlap)
            .sort((a, b) => a - b);
        expect(strengths(mirrored)).toEqual(strengths(all));
      }),
      { examples: [[SAME_DESCRIPTION]] },
    );
  });

  it("a skill that shares nothing adds and removes no pair", () => {
    fc.assert(
      fc.property(catalogs, (all) => {
        const unrelated = skill("unrelated", "Quantum zebra xylophone orchestra.");
        expect(findOverlaps([unrelated, ...all], 1000)).toEqual(findOverlaps(all, 1000));
      }),
    );
  });

  it("no description throws, and an overlap is between 0 and 1", () => {
    fc.assert(
      fc.property(fc.array(fc.string({ unit: "binary", maxLength: 200 }), { maxLength: 6 }), (all) => {
        const skills = all.flatMap((text, i) => [skill(`a${i}`, text), skill(`b${i}`, `${text} and more`)]);
        for (const { a, b, overlap } of findOverlaps(skills, 1000).pairs) {
          expect(overlap > 0 && overlap <= 1 && a.path < b.path).toBe(true);
        }
      }),
      { numRuns: cases(500) },
    );
  });
});

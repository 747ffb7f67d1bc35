import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type Given, searchOver } from "../../../../test/search/search-over.ts";
import { openCatalog } from "../open-catalog.ts";
import { cases } from "../shared/testing/cases.ts";
import type { SkillScope } from "../skill/schema.ts";
import { makeFolder, skillText } from "../testing/index.ts";
import type { SearchResults } from "./search.ts";

const word = fc.stringMatching(/^[a-z]{2,9}$/);
const kebab = fc.array(word, { minLength: 1, maxLength: 4 }).map((words) => words.join("-"));
const cjk = fc.string({
  unit: fc.constantFrom(
    ...Array.from("发布审查合約條款レビュー한국어검토技能代码部署测试", (character) => character),
  ),
  minLength: 1,
  maxLength: 8,
});
const anyName = fc
  .string({ unit: "grapheme", minLength: 1, maxLength: 20 })
  .map((text) => text.replaceAll(/\s+/g, " ").trim())
  .filter((name) => name !== "");
const scope = fc.constantFrom<SkillScope[]>("repo", "user", "bundled");
const texts = { description: fc.lorem({ maxCount: 12 }), body: fc.lorem({ maxCount: 40 }) };

/** Names of all kinds, some of them prefixes of others, some duplicated. */
const catalogs = fc
  .array(fc.record({ name: fc.oneof(kebab, cjk, anyName), scope, folder: fc.nat({ max: 9 }), ...texts }), {
    minLength: 1,
    maxLength: 12,
  })
  .map((list) =>
    list
      .flatMap(({ folder, ...skill }, i) => [
        { ...skill, path: `/${folder}/${i}` },
        ...(i % 3 === 0 ? [{ ...skill, path: `/${folder}/${i}b`, scope: "user" as const }] : []),
        ...(i % 3 === 1 ? [{ ...skill, path: `/${folder}/${i}c`, name: `${skill.name}-more` }] : []),
      ])
      .map((skill): Given => skill),
  );
const fold = (name: string): string => name.trim().normalize("NFC").toLowerCase();
const paths = ({ results }: SearchResults): string[] => results.map(({ skill }) => skill.dir);

describe("a skill's own name", () => {
  it("finds it first: in any script, as the beginning of other names, of one name repo before user, then by path", () => {
    fc.assert(
      fc.property(catalogs, fc.constantFrom("", " ", "\n"), (given, space) => {
        const search = searchOver(given);
        for (const { name } of given) {
          const same = given.filter((other) => fold(other.name) === fold(name));
          const expected = same
            .toSorted((a, b) =>
              a.scope === b.scope
                ? `${a.path}/SKILL.md` < `${b.path}/SKILL.md`
                  ? -1
                  : 1
                : ["repo", "user", "bundled"].indexOf(a.scope ?? "") -
                  ["repo", "user", "bundled"].indexOf(b.scope ?? ""),
            )
            .map(({ path }) => path);
          for (const query of [name, space + name.toUpperCase().toLowerCase() + space]) {
            if (fold(query) !== fold(name)) continue;
            const { results } = search(query);
            expect(results.slice(0, same.length).map(({ skill }) => skill.dir)).toEqual(expected);
            expect(results.filter(({ reason }) => reason === "exact_name")).toHaveLength(same.length);
          }
          expect(search(name, 1).results[0]?.skill.dir).toBe(expected[0]);
        }
      }),
      { numRuns: cases(500) },
    );
  });
});

describe("the order of results", () => {
  it("is the same whatever order skills and roots are given in, and each skill is there once", async () => {
    const same = skillText("same", "Water the plants in the garden.");
    using folder = makeFolder();
    for (const root of ["a", "b", "c"]) {
      folder.write({ [`${root}/same/SKILL.md`]: same });
      // More than are reranked, all alike.
      for (let i = 0; i < 40; i++)
        folder.write({ [`${root}/s${i}/SKILL.md`]: skillText(`s${i}`, "Prune the roses.") });
    }
    const roots = [
      { path: folder.at("a"), scope: "user" },
      { path: folder.at("b"), scope: "repo" },
      { path: folder.at("c"), scope: "repo" },
    ] as const;
    const answers = await Promise.all(
      [roots, roots.toReversed(), [roots[1], roots[0], roots[2]]].map(async (given) => {
        const catalog = await openCatalog({
          cwd: folder.path,
          home: folder.path,
          env: {},
          cache: false,
          roots: given,
        });
        return ["plants", "same", "prune roses", "s1"].map((query) =>
          catalog.search(query, { limit: 50 }).results.map(({ skill, score }) => [skill.path, score]),
        );
      }),
    );
    expect(answers[1]).toEqual(answers[0]);
    expect(answers[2]).toEqual(answers[0]);
    expect(answers[0]?.[0]?.map(([path]) => path)).toEqual(
      ["b", "c", "a"].map((root) => folder.at(root, "same/SKILL.md")),
    );
  });

  it("does not depend on the order of the skills, nor on what was searched before", () => {
    fc.assert(
      fc.property(catalogs, fc.nat(), fc.lorem({ maxCount: 8 }), (given, turn, query) => {
        const turned = given.map((_, i) => given[(i * 7 + turn) % given.length] as Given);
        fc.pre(new Set(turned).size === given.length);
        const search = searchOver(given);
        const { results } = search(query);
        search("something else entirely");
        expect(search(query).results).toEqual(results);
        const plain = (found: SearchResults): unknown =>
          found.results.map(({ skill: { dir }, score, reason, matched }) => ({
            dir,
            score,
            reason,
            matched,
          }));
        expect(plain(searchOver(turned)(query))).toEqual(
          plain({ results, count: 0, fitting: 0, truncated: false }),
        );
        expect(new Set(results.map(({ skill }) => skill.dir)).size).toBe(results.length);
      }),
      { numRuns: cases(300) },
    );
  });

  it("keeps defaultLimit and maxLimit, and a smaller limit gives the beginning of a larger one's results", async () => {
    using folder = makeFolder();
    for (let i = 0; i < 80; i++)
      folder.write({
        [`.agents/skills/s${i}/SKILL.md`]: skillText(`s${i}`, `Water the plants ${"now ".repeat(i % 7)}.`),
      });
    for (const [defaultLimit, maxLimit] of [
      [1, 1],
      [3, 5],
      [8, 20],
      [20, 70],
      [20, 80],
    ] as const) {
      folder.write({
        ".knack/config.yaml": `skills: { search: { defaultLimit: ${defaultLimit}, maxLimit: ${maxLimit} } }\n`,
      });
      const catalog = await openCatalog({
        cwd: folder.path,
        home: folder.at("home"),
        env: {},
        cache: false,
      });
      for (const query of ["plants now", "s"]) {
        const all = paths(catalog.search(query, { limit: 1_000_000 }));
        expect(all.length).toBeLessThanOrEqual(maxLimit);
        expect(paths(catalog.search(query))).toEqual(all.slice(0, defaultLimit));
        for (const limit of [1, 2, 7, 60]) {
          const found = catalog.search(query, { limit });
          expect(paths(found)).toEqual(all.slice(0, Math.min(limit, maxLimit)));
          expect(found.truncated).toBe(found.count < 80);
        }
      }
    }
  });
});

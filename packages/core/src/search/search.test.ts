import { symlinkSync, writeFileSync } from "node:fs";
import { relative } from "node:path";
import { pathToFileURL } from "node:url";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type Catalog, openCatalog } from "../open-catalog.ts";
import { cases } from "../shared/testing/cases.ts";
import { type FileSpec, type Folder, makeFolder, skillText } from "../testing/index.ts";

const REPO = "repo/.agents/skills";
const HOME = "home/.agents/skills";
const open = (folder: Folder, cache: false | string = false): Promise<Catalog> =>
  openCatalog({ cwd: folder.at("repo"), home: folder.at("home"), env: {}, cache });
const SKILLS: Record<string, FileSpec> = {
  [`${REPO}/release-notes/SKILL.md`]: skillText(
    "release-notes",
    "Draft release notes from commits before a release.",
  ),
  [`${REPO}/release/SKILL.md`]: skillText("release", "Tag and publish a version."),
  [`${REPO}/repo-review/SKILL.md`]: skillText("repo-review", "Review a pull request for risks."),
  [`${REPO}/sql/SKILL.md`]: `${skillText("sql", "Write database queries.")}\n## Migrations\n\nRename columns of PostgreSQL tables.\n`,
  [`${REPO}/fabu/SKILL.md`]: skillText("fabu", "发布新版本到应用商店"),
  [`${REPO}/shencha/SKILL.md`]: skillText("shencha", "審查合約與條款"),
  [`${REPO}/rebyu/SKILL.md`]: skillText("rebyu", "文書をレビューする"),
};
const found = (catalog: Catalog, query: string, limit = 8): string[] =>
  catalog
    .search(query, { limit })
    .results.filter(({ fits }) => fits)
    .map(({ skill, reason }) => `${skill.name} ${reason}`);

describe("004 §5.5 search", () => {
  it("ranks a path before a name, a name before its beginning, that before words", async () => {
    using folder = makeFolder(SKILLS);
    const catalog = await open(folder);
    expect(found(catalog, "release").slice(0, 2)).toEqual(["release exact_name", "release-notes prefix"]);
    expect(found(catalog, folder.at(REPO, "sql"))[0]).toBe("sql exact_path");
    expect(found(catalog, folder.at(REPO, "sql/SKILL.md"))[0]).toBe("sql exact_path");
    expect(found(catalog, "rel").slice(0, 2)).toEqual(["release prefix", "release-notes prefix"]);
    expect(found(catalog, "pull request risks")[0]).toBe("repo-review token_overlap");
    expect(found(catalog, "rename postgresql columns")).toEqual(["sql body_match"]);
  });

  it("puts the skill of a path first, however the path is written", async () => {
    using folder = makeFolder(SKILLS);
    const catalog = await open(folder);
    const inProject = relative(catalog.cwd, folder.at(REPO, "sql"));
    const inHome = relative(folder.at("home"), folder.at(REPO, "sql"));
    for (const query of [
      inProject,
      `./${inProject}/`,
      `${inProject}/SKILL.md`,
      `~/${inHome}`,
      pathToFileURL(folder.at(REPO, "sql")).href,
    ])
      expect(found(catalog, query)[0], query).toBe("sql exact_path");
    symlinkSync(folder.at(REPO), folder.at("repo/linked"));
    for (const query of ["linked/sql", "./linked/sql/SKILL.md"])
      expect(found(catalog, query)[0], query).toBe("sql exact_path");
    for (const query of ["file://host/sql", "file:///a%2Fb", "file://"])
      expect(() => found(catalog, query)).not.toThrow();
  });

  it("004 §13.4 finds release by name and description", async () => {
    using folder = makeFolder(SKILLS);
    const names = (await open(folder)).search("release").results.map(({ skill }) => skill.name);
    expect(names).toContain("release-notes");
    expect(names).toContain("release");
  });

  it("ignores case and outer space in a name, and nothing else", async () => {
    using folder = makeFolder(SKILLS);
    const catalog = await open(folder);
    expect(found(catalog, "  Release-Notes ")[0]).toBe("release-notes exact_name");
    expect(found(catalog, "release notes")[0]).toBe("release-notes token_overlap");
  });

  it("breaks ties by scope, repo before user, and then by path", async () => {
    const same = skillText("same", "Water the plants.");
    using folder = makeFolder({
      [`${HOME}/same/SKILL.md`]: same,
      [`${REPO}/b/same/SKILL.md`]: same,
      [`${REPO}/a/same/SKILL.md`]: same,
    });
    for (const query of ["same", "plants water"]) {
      expect((await open(folder)).search(query).results.map(({ skill }) => skill.path)).toEqual([
        folder.at(REPO, "a/same/SKILL.md"),
        folder.at(REPO, "b/same/SKILL.md"),
        folder.at(HOME, "same/SKILL.md"),
      ]);
    }
  });

  it.each([
    ["審查", "shencha"],
    ["发布", "fabu"],
    ["レビュー", "rebyu"],
    ["review", "repo-review"],
    ["合約條款", "shencha"],
  ])("finds a skill by words of its own language: %s", async (query, name) => {
    using folder = makeFolder(SKILLS);
    expect((await open(folder)).search(query).results[0]?.skill.name).toBe(name);
  });

  it("names only words that stand where the reason says and that say something", async () => {
    using folder = makeFolder({
      [`${REPO}/tests/SKILL.md`]: `${skillText("tests", "Fix a test and all of the app.")}\nIt does fail, and why?\n`,
    });
    const catalog = await open(folder);
    const matched = (query: string): unknown =>
      catalog.search(query, {}).results.map(({ reason, matched }) => [reason, ...matched]);
    expect(matched("why does a test fail and I don't know")).toEqual([["token_overlap", "test"]]);
    expect(matched("why does it fail")).toEqual([["body_match", "fail"]]);
  });

  it("shows which words matched, as they were written", async () => {
    using folder = makeFolder(SKILLS);
    const [first] = (await open(folder)).search("please Reviewing my pull-request").results;
    expect(first).toMatchObject({ skill: { name: "repo-review" }, matched: ["Reviewing", "pull-request"] });
  });
});

describe("004 §7.1 and §9 limits", () => {
  it("gives defaultLimit results, at most maxLimit, and says whether there are more", async () => {
    using folder = makeFolder({
      "repo/.knack/config.yaml": "skills: { search: { defaultLimit: 2, maxLimit: 4 } }\n",
    });
    for (let i = 0; i < 6; i++)
      folder.write({ [`${REPO}/s${i}/SKILL.md`]: skillText(`s${i}`, "Common words.") });
    const catalog = await open(folder);
    expect(catalog.search("common words")).toMatchObject({ count: 2, truncated: true });
    expect(catalog.search("common words", { limit: 100 })).toMatchObject({ count: 4, truncated: true });
    expect(catalog.search("s5", { limit: 3 })).toMatchObject({ count: 1, truncated: false });
    for (const limit of [0, -1, 1.5, Number.NaN]) {
      expect(() => catalog.search("x", { limit })).toThrow(
        expect.objectContaining({ code: "INVALID_PARAM" }),
      );
    }
  });

  it("looks in one scope on request", async () => {
    using folder = makeFolder({
      [`${HOME}/a/SKILL.md`]: skillText("a", "Water plants."),
      [`${REPO}/b/SKILL.md`]: skillText("b", "Water plants."),
    });
    const catalog = await open(folder);
    expect(catalog.search("water", { scope: "user" }).results).toMatchObject([{ skill: { name: "a" } }]);
    expect(catalog.search("b", { scope: "user" }).results).toEqual([]);
  });

  it("nothing fits is an empty answer", async () => {
    using folder = makeFolder(SKILLS);
    const catalog = await open(folder);
    for (const query of ["", "   ", "xyzzy plugh", "!!!", "\ud800"]) {
      expect(catalog.search(query)).toEqual({ results: [], count: 0, fitting: 0, truncated: false });
    }
  });
});

describe("properties of search", () => {
  it("a skill's own name always finds it first", async () => {
    using folder = makeFolder(SKILLS);
    const catalog = await open(folder);
    for (const { name } of catalog.skills) expect(catalog.search(name).results[0]?.skill.name).toBe(name);
  });

  it("no query throws or gives more than was asked for, and the order of reasons holds", async () => {
    using folder = makeFolder(SKILLS);
    const catalog = await open(folder);
    const order = ["exact_path", "exact_name", "prefix", "words"];
    fc.assert(
      fc.property(
        fc.string({ unit: "binary", maxLength: 300 }),
        fc.integer({ min: 1, max: 60 }),
        (query, limit) => {
          const { results, count } = catalog.search(query, { limit });
          expect(count).toBe(results.length);
          expect(count).toBeLessThanOrEqual(limit);
          const ranks = results.map(({ reason }) =>
            order.indexOf(/_overlap|_match/.test(reason) ? "words" : reason),
          );
          expect(ranks).toEqual(ranks.toSorted((a, b) => a - b));
          for (const { score } of results) expect(score >= 0 && score <= 1).toBe(true);
        },
      ),
      { numRuns: cases(3_000) },
    );
  });

  it("a word that every skill has still finds them, where the query has no other", async () => {
    using folder = makeFolder();
    for (let i = 0; i < 60; i++)
      folder.write({ [`${REPO}/s${i}/SKILL.md`]: skillText(`s${i}`, "Review something.") });
    expect((await open(folder)).search("review", { limit: 5 }).count).toBe(5);
  });

  it("a very long query is cut and answered", async () => {
    using folder = makeFolder(SKILLS);
    const query = `review a pull request ${"lorem ipsum ".repeat(200_000)}`;
    expect((await open(folder)).search(query).results[0]?.skill.name).toBe("repo-review");
  });
});

describe("the search index on disk", () => {
  it("gives the same answers in the next process, and follows an edit", async () => {
    using folder = makeFolder(SKILLS);
    const cache = folder.at("cache");
    const queries = ["release notes", "rename columns", "審查", "review"];
    const answers = async (catalog: Catalog): Promise<unknown> =>
      queries.map((query) => catalog.search(query));
    const first = await answers(await open(folder));
    expect(await answers(await open(folder, cache))).toEqual(first);
    expect(await answers(await open(folder, cache))).toEqual(first);

    const before = await open(folder, cache);
    writeFileSync(
      folder.at(REPO, "sql/SKILL.md"),
      `${skillText("sql", "Write database queries.")}\nBake bread.\n`,
    );
    expect(found(await open(folder, cache), "bake bread")).toEqual(["sql body_match"]);
    expect(found(await open(folder, cache), "rename columns")).toEqual([]);
    expect(before.search("write database").results[0]?.skill.name).toBe("sql");
  });

  it("does without a file that is torn or not its own", async () => {
    using folder = makeFolder(SKILLS);
    const cache = folder.at("cache");
    const expected = (await open(folder, cache)).search("release notes");
    const { readdirSync, readFileSync } = await import("node:fs");
    const [name = ""] = readdirSync(folder.at("cache/search"));
    const file = folder.at("cache/search", name);
    const whole = readFileSync(file);
    for (const bytes of [
      whole.subarray(0, 10),
      whole.subarray(0, whole.length - 5),
      Buffer.from("KNACKWD1 and more"),
      Buffer.alloc(0),
    ]) {
      writeFileSync(file, bytes);
      expect((await open(folder, cache)).search("release notes")).toEqual(expected);
    }
  });
});

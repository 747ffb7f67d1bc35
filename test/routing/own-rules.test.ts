import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { openCatalog } from "../../packages/core/src/open-catalog.ts";
import { routeToSkill } from "../../packages/core/src/routing/route.ts";
import { loadRouting } from "../../packages/core/src/routing/routing-file.ts";
import { makeFolder } from "../../packages/core/src/testing/index.ts";

/** The repository's own rules, in the file of document 000 §8, with requests as people type them. */
const REQUESTS: readonly (readonly [string, string, string])[] = [
  ["debug the login page", "fixer", "systematic-debugging"],
  ["The import test fails since yesterday", "fixer", "systematic-debugging"],
  ["knack list crashes with a stack trace on Windows", "fixer", "systematic-debugging"],
  ["請除錯這個問題", "fixer", "systematic-debugging"],
  ["程序启动就崩溃，帮我排查", "fixer", "systematic-debugging"],
  ["ログイン画面でエラーが出るので原因を調べて", "fixer", "systematic-debugging"],
  ["ＤＥＢＵＧ してください", "fixer", "systematic-debugging"],
  ["請審查需求文件並 debug", "fixer", "systematic-debugging"],
  ["Write the release notes for 0.2", "librarian", "release-notes"],
  ["what has changed since v0.1?", "librarian", "release-notes"],
  ["update the changelog before we tag", "librarian", "release-notes"],
  ["请起草发布说明", "librarian", "release-notes"],
  ["リリースノートを書いて", "librarian", "release-notes"],
  ["Please review this pull request", "oracle", "code-review"],
  ["is this branch safe to merge?", "oracle", "code-review"],
  ["I would like a second opinion on this", "oracle", "code-review"],
  ["このコードをレビューして", "oracle", "code-review"],
  ["帮我审查代码", "oracle", "daima-shencha"],
  ["合并之前看看这个 PR", "oracle", "daima-shencha"],
  ["review 一下这段 TypeScript", "oracle", "daima-shencha"],
  ["請審查一下", "oracle", "daima-shencha"],
  ["このドキュメントをレビューして", "librarian", "kijutsu-bunsho"],
  ["手順書を読みやすくして", "librarian", "kijutsu-bunsho"],
  ["用語を統一してほしい", "librarian", "kijutsu-bunsho"],
  ["continue with the plan", "fixer", "executing-plans"],
  ["do the next step of plan.md", "fixer", "executing-plans"],
  ["继续执行计划", "fixer", "executing-plans"],
  ["計画を実行して", "fixer", "executing-plans"],
  ["turn our conversation into a plan", "oracle", "plan_compiler"],
  ["制定一个计划", "oracle", "plan_compiler"],
  ["計画を立てて", "oracle", "plan_compiler"],
  ["create a skill for database migrations", "designer", "write-a-skill"],
  ["the frontmatter of my SKILL.md is wrong", "designer", "write-a-skill"],
  ["新しいスキルを書いて", "designer", "write-a-skill"],
  ["帮我写一个技能", "designer", "write-a-skill"],
  ["orchestrate the migration over several people", "oracle", "tao-of-coding"],
  ["who calls parseYaml?", "explorer", "tao-of-coding"],
  ["good morning", "explorer", "tao-of-coding"],
];

describe("the routing of this repository", () => {
  let place: Parameters<typeof routeToSkill>[1];
  beforeAll(async () => {
    using folder = makeFolder({ "home/": "" });
    const cwd = join(import.meta.dirname, "..", "..");
    const catalog = await openCatalog({ cwd, home: folder.at("home"), env: {}, cache: false });
    place = { routing: loadRouting(catalog, true), catalog };
    catalog.search("read the skills now");
  });

  it("is read without a remark, and every skill here has a rule", () => {
    expect(place.routing.notes).toEqual([]);
    const routed = new Set(place.routing.routes.map(({ skill }) => skill.name));
    expect([...routed].sort()).toEqual(place.catalog.skills.map(({ name }) => name).sort());
  });

  it.each(REQUESTS)("%s → %s, %s", (text, role, skill) => {
    expect(routeToSkill(text, place).answer).toMatchObject({ role, skill });
  });
});

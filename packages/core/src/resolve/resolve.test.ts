import { describe, expect, it } from "vitest";
import { openRepo as open } from "../catalog/testing/open-repo.ts";
import type { Catalog } from "../open-catalog.ts";
import type { ErrorCode } from "../shared/errors.ts";
import { makeFolder, skillText } from "../testing/files.ts";
import type { Reference } from "./resolve.ts";

const ROOT = "repo/.agents/skills";

function expectRefusal(catalog: Catalog, reference: Reference, code: ErrorCode, message = ""): void {
  let answer: unknown;
  try {
    answer = catalog.resolve(reference);
  } catch (error) {
    answer = error;
  }
  expect(answer).toMatchObject({ name: "KnackError", code, message: expect.stringContaining(message) });
}

describe("004 §1.4 one reference always means one skill", () => {
  it("by its exact name", async () => {
    using folder = makeFolder({
      [`${ROOT}/release/SKILL.md`]: skillText("release"),
      [`${ROOT}/release-notes/SKILL.md`]: skillText("release-notes"),
    });
    const catalog = await open(folder);
    expect(catalog.resolve({ name: "release" }).name).toBe("release");
  });

  it("by its folder or its SKILL.md, absolute or relative to the working directory", async () => {
    using folder = makeFolder({ [`${ROOT}/a/SKILL.md`]: skillText("a"), "repo/sub/": "" });
    const catalog = await open(folder, { cwd: folder.at("repo/sub") });
    const skill = catalog.resolve({ name: "a" });
    for (const path of [
      folder.at(ROOT, "a"),
      folder.at(ROOT, "a/"),
      folder.at(ROOT, "a/SKILL.md"),
      folder.at(ROOT, "x/../a"),
      "../.agents/skills/a",
      "../.agents/skills/a/SKILL.md",
    ]) {
      expect(catalog.resolve({ path })).toBe(skill);
    }
  });

  it("by a path with links in it", async () => {
    using folder = makeFolder({ [`${ROOT}/a/SKILL.md`]: skillText("a"), way: { link: "repo/.agents" } });
    const catalog = await open(folder);
    expect(catalog.resolve({ path: folder.at("way/skills/a/SKILL.md") }).name).toBe("a");
  });

  it("by the folder in which its SKILL.md is a link", async () => {
    using folder = makeFolder({
      "file.md": skillText("a"),
      [`${ROOT}/a/SKILL.md`]: { link: "../../../../file.md" },
    });
    const catalog = await open(folder);
    expect(catalog.resolve({ path: folder.at(ROOT, "a") }).path).toBe(folder.at(ROOT, "a/SKILL.md"));
  });

  it("by its id", async () => {
    using folder = makeFolder({ [`${ROOT}/a/SKILL.md`]: skillText("a") });
    const catalog = await open(folder);
    expect(catalog.resolve({ id: catalog.skills[0]!.id }).name).toBe("a");
  });

  it("by its path before its name, where both are given (004 §7.2)", async () => {
    using folder = makeFolder({
      [`${ROOT}/a/SKILL.md`]: skillText("a"),
      [`${ROOT}/b/SKILL.md`]: skillText("b"),
    });
    const catalog = await open(folder);
    expect(catalog.resolve({ name: "b", path: folder.at(ROOT, "a") }).name).toBe("a");
  });

  it("by its name in whichever way its characters were composed", async () => {
    using folder = makeFolder({ "lily/café/SKILL.md": "# Coffee\n" });
    const catalog = await open(folder, { roots: [{ path: "../lily", dialect: "lily" }] });
    expect(catalog.resolve({ name: "cafe\u0301" }).name).toBe("café");
  });
});

describe("002 §5.3 nothing is guessed", () => {
  it.each(["releas", "notes", "/release", "*", "re-lease", "rélease"])("%j is not found", async (name) => {
    using folder = makeFolder({ [`${ROOT}/release/SKILL.md`]: skillText("release") });
    expectRefusal(await open(folder), { name }, "NOT_FOUND", JSON.stringify(name));
  });

  it.each(["Release", "release ", "ｒｅｌｅａｓｅ", "re\u200blease"])(
    "%j is not found where it must be exact",
    async (name) => {
      using folder = makeFolder({ [`${ROOT}/release/SKILL.md`]: skillText("release") });
      const catalog = await open(folder);
      expect(catalog.resolve({ name }).name).toBe("release");
      expect(() => catalog.resolveEntry(name, { exact: true })).toThrow("No skill is called");
    },
  );

  it("asking for nothing is the caller's mistake", async () => {
    using folder = makeFolder();
    const catalog = await open(folder);
    expectRefusal(catalog, { name: "" }, "INVALID_PARAM");
  });

  it("a path that is no skill of the catalog is not found, even where there is a SKILL.md", async () => {
    using folder = makeFolder({
      "elsewhere/a/SKILL.md": skillText("a"),
      [`${ROOT}/a/SKILL.md`]: skillText("a"),
    });
    const catalog = await open(folder);
    for (const path of [
      "../elsewhere/a",
      "/nowhere",
      folder.at(ROOT),
      `${folder.at(ROOT, "a")}-evil`,
      "a\0b",
    ]) {
      expectRefusal(catalog, { path }, "NOT_FOUND");
    }
    expectRefusal(catalog, { id: "0".repeat(32) }, "NOT_FOUND");
  });
});

describe("a string is whatever a person types", () => {
  it("a name, before a folder of the same name", async () => {
    using folder = makeFolder({
      [`${ROOT}/a/SKILL.md`]: skillText("a"),
      "repo/skills/b/SKILL.md": skillText("a-b"),
      "repo/a/": "",
    });
    const catalog = await open(folder);
    expect(catalog.resolve("a").path).toBe(folder.at(ROOT, "a/SKILL.md"));
    expect(catalog.resolve("skills/b").name).toBe("a-b");
  });

  it("a folder of the working directory, where it is a skill's", async () => {
    using folder = makeFolder({ "repo/skills/b/SKILL.md": skillText("other"), "repo/skills/docs/": "" });
    const catalog = await open(folder, { cwd: folder.at("repo/skills") });
    expect(catalog.resolve("b").name).toBe("other");
    expectRefusal(catalog, "docs", "NOT_FOUND", 'No skill is called "docs"');
  });

  it("a path in the home folder", async () => {
    using folder = makeFolder({ "home/.agents/skills/mine/SKILL.md": skillText("mine") });
    expect((await open(folder)).resolve("~/.agents/skills/mine").name).toBe("mine");
  });

  it("a scope and a name, where the name alone means several", async () => {
    using folder = makeFolder({
      [`${ROOT}/dup/SKILL.md`]: skillText("dup"),
      "home/.agents/skills/dup/SKILL.md": skillText("dup"),
    });
    const catalog = await open(folder);
    expectRefusal(catalog, "dup", "AMBIGUOUS");
    expect(catalog.resolve("user:dup").scope).toBe("user");
    expect(catalog.resolve("repo:DUP").scope).toBe("repo");
    expectRefusal(catalog, "bundled:dup", "NOT_FOUND");
    expect(catalog.candidates("dup")).toHaveLength(2);
  });

  it("a name that has a colon comes before a scope", async () => {
    using folder = makeFolder({
      "lily/user:x/SKILL.md": "# X\n",
      "home/.agents/skills/x/SKILL.md": skillText("x"),
    });
    const roots = [
      { path: "../lily", dialect: "lily" as const },
      { path: "../home/.agents/skills", scope: "user" as const },
    ];
    expect((await open(folder, { roots })).resolve("user:x").name).toBe("user:x");
  });
});

describe("names that fold to the same", () => {
  const files = { "lily/review/SKILL.md": "# One\n", "lily/Review/SKILL.md": "# Two\n" };
  const roots = [{ path: "../lily", dialect: "lily" as const }];

  it("each is meant where it is spelled exactly, and every other form is ambiguous", async () => {
    using folder = makeFolder(files);
    const catalog = await open(folder, { roots });
    for (const name of ["review", "Review"]) expect(catalog.resolve(name).name).toBe(name);
    for (const name of ["REVIEW", "ｒｅｖｉｅｗ", " reviewⅰ".replace("ⅰ", "")])
      expectRefusal(catalog, name, "AMBIGUOUS", "could mean 2 skills");
  });

  it("are no duplicates of which the nearest would be chosen", async () => {
    using folder = makeFolder({
      [`${ROOT}/review/SKILL.md`]: skillText("review"),
      "lily/Review/SKILL.md": "# Two\n",
      "home/.knack/config.yaml": "skills: { duplicates: nearest }\n",
    });
    const catalog = await open(folder, { roots: [{ path: ".agents/skills" }, ...roots] });
    expectRefusal(catalog, "REVIEW", "AMBIGUOUS");
  });
});

describe("a skill that cannot be used", () => {
  const files = {
    [`${ROOT}/off/SKILL.md`]: skillText("off"),
    [`${ROOT}/not/SKILL.md`]: skillText("not", "d", "requires_tools: [teleport]\n"),
    "repo/.knack/config.yaml": "skills: { disabled: [off] }\n",
  };

  it("is refused with its status and the reason, by name, path and id", async () => {
    using folder = makeFolder(files);
    const catalog = await open(folder);
    const off = catalog.entries.find(({ skill }) => skill.name === "off")!.skill;
    for (const reference of [{ name: "off" }, { path: off.path }, { id: off.id }]) {
      expectRefusal(catalog, reference, "NOT_FOUND", "disabled");
    }
    expectRefusal(catalog, { name: "not" }, "NOT_FOUND", "teleport");
  });

  it("is given to who asks for those too", async () => {
    using folder = makeFolder(files);
    const entry = (await open(folder)).resolveEntry({ name: "not" }, { includeInactive: true });
    expect(entry).toMatchObject({ status: "ineligible", skill: { name: "not" } });
  });

  it("makes no name ambiguous", async () => {
    using folder = makeFolder({ ...files, "home/.agents/skills/not/SKILL.md": skillText("not", "usable") });
    expect((await open(folder)).resolve({ name: "not" }).description).toBe("usable");
  });
});

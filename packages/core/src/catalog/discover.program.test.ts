import { execFileSync } from "node:child_process";
import { linkSync, realpathSync, rmSync, truncateSync } from "node:fs";
import { createServer } from "node:net";
import { relative } from "node:path";
import { describe, expect, it } from "vitest";
import { type Catalog, openCatalog } from "../open-catalog.ts";
import { type Folder, makeFolder, skillText } from "../testing/files.ts";
import { names, openRepo as open } from "./testing/open-repo.ts";

const REPO = "repo/.agents/skills";
const HOME = "home/.agents/skills";

const codes = (catalog: Catalog): string[] =>
  [...catalog.errors, ...catalog.warnings].map(({ code }) => code);

describe("004 §13.1 skills from the project root down to the working directory", () => {
  it("lists .agents/skills of every folder on the way, the root's first", async () => {
    using folder = makeFolder({
      [`${REPO}/top/SKILL.md`]: skillText("top"),
      "repo/packages/.agents/skills/middle/SKILL.md": skillText("middle"),
      "repo/packages/api/.agents/skills/near/SKILL.md": skillText("near"),
      "repo/packages/web/.agents/skills/aside/SKILL.md": skillText("aside"),
      "repo/packages/api/src/.agents/skills/below/SKILL.md": skillText("below"),
      ".agents/skills/above/SKILL.md": skillText("above"),
    });
    const catalog = await open(folder, { cwd: folder.at("repo/packages/api") });
    expect(names(catalog)).toEqual(["top", "middle", "near"]);
    expect(catalog.skills.every(({ scope }) => scope === "repo")).toBe(true);
  });

  it("describes a skill by the fields of 004 §4", async () => {
    using folder = makeFolder({ [`${REPO}/review/SKILL.md`]: skillText("review", "Reviews.") });
    const [skill] = (await open(folder)).skills;
    expect(skill).toEqual({
      id: expect.stringMatching(/^[0-9a-f]{32}$/),
      name: "review",
      description: "Reviews.",
      path: folder.at(REPO, "review/SKILL.md"),
      dir: folder.at(REPO, "review"),
      scope: "repo",
      mtimeMs: expect.any(Number),
      dialect: "agentskills",
    });
  });

  it("finds the root's own skills/ folder too, but not one of a folder below", async () => {
    using folder = makeFolder({
      "repo/skills/mvp/SKILL.md": skillText("other-name"),
      "repo/sub/skills/no/SKILL.md": skillText("no"),
    });
    expect(names(await open(folder, { cwd: folder.at("repo/sub") }))).toEqual(["other-name"]);
  });
});

describe("004 §13.2 skills of the user", () => {
  it("lists ~/.agents/skills with the scope user, after the project's", async () => {
    using folder = makeFolder({
      [`${HOME}/a/SKILL.md`]: skillText("a"),
      [`${REPO}/z/SKILL.md`]: skillText("z"),
    });
    const catalog = await open(folder);
    expect(catalog.skills.map(({ name, scope }) => [name, scope])).toEqual([
      ["z", "repo"],
      ["a", "user"],
    ]);
  });

  it("keeps them the user's where the working directory is the home folder", async () => {
    using folder = makeFolder({ [`${HOME}/a/SKILL.md`]: skillText("a") });
    const catalog = await open(folder, { cwd: folder.at("home") });
    expect(catalog.skills.map(({ name, scope }) => [name, scope])).toEqual([["a", "user"]]);
  });

  it("takes the home folder from the environment where none is given", async () => {
    using folder = makeFolder({ "repo/.git/": "", [`${HOME}/a/SKILL.md`]: skillText("a") });
    const env = { HOME: folder.at("home") };
    expect(names(await openCatalog({ cwd: folder.at("repo"), env, cache: false }))).toEqual(["a"]);
  });
});

describe("004 §5.2 the project root", () => {
  const tree = { "home/": "", "a/b/c/": "" };
  const root = async (folder: Folder, env: NodeJS.ProcessEnv = {}): Promise<string> => {
    const cwd = folder.at("a/b/c");
    const { projectRoot } = await openCatalog({ cwd, home: folder.at("home"), env, cache: false });
    return relative(folder.path, projectRoot);
  };

  it.each([".knack", ".codelia", ".git", ".jj"])("is the nearest ancestor with %s", async (marker) => {
    using folder = makeFolder({ ...tree, [`a/${marker}/`]: "", ".git/": "" });
    expect(await root(folder)).toBe("a");
  });

  it("may have a marker that is a file, as in a git worktree", async () => {
    using folder = makeFolder({ ...tree, "a/b/.git": "gitdir: elsewhere\n" });
    expect(await root(folder)).toBe("a/b");
  });

  it("is KNACK_ROOT before any marker", async () => {
    using folder = makeFolder({ ...tree, "a/b/c/.git/": "" });
    expect(await root(folder, { KNACK_ROOT: folder.at("a") })).toBe("a");
    expect(await root(folder, { KNACK_ROOT: "../.." })).toBe("a");
    expect(await root(folder, { CODELIA_AGENTS_ROOT: "../.." })).toBe("a");
    expect(await root(folder, { KNACK_ROOT: folder.at("a"), CODELIA_AGENTS_ROOT: folder.at("a/b") })).toBe(
      "a",
    );
  });

  it("refuses a KNACK_ROOT that is not above the working directory", async () => {
    using folder = makeFolder({ ...tree, "a/b/c-evil/": "", "x/": "" });
    for (const path of ["x", "a/b/c-evil", "a/b/c/d", "nowhere"]) {
      const opened = root(folder, { KNACK_ROOT: folder.at(path) });
      await expect(opened).rejects.toMatchObject({ code: "CONFIG_INVALID" });
    }
  });

  it("is the working directory where nothing marks one", async () => {
    using folder = makeFolder({ "home/.knack/": "", "home/.agents/": "", "home/work/deep/": "" });
    const cwd = folder.at("home/work/deep");
    const catalog = await openCatalog({ cwd, home: folder.at("home"), env: {}, cache: false });
    expect(catalog.projectRoot).toBe(cwd);
  });

  it("can be the home folder only by a marker that is not Knack's own", async () => {
    using folder = makeFolder({ "home/.knack/": "", "home/.git/": "", "home/work/": "" });
    const options = { cwd: folder.at("home/work"), home: folder.at("home"), env: {}, cache: false } as const;
    expect((await openCatalog(options)).projectRoot).toBe(folder.at("home"));
  });

  it("refuses a working directory that does not exist", async () => {
    await expect(openCatalog({ cwd: "/nowhere/at/all" })).rejects.toMatchObject({ code: "INVALID_PARAM" });
  });
});

describe("nested skills", () => {
  it("are found in group folders and in a skill's own subfolders", async () => {
    using folder = makeFolder({
      [`${REPO}/group/deeper/one/SKILL.md`]: skillText("one"),
      [`${REPO}/outer/SKILL.md`]: skillText("outer"),
      [`${REPO}/outer/parts/inner/SKILL.md`]: skillText("inner"),
    });
    expect(names(await open(folder))).toEqual(["one", "outer", "inner"]);
  });

  it("are not found in a skill's assets, references and scripts", async () => {
    using folder = makeFolder({
      [`${REPO}/outer/SKILL.md`]: skillText("outer"),
      [`${REPO}/outer/assets/x/SKILL.md`]: skillText("x"),
      [`${REPO}/outer/references/SKILL.md`]: "an example",
      [`${REPO}/outer/parts/scripts/y/SKILL.md`]: skillText("y"),
    });
    const catalog = await open(folder);
    expect(names(catalog)).toEqual(["outer"]);
    expect(catalog.errors).toEqual([]);
  });

  it("may be in group folders that are called assets, references or scripts", async () => {
    using folder = makeFolder({
      [`${REPO}/scripts/run/SKILL.md`]: skillText("run"),
      [`${REPO}/assets/SKILL.md`]: skillText("assets"),
    });
    expect(names(await open(folder))).toEqual(["assets", "run"]);
  });

  it("are never found in node_modules and .git", async () => {
    using folder = makeFolder({
      [`${REPO}/node_modules/x/SKILL.md`]: skillText("x"),
      [`${REPO}/.git/y/SKILL.md`]: skillText("y"),
      [`${REPO}/group/node_modules/z/SKILL.md`]: skillText("z"),
      [`${REPO}/.hidden/h/SKILL.md`]: skillText("h"),
    });
    expect(names(await open(folder))).toEqual(["h"]);
  });

  it("are only direct children in lily, of which each needs a SKILL.md", async () => {
    using folder = makeFolder({
      "lily/plan_compiler/SKILL.md": "# Plan\n",
      "lily/plan_compiler/nested/SKILL.md": "# No\n",
      "lily/SKILL.md": "# No\n",
      "lily/empty/": "",
    });
    const catalog = await open(folder, { roots: [{ path: folder.at("lily"), dialect: "lily" }] });
    expect(names(catalog)).toEqual(["plan_compiler"]);
    expect(catalog.errors).toMatchObject([
      { path: folder.at("lily/empty/SKILL.md"), code: "E_SKILL_MISSING" },
    ]);
  });

  it("names a file that differs from SKILL.md in case alone", async () => {
    using folder = makeFolder({ [`${REPO}/x/skill.md`]: skillText("x") });
    expect(codes(await open(folder))).toEqual(["W_FILE_NAME"]);
  });
});

describe("a catalog is deterministic", () => {
  const files = ["b", "a", "Z-no", "group/c", "a-b", "a/sub/d", "10", "9"].map(
    (name) => `${REPO}/${name}/SKILL.md`,
  );
  const textOf = (path: string): string => skillText(path.split("/").at(-2) ?? "");
  const relativePaths = async (order: readonly string[]): Promise<string[]> => {
    using folder = makeFolder();
    for (const path of order) folder.write({ [path]: textOf(path) });
    const catalog = await open(folder);
    return [...catalog.skills, ...catalog.errors].map(({ path }) => relative(folder.path, path));
  };

  it("has one order, whatever the order in which files were made", async () => {
    const first = await relativePaths(files);
    expect(first).toHaveLength(files.length);
    expect(await relativePaths(files.toReversed())).toEqual(first);
    expect(await relativePaths(files.toSorted())).toEqual(first);
    const skills = first.slice(0, -1);
    expect(skills).toEqual(skills.toSorted());
  });

  it("gives a path the same id for ever, and every path its own", async () => {
    using folder = makeFolder(Object.fromEntries(files.map((path) => [path, textOf(path)])));
    const before = (await open(folder)).skills.map(({ id }) => id);
    rmSync(folder.at("repo/.agents"), { recursive: true });
    folder.write(Object.fromEntries(files.map((path) => [path, `${textOf(path)}More text.\n`])));
    const after = (await open(folder)).skills.map(({ id }) => id);
    expect(after).toEqual(before);
    expect(new Set(after).size).toBe(after.length);
  });

  it("cannot be changed by whoever has it", async () => {
    using folder = makeFolder({ [`${REPO}/a/SKILL.md`]: skillText("a") });
    const { skills, errors, warnings, entries } = await open(folder);
    for (const list of [skills, errors, warnings, entries, skills[0]])
      expect(Object.isFrozen(list)).toBe(true);
  });
});

describe("many, deep and long", () => {
  it("finds a skill 200 folders deep", async () => {
    using folder = makeFolder({ [`${REPO}/${"d/".repeat(200)}deep/SKILL.md`]: skillText("deep") });
    expect(names(await open(folder))).toEqual(["deep"]);
  });

  it("names each folder whose path is too long, and finds what is before it", async () => {
    using folder = makeFolder({ [`${REPO}/valid/SKILL.md`]: skillText("valid") });
    // Ten chains of 200 folders with names of 255 bytes: only relative paths can make them.
    const script = `
      const fs = require("node:fs");
      for (let chain = 0; chain < 10; chain++) {
        process.chdir(process.argv[1]);
        for (let depth = 0; depth < 200; depth++) {
          const name = String(chain).padStart(255, "x");
          fs.mkdirSync(name);
          process.chdir(name);
          if (depth !== 2) continue;
          fs.mkdirSync("at-" + chain);
          fs.writeFileSync("at-" + chain + "/SKILL.md", "---\\nname: at-" + chain + "\\ndescription: d\\n---\\n");
        }
      }`;
    execFileSync(process.execPath, ["-e", script, folder.at(REPO)]);
    const catalog = await open(folder);
    execFileSync("rm", ["-rf", folder.at(REPO)]);
    expect(names(catalog).toSorted()).toEqual([...Array.from({ length: 10 }, (_, i) => `at-${i}`), "valid"]);
    expect(catalog.errors).toHaveLength(10);
    for (const error of catalog.errors) {
      expect(error).toMatchObject({ code: "E_UNREADABLE", message: expect.stringContaining("longer than") });
    }
  });
});

describe("a SKILL.md that is no regular file", () => {
  const expectNotRegular = async (folder: Folder, kind: string): Promise<void> => {
    const catalog = await open(folder);
    expect(names(catalog)).toEqual(["valid"]);
    const message = expect.stringContaining(kind);
    expect(catalog.errors).toMatchObject([
      { path: folder.at(REPO, "x/SKILL.md"), code: "E_NOT_REGULAR", message },
    ]);
  };
  const around = { [`${REPO}/valid/SKILL.md`]: skillText("valid"), [`${REPO}/x/`]: "" };

  it("reports a named pipe and does not wait for it", async () => {
    using folder = makeFolder(around);
    execFileSync("mkfifo", [folder.at(REPO, "x/SKILL.md")]);
    await expectNotRegular(folder, "pipe");
  });

  it("reports a socket", async () => {
    using folder = makeFolder(around);
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(folder.at(REPO, "x/SKILL.md"), resolve));
    try {
      await expectNotRegular(folder, "socket");
    } finally {
      server.close();
    }
  });

  it("reports a device behind a link and reads nothing of it", async () => {
    using folder = makeFolder({ ...around, [`${REPO}/x/SKILL.md`]: { link: "/dev/zero" } });
    await expectNotRegular(folder, "device");
  });

  it("reports a folder and does not look into it", async () => {
    using folder = makeFolder({ ...around, [`${REPO}/x/SKILL.md/y/SKILL.md`]: skillText("y") });
    await expectNotRegular(folder, "folder");
  });
});

describe("a file that is too large", () => {
  it.each([50 * 2 ** 20, 5 * 2 ** 30])("is not read: %d bytes", async (size) => {
    using folder = makeFolder({
      [`${REPO}/valid/SKILL.md`]: skillText("valid"),
      [`${REPO}/x/SKILL.md`]: skillText("x"),
    });
    truncateSync(folder.at(REPO, "x/SKILL.md"), size);
    const before = process.memoryUsage.rss();
    const catalog = await open(folder);
    expect(process.memoryUsage.rss() - before).toBeLessThan(32 * 2 ** 20);
    expect(names(catalog)).toEqual(["valid"]);
    expect(catalog.errors).toMatchObject([{ path: folder.at(REPO, "x/SKILL.md"), code: "E_TOO_LARGE" }]);
  });
});

describe("links", () => {
  it("are followed within their root, and a folder linked twice appears once", async () => {
    using folder = makeFolder({
      [`${REPO}/real/SKILL.md`]: skillText("real"),
      [`${REPO}/first`]: { link: "real" },
      [`${REPO}/group/second`]: { link: "../real" },
    });
    const catalog = await open(folder);
    expect(catalog.skills.map(({ path }) => path)).toEqual([folder.at(REPO, "real/SKILL.md")]);
    expect(codes(catalog)).toEqual([]);
  });

  it("out of a user's root are followed once and reported", async () => {
    using folder = makeFolder({
      "store/tool/SKILL.md": skillText("tool"),
      [`${HOME}/tool`]: { link: "../../../store/tool" },
      [`${HOME}/zz-again`]: { link: "../../../store/tool" },
    });
    const catalog = await open(folder, { trusted: false });
    expect(catalog.skills).toMatchObject([
      { name: "tool", path: folder.at("store/tool/SKILL.md"), scope: "user" },
    ]);
    expect(catalog.warnings).toMatchObject([
      { path: folder.at(HOME, "tool"), code: "W_SYMLINK" },
      { path: folder.at(HOME, "zz-again"), code: "W_SYMLINK" },
    ]);
  });

  it("give a skill the name of the link for its folder", async () => {
    using folder = makeFolder({
      "store/tool-1.2.0/SKILL.md": skillText("tool"),
      [`${HOME}/tool`]: { link: "../../../store/tool-1.2.0" },
    });
    expect(names(await open(folder))).toEqual(["tool"]);
  });

  it("out of a project's root wait for trust", async () => {
    using folder = makeFolder({
      "outside/tool/SKILL.md": skillText("tool"),
      "outside/file.md": skillText("by-file"),
      [`${REPO}/tool`]: { link: "../../../outside/tool" },
      [`${REPO}/by-file/SKILL.md`]: { link: "../../../../outside/file.md" },
    });
    const untrusted = await open(folder, { trusted: false });
    expect(names(untrusted)).toEqual([]);
    expect(untrusted.errors).toMatchObject([
      {
        path: folder.at(REPO, "by-file/SKILL.md"),
        code: "E_PATH_ESCAPE",
        message: expect.stringContaining("knack trust"),
      },
      { path: folder.at(REPO, "tool"), code: "E_PATH_ESCAPE" },
    ]);
    const trusted = await open(folder);
    expect(names(trusted).toSorted()).toEqual(["by-file", "tool"]);
    expect(trusted.warnings.map(({ code }) => code)).toEqual(["W_SYMLINK", "W_SYMLINK"]);
  });

  it.each([".agents", ".agents/skills", "skills"])(
    "that make %s lead out of the project wait for trust",
    async (name) => {
      const way = name === ".agents" ? "outside/skills" : "outside";
      using folder = makeFolder({ [`${way}/tool/SKILL.md`]: skillText("tool") });
      folder.write({ [`repo/${name}`]: { link: folder.at("outside") } });
      const untrusted = await open(folder, { trusted: false });
      expect(names(untrusted)).toEqual([]);
      expect(untrusted.errors).toMatchObject([{ code: "E_PATH_ESCAPE" }]);
      const trusted = await open(folder);
      expect(names(trusted)).toEqual(["tool"]);
      expect(codes(trusted)).toEqual(["W_SYMLINK"]);
    },
  );

  it("out of a root into another root are reported even though the skill is listed there", async () => {
    using folder = makeFolder({ [`${HOME}/tool/SKILL.md`]: skillText("tool"), [`${REPO}/x/`]: "" });
    folder.write({ [`${REPO}/tool`]: { link: folder.at(HOME, "tool") } });
    const catalog = await open(folder, { trusted: false });
    expect(catalog.skills).toMatchObject([{ name: "tool", scope: "user" }]);
    expect(codes(catalog)).toHaveLength(1);
  });

  it("that lead to each other or to themselves end and are reported", async () => {
    using folder = makeFolder({
      [`${REPO}/valid/SKILL.md`]: skillText("valid"),
      [`${REPO}/a`]: { link: "b" },
      [`${REPO}/b`]: { link: "a" },
      [`${REPO}/self/SKILL.md`]: { link: "SKILL.md" },
    });
    const catalog = await open(folder);
    expect(names(catalog)).toEqual(["valid"]);
    expect(codes(catalog)).toEqual(Array(3).fill(expect.stringMatching(/^[EW]_LOOP$/)));
  });

  it("to a parent folder end and are reported", async () => {
    using folder = makeFolder({
      [`${REPO}/valid/SKILL.md`]: skillText("valid"),
      [`${REPO}/group/up`]: { link: ".." },
      [`${REPO}/top`]: { link: "/" },
    });
    const catalog = await open(folder);
    expect(names(catalog)).toEqual(["valid"]);
    expect(codes(catalog)).toEqual(Array(2).fill(expect.stringMatching(/^[EW]_LOOP$/)));
  });

  it.each([".agents/skills", "skills", ".agents"])("a loop at %s does not stop the catalog", async (name) => {
    using folder = makeFolder({
      [`${HOME}/valid/SKILL.md`]: skillText("valid"),
      [`repo/${name}`]: { link: name.split("/").at(-1) ?? "" },
    });
    expect(names(await open(folder, { trusted: false }))).toEqual(["valid"]);
  });

  it("a loop behind a link in a skill does not stop the catalog", async () => {
    using folder = makeFolder({
      [`${REPO}/valid/SKILL.md`]: skillText("valid"),
      [`${REPO}/valid/more`]: { link: "../loop" },
      [`${REPO}/loop/SKILL.md`]: { link: "SKILL.md" },
    });
    expect(names(await open(folder))).toEqual(["valid"]);
  });

  it("that lead nowhere are reported, but not those among a skill's resources", async () => {
    using folder = makeFolder({
      [`${REPO}/valid/SKILL.md`]: skillText("valid"),
      [`${REPO}/valid/data`]: { link: "nowhere" },
      [`${REPO}/broken`]: { link: "nowhere" },
      [`${REPO}/file/SKILL.md`]: { link: "nowhere" },
    });
    const catalog = await open(folder);
    expect(names(catalog)).toEqual(["valid"]);
    expect(catalog.errors).toMatchObject([
      { path: folder.at(REPO, "broken"), code: "E_LINK_BROKEN" },
      { path: folder.at(REPO, "file/SKILL.md"), code: "E_LINK_BROKEN" },
    ]);
  });

  it("do not make more than the direct children of a lily root skills", async () => {
    using folder = makeFolder({
      "lily/one/SKILL.md": "# One\n",
      "lily/SKILL.md": { link: "one/SKILL.md" },
      "lily/one/deeper": { link: "../../other" },
      "other/SKILL.md": "# Other\n",
    });
    const catalog = await open(folder, { roots: [{ path: folder.at("lily"), dialect: "lily" }] });
    expect(names(catalog)).toEqual(["one"]);
  });

  it("reports those that are hard", async () => {
    using folder = makeFolder({ "elsewhere.md": skillText("x"), [`${REPO}/x/`]: "" });
    linkSync(folder.at("elsewhere.md"), folder.at(REPO, "x/SKILL.md"));
    const catalog = await open(folder);
    expect(names(catalog)).toEqual(["x"]);
    expect(catalog.warnings).toMatchObject([{ path: folder.at(REPO, "x/SKILL.md"), code: "W_HARDLINK" }]);
  });
});

describe("roots", () => {
  it("that are given replace the defaults, and are agentskills of the project unless they say otherwise", async () => {
    using folder = makeFolder({
      [`${REPO}/default/SKILL.md`]: skillText("default"),
      [`${HOME}/user/SKILL.md`]: skillText("user"),
      "more/given/SKILL.md": skillText("given"),
      "pack/bare/SKILL.md": "# Bare\n",
    });
    const roots = [
      { path: "../more" },
      { path: folder.at("pack"), scope: "bundled", dialect: "lily" },
    ] as const;
    const catalog = await open(folder, { roots });
    expect(catalog.skills.map(({ name, scope, dialect }) => [name, scope, dialect])).toEqual([
      ["given", "repo", "agentskills"],
      ["bare", "bundled", "lily"],
    ]);
  });

  it("that are given twice count once", async () => {
    using folder = makeFolder({ "more/given/SKILL.md": skillText("given"), again: { link: "more" } });
    expect(names(await open(folder, { roots: [{ path: "../more" }, { path: "../again" }] }))).toEqual([
      "given",
    ]);
  });

  it("that are named and missing are an error, a default one that is missing is none", async () => {
    using folder = makeFolder({ "file.txt": "" });
    expect((await open(folder)).errors).toEqual([]);
    const catalog = await open(folder, { roots: [{ path: "../nowhere" }, { path: "../file.txt" }] });
    expect(catalog.errors).toMatchObject([
      { path: folder.at("file.txt"), code: "E_ROOT_MISSING" },
      { path: folder.at("nowhere"), code: "E_ROOT_MISSING" },
    ]);
  });

  it("with a path that the operating system refuses are an error and not a crash", async () => {
    using folder = makeFolder({ [`${REPO}/valid/SKILL.md`]: skillText("valid") });
    const catalog = await open(folder, { env: { SKILLS_USER_DIR: `/${"x".repeat(300)}` } });
    expect(names(catalog)).toEqual(["valid"]);
    expect(catalog.errors).toHaveLength(1);
  });

  it("of the environment are lily, relative to the working directory, workspace before user before bundled", async () => {
    using folder = makeFolder({
      "repo/sub/ws/one/SKILL.md": "# One\n",
      "repo/user/two/SKILL.md": "# Two\n",
      "bundled/three/SKILL.md": "# Three\n",
    });
    const env = {
      SKILLS_WORKSPACE_DIR: "ws",
      SKILLS_USER_DIR: "../user",
      SKILLS_BUNDLED_DIR: folder.at("bundled"),
    };
    const catalog = await open(folder, { cwd: folder.at("repo/sub"), env });
    expect(catalog.skills.map(({ name, scope, dialect }) => [name, scope, dialect])).toEqual([
      ["one", "repo", "lily"],
      ["two", "user", "lily"],
      ["three", "bundled", "lily"],
    ]);
  });

  it("that are explicit win over a default one that is the same folder", async () => {
    using folder = makeFolder({ "repo/skills/bare/SKILL.md": "---\nname: other\ndescription: d\n---\n" });
    const catalog = await open(folder, { env: { SKILLS_WORKSPACE_DIR: "skills" } });
    expect(catalog.skills).toMatchObject([{ name: "bare", dialect: "lily" }]);
  });

  it("inside another root keep their own skills to themselves", async () => {
    using folder = makeFolder({ "repo/all/a/SKILL.md": skillText("a"), "repo/all/pack/b/SKILL.md": "# B\n" });
    const roots = [{ path: "all" }, { path: "all/pack", dialect: "lily" }] as const;
    const catalog = await open(folder, { roots });
    expect(catalog.skills.map(({ name, dialect }) => [name, dialect])).toEqual([
      ["a", "agentskills"],
      ["b", "lily"],
    ]);
    expect(catalog.errors).toEqual([]);
  });

  it("that are a skill themselves hold that skill", async () => {
    using folder = makeFolder({ "one/SKILL.md": skillText("one") });
    expect(names(await open(folder, { roots: [{ path: "../one" }] }))).toEqual(["one"]);
  });

  it("are not looked at while skills are switched off", async () => {
    using folder = makeFolder({
      [`${REPO}/a/SKILL.md`]: skillText("a"),
      "repo/.knack/config.yaml": "skills: { enabled: false }\n",
    });
    expect(names(await open(folder))).toEqual([]);
  });

  it("are canonical, so a link on the way to the working directory changes nothing", async () => {
    using folder = makeFolder({ [`${REPO}/a/SKILL.md`]: skillText("a"), way: { link: "repo" } });
    const straight = await open(folder);
    const byLink = await open(folder, { cwd: folder.at("way") });
    expect(byLink.toJSON()).toEqual(straight.toJSON());
    expect(realpathSync(byLink.skills[0]!.path)).toBe(byLink.skills[0]!.path);
  });
});

describe("002 §7 and 001: the examples of both documents in one skills/ folder", () => {
  it("reads a bare direct child as lily, all else as project", async () => {
    using folder = makeFolder({
      "repo/skills/plan_compiler/SKILL.md": "---\nsummary: Plans.\ncommand: plan\n---\n# Plan\n",
      "repo/skills/no_frontmatter/SKILL.md": "# Bare\n",
      "repo/skills/review/SKILL.md": skillText("code-review"),
      "repo/skills/half/SKILL.md": "---\nname: half\n---\n",
      "repo/skills/group/bare/SKILL.md": "# Not a direct child\n",
    });
    const catalog = await open(folder);
    expect(catalog.skills.map(({ name, dialect }) => [name, dialect])).toEqual([
      ["no_frontmatter", "lily"],
      ["plan_compiler", "lily"],
      ["code-review", "project"],
    ]);
    expect(catalog.errors.map(({ path, code }) => [relative(folder.at("repo/skills"), path), code])).toEqual([
      ["group/bare/SKILL.md", "E_FM_MISSING"],
      ["half/SKILL.md", "E_DESC_INVALID"],
    ]);
  });
});

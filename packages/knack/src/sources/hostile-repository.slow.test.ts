import {
  chmodSync,
  existsSync,
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { describe, expect, it } from "vitest";
import { type Folder, makeFolder, skillText } from "../../../core/src/testing/files.ts";
import { fetchSkills } from "./testing/fetch-skills.ts";
import { commitAll, commitTree, git, makeRepository } from "./testing/make-repository.ts";

describe("a hostile repository", () => {
  const withRepository = async (
    files: Parameters<typeof makeFolder>[0],
    use: (folder: Folder) => Promise<void>,
  ) => {
    using folder = makeFolder({ "src/x/SKILL.md": skillText("x"), ...files });
    makeRepository(folder.at("src"));
    await use(folder);
  };
  const mark = (folder: Folder): string => `touch ${folder.at("ran")}`;

  it("runs no hook, filter or fsmonitor of it, of a template, or of the project at hand", async () => {
    await withRepository({}, async (folder) => {
      folder.write({
        "src/.gitattributes": "* filter=evil diff=evil\n*.md filter=lfs\n",
        "src/x/big.bin": "version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 1\n",
        "template/hooks/post-checkout": `#!/bin/sh\n${mark(folder)}\n`,
        "template/hooks/reference-transaction": `#!/bin/sh\n${mark(folder)}\n`,
        "home/.gitconfig": `[filter "evil"]\n\tsmudge = ${mark(folder)}\n\tprocess = ${mark(folder)}\n[filter "lfs"]\n\tsmudge = ${mark(folder)}\n\tprocess = ${mark(folder)}\n\trequired = true\n[init]\n\ttemplateDir = ${folder.at("template")}\n[core]\n\thooksPath = ${folder.at("template/hooks")}\n\tfsmonitor = ${mark(folder)}\n`,
      });
      for (const name of readdirSync(folder.at("template/hooks")))
        chmodSync(folder.at("template/hooks", name), 0o755);
      commitAll(folder.at("src"), "evil");
      const env = {
        PATH: process.env.PATH,
        HOME: folder.at("home"),
        GIT_DIR: folder.at("src/.git"),
        GIT_WORK_TREE: folder.path,
      };
      using outcome = await fetchSkills(`file://${folder.at("src")}`, folder.path, env);
      const to = await outcome.take();
      expect(readFileSync(`${to}/x/big.bin`, "utf8")).toContain("git-lfs");
      expect(existsSync(folder.at("ran"))).toBe(false);
    });
  });

  it("its attributes leave no file out and change no byte", async () => {
    const text = "$Format:%H$ $Id$\nline\r\nline\n";
    const files = {
      "src/.gitattributes":
        "x/left-out.md export-ignore\nsub export-ignore\n*.txt export-subst ident text eol=crlf\n*.utf16 working-tree-encoding=UTF-16 text\n",
      "src/x/left-out.md": "here",
      "src/x/sub/a.md": "here",
      "src/x/raw.txt": text,
      "src/x/raw.utf16": "plain",
    };
    await withRepository({}, async (folder) => {
      commitTree(folder.at("src"), [
        ["100644", "x/SKILL.md", skillText("x")],
        ...Object.entries(files).map(
          ([path, content]) => ["100644", path.slice("src/".length), content] as const,
        ),
      ]);
      using outcome = await fetchSkills(`file://${folder.at("src")}`, folder.path);
      const to = await outcome.take();
      for (const [path, content] of Object.entries(files))
        if (path.startsWith("src/x/"))
          expect(readFileSync(`${to}/${path.slice("src/".length)}`, "utf8")).toBe(content);
    });
  });

  it("a submodule is not fetched, and its path is named", async () => {
    await withRepository({}, async (folder) => {
      const content = "1".repeat(40);
      commitTree(folder.at("src"), [
        ["100644", "x/SKILL.md", skillText("x")],
        ["100644", ".gitmodules", `[submodule "s"]\n\tpath = x/s\n\turl = https://127.0.0.1:9/none\n`],
        ["160000", "x/s", content],
      ]);
      using outcome = await fetchSkills(`file://${folder.at("src")}`, folder.path);
      expect(outcome.skills[0]).toMatchObject({ faults: [], notes: [expect.stringContaining("x/s")] });
    });
  });

  it("links out, case collisions and control characters are refused by name", async () => {
    await withRepository({}, async (folder) => {
      commitTree(folder.at("src"), [
        ["100644", "x/SKILL.md", skillText("x")],
        ["120000", "x/out", "../../../../etc/passwd"],
        ["100644", "x/A", "1"],
        ["100644", "x/a", "2"],
        ["100644", "x/\u001b]0;title", "3"],
      ]);
      using outcome = await fetchSkills(`file://${folder.at("src")}`, folder.path);
      expect(outcome.skills[0]?.faults).toEqual([
        expect.stringContaining("\\u001b"),
        expect.stringContaining('"x/out" is a link'),
        expect.stringContaining('"A" and "a"'),
      ]);
    });
  });

  it("a branch whose name is an option cannot be asked for; a tag, a short and a full commit can", async () => {
    await withRepository({}, async (folder) => {
      const src = folder.at("src");
      const first = git(src, ["rev-parse", "HEAD"]).trim();
      git(src, ["tag", "-a", "v1", "-m", "v1"]);
      folder.write({ "src/x/new.md": "new" });
      const second = commitAll(src, "second");
      git(src, ["update-ref", "refs/heads/--upload-pack=touch", second]);
      // A branch that is named like the commit that somebody has looked at.
      git(src, ["update-ref", `refs/heads/${first}`, second]);
      for (const [ref, commit] of [
        ["v1", first],
        [first, first],
        [first.slice(0, 8), first],
        ["main", second],
        [null, second],
      ] as const) {
        using outcome = await fetchSkills(`file://${src}${ref === null ? "" : `#${ref}`}`, folder.path);
        expect(outcome.fetched).toMatchObject({ ref, commit });
        expect(outcome.skills[0]?.files.size).toBe(commit === first ? 1 : 2);
      }
      await expect(fetchSkills(`file://${src}#--upload-pack=touch ran`, folder.path)).rejects.toThrow(
        /cannot be the name/,
      );
      await expect(fetchSkills(`file://${src}#nowhere`, folder.path)).rejects.toThrow(
        /has no branch, tag or commit "nowhere"/,
      );
      await expect(fetchSkills("ext::sh -c id", folder.path)).rejects.toThrow(/would start a program/);
    });
  });

  it("an address that the user's git rewrites is fetched from there, but never by a program", async () => {
    await withRepository({}, async (folder) => {
      folder.write({
        "home/.gitconfig": `[url "file://${folder.at("src")}"]\n\tinsteadOf = https://github.com/owner/repo.git\n[url "ext::touch ${folder.at("ran")} "]\n\tinsteadOf = https://github.com/evil/\n`,
      });
      const env = { PATH: process.env.PATH, HOME: folder.at("home") };
      using outcome = await fetchSkills("owner/repo/x", folder.path, env);
      expect(outcome.fetched).toMatchObject({ source: "https://github.com/owner/repo.git", path: "x" });
      expect(outcome.skills[0]?.name).toBe("x");
      await expect(fetchSkills("evil/repo", folder.path, env)).rejects.toThrow(/not allowed/);
      expect(existsSync(folder.at("ran"))).toBe(false);
    });
  });

  it("a 1 GiB file is refused before it is written", async () => {
    using folder = makeFolder({ "src/x/SKILL.md": skillText("x"), "src/x/huge": "" });
    truncateSync(folder.at("src/x/huge"), 2 ** 30);
    using outcome = await fetchSkills("./src", folder.path);
    expect(outcome.skills[0]?.faults).toEqual(['"x/huge" has 1 GiB, more than the limit of 64 MiB']);
  });

  it("a folder with hard links and a .git of its own is copied without that", async () => {
    using folder = makeFolder({ "src/x/SKILL.md": skillText("x"), "src/x/a": "a" });
    linkSync(folder.at("src/x/a"), folder.at("src/x/b"));
    mkdirSync(folder.at("src/x/.git"));
    writeFileSync(folder.at("src/x/.git/config"), "[core]\n");
    using outcome = await fetchSkills("./src/x", folder.path);
    expect(readdirSync(`${await outcome.take()}/x`).sort()).toEqual(["SKILL.md", "a", "b"]);
  });

  it("git that is not installed is an error that says what to do", async () => {
    using folder = makeFolder();
    await expect(fetchSkills("file:///nowhere", folder.path, { PATH: folder.path })).rejects.toThrow(
      /Install git/,
    );
    await expect(fetchSkills("npm:x", folder.path, { PATH: folder.path })).rejects.toThrow(
      /npm was not found/,
    );
  });

  it("leaves nothing in its scratch folder after a failure", async () => {
    using folder = makeFolder();
    await expect(fetchSkills(`file://${folder.at("none")}`, folder.path)).rejects.toThrow(
      /no repository was found/,
    );
    expect(readdirSync(folder.at("scratch"))).toEqual([]);
  });
});

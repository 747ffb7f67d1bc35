import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { chmodSync, mkdirSync, readFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { cases } from "../shared/testing/cases.ts";
import { makeFolder } from "../testing/index.ts";
import { compareDigest, digestSkill } from "./digest-skill.ts";

const sha256 = (bytes: string | Uint8Array): string => createHash("sha256").update(bytes).digest("hex");

describe("the digest of a skill", () => {
  it("is that of each file, and one over lines of path and digest", async () => {
    using folder = makeFolder({ "SKILL.md": "a", "scripts/b.sh": "b", "参考/说明.md": "c", ".hidden": "" });
    const { sha256: whole, files, faults } = await digestSkill(folder.path);
    expect(faults).toEqual([]);
    expect([...files]).toEqual([
      [".hidden", sha256("")],
      ["SKILL.md", sha256("a")],
      ["scripts/b.sh", sha256("b")],
      ["参考/说明.md", sha256("c")],
    ]);
    const lines = [...files].map(([path, digest]) => `${path}\0${digest}\n`);
    expect(whole).toBe(sha256(lines.join("")));
  });

  it("leaves out .git at the top, and nothing else", async () => {
    using folder = makeFolder({ "SKILL.md": "a", ".git/HEAD": "x", "sub/.git/HEAD": "x", ".DS_Store": "x" });
    const { files } = await digestSkill(folder.path);
    expect([...files.keys()]).toEqual([".DS_Store", "SKILL.md", "sub/.git/HEAD"]);
  });

  it("follows no link, and says what it cannot read", async () => {
    using folder = makeFolder({
      "outside/secret": "x",
      "skill/SKILL.md": "a",
      "skill/to-file": { link: "../outside/secret" },
      "skill/to-folder": { link: "../outside" },
      "skill/dangling": { link: "nowhere" },
      "skill/a\\b": "x",
    });
    execFileSync("mkfifo", [folder.at("skill/pipe")]);
    const { files, faults } = await digestSkill(folder.at("skill"));
    expect([...files.keys()]).toEqual(["SKILL.md"]);
    expect(faults.map(({ path, kind }) => [path, kind])).toEqual([
      ["a\\b", "name"],
      ["dangling", "link"],
      ["pipe", "special"],
      ["to-file", "link"],
      ["to-folder", "link"],
    ]);
  });

  it.skipIf(process.getuid?.() === 0)("says what may not be read", async () => {
    using folder = makeFolder({ "SKILL.md": "a", secret: "x" });
    chmodSync(folder.at("secret"), 0);
    const { faults } = await digestSkill(folder.path);
    expect(faults).toEqual([{ path: "secret", kind: "unreadable", detail: "EACCES" }]);
  });

  it("says that the folder is gone, or a link", async () => {
    using folder = makeFolder({ "real/SKILL.md": "a", linked: { link: "real" } });
    expect((await digestSkill(folder.at("gone"))).faults).toMatchObject([{ path: "", kind: "missing" }]);
    expect((await digestSkill(folder.at("linked"))).faults).toMatchObject([{ path: "", kind: "link" }]);
  });

  it("stops at the bounds and says so", async () => {
    using folder = makeFolder({ "a/1": "1", "a/2": "2", b: "333" });
    expect((await digestSkill(folder.path, { files: 2, bytes: 100 })).faults).toEqual([
      { path: "b", kind: "limit", detail: "more than 2 files" },
    ]);
    expect((await digestSkill(folder.path, { files: 9, bytes: 4 })).faults).toEqual([
      { path: "b", kind: "limit", detail: "more than 4 bytes in all files" },
    ]);
  });
});

const name = fc.stringMatching(/^[a-c]{1,2}\.[a-z]$/);
const tree = fc.dictionary(
  fc
    .array(name, { minLength: 1, maxLength: 3 })
    .map((parts) => parts.map((part, i) => (i < parts.length - 1 ? `d${part}` : part)).join("/")),
  fc.uint8Array({ maxLength: 40 }),
  { minKeys: 1, maxKeys: 6, noNullPrototype: true },
);

describe("any change of a skill is found", () => {
  it("and the digest is the same in whichever order the files were made", async () => {
    await fc.assert(
      fc.asyncProperty(tree, async (files) => {
        using one = makeFolder(files);
        using two = makeFolder(Object.fromEntries(Object.entries(files).reverse()));
        const before = await digestSkill(one.path);
        expect(await digestSkill(two.path)).toEqual(before);
        expect(compareDigest(before, await digestSkill(two.path))).toEqual([]);
      }),
      { numRuns: cases(200) },
    );
  });

  const CHANGES: Readonly<Record<string, (dir: string, path: string, seed: number) => string[]>> = {
    "one byte": (dir, path, seed) => {
      const bytes = readFileSync(join(dir, path));
      const changed = bytes.length === 0 ? Buffer.from([seed % 256]) : Buffer.from(bytes);
      if (bytes.length > 0)
        changed[seed % bytes.length] = ((changed[seed % bytes.length] ?? 0) + 1 + (seed % 255)) % 256;
      writeFileSync(join(dir, path), changed);
      return [`changed ${path}`];
    },
    "a name": (dir, path) => {
      renameSync(join(dir, path), join(dir, `${path}~`));
      return [`extra ${path}~`, `missing ${path}`];
    },
    "a file more": (dir, _path, seed) => {
      mkdirSync(join(dir, `new${seed}`));
      writeFileSync(join(dir, `new${seed}`, "x"), "");
      return [`extra new${seed}/x`];
    },
    "a file less": (dir, path) => {
      rmSync(join(dir, path));
      return [`missing ${path}`];
    },
    "a link to the same bytes": (dir, path) => {
      renameSync(join(dir, path), `${dir}-moved`);
      symlinkSync(`${dir}-moved`, join(dir, path));
      return [`link ${path}`];
    },
    "a folder that is a link": (dir, path) => {
      const top = path.split("/")[0] ?? path;
      renameSync(join(dir, top), `${dir}-moved`);
      symlinkSync(`${dir}-moved`, join(dir, top));
      return [`link ${top}`];
    },
  };
  it.each(Object.entries(CHANGES))("%s", async (_name, change) => {
    await fc.assert(
      fc.asyncProperty(tree, fc.nat(), fc.nat(), async (files, which, seed) => {
        using folder = makeFolder();
        const dir = folder.at("skill");
        for (const [path, bytes] of Object.entries(files)) {
          mkdirSync(dirname(join(dir, path)), { recursive: true });
          writeFileSync(join(dir, path), bytes);
        }
        const before = await digestSkill(dir);
        const paths = Object.keys(files);
        const told = change(dir, paths[which % paths.length] ?? "", seed);
        const after = await digestSkill(dir);
        const changes = compareDigest(before, after).map(({ kind, path }) => `${kind} ${path}`);
        expect(changes).toEqual(expect.arrayContaining(told));
        expect(changes.length).toBeGreaterThan(0);
        expect(after.sha256).not.toBe(before.sha256);
      }),
      { numRuns: cases(200) },
    );
  });
});

import { spawnSync } from "node:child_process";
import { chmodSync, existsSync, readdirSync, statfsSync, writeFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { type Folder, makeFolder, skillText } from "../../packages/core/src/testing/files.ts";
import { knack, REPO } from "../cli/run.ts";

/** Mounts over a folder until the test ends; undefined if this user may not mount. */
function mount(folder: Folder, name: string, options: string): Disposable | undefined {
  const args = ["-t", "tmpfs", "-o", options, "none", folder.at(name)];
  if (spawnSync("mount", args).status !== 0) return undefined;
  return { [Symbol.dispose]: () => void spawnSync("umount", [folder.at(name)]) };
}

const canMount = ((): boolean => {
  using folder = makeFolder({ "disk/": "" });
  using disk = mount(folder, "disk", "size=64k");
  return disk !== undefined;
})();

describe("quality: a full disk leaves a whole file or none", () => {
  it.skipIf(!canMount)("knack new leaves no empty SKILL.md and no empty folder, and says why", () => {
    using folder = makeFolder({ "repo/": "" });
    using disk = mount(folder, "repo", "size=64k,mode=755");
    expect(disk).toBeDefined();
    folder.write({ "repo/.git/HEAD": "" });
    const { bavail, bsize } = statfsSync(folder.at("repo"));
    writeFileSync(folder.at("repo/filler"), Buffer.alloc(bavail * bsize));
    const { code, stderr } = knack(folder, ["new", "a"]);
    expect([code, existsSync(folder.at("repo/.agents"))], stderr).toEqual([1, false]);
    expect(stderr).toMatch(/the disk is full \(ENOSPC\)\. Free some space/);
  });

  it.skipIf(!canMount)("deny and trust keep what was there before", () => {
    using folder = makeFolder({
      [`${REPO}/good/SKILL.md`]: skillText("good"),
      "repo/.git/HEAD": "",
      "home/.knack/": "",
    });
    using disk = mount(folder, "home/.knack", "size=32k,mode=700");
    expect(disk).toBeDefined();
    const text = "skills: { disabled: [other] }\n";
    folder.write({ "home/.knack/config.yaml": text });
    const { bavail, bsize } = statfsSync(folder.at("home/.knack"));
    writeFileSync(folder.at("home/.knack/filler"), Buffer.alloc(bavail * bsize));
    for (const args of [
      ["deny", "good"],
      ["trust", "--yes"],
    ]) {
      const { code, stderr } = knack(folder, args);
      expect([args[0], code], stderr).toEqual([args[0], 1]);
      expect(stderr).toMatch(/ENOSPC|disk is full/);
      expect(stderr).not.toMatch(/^\s+at /m);
    }
    expect(readdirSync(folder.at("home/.knack"))).toEqual(["config.yaml", "filler", "locks"]);
  });
});

describe("quality: a read-only home is told in words, and what needs no writing works", () => {
  const files = {
    [`${REPO}/good/SKILL.md`]: skillText("good", "Does good work. Use for good work."),
    "repo/.git/HEAD": "",
    "repo/a.md": "# A\n",
    "home/": "",
  };
  const check = (folder: Folder): void => {
    for (const args of [
      ["list"],
      ["search", "good"],
      ["show", "good"],
      ["load", "good"],
      ["validate"],
      ["runs"],
      ["audit"],
    ])
      expect([args[0], knack(folder, args).code]).toEqual([args[0], 0]);
    for (const args of [
      ["trust", "--yes"],
      ["deny", "good"],
      ["run", "file_fingerprint", "--input", "a.md"],
    ]) {
      const { code, stderr } = knack(folder, args);
      expect([args[0], code], stderr).toEqual([args[0], 1]);
      expect([args[0], stderr]).toEqual([
        args[0],
        expect.stringMatching(
          /cannot be written: (?:the file system is read-only|you have no permission).*KNACK_HOME/,
        ),
      ]);
    }
    const env = { KNACK_HOME: folder.at("elsewhere") };
    for (const args of [
      ["trust", "--yes"],
      ["deny", "good"],
      ["run", "file_fingerprint", "--input", "a.md"],
    ])
      expect([args[0], knack(folder, args, { env }).code]).toEqual([args[0], 0]);
  };

  it.skipIf(!canMount)("on a file system that is read-only", () => {
    using folder = makeFolder(files);
    using disk = mount(folder, "home", "size=64k,ro");
    expect(disk).toBeDefined();
    check(folder);
  });

  it.skipIf(process.getuid?.() === 0)("by its mode", () => {
    using folder = makeFolder(files);
    chmodSync(folder.at("home"), 0o500);
    check(folder);
    chmodSync(folder.at("home"), 0o700);
  });
});

import { execFileSync } from "node:child_process";
import { chmodSync, existsSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { type Folder, makeFolder, skillText } from "../../../core/src/testing/files.ts";
import { fetchSkills } from "./testing/fetch-skills.ts";
import { makeRepository } from "./testing/make-repository.ts";
import { makeZip, type ZipFile } from "./testing/make-zip.ts";

function makeSource(): Folder {
  const folder = makeFolder({
    "src/skills/one/SKILL.md": skillText("one"),
    "src/skills/one/scripts/run.sh": "#!/bin/sh\necho one\n",
    "src/skills/one/data/ü 名.bin": new Uint8Array([0, 1, 2, 255]),
    "src/skills/one/again.md": { link: "SKILL.md" },
    "src/skills/one/more": { link: "data" },
    "src/.claude/skills/two/SKILL.md": skillText("two"),
    "src/.claude/skills/one/SKILL.md": skillText("one-copy"),
    "src/plugins/p/skills/three-folder/SKILL.md": skillText("three"),
    "src/skills/one/assets/SKILL.md": skillText("example"),
    "src/node_modules/x/SKILL.md": skillText("never"),
    "src/README.md": "read me",
  });
  chmodSync(folder.at("src/skills/one/scripts/run.sh"), 0o755);
  return folder;
}

/** The folder `src` as each kind of source. */
const KINDS: Readonly<Record<string, (folder: Folder) => string>> = {
  folder: () => "./src",
  git: (folder) => {
    makeRepository(folder.at("src"));
    return `file://${folder.at("src")}`;
  },
  "tar.gz": (folder) => {
    execFileSync("tar", ["-czf", folder.at("a.tar.gz"), "-C", folder.path, "src"]);
    return "./a.tar.gz";
  },
  zip: (folder) => {
    const names = readdirSync(folder.at("src"), { recursive: true, withFileTypes: true });
    const files = names.flatMap((entry): ZipFile[] => {
      const path = join(entry.parentPath, entry.name);
      const name = path.slice(folder.path.length + 1);
      if (entry.isSymbolicLink())
        return [{ name, mode: 0o120777, content: entry.name === "more" ? "data" : "SKILL.md" }];
      return entry.isFile() ? [{ name, mode: statSync(path).mode, content: readFileSync(path) }] : [];
    });
    writeFileSync(folder.at("a.zip"), makeZip(files));
    return "./a.zip";
  },
};

describe.each(Object.entries(KINDS))("skills from a source of the kind %s", (_kind, make) => {
  it("are found by the rules of the catalog, with their files and executables", async () => {
    using folder = makeSource();
    using outcome = await fetchSkills(make(folder), folder.path);
    expect(outcome.skills.map(({ name, path, faults }) => ({ name, path, faults }))).toEqual([
      { name: "one", path: "skills/one", faults: [] },
      { name: "one-copy", path: ".claude/skills/one", faults: [] },
      { name: "three", path: "plugins/p/skills/three-folder", faults: [] },
      { name: "two", path: ".claude/skills/two", faults: [] },
    ]);
    expect(outcome.skills[0]).toMatchObject({
      description: "Does one. Use when asked for one.",
      executables: ["scripts/run.sh"],
    });
  });

  it("are written byte for byte, with copies in place of links and no mode but the executable bit", async () => {
    using folder = makeSource();
    using outcome = await fetchSkills(make(folder), folder.path);
    const to = await outcome.take();
    expect(readdirSync(join(to, "one"), { recursive: true }).sort()).toEqual(
      [
        "SKILL.md",
        "again.md",
        "assets",
        "assets/SKILL.md",
        "data",
        "data/ü 名.bin",
        "more",
        "more/ü 名.bin",
        "scripts",
        "scripts/run.sh",
      ].sort(),
    );
    expect([...readFileSync(join(to, "one/more/ü 名.bin"))]).toEqual([0, 1, 2, 255]);
    expect(readFileSync(join(to, "one/again.md"), "utf8")).toBe(skillText("one"));
    expect(statSync(join(to, "one/scripts/run.sh")).mode & 0o7777).toBe(0o755);
    expect(statSync(join(to, "one/SKILL.md")).mode & 0o7777).toBe(0o644);
    expect(existsSync(join(to, "three/SKILL.md"))).toBe(true);
  });
});

import { describe, expect, it } from "vitest";
import { makeFolder } from "../../../core/src/testing/files.ts";
import { parseSource } from "./parse-source.ts";
import { publicName, withoutSecrets } from "./source.ts";

const PLACE = { cwd: "/nowhere", home: "/home/nobody" };
const git = (url: string, ref: string | null = null, path = "") => ({ kind: "git", url, ref, path });
const short = (repo: string, ref: string | null = null, path = "") => ({
  ...git(`https://github.com/${repo}.git`, ref, path),
  isShort: true,
});

describe("what a user may name", () => {
  it.each([
    ["owner/repo", short("owner/repo")],
    ["owner/repo.git", short("owner/repo")],
    ["owner/repo#v1.2", short("owner/repo", "v1.2")],
    ["owner/repo/skills/a", short("owner/repo", null, "skills/a")],
    ["owner/repo/skills/a/#feature/x", short("owner/repo", "feature/x", "skills/a")],
    ["https://example.com/a/b.git", git("https://example.com/a/b.git")],
    ["https://example.com/a/b#main", git("https://example.com/a/b", "main")],
    ["git+https://example.com/a/b#main", git("https://example.com/a/b", "main")],
    ["ssh://git@example.com/a/b.git", git("ssh://git@example.com/a/b.git")],
    ["git@example.com:a/b.git#1234567", git("git@example.com:a/b.git", "1234567")],
    ["file:///srv/repo.git#main", git("file:///srv/repo.git", "main")],
    ["npm:name", { kind: "npm", name: "name", version: null }],
    ["npm:@scope/name@^1.2.0", { kind: "npm", name: "@scope/name", version: "^1.2.0" }],
    [
      "https://example.com/a.tar.gz",
      { kind: "archive", location: "https://example.com/a.tar.gz", isUrl: true },
    ],
    [
      "https://example.com/a.zip?token=x",
      { kind: "archive", location: "https://example.com/a.zip?token=x", isUrl: true },
    ],
    [
      "https://github.com/o/r/tree/feature/x/skills/a",
      { ...git("https://github.com/o/r.git"), refAndPath: ["feature", "x", "skills", "a"] },
    ],
    [
      "https://github.com/o/r/blob/main/skills/a/SKILL.md",
      { ...git("https://github.com/o/r.git"), refAndPath: ["main", "skills", "a"] },
    ],
    ["HTTPS://example.com/A.git", git("https://example.com/A.git")],
    ["Git+SSH://git@example.com/a", git("ssh://git@example.com/a")],
    [
      "https://gitlab.com/g/sub/r/-/tree/main/a",
      { ...git("https://gitlab.com/g/sub/r.git"), refAndPath: ["main", "a"] },
    ],
  ])("reads %s", (given, expected) => {
    expect(parseSource(given, PLACE)).toEqual(expected);
  });

  it.each([
    "",
    "-x",
    "--upload-pack=touch /tmp/x",
    "owner/repo#--upload-pack=x",
    "owner/repo#a..b",
    "owner/repo#+a:b",
    "owner/repo#a:b",
    "owner/repo#",
    "ext::sh -c id",
    "fd::17",
    "ssh://-oProxyCommand=id/x",
    "ssh://-oProxyCommand=id@host/x",
    "git@-oProxyCommand=id:x",
    "git@host:-x",
    "javascript://x/y",
    "owner/repo/../../x",
    "owner/..",
    "word",
    "npm:../x",
    "npm:-x",
    "npm:name@.",
    "npm:name@..",
    "npm:name@file:/etc/passwd",
    "npm:name@https://example.com/x.tgz",
    "owner/repo\u0000",
    "owner/repo\nx",
  ])("refuses %j", (given) => {
    expect(() => parseSource(given, PLACE)).toThrow(
      expect.objectContaining({ code: expect.stringMatching(/^INVALID_PARAM$/) }),
    );
  });

  it("a path begins with . / or ~; a folder of the same name does not change what owner/repo means", () => {
    using folder = makeFolder({ "owner/repo/SKILL.md": "x", "a.tgz": "x", "a.txt": "x" });
    const place = { cwd: folder.path, home: folder.path };
    expect(parseSource("owner/repo", place)).toMatchObject({ kind: "git" });
    expect(parseSource("./owner/repo", place)).toEqual({ kind: "folder", path: folder.at("owner/repo") });
    expect(parseSource("~/owner/repo/SKILL.md", place)).toEqual({
      kind: "folder",
      path: folder.at("owner/repo"),
    });
    expect(parseSource(folder.at("a.tgz"), place)).toMatchObject({ kind: "archive", isUrl: false });
    expect(() => parseSource("./a.txt", place)).toThrow(/neither a folder nor an archive/);
    expect(() => parseSource("./missing", place)).toThrow(/does not exist/);
    expect(() => parseSource("owner", place)).toThrow(/write \.\/owner/);
  });

  it("keeps passwords out of names and messages", () => {
    const source = parseSource("https://me:s3cret@example.com/a/b.git", PLACE);
    expect(publicName(source)).toBe("https://example.com/a/b.git");
    expect(withoutSecrets("fatal: 'https://me:s3cret@example.com/a/b.git/'", source)).not.toContain("s3cret");
    const archive = parseSource("https://example.com/a.zip?access_token=s3cret", PLACE);
    expect(publicName(archive)).toBe("https://example.com/a.zip");
    for (const invalid of ["https://me:s3cret@example.com:99999/x", "https://me:s3cret@"])
      expect(() => parseSource(invalid, PLACE)).toThrow(/^(?!.*s3cret).* is not a valid address/);
    expect(publicName(parseSource("ssh://git:pw@example.com/a", PLACE))).toBe("ssh://git@example.com/a");
  });
});

import { spawnSync } from "node:child_process";
import { chownSync, linkSync, readFileSync, symlinkSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { makeFolder } from "../testing/files.ts";
import { lookAtOwn, readOwn, requireOwn } from "./own-file.ts";

describe("product: files of Knack's own are opened without following links and checked", () => {
  it("a regular file of this user is taken; a missing one, and one in a missing folder, are absent", () => {
    using folder = makeFolder({ "base/a/b": "text" });
    expect(lookAtOwn(folder.at("base"), folder.at("base/a/b"))).toMatchObject({ kind: "file" });
    expect(lookAtOwn(folder.at("base"), folder.at("base/a/c"))).toEqual({ kind: "absent" });
    expect(lookAtOwn(folder.at("base"), folder.at("base/x/y/z"))).toEqual({ kind: "absent" });
    const content = readOwn(folder.at("base"), folder.at("base/a/b"), 10);
    expect("bytes" in content && content.bytes.toString()).toBe("text");
  });

  it("a base may be reached through a link: that is its user's choice", () => {
    using folder = makeFolder({ "real/a": "text", base: { link: "real" } });
    expect(lookAtOwn(folder.at("base"), folder.at("base/a"))).toMatchObject({ kind: "file" });
  });

  it("refuses a link at the file and at each folder above it, also a dangling one and a loop", () => {
    using folder = makeFolder({ "out/secret": "secret", "base/real/f": "x" });
    symlinkSync("../out/secret", folder.at("base/file"));
    symlinkSync("../out", folder.at("base/folder"));
    symlinkSync("nowhere", folder.at("base/dangling"));
    symlinkSync("loop", folder.at("base/loop"));
    symlinkSync("real", folder.at("base/inside"));
    for (const way of ["file", "folder/secret", "dangling", "dangling/x", "loop", "loop/x", "inside/f"]) {
      const path = folder.at("base", way);
      expect(lookAtOwn(folder.at("base"), path), way).toMatchObject({
        kind: "refused",
        reason: /symbolic link/,
      });
      expect(() => requireOwn(folder.at("base"), path)).toThrow(/does not follow links.*remove it/);
      expect(readOwn(folder.at("base"), path, 100)).toMatchObject({ fault: "NOT_REGULAR" });
    }
    expect(readFileSync(folder.at("out/secret"), "utf8")).toBe("secret");
  });

  it("refuses what is no regular file, another user's, and a path that leaves the base", () => {
    using folder = makeFolder({ "base/d/": "", "base/theirs": "x" });
    spawnSync("mkfifo", [folder.at("base/pipe")]);
    for (const name of ["d", "pipe"])
      expect(lookAtOwn(folder.at("base"), folder.at("base", name))).toMatchObject({ kind: "refused" });
    expect(lookAtOwn(folder.at("base"), folder.at("other"))).toMatchObject({ kind: "refused" });
    if (process.getuid?.() !== 0) return;
    chownSync(folder.at("base/theirs"), 12345, 12345);
    expect(lookAtOwn(folder.at("base"), folder.at("base/theirs"))).toMatchObject({ reason: /another user/ });
  });

  it("refuses a file with a second name where it is written in place", () => {
    using folder = makeFolder({ "base/g": "x" });
    linkSync(folder.at("base/g"), folder.at("base/h"));
    const look = (isWrittenInPlace: boolean) =>
      lookAtOwn(folder.at("base"), folder.at("base/g"), { isWrittenInPlace });
    expect(look(false)).toMatchObject({ kind: "file" });
    expect(look(true)).toMatchObject({ reason: /hard link/ });
  });
});

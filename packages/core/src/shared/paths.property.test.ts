import { mkdirSync, symlinkSync } from "node:fs";
import { posix, win32 } from "node:path";
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { makeFolder } from "../testing/index.ts";
import { canonical, isInside } from "./paths.ts";
import { cases } from "./testing/cases.ts";

const runs = { numRuns: cases(2_000) };

/** Names of files; those that begin with dots are names like any other. */
const name = fc.oneof(
  fc.constantFrom("a", "ab", "b", "bc", "..a", "...", ".a", "a b", "ä"),
  fc.string({ minLength: 1, maxLength: 6 }).filter((text) => !/[\\/:\0]/.test(text) && !/^\.\.?$/.test(text)),
);
const names = (minLength: number) => fc.array(name, { minLength, maxLength: 4 });

describe.each([
  ["POSIX", posix, "/"],
  ["Windows", win32, "C:\\"],
])("isInside with %s paths", (_, platform, root) => {
  const inside = (file: string, folder: string): boolean => isInside(file, folder, platform);
  const at = (parts: readonly string[]): string => root + parts.join(platform.sep);

  it("holds for the folder itself and everything below it", () => {
    const below = fc.property(names(0), names(0), fc.constantFrom("", platform.sep), (folder, more, end) => {
      expect(inside(at([...folder, ...more]), at(folder) + end)).toBe(true);
    });
    fc.assert(below, runs);
  });

  it("does not hold for what is above or beside it", () => {
    const other = name.filter((text) => text.toLowerCase() !== "own");
    const outside = fc.property(names(0), other, names(0), (folder, sibling, more) => {
      const own = [...folder, "own"];
      expect(inside(at(folder), at(own))).toBe(false);
      expect(inside(at([...folder, sibling, ...more]), at(own))).toBe(false);
      expect(inside(at([...own, "..", sibling, ...more]), at(own))).toBe(false);
    });
    const beside = fc.property(names(0), name, name, names(0), (folder, own, tail, more) => {
      expect(inside(at([...folder, own + tail, ...more]), at([...folder, own]))).toBe(false);
    });
    fc.assert(outside, runs);
    fc.assert(beside, runs);
  });
});

describe("isInside", () => {
  it.each([
    ["/srv/skills/", "/srv/skills", true],
    ["/srv/skills/a/../../skills/b", "/srv/skills", true],
    ["/", "/", true],
    ["/etc", "/", true],
    ["/", "/srv", false],
    // A backslash is a character of a name here.
    ["/srv/skills/..\\a", "/srv/skills", true],
  ])("%s in %s: %s", (file, folder, expected) => {
    expect(isInside(file, folder, posix)).toBe(expected);
  });

  it.each([
    ["C:/srv/skills/a", "C:\\srv\\skills", true],
    ["c:\\SRV\\skills", "C:\\srv\\skills", true],
    ["D:\\srv\\skills\\a", "C:\\srv\\skills", false],
    ["D:\\", "C:\\", false],
    ["\\\\host\\share\\a", "C:\\", false],
    ["\\\\host\\share\\a", "\\\\host\\share", true],
    ["\\\\other\\share\\a", "\\\\host\\share", false],
  ])("%s in %s: %s", (file, folder, expected) => {
    expect(isInside(file, folder, win32)).toBe(expected);
  });
});

describe.skipIf(process.platform === "win32")("canonical", () => {
  it("resolves links as far as the path exists, and keeps the rest", () => {
    using folder = makeFolder({ "real/file": "" });
    const root = canonical(folder.path);
    mkdirSync(folder.at("real/below"));
    symlinkSync("real", folder.at("link"));
    expect(canonical(folder.at("link/file"))).toBe(`${root}/real/file`);
    expect(canonical(folder.at("link/below/a/b"))).toBe(`${root}/real/below/a/b`);
    expect(canonical(folder.at("none/a"))).toBe(`${root}/none/a`);
  });
});

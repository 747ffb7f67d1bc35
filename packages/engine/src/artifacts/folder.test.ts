import { closeSync, constants, existsSync, readdirSync, renameSync, symlinkSync } from "node:fs";
import { makeFolder } from "@knack/core/testing";
import { describe, expect, it } from "vitest";
import { Folder, PathRefused } from "./folder.ts";

const CREATE = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL;

describe("a link that takes the place of a folder that is open", () => {
  it.runIf(process.platform === "linux").each(["a/b/c", "a/b", "a"])(
    "leads nothing out, at %s",
    (swapped) => {
      using project = makeFolder();
      using outside = makeFolder({ "b/c/": "", "c/": "" });
      using folder = Folder.open(project.path, ["a", "b", "c"], true);
      renameSync(project.at(swapped), project.at("aside"));
      symlinkSync(outside.path, project.at(swapped));
      closeSync(folder.openFile("file", CREATE));
      expect(
        readdirSync(project.path, { recursive: true }).some((name) => String(name).endsWith("file")),
      ).toBe(true);
      for (const name of ["file", "b/c/file", "c/file"]) expect(existsSync(outside.at(name))).toBe(false);
    },
  );
});

describe("a folder below the project", () => {
  it("is made where it is asked for, and refused where it is not there", () => {
    using project = makeFolder();
    expect(() => Folder.open(project.path, ["a"], false)).toThrow(PathRefused);
    Folder.open(project.path, ["a", "b"], true)[Symbol.dispose]();
    expect(existsSync(project.at("a/b"))).toBe(true);
  });

  it("leaves no descriptor open, also when it is refused", () => {
    using project = makeFolder({ file: "", link: { link: "/tmp" } });
    const open = () => readdirSync("/proc/self/fd").length;
    const before = process.platform === "linux" ? open() : 0;
    for (let i = 0; i < 50; i++) {
      for (const name of ["file", "link", "none"]) {
        expect(() => Folder.open(project.path, [name, "x"], false)).toThrow(PathRefused);
      }
    }
    if (process.platform === "linux") expect(open()).toBeLessThan(before + 10);
  });
});

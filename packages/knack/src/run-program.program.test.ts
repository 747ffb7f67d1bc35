import { chmodSync, chownSync } from "node:fs";
import { delimiter } from "node:path";
import { afterEach, describe, expect, it, vi } from "vitest";
import { type Folder, makeFolder } from "../../core/src/testing/files.ts";
import { findOwnProgram, runProgram } from "./run-program.ts";

const PROGRAM = { "repo/.git/": "", "repo/node_modules/.bin/git": "#!", "bin/git": "#!", "open/git": "#!" };

function find(folder: Folder, ...path: string[]): string | undefined {
  for (const file of ["repo/node_modules/.bin/git", "bin/git", "open/git"]) chmodSync(folder.at(file), 0o755);
  chmodSync(folder.at("open"), 0o777);
  vi.spyOn(process, "cwd").mockReturnValue(folder.at("repo"));
  const PATH = path.map((one) => folder.at(one)).join(delimiter);
  return findOwnProgram("git", { PATH, HOME: folder.at("home") });
}

afterEach(() => vi.restoreAllMocks());

describe("a program of the user", () => {
  it("is none of the project, as npx and npm scripts would have it", () => {
    using folder = makeFolder(PROGRAM);
    expect(find(folder, "repo/node_modules/.bin", "bin")).toBe(folder.at("bin/git"));
    expect(find(folder, "repo/node_modules/.bin")).toBe(undefined);
  });

  it("is none from a folder that everybody can write to", () => {
    using folder = makeFolder(PROGRAM);
    expect(find(folder, "open", "bin")).toBe(folder.at("bin/git"));
  });

  it("is none of a project around this one, nor one that others can replace", () => {
    using folder = makeFolder({
      ...PROGRAM,
      "repo/packages/x/.git/": "",
      "shared/own/git": "#!",
      "mine/git": "#!",
    });
    for (const file of ["shared/own/git", "mine/git"]) chmodSync(folder.at(file), 0o755);
    chmodSync(folder.at("shared"), 0o777);
    expect(find(folder, "shared/own", "bin")).toBe(folder.at("bin/git"));
    chmodSync(folder.at("mine/git"), 0o777);
    expect(find(folder, "mine", "bin")).toBe(folder.at("bin/git"));
    vi.spyOn(process, "cwd").mockReturnValue(folder.at("repo/packages/x"));
    const PATH = folder.at("repo/node_modules/.bin");
    expect(findOwnProgram("git", { PATH, HOME: folder.at("home") })).toBe(undefined);
  });

  it.runIf(process.getuid?.() === 0)("is none of another user", () => {
    using folder = makeFolder(PROGRAM);
    find(folder, "bin");
    chownSync(folder.at("bin"), 4_242, 4_242);
    expect(find(folder, "bin")).toBe(undefined);
  });

  it("does not get Knack's token", async () => {
    const env = { ...process.env, KNACK_TOKEN: "the-token-of-this-user", OTHER: "kept" };
    const options = { cwd: "/", env, signal: new AbortController().signal, mayAsk: false };
    const { stdout } = await runProgram("/usr/bin/env", [], options);
    expect(stdout).toContain("OTHER=kept");
    expect(stdout).not.toContain("the-token");
  });

  it("may be in the home folder, also where that is under version control", () => {
    using folder = makeFolder({ ...PROGRAM, "home/.git/": "", "home/bin/git": "#!" });
    chmodSync(folder.at("home/bin/git"), 0o755);
    vi.spyOn(process, "cwd").mockReturnValue(folder.at("home"));
    const env = { PATH: folder.at("home/bin"), HOME: folder.at("home") };
    expect(findOwnProgram("git", env)).toBe(folder.at("home/bin/git"));
  });
});

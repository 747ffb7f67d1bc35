import { chmodSync } from "node:fs";
import { delimiter } from "node:path";
import { afterEach, describe, expect, it, vi } from "vitest";
import { type Folder, makeFolder } from "../../core/src/testing/files.ts";
import { findOwnProgram } from "./run-program.ts";

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

  it("may be in the home folder, also where that is under version control", () => {
    using folder = makeFolder({ ...PROGRAM, "home/.git/": "", "home/bin/git": "#!" });
    chmodSync(folder.at("home/bin/git"), 0o755);
    vi.spyOn(process, "cwd").mockReturnValue(folder.at("home"));
    const env = { PATH: folder.at("home/bin"), HOME: folder.at("home") };
    expect(findOwnProgram("git", env)).toBe(folder.at("home/bin/git"));
  });
});

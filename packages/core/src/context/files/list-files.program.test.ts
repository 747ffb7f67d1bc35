import { execFileSync } from "node:child_process";
import { linkSync, renameSync, symlinkSync, truncateSync, writeFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { type Folder, makeFolder } from "../../testing/files.ts";
import { holdByIdentity, holdByKernel } from "./hold.ts";
import { listFiles } from "./list-files.ts";

const WAYS = [
  { way: "by the kernel's word", hold: holdByKernel, here: process.platform === "linux" },
  { way: "by identities", hold: holdByIdentity, here: true },
].filter(({ here }) => here);
const LIMITS = { maxFiles: 200, maxBytes: 1000 };

describe.each(WAYS)("004 §8.2: the files of a skill, held $way", ({ hold }) => {
  const list = (folder: Folder, limits: Partial<typeof LIMITS> = {}) => {
    const top = folder.at("skill");
    const listing = listFiles(top, { ...LIMITS, ...limits }, hold);
    const short = (path: string): string => (path === top ? "." : path.slice(top.length + 1));
    return {
      ...listing,
      files: listing.files.map(short),
      omitted: listing.omitted.map(({ path, size }) => `${short(path)} ${size}`),
      faults: listing.faults.map(({ path, fault }) => `${short(path)} ${fault.fault}`),
    };
  };

  it("are all regular files in path order, without its SKILL.md, .git and node_modules", () => {
    using folder = makeFolder({
      "skill/SKILL.md": "",
      "skill/b/x": "",
      "skill/b.txt": "",
      "skill/B": "",
      "skill/é": "",
      "skill/nested/SKILL.md": "",
      "skill/.hidden": "",
      "skill/.git/config": "",
      "skill/b/node_modules/x": "",
      "skill/empty/": "",
    });
    expect(list(folder)).toEqual({
      files: [".hidden", "B", "b.txt", "b/x", "nested/SKILL.md", "é"],
      truncated: false,
      omitted: [],
      omittedCount: 0,
      faults: [],
    });
  });

  it("are no links that lead out, and no names behind them", () => {
    using folder = makeFolder({
      "outside/secret": "",
      "skill/a": "",
      "skill/file": { link: "../outside/secret" },
      "skill/folder": { link: "../outside" },
      "skill/near": { link: "a" },
      "skill/itself": { link: "." },
      "skill/broken": { link: "nothing" },
      "skill/loop": { link: "loop" },
    });
    const { files, faults, truncated } = list(folder);
    expect({ files, truncated }).toEqual({ files: ["a", "near"], truncated: false });
    expect(faults).toEqual(["broken LINK_BROKEN", "file PATH_ESCAPE", "folder PATH_ESCAPE", "loop LOOP"]);
  });

  it("are none while the folder itself is a link or missing", () => {
    using folder = makeFolder({ "outside/secret": "", skill: { link: "outside" } });
    expect(list(folder)).toMatchObject({ files: [], faults: [". UNREADABLE"] });
    renameSync(folder.at("skill"), folder.at("gone"));
    expect(list(folder)).toMatchObject({ files: [], faults: [". UNREADABLE"] });
  });

  it.skipIf(process.platform === "win32")("are no pipes and no devices", () => {
    using folder = makeFolder({ "skill/a": "", "skill/zero": { link: "/dev/zero" } });
    execFileSync("mkfifo", [folder.at("skill/pipe")]);
    symlinkSync("pipe", folder.at("skill/to-pipe"));
    const faults = ["pipe NOT_REGULAR", "to-pipe NOT_REGULAR", "zero PATH_ESCAPE"];
    expect(list(folder)).toMatchObject({ files: ["a"], faults });
  });

  it("have one remark where they are hard links", () => {
    using folder = makeFolder({ "outside/a": "", "outside/b": "", "skill/c": "" });
    for (const name of ["a", "b"]) linkSync(folder.at("outside", name), folder.at("skill", name));
    expect(list(folder)).toMatchObject({ files: ["a", "b", "c"], faults: ["a HARDLINK"], truncated: false });
  });

  it("are the small ones where all together are too large, and the large ones are told", () => {
    using folder = makeFolder({ "skill/a": "x".repeat(600), "skill/b": "x".repeat(400), "skill/c": "x" });
    truncateSync(folder.at("skill/a"), 2 ** 40);
    expect(list(folder, { maxBytes: 401 })).toMatchObject({
      files: ["b", "c"],
      truncated: true,
      omitted: [`a ${2 ** 40}`],
      omittedCount: 1,
    });
    expect(list(folder, { maxBytes: 400 })).toMatchObject({ files: ["c"], omittedCount: 2 });
    expect(list(folder, { maxBytes: 0 })).toMatchObject({ files: [], omittedCount: 3 });
  });

  it("are the first of the small ones where they are too many, and at most twenty of the others are told", () => {
    using folder = makeFolder({ "skill/large": "x".repeat(2000) });
    for (let i = 0; i < 30; i++) writeFileSync(folder.at("skill", `f${i + 10}`), "x".repeat(i % 2));
    const { files, truncated, omitted, omittedCount } = list(folder, { maxFiles: 3 });
    expect({ files, truncated, omittedCount }).toEqual({
      files: ["f10", "f11", "f12"],
      truncated: true,
      omittedCount: 28,
    });
    expect(omitted.length).toBe(20);
    expect(omitted.slice(0, 3)).toEqual(["large 2000", "f13 1", "f15 1"]);
  });

  it("are looked for 32 levels deep, and it is said where there is more", () => {
    const levels = (count: number): string => "d/".repeat(count);
    using folder = makeFolder({ [`skill/${levels(32)}here`]: "", [`skill/${levels(33)}there`]: "" });
    const { files, truncated, faults } = list(folder);
    expect({ files, truncated }).toEqual({ files: [`${levels(32)}here`], truncated: true });
    expect(faults).toEqual([`${levels(33).slice(0, -1)} FILES_LIMIT`]);
  });
});

describe.runIf(process.platform === "linux")("a name that is no UTF-8", () => {
  it("is counted and not listed, because it cannot be asked for", () => {
    using folder = makeFolder({ "skill/good": "" });
    execFileSync("sh", ["-c", 'echo x >"$(printf "b\\377")"'], { cwd: folder.at("skill") });
    const { files, faults } = listFiles(folder.at("skill"), LIMITS);
    expect(files).toEqual([folder.at("skill/good")]);
    expect(faults).toMatchObject([{ path: folder.at("skill"), fault: { fault: "UNREADABLE" } }]);
  });
});

import { mkdirSync, writeFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { makeFolder } from "../../testing/files.ts";
import { listFiles } from "./list-files.ts";

describe("a skill with 10,000 files and folders", () => {
  it("is listed whole; with one more it is looked at no further, level by level, and it is said", () => {
    using folder = makeFolder({ "skill/SKILL.md": "", "skill/top": "" });
    mkdirSync(folder.at("skill/a"));
    for (let i = 0; i < 9_997; i++) writeFileSync(folder.at("skill/a", `f${i}`), "");
    const list = () => listFiles(folder.at("skill"), { maxFiles: 20_000, maxBytes: 1000 });
    const whole = list();
    expect({ ...whole, files: whole.files.length }).toMatchObject({
      files: 9_998,
      truncated: false,
      faults: [],
    });
    mkdirSync(folder.at("skill/a/deep"));
    const { files, truncated, faults } = list();
    expect({ truncated, last: files.at(-1) }).toEqual({ truncated: true, last: folder.at("skill/top") });
    expect(files.length).toBeLessThan(9_999);
    expect(faults).toMatchObject([{ path: folder.at("skill"), fault: { fault: "FILES_LIMIT" } }]);
  });
});

import { describe, expect, it } from "vitest";
import { makeFolder } from "../../packages/core/src/testing/files.ts";
import { manySkills } from "../page/many-skills.ts";
import { program, TRUST } from "./run.ts";

const COUNT = 21_000;

describe("a project with 21,000 skills", () => {
  it("is listed and searched without a warning, the first time and from its index", () => {
    using folder = makeFolder(manySkills(COUNT));
    for (let times = 0; times < 2; times++) {
      const listed = program(folder, ["list", "--json"], TRUST);
      expect([listed.code, listed.stderr]).toEqual([0, ""]);
      expect(listed.json().skills).toHaveLength(COUNT);
      const found = program(folder, ["search", "review code of kind 20900", "--json"], TRUST);
      expect([found.code, found.stderr]).toEqual([0, ""]);
      expect(found.stdout).toContain('"review-code-20900"');
    }
  });
});

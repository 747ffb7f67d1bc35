import { describe, expect, it } from "vitest";
import { makeFolder, skillText } from "../../testing/index.ts";
import { scanTree } from "./scan.ts";

describe("a first look that is divided among threads", () => {
  it("finds what one thread finds, in the same order", async () => {
    using folder = makeFolder();
    for (let i = 0; i < 60; i++) {
      folder.write({
        [`s${i}/SKILL.md`]: skillText(`s${i}`),
        [`group-${i % 7}/g${i}/SKILL.md`]: skillText(`g${i}`, "One: two: three", "metadata:\n  a: b\n"),
        [`s${i}/nested/n${i}/SKILL.md`]: i % 3 === 0 ? "no frontmatter" : skillText(`n${i}`),
        [`s${i}/assets/x/SKILL.md`]: skillText("x"),
      });
    }
    folder.write({ linked: { link: "s1" }, "s2/skill.md": "", "s5/other/": "" });
    const options = {
      top: folder.path,
      place: { folder: "top", dialect: "agentskills", bareIsLily: false },
      bareChildren: false,
      topMayBeSkill: true,
      otherRoots: new Set([folder.at("s9")]),
    } as const;
    const alone = await scanTree(options, null, { now: 1, divideFrom: 1_000 });
    const divided = await scanTree(options, null, { now: 1, divideFrom: 2 });
    expect(divided).toEqual(alone);
    expect(alone.paths).toContain(folder.at("s8/nested/n8"));
    expect(alone.paths).not.toContain(folder.at("s9"));
    expect(alone.skills.filter((skill) => skill !== null)).toHaveLength(60 * 3 - 2);
  });
});

import { describe, expect, it } from "vitest";
import { LoadedSkills } from "./loaded-skills.ts";

describe("what a conversation has loaded", () => {
  it("has a bound, and whatever was saved can be restored", () => {
    const loaded = new LoadedSkills();
    const skill = { name: "a", path: "/a/SKILL.md", sha256: "0" };
    const first = loaded.add({ ...skill, args: "first" });
    for (let n = 0; n < 10_000; n++) loaded.add({ ...skill, args: String(n) });
    expect(loaded.save().loaded).toHaveLength(10_000);
    expect(loaded.get(first.ref)).toBeUndefined();
    const later = new LoadedSkills();
    later.restore(JSON.parse(JSON.stringify(loaded.save())));
    expect(later.save()).toEqual(loaded.save());
  });
});

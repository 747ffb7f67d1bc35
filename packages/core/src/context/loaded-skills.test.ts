import { describe, expect, it } from "vitest";
import { LoadedSkills } from "./loaded-skills.ts";

describe("what a conversation has loaded", () => {
  it("has a bound, and whatever was saved can be restored", () => {
    const loaded = new LoadedSkills();
    const skill = { name: "a", path: "/a/SKILL.md", sha256: "0" };
    loaded.add({ ...skill, args: "first" });
    const first = loaded.find({ ...skill, args: "first" });
    expect(first.isKnown).toBe(true);
    for (let n = 0; n < 10_000; n++) loaded.add({ ...skill, args: String(n) });
    expect(loaded.save().loaded).toHaveLength(10_000);
    expect(loaded.get(first.ref)).toBeUndefined();
    const later = new LoadedSkills();
    later.restore(JSON.parse(JSON.stringify(loaded.save())));
    expect(later.save()).toEqual(loaded.save());
  });

  it("knows a text of which parts were given when the last was, and notices another version between two parts", () => {
    const loaded = new LoadedSkills();
    const skill = { name: "a", path: "/a/SKILL.md", sha256: "0", args: "" };
    loaded.begin(skill);
    expect(loaded.find(skill).isKnown).toBe(false);
    expect([loaded.hasChanged(skill), loaded.hasChanged({ ...skill, sha256: "1" })]).toEqual([false, true]);
    expect(loaded.save().loaded).toEqual([]);
    loaded.add(skill);
    expect(loaded.find(skill).isKnown).toBe(true);
    expect(loaded.hasChanged({ ...skill, sha256: "1" })).toBe(false);
  });
});

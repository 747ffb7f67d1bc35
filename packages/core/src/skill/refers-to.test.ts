import { describe, expect, it } from "vitest";
import { isExactly, refersTo, refersToAny } from "./refers-to.ts";

const skill = {
  name: "release",
  id: "0123456789abcdef",
  path: "/repo/skills/release/SKILL.md",
  dir: "/repo/skills/release",
  scope: "repo",
} as const;
const own = [skill.name, skill.id, skill.path, skill.dir];
const forms = [
  "Release",
  "ＲＥＬＥＡＳＥ",
  "re\u200blease",
  "repo:release",
  "Repo:RELEASE",
  skill.id.toUpperCase(),
];
const others = [
  "releas",
  "release-notes",
  "user:release",
  "/repo/skills",
  "/repo/skills/Release",
  "",
  "undefined:release",
];

describe("what takes something away means a skill in every form of its name", () => {
  it.each([...own, ...forms])("%j", (entry) => {
    expect(refersTo(entry, skill)).toBe(true);
    expect(refersToAny(["other", entry], skill)).toBe(true);
  });

  it.each(others)("%j means another", (entry) => {
    expect(refersTo(entry, skill)).toBe(false);
    expect(refersToAny(["other", entry], skill)).toBe(false);
  });

  it("a typed skill has a name alone", () => {
    expect(refersTo("Text_Extract", { name: "text_extract" })).toBe(true);
    expect(refersTo("undefined:text_extract", { name: "text_extract" })).toBe(false);
  });
});

describe("what grants something means exactly the skill", () => {
  it.each(own)("%j", (entry) => expect(isExactly(entry, skill)).toBe(true));
  it.each([...forms, ...others])("%j grants nothing", (entry) => expect(isExactly(entry, skill)).toBe(false));

  it("a name is the same however its letters were composed", () => {
    expect(isExactly("cafe\u0301", { name: "café" })).toBe(true);
  });
});

import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parseSkillUri, skillUri } from "./skill-entries.ts";

describe("the addresses of skills' files", () => {
  it("lead back to the file, whatever its name", () => {
    const segment = fc
      .string({ minLength: 1, unit: "grapheme" })
      .filter((text) => !/[/\0]|^\.\.?$/.test(text) && text.isWellFormed());
    fc.assert(
      fc.property(fc.array(segment, { minLength: 1, maxLength: 4 }), (parts) => {
        const file = parts.join("/");
        expect(parseSkillUri(skillUri("a-skill", file))).toEqual({ name: "a-skill", file });
      }),
    );
  });

  it("name the folder without a file", () => {
    expect(skillUri("a", "")).toBe("skill://a");
    expect(parseSkillUri("skill://a")).toEqual({ name: "a", file: "" });
  });

  it.each([
    "file:///etc/passwd",
    "skill://",
    "skill:///SKILL.md",
    "skill://a/..%2f..%2fetc%2fpasswd",
    "skill://a/%00",
    "skill://a/%ff",
    "skill://a/",
    "skill://a//",
    "skill://a//b",
    "skill://a/b/",
    "skill://a/b//",
    "skill://a/b//c",
    "skill://a/./b",
    "skill://a/b/.",
    "skill://a/x/../b",
    "skill://a/x/../../../b",
    "skill://a/%2e%2e/b",
    "skill://a/%2e/b",
    "skill://a/b%2fc",
    "skill://a/b%2Fc",
    "skill://a%2fb",
    "skill://a/%62",
    "skill://a/b\\c",
    "skill://a/b c",
    "skill://a/b\n",
    " skill://a/b",
    "SKILL://a/b",
    "skill:a/b",
    "skill:////a/b",
    "skill://a/b?c",
    "skill://a/b#c",
    "skill://user@a/b",
    "skill://a:1/b",
    "__proto__",
  ])("%s is not the URI of a skill", (uri) => {
    expect(parseSkillUri(uri)).toBeUndefined();
  });

  it("decode once, and stay in the folder", () => {
    expect(parseSkillUri("skill://a/..%252f..%252fb")).toEqual({ name: "a", file: "..%2f..%2fb" });
  });

  it("are one for each file: whatever is read is what was given out", () => {
    const part = fc.constantFrom("a", "b", ".", "..", "", "%2e", "%2f", "%61", "é", "%C3%A9", " ", "+", "@");
    fc.assert(
      fc.property(fc.array(part, { maxLength: 5 }), (parts) => {
        const uri = `skill://a/${parts.join("/")}`;
        const read = parseSkillUri(uri);
        if (read) expect(skillUri(read.name, read.file)).toBe(uri);
      }),
    );
  });
});

import { linkSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { type Folder, makeFolder } from "../../testing/files.ts";
import { isBinary, readSkillBytes } from "./contained-file.ts";
import { holdByIdentity, holdByKernel } from "./hold.ts";

const WAYS = [
  { way: "by the kernel's word", hold: holdByKernel, here: process.platform === "linux" },
  { way: "by identities", hold: holdByIdentity, here: true },
].filter(({ here }) => here);

function makeSkill(files: Parameters<Folder["write"]>[0] = {}): Folder {
  return makeFolder({ "skill/SKILL.md": "# Skill\n", "outside/SKILL.md": "TOP-SECRET", ...files });
}

describe.each(WAYS)("the SKILL.md itself, held $way", ({ hold }) => {
  const textOf = (answer: ReturnType<typeof readSkillBytes>): string =>
    "refusal" in answer ? answer.refusal : answer.bytes.toString();
  const read = (source: string, inside: string | null): string =>
    textOf(readSkillBytes(source, inside, 100, hold));

  it("is read at exactly the place that the catalog recorded", () => {
    using folder = makeSkill();
    expect(read(folder.at("skill/SKILL.md"), folder.at("skill"))).toBe("# Skill\n");
  });

  it("is refused once it, or a folder on its way, is a link", () => {
    using folder = makeSkill({
      "linked/SKILL.md": { link: "../outside/SKILL.md" },
      way: { link: "outside" },
    });
    for (const file of ["linked/SKILL.md", "way/SKILL.md"])
      for (const inside of [folder.path, null]) expect(read(folder.at(file), inside)).toBe("ACCESS_DENIED");
  });

  it("may be outside the folder only where the catalog says so", () => {
    using folder = makeFolder({
      "skill/": "",
      "shared/SKILL.md": "# Shared\n",
      "skill-evil/SKILL.md": "# Evil\n",
    });
    expect(read(folder.at("shared/SKILL.md"), null)).toBe("# Shared\n");
    expect(read(folder.at("shared/SKILL.md"), folder.at("skill"))).toBe("ACCESS_DENIED");
    expect(read(folder.at("skill-evil/SKILL.md"), folder.at("skill"))).toBe("ACCESS_DENIED");
  });

  it("may be a hard link, and is missing, a folder or cut like any file", () => {
    using folder = makeSkill({ "skill/long/SKILL.md": "x".repeat(101), "skill/folder/SKILL.md/": "" });
    linkSync(folder.at("skill/SKILL.md"), folder.at("skill/other"));
    expect(read(folder.at("skill/SKILL.md"), folder.at("skill"))).toBe("# Skill\n");
    expect(read(folder.at("skill/none/SKILL.md"), null)).toBe("NOT_FOUND");
    expect(read(folder.at("skill/folder/SKILL.md"), null)).toBe("IS_DIRECTORY");
    expect(readSkillBytes(folder.at("skill/long/SKILL.md"), null, 100, hold)).toMatchObject({
      truncated: true,
    });
  });
});

describe("text", () => {
  it("has no NUL byte and no invalid UTF-8", () => {
    const texts = ["", "日本 😀\r\n\t\u001b"].map((text) => Buffer.from(text));
    expect(texts.map(isBinary)).toEqual([false, false]);
    const others = [Buffer.from("a\0b"), Buffer.from([0xff, 0xfe, 0x41]), Buffer.from("a😀").subarray(0, -1)];
    expect(others.map(isBinary)).toEqual([true, true, true]);
  });

  it("is cut between two characters, anything else at the limit", () => {
    using folder = makeFolder({ text: "a😀b", bytes: Buffer.from([0x61, 0xff, 0x80, 0x80, 0x80]) });
    const cutAt = (file: string, most: number): number[] => {
      const content = readSkillBytes(folder.at(file), null, most);
      return "bytes" in content ? [...content.bytes] : expect.fail(content.message);
    };
    for (const most of [1, 2, 3, 4]) expect(cutAt("text", most)).toEqual([0x61]);
    expect(cutAt("text", 5)).toEqual([...Buffer.from("a😀")]);
    expect(cutAt("bytes", 3)).toEqual([0x61, 0xff, 0x80]);
  });
});

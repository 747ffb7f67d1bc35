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

describe("isBinary", () => {
  it("has a NUL byte or invalid UTF-8; a last character that is cut off is allowed", () => {
    const of = (text: string | number[], cut?: boolean): boolean =>
      isBinary(Buffer.from(text as string), cut);
    expect([of(""), of("日本 😀\r\n\t\u001b"), of("a\0b"), of([0xff, 0xfe, 0x41])]).toEqual([
      false,
      false,
      true,
      true,
    ]);
    const part = [...Buffer.from("a😀")].slice(0, -1);
    expect([of(part), of(part, true), of([...part, 0x41], true), of([0x61, 0xff], true)]).toEqual([
      true,
      false,
      true,
      true,
    ]);
  });
});

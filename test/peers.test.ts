import { existsSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { type FileSpec, makeFolder, skillText } from "../packages/core/src/testing/files.ts";
import { makeRepository } from "../packages/knack/src/sources/testing/make-repository.ts";
import { makeZip } from "../packages/knack/src/sources/testing/make-zip.ts";
import { knack, REPO } from "./cli/run.ts";

/** What the tests of other skill programs ask of commands: files, command, and what is expected of Knack. */
interface Row {
  readonly files: Readonly<Record<string, FileSpec>>;
  readonly command: readonly string[];
  readonly code?: number;
  /** In standard output. */
  readonly out?: readonly string[];
  /** In standard error. */
  readonly err?: readonly string[];
  /** In neither. */
  readonly never?: readonly string[];
  /** What is there afterwards, in the folder of the project's skills; with "!" before it, what is not. */
  readonly skills?: readonly string[];
}

const SOURCE = { "src/one/SKILL.md": skillText("one"), "src/two/SKILL.md": skillText("two") };
const PACKAGE = makeZip([
  { name: "pdf/SKILL.md", content: skillText("pdf") },
  { name: "pdf/scripts/run.sh", content: "echo\n", mode: 0o100755 },
]);

const MINE = { [`${REPO}/one/SKILL.md`]: skillText("one"), [`${REPO}/two/SKILL.md`]: skillText("two") };

const ROWS: Readonly<Record<string, Row>> = {
  "add says that agents cannot see the skills of a project before it is trusted": {
    files: SOURCE,
    command: ["add", "../src", "--yes"],
    err: ["Agents cannot see the skills of this project until you trust it: knack trust"],
  },
  "add --user needs no trust and does not speak of it": {
    files: SOURCE,
    command: ["add", "../src", "--yes", "--user"],
    never: ["trust"],
  },
  "remove takes a name in another case": {
    files: MINE,
    command: ["remove", "ONE", "--force", "--yes"],
    out: ["removed one"],
    skills: ["!one", "two"],
  },
  "remove takes a scope and a name": {
    files: MINE,
    command: ["remove", "repo:one", "--force"],
    out: ["removed one"],
    skills: ["!one", "two"],
  },
  "remove takes a folder and a SKILL.md": {
    files: MINE,
    command: ["remove", ".agents/skills/one", "./.agents/skills/two/SKILL.md", "--force"],
    skills: ["!one", "!two"],
  },
  "remove takes the path of a skill that is not valid": {
    files: { ...MINE, [`${REPO}/bad/SKILL.md`]: "nothing" },
    command: ["remove", ".agents/skills/bad", "--force"],
    skills: ["!bad", "one"],
  },
  "remove says where a skill is that was found elsewhere": {
    files: { ...MINE, "home/.agents/skills/mine/SKILL.md": skillText("mine") },
    command: ["remove", "Mine", "--force"],
    code: 1,
    err: ["home/.agents/skills/mine", "--user"],
    skills: ["one"],
  },
  "update takes a path, and says what is wrong with it": {
    files: MINE,
    command: ["update", ".agents/skills/one", "--yes"],
    code: 1,
    err: ['No skill "one" was added here'],
  },
  "add takes the good skills where one has an odd name, names that one, and ends with 1": {
    files: { ...SOURCE, "src/odd/SKILL.md": skillText("Odd Name") },
    command: ["add", "../src", "--yes"],
    code: 1,
    out: ["added one", "added two"],
    err: ["error: odd/SKILL.md", 'its name "Odd Name" is not valid'],
    skills: ["one", "two", "!odd"],
  },
  "add refuses where every skill that was asked for is odd": {
    files: { ...SOURCE, "src/odd/SKILL.md": skillText("Odd Name") },
    command: ["add", "../src", "--yes", "--skill", "odd"],
    code: 1,
    err: ["is refused; nothing was changed"],
    skills: ["!one"],
  },
  "add --json lists what was refused": {
    files: { ...SOURCE, "src/odd/SKILL.md": skillText("Odd Name") },
    command: ["add", "../src", "--yes", "--json"],
    code: 1,
    out: ['"refused":[{"name":"Odd Name","path":"odd","faults":["its name'],
  },
  "add takes a .skill package, which is a zip": {
    files: { "pdf.skill": PACKAGE },
    command: ["add", "../pdf.skill", "--yes"],
    out: ["added pdf"],
    skills: ["pdf/scripts/run.sh"],
  },
  "add --skill does not mind the case of a name": {
    files: SOURCE,
    command: ["add", "../src", "--yes", "--skill", "ONE"],
    out: ["added one"],
    skills: ["one", "!two"],
  },
  "add --list --skill lists that one": {
    files: SOURCE,
    command: ["add", "../src", "--list", "--skill", "two"],
    out: ["Does two."],
    never: ["Does one."],
  },
  "add copies what an absolute link inside the skill leads to": {
    files: { ...SOURCE, "src/one/a.md": "text" },
    command: ["add", "../src", "--yes"],
    skills: ["one/link.md", "two"],
  },
  "add fills an empty folder": {
    files: { ...SOURCE, [`${REPO}/one/`]: "" },
    command: ["add", "../src", "--yes"],
    out: ["added one"],
    skills: ["one/SKILL.md"],
  },
  "add names both paths of two skills with one name": {
    files: { ...SOURCE, "src/more/one/SKILL.md": skillText("one", "Another.") },
    command: ["add", "../src", "--yes"],
    code: 1,
    err: ["2 skills named one", "more/one, one"],
  },
  "add leaves out hidden folders that are no client's, and says so": {
    files: {
      ...SOURCE,
      "src/.archive/old/SKILL.md": skillText("old"),
      "src/.claude/skills/three/SKILL.md": skillText("three"),
    },
    command: ["add", "../src", "--yes"],
    err: ["note: 1 skill in a hidden folder is not offered: .archive/old", "--skill .archive/old"],
    skills: ["one", "three", "!old"],
  },
  "add prefers a skill to its copy in a hidden folder": {
    files: {
      "src/skills/one/SKILL.md": skillText("one"),
      "src/skills/two/SKILL.md": skillText("two"),
      "src/.archive/one/SKILL.md": skillText("one"),
    },
    command: ["add", "../src", "--yes"],
    never: ["hidden"],
    skills: ["one", "two"],
  },
  "add takes a skill of a hidden folder that is named": {
    files: { ...SOURCE, "src/.archive/old/SKILL.md": skillText("old") },
    command: ["add", "../src", "--yes", "--skill", "old"],
    never: ["hidden"],
    skills: ["old", "!one"],
  },
  "add offers hidden folders where a source has nothing else": {
    files: { "src/.curated/old/SKILL.md": skillText("old") },
    command: ["add", "../src", "--yes"],
    skills: ["old"],
  },
  "add says that a linked skill folder is left out": {
    files: {
      ...SOURCE,
      "elsewhere/three/SKILL.md": skillText("three"),
      "src/three": { link: "../elsewhere/three" },
      "src/again": { link: "two" },
    },
    command: ["add", "../src", "--yes"],
    err: ['note: "three" is a link to "../elsewhere/three"', "not followed"],
    never: ['"again"'],
    skills: ["one", "!three", "!again"],
  },
  "add names the link where a source has nothing but linked skills": {
    files: { "elsewhere/three/SKILL.md": skillText("three"), "src/three": { link: "../elsewhere/three" } },
    command: ["add", "../src", "--yes"],
    code: 1,
    err: ["No skills found", '"three" is a link to "../elsewhere/three"'],
  },
  "add names the cause where SKILL.md is a link out of its folder": {
    files: { "src/docs/SKILL.md.txt": skillText("x"), "src/x/SKILL.md": { link: "../docs/SKILL.md.txt" } },
    command: ["add", "../src", "--yes"],
    code: 1,
    err: ['"x/SKILL.md" is a link to "../docs/SKILL.md.txt", which is outside the skill'],
  },
  "add takes a SKILL.md that is a link to another file of its folder": {
    files: { "src/x/README.md": skillText("x"), "src/x/SKILL.md": { link: "README.md" } },
    command: ["add", "../src", "--yes"],
    out: ["added x"],
    skills: ["x/SKILL.md"],
  },
};

describe("what the tests of other programs ask", () => {
  it.each(Object.entries(ROWS))("%s", (_title, { files, command, code = 0, ...expected }) => {
    using folder = makeFolder({ "repo/.git/": "", ...files });
    if (existsSync(folder.at("src/one/a.md")))
      folder.write({ "src/one/link.md": { link: folder.at("src/one/a.md") } });
    const { stdout, stderr, ...ended } = knack(folder, command);
    expect({ code: ended.code, stdout, stderr }).toMatchObject({ code });
    for (const [text, parts = []] of [
      [stdout, expected.out],
      [stderr, expected.err],
    ] as const)
      expect(parts.filter((part) => text.includes(part))).toEqual(parts);
    for (const text of expected.never ?? []) expect(stdout + stderr).not.toContain(text);
    for (const path of expected.skills ?? [])
      expect([path, existsSync(folder.at(REPO, path.replace("!", "")))]).toEqual([
        path,
        !path.startsWith("!"),
      ]);
  });

  it("owner/repo@skill takes that skill of the repository", () => {
    using folder = makeFolder({ "repo/.git/": "", ...SOURCE });
    makeRepository(folder.at("src"));
    const env = {
      GIT_CONFIG_COUNT: "1",
      GIT_CONFIG_KEY_0: `url.file://${folder.at("src")}.insteadOf`,
      GIT_CONFIG_VALUE_0: "https://github.com/owner/repo.git",
    };
    expect(knack(folder, ["add", "owner/repo@two", "--yes"], { env })).toMatchObject({
      code: 0,
      stdout: `added two: ${folder.at(REPO, "two")}\n`,
    });
  });
});

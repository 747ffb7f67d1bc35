import { openCatalog } from "@knack/core";
import { describe, expect, it } from "vitest";
import { makeFolder, skillText } from "../../../core/src/testing/files.ts";
import { keyLine, listLines, queryLine, scopeLine, titleLine } from "./draw.ts";
import { Picker } from "./picker.ts";

const plain = (_style: unknown, text: string): string => text;
const SKILLS = ".agents/skills";

async function pickerOf(files: Record<string, string>, columns = 80): Promise<Picker> {
  using folder = makeFolder({ ".git/": "", ...files });
  const catalog = await openCatalog({ cwd: folder.path, home: folder.at("home"), env: {}, cache: false });
  const picker = new Picker({ query: "", scope: undefined, size: { columns, rows: 12 } }, () => undefined);
  await picker.start({
    catalog,
    search: async () => ({ rows: [], truncated: false }),
    preview: async ({ skill }) => ({ facts: [["name", skill.name]], isServed: true, text: ["A line."] }),
    switchSkill: async () => ({ ok: true, message: "" }),
  });
  return picker;
}

const ONE = { [`${SKILLS}/notes/SKILL.md`]: skillText("notes", "Drafts notes.") };

describe("the picker's lines", () => {
  it("the first says what to do while nothing is typed, and how many skills there are", async () => {
    const picker = await pickerOf(ONE);
    expect(queryLine(picker, 40, plain)).toEqual({
      line: "> type to search                 1 skill",
      cursor: 2,
    });
    await picker.press({ kind: "type", text: "n" });
    expect(queryLine(picker, 40, plain)).toEqual({
      line: "> n                               1 of 1",
      cursor: 3,
    });
  });

  it.each([
    [80, "Enter choose · → preview · Tab scope · ^T on/off · ^A show inactive · Esc leave"],
    [60, "Enter choose · → preview · Tab scope · ^T on/off · Esc leave"],
    [40, "Enter choose · → preview · Esc leave"],
    [25, "Enter choose · Esc leave"],
    [12, "Enter choose"],
    [5, ""],
  ])("at %i columns the last has whole keys, and how to leave before the others", async (width, expected) => {
    expect(keyLine(await pickerOf(ONE), width, plain)).toBe(expected);
  });

  it("a skill's scope is named where there is more than one", async () => {
    const picker = await pickerOf(ONE);
    expect(listLines(picker, 60, 5, plain)[0]?.trimEnd()).toBe("> notes  Drafts notes.");
    const both = await pickerOf({ ...ONE, [`home/${SKILLS}/own/SKILL.md`]: skillText("own", "Is mine.") });
    expect(listLines(both, 60, 5, plain).map((line) => line.trimEnd())).toEqual([
      "> notes  repo     Drafts notes.",
      "  own    user     Is mine.",
    ]);
  });

  it("where there is nothing they say why and what to do, in the room that there is", async () => {
    const picker = await pickerOf({ [`${SKILLS}/broken/SKILL.md`]: "no frontmatter" });
    expect(listLines(picker, 80, 9, plain)).toEqual([
      "There are no skills here.",
      "1 skill left out. See why: knack validate",
      '"knack new <name>" creates one; "knack doctor" shows where Knack looks.',
    ]);
    expect(listLines(picker, 20, 2, plain)).toHaveLength(2);
    await picker.press({ kind: "scope", direction: 1 });
    await picker.press({ kind: "type", text: "zzz" });
    expect(listLines(picker, 80, 9, plain)).toEqual([
      "No skill of the scope repo matches.",
      "Tab shows other scopes.",
      "Ctrl-U clears the search.",
    ]);
  });

  it("over the preview stands whose it is, and where in it one is", async () => {
    const picker = await pickerOf(ONE, 40);
    await picker.press({ kind: "preview" });
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect(titleLine(picker, 40, 9, plain).trimEnd()).toBe("Preview of notes");
    expect(titleLine(picker, 40, 2, plain)).toBe("Preview of notes                1–2 of 5");
    expect(picker.readingLines(40)?.[2]).toBe(`── What a model gets to read ${"─".repeat(11)}`);
    expect(scopeLine(picker, 40, plain)).toBe("[all] repo  user  bundled ");
  });
});

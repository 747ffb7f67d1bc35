import { type Entry, openCatalog } from "@knack/core";
import { describe, expect, it } from "vitest";
import { type Folder, makeFolder, skillText } from "../../../core/src/testing/files.ts";
import { Picker } from "./picker.ts";
import type { Listing, PickerSkills, Preview } from "./skills.ts";

const SKILLS = ".agents/skills";

/** A project's skills, with a search that answers when the test lets it. */
class HeldSkills implements PickerSkills {
  catalog;
  asked: string[] = [];
  answer: ((found: Listing | undefined) => void) | undefined;

  constructor(catalog: PickerSkills["catalog"]) {
    this.catalog = catalog;
  }

  search(query: string): Promise<Listing | undefined> {
    this.asked.push(query);
    return new Promise((resolve) => {
      this.answer = resolve;
    });
  }

  /** With the real search. */
  answerWith(query: string): void {
    const { results, truncated } = this.catalog.search(query);
    this.answer?.({ rows: results.map(({ skill, fits }) => ({ path: skill.path, fits })), truncated });
  }

  async preview({ skill }: Entry): Promise<Preview> {
    return { facts: [["about", skill.description]], isServed: true, text: [] };
  }

  async switchSkill(): Promise<{ ok: boolean; message: string }> {
    return { ok: true, message: "done" };
  }
}

function project(): Folder {
  return makeFolder({
    ".git/": "",
    [`${SKILLS}/code-review/SKILL.md`]: skillText("code-review", "Review a change. Use for pull requests."),
    [`${SKILLS}/deploy/SKILL.md`]: skillText("deploy", "Deploy a service to production."),
    [`${SKILLS}/release-notes/SKILL.md`]: skillText("release-notes", "Draft release notes from commits."),
  });
}

async function open(folder: Folder): Promise<{ picker: Picker; skills: HeldSkills }> {
  const catalog = await openCatalog({ cwd: folder.path, home: folder.at("home"), env: {}, cache: false });
  const skills = new HeldSkills(catalog);
  const picker = new Picker(
    { query: "", scope: undefined, size: { columns: 80, rows: 24 } },
    () => undefined,
  );
  await picker.start(skills);
  return { picker, skills };
}

const names = (picker: Picker): (string | undefined)[] =>
  picker.listing.rows.map((_, place) => picker.entryAt(place)?.skill.name);
const moment = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

describe("the picker", () => {
  it("lists every skill in the catalog's order where nothing is typed, and asks no search", async () => {
    using folder = project();
    const { picker, skills } = await open(folder);
    expect(names(picker)).toEqual(["code-review", "deploy", "release-notes"]);
    expect(skills.asked).toEqual([]);
  });

  it("searches for the newest of many letters, and Enter waits for what they find", async () => {
    using folder = project();
    const { picker, skills } = await open(folder);
    for (const text of "draft notes") void picker.press({ kind: "type", text });
    const chosen = picker.press({ kind: "choose" });
    await moment();
    expect(skills.asked).toEqual(["d"]);
    skills.answerWith("d");
    await moment();
    expect(skills.asked).toEqual(["d", "draft notes"]);
    skills.answerWith("draft notes");
    await chosen;
    expect(await picker.outcome).toMatchObject({ chosen: { skill: { name: "release-notes" } } });
  });

  it("finds what contains the letters while there is no search, and points at the best when there is one", async () => {
    using folder = project();
    const { picker, skills } = await open(folder);
    void picker.press({ kind: "type", text: "re" });
    await moment();
    skills.answer?.(undefined);
    await moment();
    expect(names(picker)).toEqual(["code-review", "release-notes"]);
    void picker.searchReady();
    await moment();
    expect(skills.asked).toEqual(["re", "re"]);
    skills.answerWith("re");
    await moment();
    expect(picker.selected?.skill.name).toBe("release-notes");
  });

  it("Ctrl-C leaves at once, also while a search runs", async () => {
    using folder = project();
    const { picker } = await open(folder);
    void picker.press({ kind: "type", text: "x" });
    void picker.press({ kind: "choose" });
    void picker.press({ kind: "interrupt" });
    expect(await picker.outcome).toEqual({ exitCode: 130 });
  });

  it("keeps what is pointed at when the catalog changes, and the place where it is gone", async () => {
    using folder = project();
    const { picker, skills } = await open(folder);
    await picker.press({ kind: "move", by: "line", direction: 1 });
    folder.write({ [`${SKILLS}/a-new-one/SKILL.md`]: skillText("a-new-one") });
    skills.catalog = await skills.catalog.refresh();
    await picker.changed();
    expect(picker.selected?.skill.name).toBe("deploy");
    await picker.press({ kind: "move", by: "end", direction: 1 });
    await picker.press({ kind: "move", by: "line", direction: 1 });
    expect(picker.selected?.skill.name).toBe("release-notes");
  });

  it("takes back a character as people see it", async () => {
    using folder = project();
    const { picker, skills } = await open(folder);
    await picker.press({ kind: "type", text: "a👩‍👩‍👧‍👦" });
    await picker.press({ kind: "erase" });
    expect(picker.query).toBe("a");
    await picker.press({ kind: "type", text: " two words" });
    await picker.press({ kind: "erase-word" });
    expect(picker.query).toBe("a two ");
    skills.answer?.(undefined);
  });
});

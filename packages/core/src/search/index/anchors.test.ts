import { describe, expect, it } from "vitest";
import { type Catalog, openCatalog } from "../../open-catalog.ts";
import { type FileSpec, type Folder, makeFolder, skillText } from "../../testing/index.ts";

const REPO = "repo/.agents/skills";
const open = (folder: Folder, cache: false | string): Promise<Catalog> =>
  openCatalog({ cwd: folder.at("repo"), home: folder.at("home"), env: {}, cache });
const skill = (name: string, description: string, body: string): FileSpec =>
  `${skillText(name, description)}\n${body}\n`;
const names = (catalog: Catalog, query: string): string[] =>
  catalog.search(query).results.map((result) => result.skill.name);

const QUERIES = ["invoices", "customs duty", "ship-it parcels", "which carrier", "refund", "plan"];
const answers = (catalog: Catalog): unknown => QUERIES.map((query) => catalog.search(query));

describe("what other skills say of a skill", () => {
  it("finds it, where they stand in the same folder and name it", async () => {
    using folder = makeFolder({
      [`${REPO}/desk/SKILL.md`]: skill(
        "desk",
        "Answer mail.",
        "For customs duty use ship-it. See `plan` for budgets.",
      ),
      [`${REPO}/ship-it/SKILL.md`]: skill("ship-it", "Send parcels.", "Weigh them."),
      [`${REPO}/plan/SKILL.md`]: skill("plan", "Think ahead.", "Write it down."),
      [`${REPO}/other/ship-it/SKILL.md`]: skill("ship-it", "Sail.", "Hoist the flag."),
    });
    const catalog = await open(folder, false);
    const paths = (query: string): string[] =>
      catalog.search(query).results.map((result) => result.skill.path);
    expect(paths("customs duty")).toContain(folder.at(REPO, "ship-it/SKILL.md"));
    expect(paths("customs duty")).not.toContain(folder.at(REPO, "other/ship-it/SKILL.md"));
    expect(names(catalog, "budgets")).toEqual(expect.arrayContaining(["desk", "plan"]));
  });

  it("an updated index equals a new one", async () => {
    using folder = makeFolder({
      [`${REPO}/desk/SKILL.md`]: skill(
        "desk",
        "Answer mail.",
        "For customs duty use ship-it, for money back refund-desk.",
      ),
      [`${REPO}/plan/SKILL.md`]: skill("plan", "Think ahead.", "Ask ship-it which carrier is cheap."),
    });
    const cache = folder.at("cache");
    const isSame = async (): Promise<void> =>
      expect(answers(await open(folder, cache))).toEqual(answers(await open(folder, false)));
    await isSame();
    const steps: Record<string, FileSpec>[] = [
      // The named skill appears; the others are not read again.
      {
        [`${REPO}/ship-it/SKILL.md`]: skill("ship-it", "Send parcels.", "Weigh them. Then `plan` the next."),
      },
      { [`${REPO}/desk/SKILL.md`]: skill("desk", "Answer mail about invoices.", "Nothing else.") },
      { [`${REPO}/plan/SKILL.md`]: skill("refund-desk", "Give money back.", "Refund with ship-it.") },
      { [`${REPO}/desk/SKILL.md`]: skill("desk", "Answer mail.", "A refund? Ask refund-desk.") },
    ];
    for (const step of steps) {
      folder.write(step);
      await isSame();
    }
    expect(names(await open(folder, cache), "cheap carrier")).toEqual([]);
  });
});

import { describe, expect, it } from "vitest";
import { openCatalog } from "../open-catalog.ts";
import { makeFolder, skillText } from "../testing/index.ts";

const NOTES = "Write release notes from the commits of a version, for users of the program, in plain words.";

async function search(skills: Record<string, string>, limit?: number) {
  using folder = makeFolder(
    Object.fromEntries(
      Object.entries(skills).map(([path, description]) => [
        `skills/${path}/SKILL.md`,
        skillText(path.split("/").at(-1) ?? "", description),
      ]),
    ),
  );
  const root = folder.at("skills");
  const roots = [{ path: root }];
  const catalog = await openCatalog({ cwd: root, roots, cache: false, env: {}, home: folder.at("home") });
  const found = catalog.search("write the release notes", { foldsCopies: true, limit });
  const places = found.results.map(({ skill, copies = [] }) =>
    [skill, ...copies].map(({ path }) => path.slice(root.length + 1, -"/SKILL.md".length)),
  );
  return { ...found, places };
}

describe("copies of a skill in a search", () => {
  it("are one result, and take no place from others", async () => {
    const { places, count, fitting } = await search(
      { "a/notes": NOTES, "b/notes": NOTES, "c/notes": `${NOTES} Also for Windows.`, news: "Write notes." },
      2,
    );
    expect(places).toEqual([["a/notes", "b/notes", "c/notes"], ["news"]]);
    expect([count, fitting]).toEqual([2, 1]);
  });

  it("have one name and nearly one description", async () => {
    const { places } = await search({
      "a/notes": NOTES,
      "b/notes": "Keep the notes of a release meeting, and send them to who was not there.",
      "c/release-notes": NOTES,
    });
    expect(places.map((same) => same.length)).toEqual([1, 1, 1]);
  });
});

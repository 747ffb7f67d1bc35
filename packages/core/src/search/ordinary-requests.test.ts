import { cpSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { type Catalog, openCatalog } from "../open-catalog.ts";
import { makeFolder, skillText } from "../testing/index.ts";

interface Ordinary {
  /** Ten skills as people have them, by name: their descriptions. */
  readonly skills: Readonly<Record<string, string>>;
  /** Fifty requests in ordinary words, for these and for the skills of this repository. */
  readonly requests: readonly { readonly query: string; readonly skill: string }[];
  /** Ten that are about something else. */
  readonly nothing: readonly string[];
}

/** Written before anything was tuned; to tune by these, write others to measure by. */
const { skills, requests, nothing } = JSON.parse(
  readFileSync(join(import.meta.dirname, "testing", "ordinary-requests.json"), "utf8"),
) as Ordinary;

/** The skills of this repository, with the ten or without. */
async function withHome(hasTen: boolean, check: (catalog: Catalog) => void): Promise<void> {
  const ten = Object.entries(skills).map(([name, about]) => [
    `repo/.agents/skills/${name}/SKILL.md`,
    `${skillText(name, `"${about}"`)}\n# ${name}\n\n${about}\n`,
  ]);
  using folder = makeFolder({ "repo/.git/": "", "home/": "", ...(hasTen && Object.fromEntries(ten)) });
  const repository = join(import.meta.dirname, "../../../..");
  for (const part of [".agents/skills", "skills"])
    cpSync(join(repository, part), folder.at("repo", part), { recursive: true });
  check(await openCatalog({ cwd: folder.at("repo"), home: folder.at("home"), env: {}, cache: false }));
}

function measure(catalog: Catalog): { first: number; nothing: number; silent: number } {
  const names = new Set(catalog.skills.map(({ name }) => name));
  const asked = requests.filter(({ skill }) => names.has(skill));
  const answers = asked.map(({ query, skill }) => ({ skill, ...catalog.search(query, { limit: 8 }) }));
  const figures = {
    first: answers.filter(({ skill, results }) => results[0]?.skill.name === skill).length,
    nothing: answers.filter(({ fitting }) => fitting === 0).length,
    silent: nothing.filter((query) => catalog.search(query, { limit: 8 }).fitting === 0).length,
  };
  console.log(
    `${names.size} skills, ${asked.length} requests: the right one first ${figures.first}, wrongly nothing ${figures.nothing}; nothing for ${figures.silent} of ${nothing.length} others`,
  );
  return figures;
}

describe("quality, search: ordinary requests in a small home", () => {
  it("find the skills of this repository", () =>
    withHome(false, (catalog) => {
      const figures = measure(catalog);
      expect(figures.first).toBeGreaterThanOrEqual(28);
      expect(figures.nothing).toBeLessThanOrEqual(4);
      expect(figures.silent).toBe(10);
      const first = (query: string): unknown => {
        const { results } = catalog.search(query, { limit: 1 });
        return [results[0]?.skill.name, results[0]?.fits];
      };
      expect(first("my build is broken and I don't know why")).toEqual(["systematic-debugging", true]);
      expect(first("what changed since v2")).toEqual(["release-notes", true]);
    }));

  it("find them among ten common ones", () =>
    withHome(true, (catalog) => {
      const figures = measure(catalog);
      expect(figures.first).toBeGreaterThanOrEqual(45);
      expect(figures.nothing).toBeLessThanOrEqual(4);
      expect(figures.silent).toBe(10);
    }));

  it.each(["I do not know what that is and why it is there", "Wie ist das bei dem?", "что это такое и как"])(
    "has no nearest for function words alone: %s",
    (query) => withHome(false, (catalog) => expect(catalog.search(query, {}).count).toBe(0)),
  );
});

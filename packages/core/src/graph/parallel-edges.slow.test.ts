import { describe, expect, it } from "vitest";
import { openCatalog } from "../open-catalog.ts";
import { makeFolder, skillText } from "../testing/files.ts";
import { makeSkillIndex } from "./extract/skill-index.ts";
import { edgesOfAll } from "./parallel-edges.ts";
import { readEdges } from "./read-skill-edges.ts";
import { makeGraph } from "./skill-graph.ts";

/** More skills than one thread handles alone. */
const COUNT = 900;

describe("the edges of many skills", () => {
  it("are the same by several threads as by one, in the order of the skills", async () => {
    const name = (at: number): string => `skill-${String(at % COUNT).padStart(3, "0")}`;
    using folder = makeFolder(
      Object.fromEntries(
        Array.from({ length: COUNT }, (_, at) => [
          `s/${name(at)}/SKILL.md`,
          `${skillText(name(at))}\nYou MUST use \`${name(at + 1)}\`.\n\nSee the \`lost-${at}\` skill.\n`,
        ]),
      ),
    );
    const catalog = await openCatalog({
      roots: [{ path: folder.at("s"), scope: "user", dialect: "agentskills" }],
      cache: false,
    });
    const { skills } = catalog;
    expect(skills).toHaveLength(COUNT);
    const index = makeSkillIndex(skills);
    const one = skills.map((skill) => readEdges(catalog.sourceOf(skill), skill, index));
    const sources = skills.map((skill) => catalog.sourceOf(skill));
    expect(await edgesOfAll({ skills, sources, typed: [] }, (at) => one[at]!)).toEqual(one);
    const graph = await makeGraph(catalog);
    expect(graph.edges).toEqual(one.flatMap(({ edges }) => edges));
    expect(graph.dangling).toEqual(one.flatMap(({ dangling }) => dangling));
    expect(graph.cycles).toEqual([skills.map((skill) => skill.name)]);
  });

  it("of none are none", async () => {
    expect(
      await edgesOfAll({ skills: [], sources: [], typed: [] }, () => ({ edges: [], dangling: [] })),
    ).toEqual([]);
  });
});

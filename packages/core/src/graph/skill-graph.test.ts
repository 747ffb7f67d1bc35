import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { openCatalog } from "../open-catalog.ts";
import { makeFolder, skillText } from "../testing/files.ts";
import { graphAsDot, graphAsMermaid } from "./draw-graph.ts";
import type { Edge, SkillGraph } from "./edge.ts";
import { findCycles, makeGraph } from "./skill-graph.ts";

const open = (path: string) =>
  openCatalog({ roots: [{ path, scope: "repo", dialect: "agentskills" }], cache: false });

describe("the graph of a catalog", () => {
  it("has nodes, edges with their lines, cycles and dangling references, in the order of the catalog", async () => {
    using folder = makeFolder({
      "s/b-two/SKILL.md": `${skillText("b-two")}You MUST use the a-one skill.\n`,
      "s/a-one/SKILL.md": `${skillText("a-one")}You MUST use the b-two skill.\n\nSee the \`gone-away\` skill.\n`,
      "s/c-three/SKILL.md": `${skillText("c-three")}After that use the a-one skill.\n`,
    });
    const catalog = await open(folder.at("s"));
    const graph = await makeGraph(catalog);
    expect(graph.nodes.map(({ name }) => name)).toEqual(["a-one", "b-two", "c-three"]);
    expect(graph.edges.map(({ from, to, type }) => `${from} ${type} ${to}`)).toEqual([
      "a-one requires_now b-two",
      "b-two requires_now a-one",
      "c-three requires_later a-one",
    ]);
    const lines = `${skillText("a-one")}`.split("\n").length;
    expect(graph.edges[0]?.line).toBe(lines);
    expect(graph.cycles).toEqual([["a-one", "b-two"]]);
    expect(graph.dangling).toEqual([{ from: "a-one", name: "gone-away", line: lines + 2 }]);
    expect(await makeGraph(catalog)).toEqual(graph);
  });

  it("of many skills is in their order", async () => {
    const name = (at: number): string => `skill-${String(at % 150).padStart(3, "0")}`;
    using folder = makeFolder(
      Object.fromEntries(
        Array.from({ length: 150 }, (_, at) => [
          `s/${name(at)}/SKILL.md`,
          `${skillText(name(at))}\nYou MUST use \`${name(at + 1)}\`.\n\nSee the \`lost-${at}\` skill.\n`,
        ]),
      ),
    );
    const { nodes, edges, cycles, dangling } = await makeGraph(await open(folder.at("s")));
    const names = Array.from({ length: 150 }, (_, at) => name(at));
    expect(nodes.map((node) => node.name)).toEqual(names);
    expect(edges.map(({ from, to }) => [from, to])).toEqual(names.map((from, at) => [from, name(at + 1)]));
    expect(cycles).toEqual([names]);
    expect(dangling.map((one) => one.name)).toEqual(names.map((_, at) => `lost-${at}`));
  });

  it("carries what made an edge only where an explanation was asked for", async () => {
    using folder = makeFolder({
      "s/a-one/SKILL.md": `${skillText("a-one")}Once merged, you MUST use b-two.\n`,
      "s/b-two/SKILL.md": skillText("b-two", "Something.", "metadata:\n  requires-now: a-one\n"),
    });
    const catalog = await open(folder.at("s"));
    const plain = await makeGraph(catalog);
    expect(plain.edges.map(({ reason }) => reason)).toEqual([undefined, undefined]);
    const { edges } = await makeGraph(catalog, [], { explain: true });
    expect(edges.map(({ reason, ...edge }) => edge)).toEqual(plain.edges);
    const [one, two] = ["s/a-one/SKILL.md", "s/b-two/SKILL.md"].map((file) => folder.at(file));
    const rules = ["verb-before-name", "must", "once"];
    expect(edges.map(({ reason }) => reason)).toEqual([
      { rules, sentence: "Once merged, you MUST use b-two.", file: one },
      { rules: ["metadata-requires-now"], sentence: "requires-now: a-one", file: two },
    ]);
  });

  it("takes no pair of alternatives, and nothing for later, for a cycle", async () => {
    using folder = makeFolder({
      "s/a-one/SKILL.md": `${skillText("a-one")}You MUST use b-two or c-three.\n`,
      "s/b-two/SKILL.md": `${skillText("b-two")}You MUST use a-one or c-three.\n`,
      "s/c-three/SKILL.md": `${skillText("c-three")}When done, you MUST use the a-one skill.\n`,
    });
    const { edges, cycles } = await makeGraph(await open(folder.at("s")));
    expect(edges.filter(({ alternative }) => alternative)).toHaveLength(4);
    expect(cycles).toEqual([]);
  });
});

describe("cycles", () => {
  it("are found exactly where a node reaches itself, each of them a way along edges", () => {
    const nodes = ["a", "b", "c", "d", "e", "f"];
    const pair = fc.tuple(fc.constantFrom(...nodes), fc.constantFrom(...nodes));
    fc.assert(
      fc.property(fc.array(pair, { maxLength: 14 }), (edges) => {
        const next = new Map(
          nodes.map((node) => [node, edges.filter(([from]) => from === node).map(([, to]) => to)]),
        );
        const reaches = (from: string, to: string): boolean => {
          const seen = new Set<string>();
          const queue = [...(next.get(from) ?? [])];
          for (const node of queue)
            if (!seen.has(node)) queue.push(...(next.get(seen.add(node) && node) ?? []));
          return seen.has(to);
        };
        const cycles = findCycles(next);
        const inCycle = nodes.filter((node) => reaches(node, node));
        const together = new Set(
          inCycle.map((node) =>
            inCycle.filter((other) => reaches(node, other) && reaches(other, node)).join(),
          ),
        );
        expect(cycles).toHaveLength(together.size);
        for (const cycle of cycles)
          cycle.forEach((node, at) => {
            expect(next.get(node)).toContain(cycle[(at + 1) % cycle.length]);
          });
      }),
    );
  });

  it("a chain longer than the stack is no problem", () => {
    const length = 200_000;
    const next = new Map(Array.from({ length }, (_, at) => [`${at}`, [`${(at + 1) % length}`]]));
    expect(findCycles(next)[0]).toHaveLength(length);
  });
});

describe("drawings", () => {
  const edge = (from: string, to: string, more: Partial<Edge> = {}): Edge => {
    const ends = { from, to, fromPath: `/${from}`, toPath: `/${to}` };
    return { ...ends, type: "requires_now", alternative: false, line: 1, text: "", ...more };
  };
  const hostile = 'x"]; click s0 "javascript:alert(1)" %%\n end\u001b[31m<b>';
  const graph: SkillGraph = {
    nodes: ["a", hostile, "unused"].map((name) => ({ id: name, name, path: `/${name}` })),
    edges: [
      edge("a", hostile),
      edge(hostile, "a", { type: "requires_later", alternative: true }),
      edge("a", "lost", { type: "reference_only", toPath: null }),
    ],
    cycles: [],
    dangling: [],
  };

  it("number the skills, so that no name is syntax", () => {
    const mermaid = graphAsMermaid(graph);
    expect(mermaid.split("\n")).toEqual([
      "flowchart LR",
      '  s0["a"]',
      expect.stringMatching(
        /^ {2}s1\["x#34;#93;#59; click s0 #34;javascript#58;alert#40;1#41;#34; #37;#37;#10; end#27;#91;31m#60;b#62;"\]$/,
      ),
      '  s2["lost"]',
      "  s0 -->|now| s1",
      "  s1 -.->|later or| s0",
      "  s0 -.- s2",
      "",
    ]);
    const dot = graphAsDot(graph);
    expect(dot).toContain('  s1 [label="x\\"]; click s0 \\"javascript:alert(1)\\" %%? end?[31m<b>"];');
    expect(dot).toContain('  s1 -> s0 [style=dashed, label="later or"];');
    expect(`${mermaid}${dot}`).not.toMatch(/[\u0000-\u0009\u000b-\u001f]/);
  });

  it("names cycles and dangling references as comments, one line each", () => {
    const graph: SkillGraph = {
      nodes: [],
      edges: [],
      cycles: [["a-one", "b\ntwo"]],
      dangling: [{ from: "a-one", name: "gone\u2028x", line: 7 }],
    };
    expect(graphAsMermaid(graph).split("\n")).toEqual([
      "flowchart LR",
      "  %% cycle: a-one → b#10;two → a-one",
      "  %% dangling: a-one, line 7, names gone#8232;x",
      "",
    ]);
    expect(graphAsDot(graph).split("\n").slice(3)).toEqual([
      '  // cycle: "a-one" → "b?two" → "a-one"',
      '  // dangling: "a-one", line 7, names "gone?x"',
      "}",
      "",
    ]);
  });
});

/**
 * How well edges are typed, compared with skills that were labelled by hand, and how long the graph of all of them takes:
 *
 *   npm run bench:edges -- --skills <folder of collections of skills> [--errors] [--json <file>]
 *
 * A table of labels has a skill as `collection/folder` and the names that its text requires now, later, or merely mentions; an
 * absent type was not labelled. `labels.json` is the table that the rules were made with; `labels-held-out.json` and
 * `labels-third.json` have other skills. `--json` writes the whole graph, to compare two versions of the rules.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { basename, join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { type Edge, type EdgeType, openCatalog, skillGraph } from "@knack/core";

interface Labelled {
  readonly skill: string;
  readonly requires_now: readonly string[];
  readonly requires_later?: readonly string[];
  readonly reference_only?: readonly string[];
}

const { values } = parseArgs({
  options: { skills: { type: "string" }, errors: { type: "boolean" }, json: { type: "string" } },
});
if (!values.skills) throw new Error("Say where the skills are: --skills <folder>");
const folder = resolve(values.skills);
const TYPES: readonly EdgeType[] = ["requires_now", "requires_later", "reference_only"];

const catalog = await openCatalog({
  roots: [{ path: folder, scope: "user", dialect: "agentskills" }],
  validation: "lenient",
  cache: false,
});
const start = performance.now();
const busy = process.cpuUsage();
const graph = await skillGraph(catalog);
const seconds = (performance.now() - start) / 1000;
const { user, system } = process.cpuUsage(busy);

const byPath = new Map<string, Edge[]>();
for (const edge of graph.edges) byPath.set(edge.fromPath, [...(byPath.get(edge.fromPath) ?? []), edge]);

if (values.json) writeFileSync(values.json, JSON.stringify(graph, null, 1));

for (const file of ["labels.json", "labels-held-out.json", "labels-third.json"]) {
  const labels: Labelled[] = JSON.parse(readFileSync(join(import.meta.dirname, file), "utf8"));
  console.log(`${file}, ${labels.length} skills`);
  compare(labels);
}
const total = TYPES.map((type) => `${graph.edges.filter((edge) => edge.type === type).length} ${type}`);
console.log(
  `${graph.nodes.length} skills: ${total.join(", ")}, ${graph.cycles.length} cycles, ${graph.dangling.length} dangling`,
);
console.log(
  `${seconds.toFixed(1)} s, of a processor ${((user + system) / 1e6).toFixed(1)} s, resident at most ${Math.round(process.resourceUsage().maxRSS / 1024)} MiB`,
);

function compare(labels: readonly Labelled[]): void {
  const counts = new Map(TYPES.map((type) => [type, { right: 0, found: 0, labelled: 0 }]));
  for (const label of labels) {
    const path = join(folder, label.skill, "SKILL.md");
    const edges = byPath.get(path) ?? [];
    for (const type of TYPES) {
      const wanted = label[type];
      if (!wanted) continue;
      const count = counts.get(type)!;
      const found = edges.filter((edge) => edge.type === type);
      const isMeant = (edge: Edge, name: string): boolean =>
        edge.to === name || (edge.toPath !== null && basename(join(edge.toPath, "..")) === name);
      const right = wanted.filter((name) => found.some((edge) => isMeant(edge, name)));
      count.labelled += wanted.length;
      count.found += found.length;
      count.right += right.length;
      if (!values.errors) continue;
      for (const name of wanted)
        if (!right.includes(name)) console.log(`missed ${type} ${label.skill} → ${name}`);
      for (const edge of found)
        if (!wanted.some((name) => isMeant(edge, name)))
          console.log(`extra ${type} ${label.skill}:${edge.line} → ${edge.to}: ${edge.text}`);
    }
  }
  for (const [type, { right, found, labelled }] of counts) {
    if (labelled === 0) continue;
    const precision = (right / found).toFixed(3);
    const recall = (right / labelled).toFixed(3);
    console.log(
      `  ${type}: precision ${precision}, recall ${recall} (${right} right of ${found} found, ${labelled} labelled)`,
    );
  }
}

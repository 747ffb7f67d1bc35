import { dotText, mermaidText } from "../shared/quote.ts";
import type { Edge, SkillGraph } from "./edge.ts";

/** Line styles: solid for what runs by itself, dashed for later, dotted for a mention. */
const MERMAID = { requires_now: "-->", requires_later: "-.->", reference_only: "-.-" } as const;
const DOT = { requires_now: "solid", requires_later: "dashed", reference_only: "dotted" } as const;
const LABEL = { requires_now: "now", requires_later: "later", reference_only: "" } as const;

/** Skills are numbered, so that no name becomes syntax. */
export function graphAsMermaid(graph: SkillGraph): string {
  const { drawn, number } = numbered(graph);
  const arrow = (edge: Edge): string => {
    const label = labelOf(edge);
    return label === "" ? MERMAID[edge.type] : `${MERMAID[edge.type]}|${label}|`;
  };
  const lines = [
    "flowchart LR",
    ...drawn.map(({ name }, at) => `  s${at}["${mermaidText(name)}"]`),
    ...graph.edges.map(
      (edge) => `  ${number(edge.fromPath)} ${arrow(edge)} ${number(edge.toPath ?? edge.to)}`,
    ),
    ...faultsOf(graph, mermaidText).map((fault) => `  %% ${fault}`),
  ];
  return `${lines.join("\n")}\n`;
}

export function graphAsDot(graph: SkillGraph): string {
  const { drawn, number } = numbered(graph);
  const lines = [
    "digraph skills {",
    "  rankdir=LR;",
    "  node [shape=box];",
    ...drawn.map(({ name }, at) => `  s${at} [label=${dotText(name)}];`),
    ...graph.edges.map((edge) => {
      const ends = `${number(edge.fromPath)} -> ${number(edge.toPath ?? edge.to)}`;
      return `  ${ends} [style=${DOT[edge.type]}, label=${dotText(labelOf(edge))}];`;
    }),
    ...faultsOf(graph, dotText).map((fault) => `  // ${fault}`),
    "}",
  ];
  return `${lines.join("\n")}\n`;
}

/** What no line can show, as comments in the drawing's source. */
function faultsOf({ cycles, dangling }: SkillGraph, written: (text: string) => string): string[] {
  return [
    ...cycles.map((cycle) => `cycle: ${[...cycle, cycle[0] ?? ""].map(written).join(" → ")}`),
    ...dangling.map(
      ({ from, name, line }) => `dangling: ${written(from)}, line ${line}, names ${written(name)}`,
    ),
  ];
}

function labelOf({ type, alternative }: Edge): string {
  return alternative ? `${LABEL[type]} or`.trim() : LABEL[type];
}

/** Skills with an edge, then names that mean none or several. */
function numbered({ nodes, edges }: SkillGraph) {
  const touched = new Set(edges.flatMap(({ fromPath, toPath, to }) => [fromPath, toPath ?? to]));
  const drawn = nodes
    .filter(({ path }) => touched.delete(path))
    .map(({ name, path }) => ({ name, key: path }));
  for (const name of touched) drawn.push({ name, key: name });
  const numbers = new Map(drawn.map(({ key }, at) => [key, `s${at}`]));
  return { drawn, number: (key: string) => numbers.get(key) ?? "s" };
}

import { type Edge, type SkillGraph, skillGraph } from "@knack/core";
import { drawGraph } from "@knack/core/internal";
import { counted } from "./count.ts";
import { open } from "./open.ts";
import type { GlobalOptions } from "./options.ts";
import { painter, print, printJson } from "./output.ts";
import { reportedEdge } from "./skill-report.ts";
import { visible } from "./visible.ts";

type Format = "text" | "mermaid" | "dot" | "json";

export async function graph(options: GlobalOptions & { format?: Format }): Promise<void> {
  const made = await skillGraph(await open(options));
  const format = options.json ? "json" : (options.format ?? "text");
  if (format === "json") printJson(graphReport(made));
  else if (format === "text") print(asText(made, painter(options)));
  else print((await drawGraph(made, format)).trimEnd());
}

/** As programs rely on it. */
export function graphReport({ nodes, edges, cycles, dangling }: SkillGraph): object {
  return { nodes, edges: edges.map(reportedEdge), cycles, dangling };
}

function asText({ nodes, edges, cycles, dangling }: SkillGraph, paint: ReturnType<typeof painter>): string {
  const lines: string[] = [];
  let from = "";
  for (const edge of edges) {
    if (edge.fromPath !== from) lines.push(paint("bold", visible(edge.from)));
    from = edge.fromPath;
    lines.push(`  ${describe(edge)}`);
  }
  const section = (title: string, body: string[]): string[] =>
    body.length > 0 ? ["", paint("bold", title), ...body.map((line) => `  ${line}`)] : [];
  return [
    ...lines,
    ...section(
      "cycles",
      cycles.map((cycle) => [...cycle, cycle[0] ?? ""].map(visible).join(" → ")),
    ),
    ...section(
      "dangling",
      dangling.map(({ from: name, name: to, line }) => `${visible(name)}:${line} names ${visible(to)}`),
    ),
    ...(lines.length > 0 ? [""] : []),
    `${counted(nodes.length, "skill")}, ${counted(edges.length, "edge")}, ${counted(cycles.length, "cycle")}, ${counted(dangling.length, "dangling reference")}`,
  ].join("\n");
}

function describe({ to, type, alternative, line, toPath }: Edge): string {
  const remarks = [...(alternative ? ["one of several"] : []), ...(toPath === null ? ["no one skill"] : [])];
  return `${type} ${visible(to)} (${[`line ${line}`, ...remarks].join(", ")})`;
}

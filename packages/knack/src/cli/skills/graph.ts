import { type Edge, SkillError, type SkillGraph, skillGraph } from "@knack/core";
import { drawGraph } from "@knack/core/internal";
import { openProject } from "../../host/open-project.ts";
import { graphReport } from "../../host/report/skill-report.ts";
import type { GlobalOptions } from "../../options.ts";
import { pluralize } from "../../terminal/count.ts";
import { painter, print, printJson } from "../../terminal/output.ts";
import { escapeControl } from "../../terminal/visible.ts";

type Format = "text" | "mermaid" | "dot" | "json";

interface GraphOptions extends GlobalOptions {
  readonly format?: Format;
  /** `true`: all skills; else the one that is meant. */
  readonly explain?: string | true;
}

export async function graph(options: GraphOptions): Promise<void> {
  const { explain } = options;
  const format = options.json ? "json" : (options.format ?? "text");
  if (explain !== undefined) {
    if (format !== "text" && format !== "json")
      throw new SkillError("INVALID_PARAM", `--explain prints text or JSON, not ${format}.`);
    const { explainGraph } = await import("./explain-graph.ts");
    const given = explain === true ? undefined : explain;
    await explainGraph(await openProject(options).catalog(), given, format === "json", options);
    return;
  }
  const made = await skillGraph(await openProject(options).catalog());
  if (format === "json") printJson(graphReport(made));
  else if (format === "text") print(asText(made, painter(options)));
  else print((await drawGraph(made, format)).trimEnd());
}

function asText({ nodes, edges, cycles, dangling }: SkillGraph, paint: ReturnType<typeof painter>): string {
  const lines: string[] = [];
  let from = "";
  for (const edge of edges) {
    if (edge.fromPath !== from) lines.push(paint("bold", escapeControl(edge.from)));
    from = edge.fromPath;
    lines.push(`  ${describe(edge)}`);
  }
  const section = (title: string, body: string[]): string[] =>
    body.length > 0 ? ["", paint("bold", title), ...body.map((line) => `  ${line}`)] : [];
  return [
    ...lines,
    ...section(
      "cycles",
      cycles.map((cycle) => [...cycle, cycle[0] ?? ""].map(escapeControl).join(" → ")),
    ),
    ...section(
      "dangling",
      dangling.map(
        ({ from: name, name: to, line }) => `${escapeControl(name)}:${line} names ${escapeControl(to)}`,
      ),
    ),
    ...(lines.length > 0 ? [""] : []),
    `${pluralize(nodes.length, "skill")}, ${pluralize(edges.length, "edge")}, ${pluralize(cycles.length, "cycle")}, ${pluralize(dangling.length, "dangling reference")}`,
  ].join("\n");
}

function describe({ to, type, alternative, line, toPath }: Edge): string {
  const remarks = [
    ...(alternative ? ["one of several"] : []),
    ...(toPath === null ? ["no such skill, or several"] : []),
  ];
  return `${type} ${escapeControl(to)} (${[`line ${line}`, ...remarks].join(", ")})`;
}

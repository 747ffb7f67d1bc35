import { resolve } from "node:path";
import { type Catalog, type Edge, edgesIn, type SkillGraph, skillGraph } from "@knack/core";
import { drawGraph } from "@knack/core/catalog";
import { openProject } from "../host/open-project.ts";
import { graphReport } from "../host/reports.ts";
import { type GlobalOptions, invalid } from "../options.ts";
import { paint, print, printJson } from "../terminal/output.ts";
import { section } from "../terminal/table.ts";
import { escapeControl, pluralize, shortPath } from "../terminal/visible.ts";
import type { CommandOptions } from "./table/table.ts";

export async function graph(options: CommandOptions<"graph">): Promise<void> {
  const { explain } = options;
  const format = options.json ? "json" : (options.format ?? "text");
  if (explain !== undefined && format !== "text" && format !== "json")
    throw invalid(`--explain prints text or JSON, not ${format}.`);
  const catalog = await openProject(options).catalog();
  if (explain !== undefined) return explainGraph(catalog, explain, format === "json", options);
  const made = await skillGraph(catalog);
  if (format === "json") printJson(graphReport(made));
  else if (format === "text") print(asText(made));
  else print((await drawGraph(made, format)).trimEnd());
}

async function explainGraph(
  catalog: Catalog,
  given: string | true,
  asJson: boolean,
  options: GlobalOptions,
): Promise<void> {
  const { edges } =
    given === true
      ? await skillGraph(catalog, { explain: true })
      : await edgesIn(catalog, catalog.resolveEntry(given, { includeInactive: true }).skill, undefined, {
          explain: true,
        });
  if (asJson)
    return printJson({
      edges: edges.map(({ from, to, type, alternative, line, reason }) => {
        return { from, to, type, alternative, ...reason, line };
      }),
    });
  const cwd = resolve(options.cwd ?? ".");
  const lines = edges.map(({ from, to, type, alternative, line, reason }) => {
    const title = paint("bold", `${escapeControl(from)} → ${escapeControl(to)}`);
    return [
      `${title}  ${type}${alternative ? ", one of several" : ""}`,
      `  rules  ${reason?.rules.join(", ")}`,
      `  says   ${escapeControl(reason?.sentence ?? "")}`,
      `  at     ${shortPath(reason?.file ?? "", cwd)}:${line}`,
    ].join("\n");
  });
  print(lines.length > 0 ? lines.join("\n\n") : "No edges: the text names no other skill.");
}

function asText({ nodes, edges, cycles, dangling }: SkillGraph): string {
  const lines: string[] = [];
  let from = "";
  for (const edge of edges) {
    if (edge.fromPath !== from) lines.push(paint("bold", escapeControl(edge.from)));
    from = edge.fromPath;
    lines.push(`  ${describe(edge)}`);
  }
  const circles = cycles.map((cycle) => [...cycle, cycle[0] ?? ""].map(escapeControl).join(" → "));
  const missing = dangling.map(
    ({ from: name, name: to, line }) => `${escapeControl(name)}:${line} names ${escapeControl(to)}`,
  );
  return [
    ...lines,
    ...section("cycles", circles),
    ...section("dangling", missing),
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

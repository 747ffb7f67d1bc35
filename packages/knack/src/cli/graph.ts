import { resolve } from "node:path";
import { type Catalog, type Edge, edgesIn, SkillError, type SkillGraph, skillGraph } from "@knack/core";
import { drawGraph } from "@knack/core/catalog";
import { openProject } from "../host/open-project.ts";
import { graphReport } from "../host/reports.ts";
import type { GlobalOptions } from "../options.ts";
import { painter, print, printJson } from "../terminal/output.ts";
import { escapeControl, pluralize, shortPath } from "../terminal/visible.ts";

/** What made each edge: of the whole catalog, or those that the text of one skill makes. */
export async function explainGraph(
  catalog: Catalog,
  given: string | undefined,
  asJson: boolean,
  options: GlobalOptions,
): Promise<void> {
  const { edges } =
    given === undefined
      ? await skillGraph(catalog, { explain: true })
      : await edgesIn(catalog, skillOf(catalog, given), undefined, { explain: true });
  if (asJson) {
    printJson({ edges: edges.map(explained) });
    return;
  }
  const cwd = resolve(options.cwd ?? ".");
  const paint = painter(options);
  const lines = edges.map((edge) => explain(edge, cwd, paint));
  print(lines.length > 0 ? lines.join("\n\n") : "No edges: the text names no other skill.");
}

function skillOf(catalog: Catalog, given: string) {
  return catalog.resolveEntry(given, { includeInactive: true }).skill;
}

function explained({ from, to, type, alternative, line, reason }: Edge): object {
  return { from, to, type, alternative, ...reason, line };
}

function explain(edge: Edge, cwd: string, paint: ReturnType<typeof painter>): string {
  const { from, to, type, alternative, line, reason } = edge;
  const title = `${paint("bold", `${escapeControl(from)} → ${escapeControl(to)}`)}  ${type}${alternative ? ", one of several" : ""}`;
  if (!reason) return title;
  return [
    title,
    `  rules  ${reason.rules.join(", ")}`,
    `  says   ${escapeControl(reason.sentence)}`,
    `  at     ${shortPath(reason.file, cwd)}:${line}`,
  ].join("\n");
}

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

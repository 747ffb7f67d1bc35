import { resolve } from "node:path";
import { type Catalog, type Edge, edgesIn, skillGraph } from "@knack/core";
import type { GlobalOptions } from "../../options.ts";
import { painter, print, printJson } from "../../terminal/output.ts";
import { shortPath } from "../../terminal/paths.ts";
import { escapeControl } from "../../terminal/visible.ts";

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

import { type SearchResult, type SearchResults, SkillError } from "@knack/core";
import { quote } from "@knack/core/internal";
import { withProject } from "../../host/open-project.ts";
import type { GlobalOptions } from "../../options.ts";
import { pluralize } from "../../terminal/count.ts";
import { note, painter, print, printJson, terminalWidth } from "../../terminal/output.ts";
import { table } from "../../terminal/table.ts";
import { escapeControl } from "../../terminal/visible.ts";

export interface SearchOptions extends GlobalOptions {
  readonly limit?: string;
  readonly scope?: "repo" | "user" | "bundled";
  readonly all?: boolean;
  readonly also?: readonly string[];
}

export async function search(words: readonly string[], options: SearchOptions): Promise<void> {
  const limit = options.limit === undefined ? undefined : Number(options.limit);
  if (limit !== undefined && !Number.isInteger(limit)) {
    throw new SkillError("INVALID_PARAM", `--limit takes a whole number, not ${quote(options.limit)}.`);
  }
  const found = await withProject(options, async (project) => {
    const catalog = await project.catalog();
    const found = catalog.search(words.join(" "), {
      limit,
      scope: options.scope,
      all: options.all,
      also: options.also,
    });
    const names = found.results.map(({ skill }) => skill.name);
    const data = { query: words.join(" ").slice(0, 500), results: names };
    await project.record({ type: "SKILL_SEARCHED", actor: "person", data }, "cli");
    return found;
  });
  if (options.json) {
    printJson(found);
    return;
  }
  const paint = painter(options);
  const columns = [
    { title: "NAME" },
    { title: "REASON", drop: 3 },
    { title: "SCORE", drop: 2 },
    { title: "MATCHED", drop: 1 },
    { title: "DESCRIPTION", flexible: true },
  ];
  const [head = "", ...lines] = table(columns, found.results.map(row), terminalWidth());
  const shown = lines.map((line, i) => (found.results[i]?.fits ? line : paint("dim", line)));
  if (found.count > 0) print([paint("bold", head), ...shown].join("\n"));
  note(painter(options, 2)("dim", summary(found, options.all ?? false)));
}

function summary({ results, count, truncated }: SearchResults, all: boolean): string {
  if (count === 0) return all ? "No skill matches." : "No relevant skill. --all also shows weaker matches.";
  const near = results.filter(({ fits }) => !fits).length;
  const parts = [
    pluralize(count, "skill"),
    ...(near > 0 ? [`${count - near} of them relevant`] : []),
    ...(truncated ? ["--limit shows more"] : []),
  ];
  return parts.join("; ");
}

function row({ skill, reason, score, matched }: SearchResult): string[] {
  const words = matched.slice(0, 4).join(" ");
  return [
    escapeControl(skill.name),
    reason,
    score.toFixed(2),
    escapeControl(words),
    escapeControl(skill.description),
  ];
}

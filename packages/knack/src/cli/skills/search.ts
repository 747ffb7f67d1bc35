import { type AsyncSearchOptions, type SearchResult, type SearchResults, SkillError } from "@knack/core";
import { quote } from "@knack/core/internal";
import { withProject } from "../../host/open-project.ts";
import type { GlobalOptions } from "../../options.ts";
import { count } from "../../terminal/count.ts";
import {
  isTerminal,
  note,
  noteOnce,
  painter,
  print,
  printJson,
  terminalWidth,
} from "../../terminal/output.ts";
import { Progress } from "../../terminal/progress.ts";
import { table } from "../../terminal/table.ts";
import { escapeControl } from "../../terminal/visible.ts";

export interface SearchOptions extends GlobalOptions {
  readonly limit?: string;
  readonly scope?: "repo" | "user" | "bundled";
  /** Once showed weaker matches, which are always shown now; scripts may still give it. */
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
    const { scope, also } = options;
    const found = await withVectors((waiting) =>
      catalog.searchAsync(words.join(" "), { limit, scope, also, ...waiting }),
    );
    const names = found.results.filter(({ fits }) => fits).map(({ skill }) => skill.name);
    const data = { query: words.join(" ").slice(0, 500), results: names };
    await project.record({ type: "SKILL_SEARCHED", actor: "person", data }, "cli");
    return found;
  });
  for (const line of found.notes ?? []) noteOnce(line);
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
  const fit = found.results.filter(({ fits }) => fits);
  const weaker = found.results.filter(({ fits }) => !fits);
  const [head = "", ...lines] = table(columns, [...fit, ...weaker].map(row), terminalWidth());
  const dim = lines.slice(fit.length).map((line) => paint("dim", line));
  if (found.count === 0) print("Nothing fits.");
  else if (fit.length === 0) print(["Nothing fits. Nearest:", paint("bold", head), ...dim].join("\n"));
  else {
    const divider = dim.length > 0 ? [paint("dim", "Weaker matches:")] : [];
    print([paint("bold", head), ...lines.slice(0, fit.length), ...divider, ...dim].join("\n"));
  }
  if (found.fitting > 0) note(painter(options, 2)("dim", summary(found)));
}

/** A person sees the progress and can stop it; a script gets the search by words after this time. */
const SCRIPT_WAIT_MS = 20_000;

/** With `skills.search.embeddings`, the first search makes a vector for each skill. */
async function withVectors<T>(search: (waiting: AsyncSearchOptions) => Promise<T>): Promise<T> {
  let total = 0;
  const progress = new Progress(
    (done) => `Making vectors: ${count(done)} of ${count(total)} skills (Ctrl-C keeps what is done)`,
  );
  try {
    return await search({
      waitMs: isTerminal(2) ? Number.POSITIVE_INFINITY : SCRIPT_WAIT_MS,
      onProgress: (done, all) => {
        total = all;
        progress.tell(done);
      },
    });
  } finally {
    progress.end();
  }
}

function summary({ fitting, truncated }: SearchResults): string {
  const fit = fitting === 1 ? "1 skill fits" : `${fitting} skills fit`;
  return truncated ? `${fit}; --limit shows more` : fit;
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

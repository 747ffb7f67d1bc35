import { type SearchResult, SkillError } from "@knack/core";
import { counted } from "./count.ts";
import { open } from "./open.ts";
import type { GlobalOptions } from "./options.ts";
import { note, painter, print, printJson, terminalWidth } from "./output.ts";
import { table } from "./table.ts";
import { visible } from "./visible.ts";

export interface SearchOptions extends GlobalOptions {
  readonly limit?: string;
  readonly scope?: "repo" | "user" | "bundled";
}

export async function search(words: readonly string[], options: SearchOptions): Promise<void> {
  const limit = options.limit === undefined ? undefined : Number(options.limit);
  if (limit !== undefined && !Number.isInteger(limit)) {
    throw new SkillError(
      "INVALID_PARAM",
      `--limit takes a whole number, not ${JSON.stringify(options.limit)}.`,
    );
  }
  const catalog = await open(options);
  const found = catalog.search(words.join(" "), { limit, scope: options.scope });
  if (options.json) {
    printJson(found);
    return;
  }
  const paint = painter(options);
  const columns = [
    { title: "NAME" },
    { title: "REASON" },
    { title: "SCORE" },
    { title: "MATCHED" },
    { title: "DESCRIPTION", flexible: true },
  ];
  const [head = "", ...lines] = table(columns, found.results.map(row), terminalWidth());
  if (found.count > 0) print([paint("bold", head), ...lines].join("\n"));
  const more = found.truncated ? "; more fit, --limit shows them" : "";
  note(
    painter(options, 2)(
      "dim",
      found.count === 0 ? "Nothing fits." : `${counted(found.count, "skill")}${more}`,
    ),
  );
}

function row({ skill, reason, score, matched }: SearchResult): string[] {
  const words = matched.slice(0, 4).join(" ");
  return [visible(skill.name), reason, score.toFixed(2), visible(words), visible(skill.description)];
}

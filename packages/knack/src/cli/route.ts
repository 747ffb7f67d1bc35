import { route as chooseRoute, type OtherRoute, type RouteAnswer } from "@knack/core/internal/dispatch";
import { openRouting } from "./open-routing.ts";
import type { GlobalOptions } from "./options.ts";
import { painter, print, printJson, terminalWidth } from "./output.ts";
import { table } from "./table.ts";
import { visible } from "./visible.ts";

export async function route(words: readonly string[], options: GlobalOptions): Promise<void> {
  const place = await openRouting(options);
  const answer = chooseRoute(words.join(" "), place);
  if (options.json) printJson(answer);
  else print(explainRoute(answer, options).join("\n"));
}

/** For a person: who gets it, why, by which words, and what else was close. */
export function explainRoute(answer: RouteAnswer, options: GlobalOptions): string[] {
  const paint = painter(options);
  const { role, skill, reason, source, rule, matched, others } = answer;
  const by = { rule: `rule ${rule}`, search: "the search", default: "the default" }[source];
  const rows: [string, string][] = [
    ["role", role],
    ["skill", skill ?? "none"],
    ["by", by],
    ["because", reason],
    ...(matched.length > 0 ? [["matched", quoted(matched)] as [string, string]] : []),
  ];
  const lines = rows.map(([key, value]) => `${paint("bold", key.padEnd(7))}  ${visible(value)}`);
  if (others.length === 0) return lines;
  const columns = [
    { title: "ROLE" },
    { title: "SKILL" },
    { title: "BY" },
    { title: "MATCHED", flexible: true },
  ];
  const [head = "", ...rest] = table(columns, others.map(row), terminalWidth());
  return [...lines, "", paint("bold", "also close"), paint("bold", head), ...rest];
}

function row({ role, skill, rule, score, matched }: OtherRoute): string[] {
  const by = rule === null ? `search ${score?.toFixed(2) ?? ""}` : `rule ${rule}`;
  return [role, visible(skill), visible(by), visible(quoted(matched))];
}

/** Words can have spaces in them. */
function quoted(words: readonly string[]): string {
  return words.map((word) => `“${word}”`).join(" ");
}

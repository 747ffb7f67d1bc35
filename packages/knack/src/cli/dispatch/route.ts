import {
  route as chooseRoute,
  MAX_REQUEST,
  type OtherRoute,
  type RouteAnswer,
  type Routing,
} from "@knack/core/internal";
import { type Project, withProject } from "../../host/open-project.ts";
import type { GlobalOptions } from "../../options.ts";
import { note, painter, print, printJson, terminalWidth } from "../../terminal/output.ts";
import { table } from "../../terminal/table.ts";
import { escapeControl } from "../../terminal/visible.ts";
import { openRouting } from "./open-routing.ts";

export async function route(words: readonly string[], options: GlobalOptions): Promise<void> {
  const request = words.join(" ");
  const { place, answer } = await withProject(options, async (project) => {
    const place = await openRouting(project);
    const answer = chooseRoute(request, place);
    await recordRoute(request, answer, project);
    return { place, answer };
  });
  if (request.length > MAX_REQUEST)
    note(
      `note: rules look at the first ${MAX_REQUEST} characters of a request; this one has ${request.length}.`,
    );
  if (options.json) printJson(answer);
  else print(explainRoute(answer, options, prioritiesOf(place.routing)).join("\n"));
}

/** By rule, where they are not all alike: then they say why one rule came before another. */
function prioritiesOf({ routes }: Routing): ReadonlyMap<string, number> {
  const isTold = routes.some(({ priority }) => priority !== 0);
  return new Map(isTold ? routes.map(({ id, priority }) => [id, priority]) : []);
}

/** Longer ones are cut in the log. */
const MAX_RECORDED = 500;

/** Where the project has a log, it says where a request was sent, and why. */
export async function recordRoute(
  request: string,
  { role, skill, source, rule, matched }: RouteAnswer,
  project: Project,
  requestId?: string,
): Promise<void> {
  const id = requestId === undefined ? {} : { request_id: requestId };
  const text = request.slice(0, MAX_RECORDED).toWellFormed();
  const data = { status: "routed", ...id, request: text, role, skill, source, rule, matched };
  await project.record({ type: "DISPATCHED", actor: "person", data }, "cli");
}

/** For a person: who gets it, why, by which words, and what else was close. */
export function explainRoute(
  answer: RouteAnswer,
  options: GlobalOptions,
  priorities: ReadonlyMap<string, number> = new Map(),
): string[] {
  const paint = painter(options);
  const { role, skill, reason, source, rule, matched, others } = answer;
  const by = { rule: nameOf(rule, priorities), search: "the search", default: "the default" }[source];
  const rows: [string, string][] = [
    ["role", role],
    ["skill", skill ?? "none"],
    ["by", by],
    ["because", reason],
    ...(matched.length > 0 ? [["matched", quoted(matched)] as [string, string]] : []),
  ];
  const lines = rows.map(([key, value]) => `${paint("bold", key.padEnd(7))}  ${escapeControl(value)}`);
  if (others.length === 0) return lines;
  const columns = [
    { title: "ROLE", drop: 2 },
    { title: "SKILL" },
    { title: "BY", drop: 1 },
    { title: "MATCHED", flexible: true },
  ];
  const [head = "", ...rest] = table(
    columns,
    others.map((other) => row(other, priorities)),
    terminalWidth(),
  );
  return [...lines, "", paint("bold", "also close"), paint("bold", head), ...rest];
}

function nameOf(rule: string | null, priorities: ReadonlyMap<string, number>): string {
  const priority = rule === null ? undefined : priorities.get(rule);
  return priority === undefined ? `rule ${rule}` : `rule ${rule} (priority ${priority})`;
}

function row(
  { role, skill, rule, score, matched }: OtherRoute,
  priorities: ReadonlyMap<string, number>,
): string[] {
  const by = rule === null ? `search ${score?.toFixed(2) ?? ""}` : nameOf(rule, priorities);
  return [role, escapeControl(skill), escapeControl(by), escapeControl(quoted(matched))];
}

/** Words can have spaces in them. */
function quoted(words: readonly string[]): string {
  return words.map((word) => `“${word}”`).join(" ");
}

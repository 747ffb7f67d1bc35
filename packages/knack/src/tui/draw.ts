import { stripVTControlCharacters } from "node:util";
import type { Entry } from "@knack/core";
import { leftOut } from "../host/reports.ts";
import type { Paint } from "../terminal/output.ts";
import { cut, widthOf, wrap } from "../terminal/text-width.ts";
import { count, escapeControl, pluralize, shortPath } from "../terminal/visible.ts";
import { layoutOf, type Picker, SCOPE_TABS } from "./picker.ts";
import type { ScreenFrame } from "./screen.ts";

/** The whole screen as lines that are cut to its width, with the preview beside the list if there is room. */
export function frameOf(picker: Picker, paint: Paint): ScreenFrame {
  const { columns } = picker.size;
  const { bodyRows, hasScopes, hasStatus, hasKeys, listColumns, sideColumns } = layoutOf(picker.size);
  const { line, cursor } = queryLine(picker, columns, paint);
  const { isReading, readingTop } = picker;
  const above = isReading ? titleLine(picker, columns, bodyRows, paint) : scopeLine(picker, columns, paint);
  const body = isReading
    ? readingLines(picker, columns, bodyRows, readingTop)
    : listLines(picker, listColumns, bodyRows, paint);
  const side = isReading || sideColumns === 0 ? undefined : readingLines(picker, sideColumns, bodyRows, 0);
  const lines = Array.from({ length: bodyRows }, (_, at) => {
    const left = body[at] ?? "";
    if (!side) return left;
    const gap = " ".repeat(Math.max(0, listColumns - widthOf(stripVTControlCharacters(left))));
    return `${left}${gap}${paint("dim", " │ ")}${side[at] ?? ""}`;
  });
  return {
    lines: [
      line,
      ...(hasScopes ? [above] : []),
      ...lines,
      ...(hasStatus ? [statusLine(picker, columns, paint)] : []),
      ...(hasKeys ? [keyLine(picker, columns, paint)] : []),
    ],
    cursor: isReading ? undefined : cursor,
  };
}

/**
 * The lines around the list. Each line is cut to the width first and coloured afterwards, so colour codes never count as
 * text.
 */

const PROMPT = "> ";
const INVITATION = "type to search";

/** The query (its end if it is too long), the number of skills, and the cursor position. */
export function queryLine(picker: Picker, width: number, paint: Paint): { line: string; cursor: number } {
  const summary = summaryOf(picker);
  const hasSummary = width >= widthOf(summary) + 20;
  const room = width - PROMPT.length - (hasSummary ? widthOf(summary) + 2 : 1);
  const query = tail(escapeControl(picker.query.toWellFormed()), Math.max(1, room));
  const cursor = PROMPT.length + widthOf(query);
  const isInviting = picker.query === "" && room >= INVITATION.length;
  const used = isInviting ? PROMPT.length + INVITATION.length : cursor;
  const gap = " ".repeat(Math.max(0, width - used - widthOf(summary)));
  const typed = isInviting ? paint("dim", INVITATION) : query;
  const line = `${paint(["bold", "cyan"], PROMPT)}${typed}${hasSummary ? gap + paint("dim", summary) : ""}`;
  return { line, cursor: Math.min(cursor, width - 1) };
}

function summaryOf({ listing, catalog, query }: Picker): string {
  if (!catalog) return "";
  const { rows, truncated } = listing;
  const total = count(catalog.skills.length);
  return query.trim() === ""
    ? pluralize(rows.length, "skill")
    : `${count(rows.length)}${truncated ? "+" : ""} of ${total}`;
}

/** The scopes; brackets mark the current one, also without colours. */
export function scopeLine({ scope, showsAll }: Picker, width: number, paint: Paint): string {
  const names = SCOPE_TABS.map((one) => [one ?? "all", one === scope] as const);
  const plain = names.map(([name, isCurrent]) => (isCurrent ? `[${name}]` : ` ${name} `)).join("");
  const more = showsAll ? "  + inactive" : "";
  if (widthOf(plain + more) > width) return cut(`[${scope ?? "all"}]${more}`, width);
  const painted = names.map(([name, isCurrent]) =>
    isCurrent ? paint(["bold", "cyan"], `[${name}]`) : paint("dim", ` ${name} `),
  );
  return painted.join("") + paint("yellow", more);
}

export function titleLine(picker: Picker, width: number, room: number, paint: Paint): string {
  const total = picker.readingLines(width)?.length ?? 0;
  const first = picker.readingTop + 1;
  const span = `${count(first)}–${count(first + room - 1)} of ${count(total)}`;
  const place = total > room && widthOf(span) * 2 < width ? span : "";
  const title = cut(`Preview of ${nameOf(picker.selected)}`, width - widthOf(place) - 1);
  const gap = " ".repeat(Math.max(0, width - widthOf(title) - widthOf(place)));
  return paint(["bold", "cyan"], title) + gap + paint("dim", place);
}

function nameOf(entry: Entry | undefined): string {
  return escapeControl(entry?.skill.name.toWellFormed() ?? "");
}

function statusLine(picker: Picker, width: number, paint: Paint): string {
  const { message, selected, catalog } = picker;
  if (message) {
    const text = cut(escapeControl(message.text.toWellFormed()), width);
    return paint(message.isError ? "red" : "green", text);
  }
  if (!selected || !catalog) return "";
  const { skill, status, reason } = selected;
  const what = status === "active" ? "" : `${status}: ${escapeControl(reason)} · `;
  const search = picker.query.trim() !== "" && !picker.isSearchReady ? "Preparing the search · " : "";
  return paint("dim", cut(`${search}${what}${shortPath(skill.dir.toWellFormed(), catalog.cwd)}`, width));
}

/** In display order; in a narrow terminal the key with the highest number is hidden first. */
type Keys = readonly (readonly [key: string, does: string, givesWay: number])[];

const LIST_KEYS: Keys = [
  ["Enter", "choose", 0],
  ["→", "preview", 2],
  ["Tab", "scope", 3],
  ["^T", "on/off", 4],
  ["^A", "show inactive", 5],
  ["Esc", "leave", 1],
];
const READING_KEYS: Keys = [
  ["Enter", "choose", 0],
  ["↑↓ PgUp PgDn", "scroll", 3],
  ["^T", "on/off", 4],
  ["←", "back", 2],
  ["Esc", "back", 1],
];

export function keyLine({ isReading }: Picker, width: number, paint: Paint): string {
  const all = isReading ? READING_KEYS : LIST_KEYS;
  const widthOfAll = (keys: Keys): number => widthOf(keys.map(([key, does]) => `${key} ${does}`).join(" · "));
  const room = all.map((_, i) => all.filter(([, , givesWay]) => givesWay <= i));
  const shown = room.findLast((keys) => widthOfAll(keys) <= width) ?? [];
  return shown.map(([key, does]) => `${paint("bold", key)} ${paint("dim", does)}`).join(paint("dim", " · "));
}

function readingLines(picker: Picker, width: number, room: number, top: number): readonly string[] {
  if (!picker.selected) return [];
  return picker.readingLines(width)?.slice(top, top + room) ?? ["…"];
}

/** The end of a text, where the cursor is. */
function tail(text: string, width: number): string {
  if (widthOf(text) <= width) return text;
  const characters = [...new Intl.Segmenter().segment(text)].map(({ segment }) => segment);
  let used = 1;
  let from = characters.length;
  while (from > 0 && used + widthOf(characters[from - 1] ?? "") <= width)
    used += widthOf(characters[--from] ?? "");
  return `…${characters.slice(from).join("")}`;
}

/** Of the mark before the selected row. */
const MARGIN = 2;
/** With less room, a description says nothing. */
const LEAST = 8;

/** The visible rows, or why there are none. */
export function listLines(picker: Picker, width: number, room: number, paint: Paint): string[] {
  const { listing, top, place } = picker;
  const shown = listing.rows.slice(top, top + room).flatMap((row, i) => {
    const entry = picker.entryAt(top + i);
    return entry ? [{ row, entry, isChosen: top + i === place }] : [];
  });
  if (shown.length === 0) {
    const lines = emptyText(picker).flatMap((line) => wrap(line, width));
    return lines.slice(0, room).map((line) => paint("dim", cut(line, width)));
  }
  const names = shown.map(({ entry }) => nameOf(entry));
  const widest = Math.max(...names.map(widthOf));
  const share = Math.floor(width * (width < 60 ? 0.55 : 0.4));
  const nameWidth = Math.max(1, Math.min(widest, share, width - MARGIN));
  const hasScope = picker.scope === undefined && width >= 50 && hasScopes(picker);
  return shown.map(({ row, entry, isChosen }, i) => {
    // A longer name takes the room of its own description.
    const name = pad(cut(names[i] ?? "", Math.max(1, width - MARGIN)), nameWidth);
    const scope = hasScope ? `  ${entry.skill.scope.padEnd("bundled".length)}` : "";
    const start = `${isChosen ? ">" : " "} ${name}`;
    const before = `${start}${scope}  `;
    const room = width - widthOf(start);
    const rest = room < LEAST ? "" : cut(`${scope}  ${aboutOf(entry)}`, room);
    const line = pad(cut(start + rest, width), width);
    if (isChosen) return paint("inverse", line);
    if (entry.status !== "active" || !row.fits) return paint("dim", line);
    // The row was cut before its description, so it is too narrow for colours.
    if (!line.startsWith(before)) return line;
    return paint("bold", start) + paint("dim", before.slice(start.length)) + line.slice(before.length);
  });
}

function hasScopes({ catalog }: Picker): boolean {
  const [first, ...rest] = catalog?.entries ?? [];
  return rest.some(({ skill }) => skill.scope !== first?.skill.scope);
}

function aboutOf({ skill, status, reason }: Entry): string {
  const description = escapeControl(skill.description.toWellFormed());
  return status === "active" ? description : `(${status}: ${escapeControl(reason)}) ${description}`;
}

function emptyText({ progress, query, scope, catalog }: Picker): string[] {
  if (progress !== "" || !catalog) return [`${progress}…`];
  if (!catalog.config.skills.enabled)
    return ["All skills are disabled by skills.enabled in the configuration."];
  const where = scope ? ` of the scope ${scope}` : "";
  const others = scope ? ["Tab shows other scopes."] : [];
  if (query.trim() !== "") return [`No skill${where} matches.`, ...others, "Ctrl-U clears the search."];
  const missing = leftOut(catalog).size;
  return [
    `There are no skills${where} here.`,
    ...others,
    ...(missing > 0 ? [`${pluralize(missing, "skill")} left out. See why: knack validate`] : []),
    '"knack new <name>" creates one; "knack doctor" shows where Knack looks.',
  ];
}

function pad(text: string, width: number): string {
  return text + " ".repeat(Math.max(0, width - widthOf(text)));
}

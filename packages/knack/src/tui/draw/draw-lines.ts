import type { Entry } from "@knack/core";
import { count, pluralize } from "../../terminal/count.ts";
import type { Paint } from "../../terminal/output.ts";
import { shortPath } from "../../terminal/paths.ts";
import { cut, widthOf } from "../../terminal/text-width.ts";
import { escapeControl } from "../../terminal/visible.ts";
import { type Picker, SCOPES } from "../picker.ts";

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
  const names = SCOPES.map((one) => [one ?? "all", one === scope] as const);
  const plain = names.map(([name, isCurrent]) => (isCurrent ? `[${name}]` : ` ${name} `)).join("");
  const more = showsAll ? "  + inactive" : "";
  if (widthOf(plain + more) > width) return cut(`[${scope ?? "all"}]${more}`, width);
  const painted = names.map(([name, isCurrent]) =>
    isCurrent ? paint(["bold", "cyan"], `[${name}]`) : paint("dim", ` ${name} `),
  );
  return painted.join("") + paint("yellow", more);
}

/** The title above the preview: the skill's name, and which lines are shown. */
export function titleLine(picker: Picker, width: number, room: number, paint: Paint): string {
  const total = picker.readingLines(width)?.length ?? 0;
  const first = picker.readingTop + 1;
  const span = `${count(first)}–${count(first + room - 1)} of ${count(total)}`;
  const place = total > room && widthOf(span) * 2 < width ? span : "";
  const title = cut(`Preview of ${nameOf(picker.selected)}`, width - widthOf(place) - 1);
  const gap = " ".repeat(Math.max(0, width - widthOf(title) - widthOf(place)));
  return paint(["bold", "cyan"], title) + gap + paint("dim", place);
}

export function nameOf(entry: Entry | undefined): string {
  return escapeControl(entry?.skill.name.toWellFormed() ?? "");
}

/** The last message, or the status of the selected skill. */
export function statusLine(picker: Picker, width: number, paint: Paint): string {
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

/** The preview from its first visible line. */
export function readingLines(picker: Picker, width: number, room: number, top: number): readonly string[] {
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

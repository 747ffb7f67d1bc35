import type { Entry } from "@knack/core";
import { count } from "../cli/count.ts";
import type { Paint } from "../cli/output.ts";
import { shortPath } from "../cli/paths.ts";
import { cut, widthOf } from "../cli/text-width.ts";
import { visible } from "../cli/visible.ts";
import type { Row } from "./list-entries.ts";
import { type Picker, SCOPES } from "./picker.ts";

/** The picker's lines. Each is cut to its width first and painted then, so that colour never counts as text. */

const PROMPT = "> ";

/** What was typed, its end in view, and how many there are; with the place for the cursor. */
export function queryLine(picker: Picker, width: number, paint: Paint): { line: string; cursor: number } {
  const summary = summaryOf(picker);
  const hasSummary = width >= widthOf(summary) + 20;
  const room = width - PROMPT.length - (hasSummary ? widthOf(summary) + 2 : 1);
  const query = tail(visible(picker.query.toWellFormed()), Math.max(1, room));
  const cursor = PROMPT.length + widthOf(query);
  const gap = " ".repeat(Math.max(0, width - cursor - widthOf(summary)));
  const line = `${paint("bold", PROMPT)}${query}${hasSummary ? gap + paint("dim", summary) : ""}`;
  return { line, cursor: Math.min(cursor, width - 1) };
}

function summaryOf({ listing, catalog, query }: Picker): string {
  if (!catalog) return "";
  const { rows, truncated } = listing;
  const total = count(catalog.skills.length);
  return query.trim() === ""
    ? count(rows.length)
    : `${count(rows.length)}${truncated ? "+" : ""} of ${total}`;
}

/** The scopes, the current one marked also where there is no colour. */
export function scopeLine({ scope, showsAll }: Picker, width: number, paint: Paint): string {
  const names = SCOPES.map((one) => [one ?? "all", one === scope] as const);
  const plain = names.map(([name, isCurrent]) => (isCurrent ? `[${name}]` : ` ${name} `)).join("");
  const more = showsAll ? "  + not active" : "";
  if (widthOf(plain + more) > width) return cut(`[${scope ?? "all"}]${more}`, width);
  const painted = names.map(([name, isCurrent]) =>
    isCurrent ? paint(["bold", "cyan"], `[${name}]`) : paint("dim", ` ${name} `),
  );
  return painted.join("") + paint("yellow", more);
}

/** The rows in view. */
export function listLines(picker: Picker, width: number, room: number, paint: Paint): string[] {
  const { listing, top, place } = picker;
  const shown = listing.rows.slice(top, top + room).flatMap((row, i) => {
    const entry = picker.entryAt(top + i);
    return entry ? [{ row, entry, isChosen: top + i === place }] : [];
  });
  if (shown.length === 0) return [paint("dim", cut(emptyText(picker), width))];
  const names = shown.map(({ entry }) => visible(entry.skill.name.toWellFormed()));
  const widest = Math.max(...names.map(widthOf));
  const nameWidth = Math.max(1, Math.min(widest, Math.floor(width * (width < 60 ? 0.55 : 0.4)), width - 2));
  const hasScope = picker.scope === undefined && width >= 50;
  return shown.map(({ row, entry, isChosen }, i) => {
    const name = pad(cut(names[i] ?? "", nameWidth), nameWidth);
    const scope = hasScope ? `  ${entry.skill.scope.padEnd("bundled".length)}` : "";
    const text = `${isChosen ? ">" : " "} ${name}${scope}  ${aboutOf(entry)}`;
    return paintRow(pad(cut(text, width), width), row, entry, isChosen, paint);
  });
}

function paintRow(line: string, { fits }: Row, { status }: Entry, isChosen: boolean, paint: Paint): string {
  if (isChosen) return paint("inverse", line);
  return status !== "active" || !fits ? paint("dim", line) : line;
}

function aboutOf({ skill, status, reason }: Entry): string {
  const description = visible(skill.description.toWellFormed());
  return status === "active" ? description : `(${status}: ${visible(reason)}) ${description}`;
}

function emptyText({ progress, query, scope, catalog }: Picker): string {
  if (progress !== "") return `${progress}…`;
  if (catalog && !catalog.config.skills.enabled)
    return "Skills are switched off by skills.enabled in the configuration.";
  const where = scope ? ` of the scope ${scope}` : "";
  return query.trim() === "" ? `There are no skills${where} here.` : `Nothing${where} fits.`;
}

/** What happened, else what is to be known of the skill that is pointed at. */
export function statusLine(picker: Picker, width: number, paint: Paint): string {
  const { message, selected, catalog } = picker;
  if (message) {
    const text = cut(visible(message.text.toWellFormed()), width);
    return paint(message.isError ? "red" : "green", text);
  }
  if (!selected || !catalog) return "";
  const { skill, status, reason } = selected;
  const what = status === "active" ? "" : `${status}: ${visible(reason)} · `;
  const search =
    picker.query.trim() !== "" && !picker.isSearchReady ? "The search is being made ready · " : "";
  return paint("dim", cut(`${search}${what}${shortPath(skill.dir.toWellFormed(), catalog.cwd)}`, width));
}

const LIST_KEYS = "Enter choose · → preview · Tab scope · ^T on/off · ^A not active · Esc leave";
const READING_KEYS = "← back · ↑↓ PgUp PgDn scroll · Enter choose · ^T on/off · Esc back";

export function keyLine({ isReading }: Picker, width: number, paint: Paint): string {
  return paint("dim", cut(isReading ? READING_KEYS : LIST_KEYS, width));
}

/** The preview from its first line in view. */
export function readingLines(picker: Picker, width: number, room: number, top: number): readonly string[] {
  if (!picker.selected) return [];
  return picker.readingLines(width)?.slice(top, top + room) ?? ["…"];
}

function pad(text: string, width: number): string {
  return text + " ".repeat(Math.max(0, width - widthOf(text)));
}

/** The end of a text, where it is being typed. */
function tail(text: string, width: number): string {
  if (widthOf(text) <= width) return text;
  const characters = [...new Intl.Segmenter().segment(text)].map(({ segment }) => segment);
  let used = 1;
  let from = characters.length;
  while (from > 0 && used + widthOf(characters[from - 1] ?? "") <= width)
    used += widthOf(characters[--from] ?? "");
  return `…${characters.slice(from).join("")}`;
}

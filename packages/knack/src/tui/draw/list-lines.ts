import type { Entry } from "@knack/core";
import { pluralize } from "../../terminal/count.ts";
import type { Paint } from "../../terminal/output.ts";
import { cut, widthOf, wrap } from "../../terminal/text-width.ts";
import { escapeControl } from "../../terminal/visible.ts";
import type { Row } from "../list-entries.ts";
import type { Picker } from "../picker.ts";
import { nameOf } from "./draw-lines.ts";

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
    return paintRow({ line, name: `  ${name}`, before }, row, entry, isChosen, paint);
  });
}

/** Whether it helps to show the scope of each skill. */
function hasScopes({ catalog }: Picker): boolean {
  const [first, ...rest] = catalog?.entries ?? [];
  return rest.some(({ skill }) => skill.scope !== first?.skill.scope);
}

interface RowText {
  readonly line: string;
  /** Prefixes of `line`: up to the end of the name, and up to the description. */
  readonly name: string;
  readonly before: string;
}

/** The selected row is inverted; in other rows the name is bold. */
function paintRow(text: RowText, { fits }: Row, { status }: Entry, isChosen: boolean, paint: Paint): string {
  const { line, name, before } = text;
  if (isChosen) return paint("inverse", line);
  if (status !== "active" || !fits) return paint("dim", line);
  // The row was cut inside the prefix, so it is too narrow for colours.
  if (!line.startsWith(before)) return line;
  return paint("bold", name) + paint("dim", before.slice(name.length)) + line.slice(before.length);
}

function aboutOf({ skill, status, reason }: Entry): string {
  const description = escapeControl(skill.description.toWellFormed());
  return status === "active" ? description : `(${status}: ${escapeControl(reason)}) ${description}`;
}

/** Why the list is empty, and what to do. */
function emptyText({ progress, query, scope, catalog }: Picker): string[] {
  if (progress !== "" || !catalog) return [`${progress}…`];
  if (!catalog.config.skills.enabled)
    return ["All skills are disabled by skills.enabled in the configuration."];
  const where = scope ? ` of the scope ${scope}` : "";
  const others = scope ? ["Tab shows other scopes."] : [];
  if (query.trim() !== "") return [`No skill${where} matches.`, ...others, "Ctrl-U clears the search."];
  const leftOut = new Set(catalog.errors.map(({ path }) => path)).size;
  return [
    `There are no skills${where} here.`,
    ...others,
    ...(leftOut > 0 ? [`${pluralize(leftOut, "skill")} left out. See why: knack validate`] : []),
    '"knack new <name>" creates one; "knack doctor" shows where Knack looks.',
  ];
}

function pad(text: string, width: number): string {
  return text + " ".repeat(Math.max(0, width - widthOf(text)));
}

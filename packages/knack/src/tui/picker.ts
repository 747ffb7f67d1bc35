import { setImmediate } from "node:timers/promises";
import type { Catalog, Entry, SkillScope } from "@knack/core";
import { messageOf } from "../terminal/visible.ts";
import type { KeyCommand } from "./keys.ts";
import { type Listing, listEntries, type PickerSkills, type Preview, previewLines } from "./skills.ts";

export const SCOPE_TABS: readonly (SkillScope | undefined)[] = [undefined, "repo", "user", "bundled"];

export type PickOutcome =
  | { readonly chosen: Entry; readonly catalog: Catalog }
  | { readonly exitCode: number };

/** The state of the picker without its screen: query, list, selection. Each change requests a draw. */
export class Picker {
  query: string;
  scope: SkillScope | undefined;
  showsAll = false;
  progress = "Looking for skills";
  message: { readonly text: string; readonly isError: boolean } | undefined;
  /** Index of the selected row, and of the first visible one. */
  place = 0;
  top = 0;
  /** Whether the preview replaces the list, and its first visible line. */
  isReading = false;
  readingTop = 0;
  size: Size;
  /** Whether the search is ready; until then only exact text is found. */
  isSearchReady = false;
  /** The last result; switching a skill changes how its row looks, not its position. */
  listing: Listing = { rows: [], truncated: false };
  readonly outcome: Promise<PickOutcome>;

  #skills: PickerSkills | undefined;
  #entries: ReadonlyMap<string, Entry> = new Map();
  readonly #kept = new Set<string>();
  readonly #draw: () => void;
  readonly #end: (outcome: PickOutcome) => void;
  readonly #reader: PreviewReader;
  /** Whether the user selected a row, or the first is selected by default. */
  #isPointed = false;
  #queue: Promise<void> = Promise.resolve();
  /** How often the list was asked for, and the search for it, while one is under way. */
  #wishes = 0;
  #finding: Promise<void> | undefined;

  constructor(start: { query: string; scope: SkillScope | undefined; size: Size }, draw: () => void) {
    this.query = limitQuery(start.query);
    this.scope = start.scope;
    this.size = start.size;
    this.#draw = draw;
    this.#reader = new PreviewReader(() => this.#moved());
    const { promise, resolve } = Promise.withResolvers<PickOutcome>();
    this.outcome = promise;
    this.#end = resolve;
  }

  get catalog(): Catalog | undefined {
    return this.#skills?.catalog;
  }

  get selected(): Entry | undefined {
    return this.entryAt(this.place);
  }

  entryAt(place: number): Entry | undefined {
    const row = this.listing.rows[place];
    return row && this.#entries.get(row.path);
  }

  /** The preview in lines of this width; empty until the selected skill was read. */
  readingLines(width: number): readonly string[] | undefined {
    return this.#reader.lines(this.selected, width);
  }

  start(skills: PickerSkills): Promise<void> {
    this.#skills = skills;
    this.#reader.source = skills;
    return this.changed();
  }

  /** Takes a new catalog: updates the list and keeps the same skill selected, wherever it is now. */
  changed(): Promise<void> {
    this.#lookUp();
    return this.#find();
  }

  #lookUp(): void {
    this.#entries = new Map(this.catalog?.entries.map((entry) => [entry.skill.path, entry]));
  }

  searchReady(): Promise<void> {
    this.isSearchReady = true;
    if (!this.#isPointed) this.place = -1;
    return this.#find();
  }

  tell(text: string, isError = false): void {
    this.message = { text, isError };
    this.#draw();
  }

  resize(size: Size): void {
    this.size = size;
    this.#moved();
  }

  leave(exitCode: number): void {
    this.#finish({ exitCode });
  }

  /** Runs the command of a key, after all commands before it; resolves when it is done. */
  press(command: KeyCommand): Promise<void> {
    // Not queued: quitting does not wait for a search.
    if (command.kind === "interrupt") this.leave(130);
    this.#queue = this.#queue
      .then(() => this.#do(command))
      .catch((error: unknown) => this.tell(messageOf(error), true));
    return this.#queue;
  }

  async #do(command: KeyCommand): Promise<void> {
    this.message = undefined;
    const query = editQuery(this.query, command);
    if (query !== undefined) return this.#edit(query);
    if (command.kind === "leave" || command.kind === "back") return this.#back(command.kind);
    // Other commands act on the list, so first wait until it belongs to the query.
    await this.#finding;
    if (command.kind === "move") return this.#move(command.by, command.direction);
    if (command.kind === "scope" || command.kind === "show-all") {
      if (command.kind === "scope") this.#turn(command.direction);
      else this.showsAll = !this.showsAll;
      this.#draw();
      return this.#find();
    }
    const entry = this.selected;
    if (!entry) this.tell("The list is empty.", true);
    else if (command.kind === "preview") this.#read(!this.isReading);
    else if (command.kind === "switch") await this.#switch(entry);
    else if (command.kind === "choose") this.#choose(entry);
  }

  /** Selects the best match. Does not wait for the search: the next letter may follow at once. */
  #edit(query: string): void {
    if (query !== this.query) {
      this.query = query;
      this.isReading = false;
      this.place = -1;
      this.#isPointed = false;
      void this.#find();
    }
    this.#draw();
  }

  #back(kind: "leave" | "back"): void {
    if (this.isReading) this.#read(false);
    else if (kind === "leave") this.leave(130);
  }

  #move(by: "line" | "page" | "end", direction: -1 | 1): void {
    const page = Math.max(1, layoutOf(this.size).bodyRows - 1);
    const steps = { line: 1, page, end: Number.MAX_SAFE_INTEGER }[by] * direction;
    if (this.isReading) this.readingTop += steps;
    else {
      this.place += steps;
      this.#isPointed = true;
    }
    this.#moved();
  }

  #turn(direction: -1 | 1): void {
    const next = (SCOPE_TABS.indexOf(this.scope) + direction + SCOPE_TABS.length) % SCOPE_TABS.length;
    this.scope = SCOPE_TABS[next];
    this.isReading = false;
  }

  #read(isReading: boolean): void {
    this.isReading = isReading;
    this.readingTop = 0;
    this.#moved();
  }

  async #switch(entry: Entry): Promise<void> {
    const { status, reason, skill } = entry;
    if (status !== "active" && status !== "disabled")
      return this.tell(`${skill.name} is ${status} and cannot be enabled here: ${reason}.`, true);
    // Switching rescans all files, so first show that the key was received.
    this.tell(`${status === "active" ? "Disabling" : "Enabling"} ${skill.name}…`);
    await setImmediate();
    // Before the catalog changes, which makes the list again.
    this.#kept.add(skill.path);
    const switched = await this.#skills?.switchSkill(entry);
    this.#lookUp();
    this.#moved();
    if (switched) this.tell(switched.message, !switched.ok);
  }

  #choose(entry: Entry): void {
    const { status, reason, skill } = entry;
    const remedy = status === "disabled" ? " Ctrl-T enables it." : "";
    if (status === "active" && this.catalog) this.#finish({ chosen: entry, catalog: this.catalog });
    else this.tell(`${skill.name} cannot be chosen: ${reason}.${remedy}`, true);
  }

  #finish(outcome: PickOutcome): void {
    this.#reader.stop();
    this.#end(outcome);
  }

  /** One search at a time, and all requests during it share one more: ten fast keystrokes make two searches, not ten. */
  #find(): Promise<void> {
    this.#wishes++;
    this.#finding ??= this.#fulfil().finally(() => {
      this.#finding = undefined;
    });
    return this.#finding;
  }

  async #fulfil(): Promise<void> {
    for (let wish = 0; wish !== this.#wishes; ) {
      wish = this.#wishes;
      await this.#list(wish);
    }
  }

  async #list(wish: number): Promise<void> {
    const { query, scope, showsAll } = this;
    const skills = this.#skills;
    const pointed = this.listing.rows[this.place]?.path;
    if (!skills) return;
    const found = query.trim() === "" ? undefined : await skills.search(query, scope);
    // A newer query came in.
    if (wish !== this.#wishes) return;
    this.listing = listEntries(skills.catalog, { query, scope, showsAll, kept: this.#kept }, found);
    const same = this.listing.rows.findIndex(({ path }) => path === pointed);
    if (same !== -1) this.place = same;
    this.progress = "";
    this.#moved();
  }

  /** Keeps the selection in the list and visible, loads its preview if it is shown, and draws. */
  #moved(): void {
    const { bodyRows, sideColumns } = layoutOf(this.size);
    const { length } = this.listing.rows;
    this.place = Math.max(0, Math.min(this.place, length - 1));
    this.top = firstInView(this.place, this.top, bodyRows, length);
    if (this.isReading || sideColumns > 0) this.#reader.read(this.selected, this.isReading);
    const lines = this.readingLines(this.size.columns)?.length ?? 0;
    this.readingTop = Math.max(0, Math.min(this.readingTop, lines - bodyRows));
    this.#draw();
  }
}

/** More text does not improve the search. */
const MAX_QUERY = 1_000;

/** The query after an editing key; `undefined` for other keys. */
function editQuery(query: string, command: KeyCommand): string | undefined {
  if (command.kind === "type") return limitQuery(query + command.text);
  if (command.kind === "clear") return "";
  if (command.kind === "erase-word") return query.replace(/\S*\s*$/u, "");
  if (command.kind !== "erase") return undefined;
  const characters = [...new Intl.Segmenter().segment(query)];
  return query.slice(0, characters.at(-1)?.index ?? 0);
}

function limitQuery(query: string): string {
  return query.slice(0, MAX_QUERY).toWellFormed();
}

/** How long a row must be selected before its preview is read, so that holding an arrow key reads nothing in between. */
const REST_MS = 60;

/** The preview of one skill, read on demand and wrapped to the current width. */
class PreviewReader {
  source: Pick<PickerSkills, "preview"> | undefined;
  readonly #done: () => void;
  #of: Entry | undefined;
  #preview: Preview | undefined;
  #lines: { readonly width: number; readonly lines: readonly string[] } | undefined;
  #rest: NodeJS.Timeout | undefined;

  /** `done` is called when there is something new to show. */
  constructor(done: () => void) {
    this.#done = done;
  }

  lines(entry: Entry | undefined, width: number): readonly string[] | undefined {
    if (entry === undefined || entry !== this.#of || this.#preview === undefined) return undefined;
    if (this.#lines?.width !== width) this.#lines = { width, lines: previewLines(this.#preview, width) };
    return this.#lines.lines;
  }

  /** Reads it unless it was read already. A new snapshot has new entries, so it is read again after a change. */
  read(entry: Entry | undefined, isAtOnce: boolean): void {
    if (entry === this.#of) return;
    clearTimeout(this.#rest);
    // Keep showing the old text until the new one is read.
    if (entry?.skill.path !== this.#of?.skill.path) this.#show(undefined);
    this.#of = entry;
    if (!entry) return;
    this.#rest = setTimeout(
      async () => {
        const preview = await this.source?.preview(entry).catch(unreadable);
        if (this.#of !== entry) return;
        this.#show(preview);
        this.#done();
      },
      isAtOnce ? 0 : REST_MS,
    );
  }

  #show(preview: Preview | undefined): void {
    this.#preview = preview;
    this.#lines = undefined;
  }

  stop(): void {
    clearTimeout(this.#rest);
  }
}

function unreadable(error: unknown): Preview {
  return { facts: [], isServed: false, text: [String(error)] };
}

export interface Size {
  readonly columns: number;
  readonly rows: number;
}

/** From this width on, list and preview are side by side. */
const WIDE = 100;
const DIVIDER = 3;

/**
 * Which parts fit, and their sizes. In a low terminal the list comes first: the line of keys is hidden first, then the scopes, then
 * the status. `sideColumns` are those of the preview beside the list, or 0.
 */
export function layoutOf({ columns, rows }: Size) {
  const hasKeys = rows >= 7;
  const hasScopes = rows >= 6;
  const hasStatus = rows >= 5;
  const around = 1 + [hasKeys, hasScopes, hasStatus].filter(Boolean).length;
  const sideColumns = columns >= WIDE ? Math.floor(columns * 0.5) : 0;
  return {
    hasScopes,
    hasStatus,
    hasKeys,
    bodyRows: Math.max(1, rows - around),
    listColumns: sideColumns > 0 ? columns - sideColumns - DIVIDER : columns,
    sideColumns,
  };
}

/** The first line to show, so that the selected one is visible and the list scrolls as little as possible. */
function firstInView(chosen: number, before: number, room: number, length: number): number {
  const last = Math.max(0, length - room);
  const first = Math.min(Math.max(before, chosen - room + 1), chosen);
  return Math.max(0, Math.min(first, last));
}

import { setImmediate } from "node:timers/promises";
import type { Catalog, Entry, SkillScope } from "@knack/core";
import { messageOf } from "../terminal/message-of.ts";
import { firstInView, layoutOf, type Size } from "./draw/layout.ts";
import { editQuery, limitQuery } from "./edit-query.ts";
import type { Command } from "./keys.ts";
import { LatestOnly } from "./latest-only.ts";
import type { Listing } from "./list-entries.ts";
import { ListedSkills } from "./listed-skills.ts";
import type { Skills } from "./live-skills.ts";
import { PreviewReader } from "./preview-reader.ts";

export const SCOPES: readonly (SkillScope | undefined)[] = [undefined, "repo", "user", "bundled"];

/** How the picker ended. */
export type PickOutcome =
  | { readonly chosen: Entry; readonly catalog: Catalog }
  | { readonly exitCode: number };

/** The state of the picker without its screen: query, list, selection. Each change requests a draw. */
export class Picker {
  query: string;
  scope: SkillScope | undefined;
  showsAll = false;
  /** Progress, while nothing can be listed yet. */
  progress = "Looking for skills";
  /** A message for the user. */
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
  readonly outcome: Promise<PickOutcome>;

  readonly #draw: () => void;
  readonly #end: (outcome: PickOutcome) => void;
  readonly #reader: PreviewReader;
  /** Whether the user selected a row, or the first is selected by default. */
  #isPointed = false;
  readonly #listed = new ListedSkills();
  /** Commands run one after the other. */
  #queue: Promise<void> = Promise.resolve();
  readonly #find = new LatestOnly((isLast) => this.#list(isLast));

  constructor(start: { query: string; scope: SkillScope | undefined; size: Size }, draw: () => void) {
    this.query = limitQuery(start.query);
    this.scope = start.scope;
    this.size = start.size;
    this.#draw = draw;
    this.#reader = new PreviewReader(
      (entry) => this.#listed.preview(entry),
      () => this.#moved(),
    );
    const { promise, resolve } = Promise.withResolvers<PickOutcome>();
    this.outcome = promise;
    this.#end = resolve;
  }

  get catalog(): Catalog | undefined {
    return this.#listed.catalog;
  }

  get listing(): Listing {
    return this.#listed.listing;
  }

  /** The selected skill. */
  get selected(): Entry | undefined {
    return this.entryAt(this.place);
  }

  entryAt(place: number): Entry | undefined {
    return this.#listed.entryAt(place);
  }

  /** The preview in lines of this width; empty until the selected skill was read. */
  readingLines(width: number): readonly string[] | undefined {
    return this.#reader.lines(this.selected, width);
  }

  /** The skills were loaded. */
  start(skills: Skills): Promise<void> {
    this.#listed.start(skills);
    return this.changed();
  }

  /** Takes a new catalog: updates the list and keeps the same skill selected, wherever it is now. */
  changed(): Promise<void> {
    this.#listed.lookUp();
    return this.#find.run();
  }

  searchReady(): Promise<void> {
    this.isSearchReady = true;
    if (!this.#isPointed) this.place = -1;
    return this.#find.run();
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
  press(command: Command): Promise<void> {
    // Not queued: quitting does not wait for a search.
    if (command.kind === "interrupt") this.leave(130);
    this.#queue = this.#queue
      .then(() => this.#do(command))
      .catch((error: unknown) => this.tell(messageOf(error), true));
    return this.#queue;
  }

  async #do(command: Command): Promise<void> {
    this.message = undefined;
    const query = editQuery(this.query, command);
    if (query !== undefined) return this.#edit(query);
    if (command.kind === "leave" || command.kind === "back") return this.#back(command.kind);
    // Other commands act on the list, so first wait until it belongs to the query.
    await this.#find.running;
    if (command.kind === "move") return this.#move(command.by, command.direction);
    if (command.kind === "scope") return this.#turn(command.direction);
    if (command.kind === "show-all") return this.#showAll();
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
      void this.#find.run();
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

  #turn(direction: -1 | 1): Promise<void> {
    const next = (SCOPES.indexOf(this.scope) + direction + SCOPES.length) % SCOPES.length;
    this.scope = SCOPES[next];
    this.isReading = false;
    this.#draw();
    return this.#find.run();
  }

  #showAll(): Promise<void> {
    this.showsAll = !this.showsAll;
    this.#draw();
    return this.#find.run();
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
    const { ok, message } = await this.#listed.switchSkill(entry);
    this.#moved();
    this.tell(message, !ok);
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

  /** Updates the list. */
  async #list(isLast: () => boolean): Promise<void> {
    const { query, scope, showsAll } = this;
    const pointed = this.listing.rows[this.place]?.path;
    if (!(await this.#listed.find({ query, scope, showsAll }, isLast))) return;
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

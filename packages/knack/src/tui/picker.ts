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

/** How it ended. */
export type PickOutcome =
  | { readonly chosen: Entry; readonly catalog: Catalog }
  | { readonly exitCode: number };

/** The picker without its screen: what was typed, what is listed, which one is pointed at. Each change asks for a drawing. */
export class Picker {
  query: string;
  scope: SkillScope | undefined;
  showsAll = false;
  /** Where nothing can be listed yet: what is being done. */
  progress = "Looking for skills";
  /** A line for the person: what happened, or what did not. */
  message: { readonly text: string; readonly isError: boolean } | undefined;
  /** The place in the list that is pointed at, and the first one in view. */
  place = 0;
  top = 0;
  /** Whether the preview replaces the list, and its first line in view. */
  isReading = false;
  readingTop = 0;
  size: Size;
  /** Whether the search answers, or only what contains the letters is found. */
  isSearchReady = false;
  readonly outcome: Promise<PickOutcome>;

  readonly #draw: () => void;
  readonly #end: (outcome: PickOutcome) => void;
  readonly #reader: PreviewReader;
  /** Whether somebody pointed at a skill, or the first is pointed at because it is the first. */
  #isPointed = false;
  readonly #listed = new ListedSkills();
  /** Commands are done one after the other. */
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

  /** The skill that is pointed at. */
  get selected(): Entry | undefined {
    return this.entryAt(this.place);
  }

  entryAt(place: number): Entry | undefined {
    return this.#listed.entryAt(place);
  }

  /** The preview in lines of this width; nothing until the skill that is pointed at was read. */
  readingLines(width: number): readonly string[] | undefined {
    return this.#reader.lines(this.selected, width);
  }

  /** The skills are there. */
  start(skills: Skills): Promise<void> {
    this.#listed.start(skills);
    return this.changed();
  }

  /** There is a new catalog: the list follows, and the skill that was pointed at stays so, wherever it is now. */
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

  /** Does what a key asks for, after all keys before it; resolves when it is done. */
  press(command: Command): Promise<void> {
    // Not in the queue: who wants to go does not wait for a search.
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
    // The rest is about what is listed, so it waits until that belongs to what was typed.
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

  /** The best is pointed at. Nobody waits for the search here: the next letter may be on its way. */
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
    // Every file is looked at after it: who pressed the key sees first that it was heard.
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

  /** Lists what is wanted now. */
  async #list(isLast: () => boolean): Promise<void> {
    const { query, scope, showsAll } = this;
    const pointed = this.listing.rows[this.place]?.path;
    if (!(await this.#listed.find({ query, scope, showsAll }, isLast))) return;
    const same = this.listing.rows.findIndex(({ path }) => path === pointed);
    if (same !== -1) this.place = same;
    this.progress = "";
    this.#moved();
  }

  /** Keeps what is pointed at in the list and in view, reads it if it is to be seen, and draws. */
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

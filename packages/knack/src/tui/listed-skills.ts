import type { Catalog, Entry } from "@knack/core";
import { type Listing, listEntries, type Wanted } from "./list-entries.ts";
import type { Skills } from "./live-skills.ts";
import type { Preview } from "./preview.ts";

/** The list as it was last found, over the catalog as it is now: a switch changes how a row looks, not where it stands. */
export class ListedSkills {
  listing: Listing = { rows: [], truncated: false };
  #skills: Skills | undefined;
  #entries: ReadonlyMap<string, Entry> = new Map();
  /** Skills that were switched here. */
  readonly #kept = new Set<string>();

  get catalog(): Catalog | undefined {
    return this.#skills?.catalog;
  }

  start(skills: Skills): void {
    this.#skills = skills;
  }

  /** The catalog is a new one. */
  lookUp(): void {
    this.#entries = new Map(this.catalog?.entries.map((entry) => [entry.skill.path, entry]));
  }

  entryAt(place: number): Entry | undefined {
    const row = this.listing.rows[place];
    return row && this.#entries.get(row.path);
  }

  /** Finds what is wanted, and keeps it if nothing else is wanted by then; answers whether it did. */
  async find(wanted: Omit<Wanted, "kept">, isLast: () => boolean): Promise<boolean> {
    if (!this.#skills) return false;
    const { query, scope } = wanted;
    const found = query.trim() === "" ? undefined : await this.#skills.search({ query, scope });
    if (!isLast()) return false;
    this.listing = listEntries(this.#skills.catalog, { ...wanted, kept: this.#kept }, found);
    return true;
  }

  /** Entries are there only where skills are. */
  async preview(entry: Entry): Promise<Preview> {
    if (!this.#skills) throw new Error("There are no skills yet.");
    return this.#skills.preview(entry);
  }

  /** Switches it on or off; the list stays as it is, so that the same key takes it back. */
  async switchSkill(entry: Entry): Promise<{ readonly ok: boolean; readonly message: string }> {
    if (!this.#skills) return { ok: false, message: "" };
    const switched = await this.#skills.switchSkill(entry);
    this.#kept.add(entry.skill.path);
    this.lookUp();
    return switched;
  }
}

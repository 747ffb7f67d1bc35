import type { Catalog, Entry } from "@knack/core";
import { type Listing, listEntries, type Wanted } from "./list-entries.ts";
import type { Skills } from "./live-skills.ts";
import type { Preview } from "./preview.ts";

/** The last search result, joined with the current catalog: switching a skill changes how its row looks, not its position. */
export class ListedSkills {
  listing: Listing = { rows: [], truncated: false };
  #skills: Skills | undefined;
  #entries: ReadonlyMap<string, Entry> = new Map();
  /** Skills that were switched in this picker. */
  readonly #kept = new Set<string>();

  get catalog(): Catalog | undefined {
    return this.#skills?.catalog;
  }

  start(skills: Skills): void {
    this.#skills = skills;
  }

  /** Takes a new catalog. */
  lookUp(): void {
    this.#entries = new Map(this.catalog?.entries.map((entry) => [entry.skill.path, entry]));
  }

  entryAt(place: number): Entry | undefined {
    const row = this.listing.rows[place];
    return row && this.#entries.get(row.path);
  }

  /** Searches, and keeps the result unless a newer query came in; returns whether it was kept. */
  async find(wanted: Omit<Wanted, "kept">, isLast: () => boolean): Promise<boolean> {
    if (!this.#skills) return false;
    const { query, scope } = wanted;
    const found = query.trim() === "" ? undefined : await this.#skills.search({ query, scope });
    if (!isLast()) return false;
    this.listing = listEntries(this.#skills.catalog, { ...wanted, kept: this.#kept }, found);
    return true;
  }

  /** Entries exist only after the skills were loaded. */
  async preview(entry: Entry): Promise<Preview> {
    if (!this.#skills) throw new Error("There are no skills yet.");
    return this.#skills.preview(entry);
  }

  /** Switches a skill on or off; the list stays the same, so the same key undoes it. */
  async switchSkill(entry: Entry): Promise<{ readonly ok: boolean; readonly message: string }> {
    if (!this.#skills) return { ok: false, message: "" };
    const switched = await this.#skills.switchSkill(entry);
    this.#kept.add(entry.skill.path);
    this.lookUp();
    return switched;
  }
}

import { isDeepStrictEqual } from "node:util";
import { type SeenInputs, seenInputs } from "./catalog/inputs.ts";
import type { CodeFiles, Root } from "./catalog/scan/roots.ts";
import {
  type CatalogSettings,
  type OpenCatalogOptions,
  type SettingsLook,
  settleOptions,
  validationIn,
} from "./catalog/settings.ts";
import { type Entry, nameUnder, type Snapshot } from "./catalog/snapshot.ts";
import {
  type Before,
  hasSameStates,
  hasSameTexts,
  type Taken,
  takeSnapshot,
} from "./catalog/take-snapshot.ts";
import type { Tree } from "./catalog/tree.ts";
import type { Config } from "./config/config.ts";
import { renderCatalogBlock } from "./context/blocks/catalog-block.ts";
import type { Overlaps } from "./overlap/overlap.ts";
import type { Mention } from "./resolve/mentions.ts";
import {
  candidatesOf,
  couldMean,
  type LookupOptions,
  lookUp,
  type Reference,
  type ResolvePlace,
} from "./resolve/resolve.ts";
import { checkLimit, type SearchOptions, SnapshotSearch } from "./search/catalog-search.ts";
import type { SearchResults } from "./search/search.ts";
import type { Diagnostic, Validation } from "./shared/diagnostics.ts";
import { KnackError } from "./shared/errors.ts";
import type { SkillCatalog, SkillMetadata } from "./skill/schema.ts";

export type { OpenCatalogOptions };

/** Finds every skill for a working directory. Bad skills are in `errors`; only a caller's mistake throws. */
export async function openCatalog(options: OpenCatalogOptions = {}): Promise<Catalog> {
  return Catalog.load(await settleOptions(options), 1);
}

/** An immutable snapshot of all skills: a later change of files is visible only in the next one. */
export class Catalog implements SkillCatalog {
  /** The skills that can be used, in the order of the roots and then of the paths. */
  readonly skills: SkillMetadata[];
  /** Skipped skills, and why. */
  readonly errors: Diagnostic[];
  /** What was loaded with a remark. */
  readonly warnings: Diagnostic[];
  readonly snapshot_version: number;
  /** All valid skills, with those that are switched off, not eligible or shadowed. */
  readonly entries: readonly Entry[];
  /** Where this snapshot looked. */
  readonly roots: readonly Root[];
  readonly #settings: CatalogSettings;
  /** Replaced by a later look that saw the same: its time stamps are newer. */
  #taken: Taken;
  readonly #search: SnapshotSearch;
  #truncated: boolean | undefined;
  #linked: ReadonlyMap<string, string> | undefined;

  private constructor(settings: CatalogSettings, taken: Taken, version: number) {
    const { roots, collection, snapshot } = taken;
    this.roots = roots;
    this.entries = snapshot.entries;
    this.skills = snapshot.entries.filter(({ status }) => status === "active").map(({ skill }) => skill);
    this.errors = [...snapshot.errors];
    this.warnings = [...snapshot.warnings];
    for (const list of [this.skills, this.errors, this.warnings, this.entries]) Object.freeze(list);
    this.snapshot_version = version;
    this.#settings = settings;
    this.#taken = taken;
    this.#search = new SnapshotSearch(settings, { skills: this.skills, roots, found: collection.found });
  }

  /** @internal Use `openCatalog`. */
  static async load(settings: CatalogSettings, version: number, before?: Before): Promise<Catalog> {
    return new Catalog(settings, await takeSnapshot(settings, before), version);
  }

  /** Whether the list for a model leaves something out (`skills.initial`). No skill is ever dropped from `skills`. */
  get truncated(): boolean {
    this.#truncated ??= renderCatalogBlock(this.skills, this.config.skills.initial).truncated;
    return this.#truncated;
  }

  get projectRoot(): string {
    return this.#settings.place.projectRoot;
  }

  /** The canonical working directory. */
  get cwd(): string {
    return this.#settings.place.cwd;
  }

  /** @internal Where relative paths begin, and what `~` stands for. */
  get place(): ResolvePlace {
    return this.#settings.place;
  }

  /** How many skills of the project are hidden until the user trusts it. */
  get waitingForTrust(): number {
    if (!this.#settings.withoutProject) return 0;
    return this.whole.entries.filter(({ status, skill }) => status === "active" && skill.scope === "repo")
      .length;
  }

  /** @internal The snapshot with the skills that wait for trust: what `knack list` shows the user. */
  get whole(): Snapshot {
    return this.#taken.whole;
  }

  get config(): Config {
    return this.#settings.config;
  }

  /** What the configuration asked for and did not get, a line each. */
  get notes(): readonly string[] {
    return this.#settings.notes;
  }

  /** The configuration files that were read. */
  get configFiles(): readonly string[] {
    return this.#settings.files;
  }

  /** Every `SKILL.md` that was found, including skipped ones. */
  get files(): readonly string[] {
    return this.#taken.collection.found.map(({ file }) => file.path);
  }

  /** The one skill of this name, path, id or `scope:name`; throws `KnackError` with `NOT_FOUND` or `AMBIGUOUS`. */
  resolve(reference: Reference): SkillMetadata {
    return this.resolveEntry(reference).skill;
  }

  /** The same with its status; on request also a skill that cannot be used now. */
  resolveEntry(reference: Reference, options: LookupOptions = {}): Entry {
    return lookUp(this.entries, reference, this.#settings, options);
  }

  /** Every skill that a reference could mean, usable or not; empty if there is none. */
  candidates(reference: Reference, { exact }: Pick<LookupOptions, "exact"> = {}): readonly Entry[] {
    return candidatesOf(this.entries, reference, { ...this.place, exact });
  }

  /** @internal The same for a word that somebody else chose: for guards, which rather take in one too many. */
  couldMean(word: string): readonly Entry[] {
    return couldMean(this.entries, word, this.place);
  }

  /**
   * The skills for these words, best first. `fits` tells real matches from weaker ones; `also`: other phrasings of the
   * request. The index is made when first needed; a limit is at most the configured maximum.
   */
  search(query: string, options: SearchOptions = {}): SearchResults {
    return this.#search.search(query, options);
  }

  /** The same, recorded by telemetry. */
  searchAsync(query: string, options: SearchOptions = {}): Promise<SearchResults> {
    return this.#search.searchAsync(query, options);
  }

  /** @internal Settles when the index that is being made in a thread is complete. */
  get searchReady(): Promise<void> | undefined {
    return this.#search.ready;
  }

  /** @internal Waits until a search covers the texts of the skills too, at most so long; answers whether it does. */
  isSearchable(maxMs: number): Promise<boolean> {
    return this.#search.isComplete(maxMs);
  }

  /** The skills that a text names outright: `$name`, `[$name](path)`, "use the name skill", `/command`. Nothing is guessed. */
  async mentions(text: string): Promise<Mention[]> {
    // Its patterns take longer to compile than most commands take.
    const { findMentions } = await import("./resolve/mentions.ts");
    return findMentions(text, this.skills);
  }

  /** Pairs of skills whose descriptions claim the same triggers, and copies. At most `limit` of each (20), with the totals. */
  async overlaps(options: { limit?: number | undefined } = {}): Promise<Overlaps<SkillMetadata>> {
    const { limit = 20 } = options;
    checkLimit(limit);
    const { findOverlaps } = await import("./overlap/overlap.ts");
    return findOverlaps(this.skills, limit);
  }

  /** By which rules the skill was read. */
  validationOf(skill: SkillMetadata): Validation {
    return validationIn(this.#settings, skill);
  }

  /** What a skill is called in the catalog while its file says `name`. */
  nameOf(skill: SkillMetadata, name: string): string {
    const entry = this.#taken.snapshot.entries.find((one) => one.skill.id === skill.id);
    return entry ? nameUnder(entry.root, name) : name;
  }

  /** @internal The files of a skill that is not on the disk. */
  inCode(skill: SkillMetadata): CodeFiles | undefined {
    return this.entries.find((one) => one.skill.path === skill.path)?.root.files;
  }

  /** The file that a skill's text is in: of a linked `SKILL.md`, where the link led when the snapshot was made. */
  sourceOf(skill: SkillMetadata): string {
    this.#linked ??= new Map(
      this.#taken.collection.found.flatMap(({ file, target }) => (target ? [[file.path, target]] : [])),
    );
    return this.#linked.get(skill.path) ?? skill.path;
  }

  /** The next snapshot, from the skills as they are now; the configuration stays the one that the catalog was opened with. */
  refresh(): Promise<Catalog> {
    return this.#next(this.#settings);
  }

  /**
   * @internal For `ProjectNow`: the next snapshot, or this one where nothing is different, unless `force`. A wrong
   * configuration changes nothing. `changed`: no other folders can have changed.
   */
  async update(
    options: {
      force?: boolean;
      changed?: ReadonlySet<string> | undefined;
      look?: SettingsLook | undefined;
    } = {},
  ): Promise<Catalog> {
    const settings = await this.#settings.now(options.look).catch((error: unknown) => {
      if (error instanceof KnackError && error.code === "CONFIG_INVALID") return this.#settings;
      throw error;
    });
    const next = await this.#next(settings, options.changed);
    const isSame =
      settings === this.#settings &&
      this.#hasSameTexts(next) &&
      hasSameStates(this, next) &&
      isDeepStrictEqual(this.roots, next.roots);
    if (!isSame || options.force) return next;
    this.#taken = next.#taken;
    return this;
  }

  /** @internal Whether what no watcher sees is unchanged, the configuration apart. */
  hasSameUnwatchedInputs(): boolean {
    return this.#taken.hasSameUnwatchedInputs();
  }

  /** @internal What tells another process whether a list of these skills still holds. */
  inputsOf(skills: readonly SkillMetadata[]): SeenInputs | undefined {
    return seenInputs(
      this.#settings,
      this.#taken,
      skills.map(({ path }) => path),
    );
  }

  /** @internal Whether configuration and trust, as `look` saw them, are those of this snapshot. */
  async hasSameSettings(look: SettingsLook): Promise<boolean> {
    return (await this.#settings.now(look)) === this.#settings;
  }

  /** @internal What the look saw that made this snapshot, to be watched. */
  get trees(): Iterable<Tree> {
    return this.#taken.collection.trees.values();
  }

  async #next(settings: CatalogSettings, changed?: ReadonlySet<string>): Promise<Catalog> {
    const before = { collection: this.#taken.collection, changed };
    const next = await Catalog.load(settings, this.snapshot_version + 1, before);
    next.#search.takeOver(this.#search, () => this.#hasSameTexts(next));
    return next;
  }

  /** The next snapshot, with the configuration read again too; throws where that is wrong now. */
  async reload(): Promise<Catalog> {
    return this.#next(await this.#settings.now());
  }

  #hasSameTexts(next: Catalog): boolean {
    return (
      hasSameTexts(this.#taken.collection, next.#taken.collection) &&
      this.skills.length === next.skills.length &&
      this.skills.every(({ path }, place) => path === next.skills[place]?.path)
    );
  }

  toJSON(): SkillCatalog {
    const { skills, errors, warnings, truncated, snapshot_version } = this;
    return { skills, errors, warnings, truncated, snapshot_version };
  }
}

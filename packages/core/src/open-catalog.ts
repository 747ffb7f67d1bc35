import { existsSync } from "node:fs";
import { searchIndexFile } from "./catalog/cache-folder.ts";
import { type Collection, collect, type Found, markOf } from "./catalog/collect.ts";
import { binaryLookup, type Machine } from "./catalog/eligibility.ts";
import { isSameTree } from "./catalog/index/tree.ts";
import type { Root } from "./catalog/scan/roots.ts";
import {
  type CatalogSettings,
  type OpenCatalogOptions,
  settleOptions,
  validationIn,
} from "./catalog/settings.ts";
import { type Entry, makeSnapshot, type Rules, type Snapshot } from "./catalog/snapshot.ts";
import { typedSkillNames } from "./catalog/typed-skill-names.ts";
import { type WatchOptions, watchFolders } from "./catalog/watch.ts";
import type { Config } from "./config/config.ts";
import type { Overlaps } from "./overlap/overlap.ts";
import { couldMean } from "./resolve/could-mean.ts";
import type { Mention } from "./resolve/mentions.ts";
import { candidatesOf, type Reference, type ResolvePlace, resolveSkill } from "./resolve/resolve.ts";
import { type MarkedSkill, openSearchIndex } from "./search/index/search-index.ts";
import { inSearchOrder, type SearchResults, SkillSearch } from "./search/search.ts";
import type { Diagnostic, Validation } from "./shared/diagnostics.ts";
import { SkillError } from "./shared/errors.ts";
import { isInside } from "./shared/paths.ts";
import type { SkillCatalog, SkillMetadata, SkillScope } from "./skill/schema.ts";

export type { OpenCatalogOptions };

export interface SearchOptions {
  readonly limit?: number | undefined;
  readonly scope?: SkillScope | undefined;
  /** Only these skills; the others are as if they were not there. */
  readonly accepts?: ((skill: SkillMetadata) => boolean) | undefined;
  /** Also what is merely near. */
  readonly all?: boolean | undefined;
}

export interface LookupOptions {
  /** Also a skill that cannot be used now, where no active one has the name. */
  readonly includeInactive?: boolean;
  /** The name as it is spelled: no other case or form of its letters. */
  readonly exact?: boolean;
  /** Where relative paths begin; the catalog's working directory by default. */
  readonly cwd?: string;
}

/** Of Knack's own, for `requires_tools` alone: a `command_tool` that dispatched skills would be a circle. */
const DISPATCH_TOOL = "skill_dispatch";
/** Tools that are always there for a `command_tool` to name. */
const OWN_TOOLS = ["skill_search", "skill_load", "Skill", "skill_read_file"];

/** Finds every skill for a working directory. Bad skills are in `errors`; only a caller's mistake throws. */
export async function openCatalog(options: OpenCatalogOptions = {}): Promise<Catalog> {
  return Catalog.load(await settleOptions(options), 1);
}

async function makeMachine(
  { env, config, tools }: CatalogSettings,
  collection: Collection,
): Promise<Machine> {
  // The registry is read only if a skill names a tool.
  const isNamed = collection.found.some(
    ({ file: { facts } }) => facts && (facts.commandTool ?? facts.requiresTools) !== undefined,
  );
  const typed = isNamed ? await typedSkillNames(config.registry) : [];
  const commandTools = new Set([...OWN_TOOLS, ...tools, ...typed]);
  return { platform: process.platform, env, commandTools, hasBinary: binaryLookup(env, process.platform) };
}

/** The same without what the project brought along. */
function withoutProject(collection: Collection, roots: readonly Root[]): Collection {
  const ofProject = roots.filter(({ scope }) => scope === "repo").map(({ real }) => real);
  return {
    ...collection,
    found: collection.found.filter(({ root }) => root.scope !== "repo"),
    faults: collection.faults.filter(({ path }) => !ofProject.some((root) => isInside(path, root))),
  };
}

/** An immutable snapshot of all skills: a later change of files is visible only in the next one. */
export class Catalog implements SkillCatalog {
  /** The skills that can be used, in the order of the roots and then of the paths. */
  readonly skills: SkillMetadata[];
  /** What was left out, and why. */
  readonly errors: Diagnostic[];
  /** What was loaded with a remark. */
  readonly warnings: Diagnostic[];
  /** Always false: there is no number of skills from which on some are dropped. */
  readonly truncated = false;
  readonly snapshot_version: number;
  /** All valid skills, with those that are switched off, not eligible or shadowed. */
  readonly entries: readonly Entry[];
  /** Where this snapshot looked. */
  readonly roots: readonly Root[];
  readonly #settings: CatalogSettings;
  /** A later look may have seen the same; then its time stamps are known better. */
  #collection: Collection;
  #search: SkillSearch | undefined;
  #linked: ReadonlyMap<string, string> | undefined;

  private constructor(
    settings: CatalogSettings,
    roots: readonly Root[],
    collection: Collection,
    snapshot: Snapshot,
    version: number,
  ) {
    this.roots = roots;
    this.entries = snapshot.entries;
    this.skills = snapshot.entries.filter(({ status }) => status === "active").map(({ skill }) => skill);
    this.errors = [...snapshot.errors];
    this.warnings = [...snapshot.warnings];
    for (const list of [this.skills, this.errors, this.warnings, this.entries]) Object.freeze(list);
    this.snapshot_version = version;
    this.#settings = settings;
    this.#collection = collection;
  }

  /** @internal Use `openCatalog`. */
  static async load(settings: CatalogSettings, version: number, before?: Collection): Promise<Catalog> {
    const { place, config, userConfig } = settings;
    const roots = settings.findRoots();
    const collection = await collect(settings.enabled ? roots : [], {
      ...place,
      known: before?.trees,
      now: Date.now,
      onProgress: settings.onProgress,
    });
    const offered = settings.withoutProject ? withoutProject(collection, roots) : collection;
    const machine = await makeMachine(settings, offered);
    const rulesOf = ({ scope }: Root): Rules => {
      const { tools } = scope === "repo" ? config : userConfig;
      const names = [...tools.available, ...settings.hostTools, DISPATCH_TOOL];
      return { validation: validationIn(settings, scope), tools: names };
    };
    const snapshot = makeSnapshot(offered, { rulesOf, machine, disabled: config.skills.disabled });
    return new Catalog(settings, roots, collection, snapshot, version);
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

  /** How many files of the project were left out because they wait for the user's trust. */
  get waitingForTrust(): number {
    if (!this.#settings.withoutProject) return 0;
    return this.#collection.found.filter(({ root }) => root.scope === "repo").length;
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

  /** Every `SKILL.md` that was found, those that were left out too. */
  get files(): readonly string[] {
    return this.#collection.found.map(({ file }) => file.path);
  }

  /** The one skill of this name, path, id or `scope:name`; throws `SkillError` with `NOT_FOUND` or `AMBIGUOUS`. */
  resolve(reference: Reference): SkillMetadata {
    return this.resolveEntry(reference).skill;
  }

  /** The same with its status; on request also a skill that cannot be used now. */
  resolveEntry(reference: Reference, options: LookupOptions = {}): Entry {
    const { config, userConfig } = this.#settings;
    const { cwd = this.cwd, ...rest } = options;
    const { duplicates } = config.skills;
    // Nor does it decide that its skills come before the user's.
    const isOnlyOfProject = duplicates === "nearest" && userConfig.skills.duplicates !== "nearest";
    return resolveSkill(this.entries, reference, {
      ...rest,
      ...this.place,
      cwd,
      duplicates: isOnlyOfProject ? "nearest-in-repo" : duplicates,
    });
  }

  /** Every skill that a reference could mean, whether or not it can be used; none where there is none. */
  candidates(reference: Reference): readonly Entry[] {
    return candidatesOf(this.entries, reference, this.place);
  }

  /** @internal The same for a word that somebody else chose: for guards, which rather take in one too many. */
  couldMean(word: string): readonly Entry[] {
    return couldMean(this.entries, word, this.place);
  }

  /**
   * The skills that fit these words, best first. The index is made when it is first needed. An empty `results` means that
   * nothing fits; `all` also gives what is merely near. A limit over the configured maximum is taken as the maximum.
   */
  search(query: string, options: SearchOptions = {}): SearchResults {
    const { config, place } = this.#settings;
    const { defaultLimit, maxLimit } = config.skills.search;
    const limit = options.limit ?? defaultLimit;
    if (typeof query !== "string") throw new SkillError("INVALID_PARAM", "The query must be text.");
    if (!Number.isInteger(limit) || limit < 1)
      throw new SkillError("INVALID_PARAM", "The limit must be a whole number of at least 1.");
    this.#search ??= this.#makeSearch(searchIndexFile(place.cache, this.roots));
    const { scope, accepts, all } = options;
    const isAsked =
      scope || accepts
        ? (skill: SkillMetadata) => (!scope || skill.scope === scope) && (accepts?.(skill) ?? true)
        : undefined;
    return this.#search.search(query, { limit: Math.min(limit, maxLimit), accepts: isAsked, all });
  }

  /** The skills that a text names outright: `$name`, `[$name](path)`, "use the name skill", `/command`. Nothing is guessed. */
  async mentions(text: string): Promise<Mention[]> {
    // Its patterns take longer to compile than most commands take.
    const { findMentions } = await import("./resolve/mentions.ts");
    return findMentions(text, this.skills);
  }

  /**
   * Pairs of usable skills whose descriptions claim the same triggers, so that an agent takes one for the other, and
   * skills that are there more than once. At most `limit` of each (20), with how many there are.
   */
  async overlaps(options: { limit?: number | undefined } = {}): Promise<Overlaps<SkillMetadata>> {
    const { limit = 20 } = options;
    if (!Number.isInteger(limit) || limit < 1)
      throw new SkillError("INVALID_PARAM", "The limit must be a whole number of at least 1.");
    const { findOverlaps } = await import("./overlap/overlap.ts");
    return findOverlaps(this.skills, limit);
  }

  #makeSearch(indexFile: string | null): SkillSearch {
    const found = new Map(this.#collection.found.map((entry) => [entry.file.path, entry]));
    // Not the catalog's order, which is that of the roots.
    const skills = this.skills.toSorted(inSearchOrder);
    const marked = skills.map((skill): MarkedSkill => {
      const entry = found.get(skill.path);
      return { skill, file: entry?.link?.target ?? skill.path, mark: entry ? markOf(entry) : "" };
    });
    const { maxLimit } = this.#settings.config.skills.search;
    return new SkillSearch(skills, openSearchIndex(marked, indexFile), maxLimit);
  }

  /** By which rules the skill was read. */
  validationOf({ scope }: SkillMetadata): Validation {
    return validationIn(this.#settings, scope);
  }

  /** The file that a skill's text is in: of a linked `SKILL.md`, where the link led when the snapshot was made. */
  sourceOf(skill: SkillMetadata): string {
    this.#linked ??= new Map(
      this.#collection.found.flatMap(({ file, link }) => (link ? [[file.path, link.target] as const] : [])),
    );
    return this.#linked.get(skill.path) ?? skill.path;
  }

  /** The next snapshot, from the skills as they are now; the configuration stays the one that the catalog was opened with. */
  refresh(): Promise<Catalog> {
    return this.#next(this.#settings);
  }

  /**
   * @internal For `LiveProject`. The skills as they are now, with the configuration and the trust as they are now; this
   * snapshot itself where nothing is different, unless `force` asks for a new one. A configuration that is wrong now
   * changes nothing.
   */
  async update({ force = false }: { readonly force?: boolean } = {}): Promise<Catalog> {
    const settings = await this.#settingsNow();
    const next = await this.#next(settings);
    const isSame = settings === this.#settings && this.#hasSameTexts(next) && this.#hasSameStates(next);
    if (!isSame || force) return next;
    this.#collection = next.#collection;
    return this;
  }

  async #settingsNow(): Promise<CatalogSettings> {
    try {
      return await this.#settings.now();
    } catch (error) {
      if (error instanceof SkillError && error.code === "CONFIG_INVALID") return this.#settings;
      throw error;
    }
  }

  async #next(settings: CatalogSettings): Promise<Catalog> {
    const next = await Catalog.load(settings, this.snapshot_version + 1, this.#collection);
    // Opening the search index takes longer than the look itself, and a look is taken before every call of a tool.
    if (this.#search && this.#hasSameTexts(next)) next.#search = this.#search;
    return next;
  }

  /** The next snapshot, with the configuration read again too; throws where that is wrong now. */
  async reload(): Promise<Catalog> {
    return Catalog.load(await this.#settings.now(), this.snapshot_version + 1, this.#collection);
  }

  /** Each next snapshot that differs, as files, configuration and trust change; ends with the signal. */
  watch(options: WatchOptions = {}): AsyncGenerator<Catalog, void> {
    return watchFolders<Catalog>(
      this,
      {
        foldersOf: (catalog) => catalog.#watchedFolders(),
        // The version counts snapshots that somebody saw, so one that changed nothing does not use it up.
        refresh: (catalog) => catalog.update(),
        isSame: (a, b) => a === b || a.#fingerprint() === b.#fingerprint(),
      },
      options,
    );
  }

  #hasSameTexts(next: Catalog): boolean {
    const { trees, found } = next.#collection;
    for (const [key, tree] of trees) {
      const before = this.#collection.trees.get(key);
      if (!before || !isSameTree(before, tree)) return false;
    }
    const linked = (list: readonly Found[]): string =>
      list.flatMap(({ file, link }) => (link ? [file.path, link.target, link.mark] : [])).join("\n");
    return (
      this.skills.length === next.skills.length &&
      this.skills.every(({ path }, place) => path === next.skills[place]?.path) &&
      linked(this.#collection.found) === linked(found)
    );
  }

  /** Of the same texts: whether the world around them (programs, links, tools) made something else of them. */
  #hasSameStates(next: Catalog): boolean {
    const isSame = ({ status, reason }: Entry, place: number): boolean =>
      next.entries[place]?.status === status && next.entries[place]?.reason === reason;
    return (
      this.entries.length === next.entries.length &&
      this.entries.every(isSame) &&
      JSON.stringify([this.errors, this.warnings]) === JSON.stringify([next.errors, next.warnings])
    );
  }

  *#watchedFolders(): Iterable<string> {
    const { userFolder } = this.#settings;
    // Not the project's: the log is in there, and each record would mean a look.
    if (existsSync(userFolder)) yield userFolder;
    for (const root of this.roots) yield root.real;
    for (const tree of this.#collection.trees.values()) yield* tree.paths;
  }

  #fingerprint(): string {
    const entries = this.entries.map(({ skill, status, reason }) => [skill, status, reason]);
    return JSON.stringify([entries, this.errors, this.warnings, this.config, this.waitingForTrust]);
  }

  toJSON(): SkillCatalog {
    const { skills, errors, warnings, truncated, snapshot_version } = this;
    return { skills, errors, warnings, truncated, snapshot_version };
  }
}

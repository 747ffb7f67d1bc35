import { basename, dirname, isAbsolute, join, resolve } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import type { FoundFile } from "../catalog/collect.ts";
import type { Root } from "../catalog/scan/roots.ts";
import type { CatalogSettings } from "../catalog/settings.ts";
import { markOf, searchIndexFile } from "../catalog/tree.ts";
import { KnackError, systemCode } from "../shared/errors.ts";
import { canonical } from "../shared/paths.ts";
import { count, measure, span } from "../shared/telemetry.ts";
import { removeQuietly } from "../shared/write-whole.ts";
import type { SkillMetadata, SkillScope } from "../skill/schema.ts";
import { foldCopies, LOOKED_THROUGH } from "./copies.ts";
import { BesideCheck } from "./index/skill-files.ts";
import {
  isNearlyStored,
  type MarkedSkill,
  makeIndexInBackground,
  makeQuickIndex,
  makeSearchIndex,
  openStoredIndex,
} from "./index/stored-index.ts";
import type { TextIndex } from "./index/text-index.ts";
import { otherPhrasings, searchRequest } from "./phrasings.ts";
import { projectLanguages } from "./project-languages.ts";
import {
  inSearchOrder,
  type JudgedResult,
  type SearchLimits,
  type SearchResults,
  SkillSearch,
} from "./search.ts";

export interface SearchOptions {
  readonly limit?: number | undefined;
  readonly scope?: SkillScope | undefined;
  /** The same request in other words or another language, at most four; a poor one does little harm. */
  readonly also?: readonly string[] | undefined;
  /** Only these skills; the others are as if they were not there. */
  readonly accepts?: ((skill: SkillMetadata) => boolean) | undefined;
  /** Skills with one name and one description are one result. */
  readonly foldsCopies?: boolean | undefined;
  /** For a reader who judges all results: after those that fit, and at least five, come skills that other evidence finds. */
  readonly isVaried?: boolean | undefined;
}

interface Searched {
  readonly skills: readonly SkillMetadata[];
  readonly roots: readonly Root[];
  readonly found: readonly FoundFile[];
}

/** Search over the skills of a snapshot. The index is opened when it is first needed. */
export class SnapshotSearch {
  readonly #settings: CatalogSettings;
  readonly #of: Searched;
  #words: CatalogSearch | undefined;

  constructor(settings: CatalogSettings, of: Searched) {
    this.#settings = settings;
    this.#of = of;
  }

  /** Takes over what another snapshot opened: opening an index takes longer than looking for changes, which every call does. */
  takeOver(before: SnapshotSearch, hasSameTexts: () => boolean): void {
    if (before.#words && hasSameTexts()) this.#words = before.#words;
  }

  search(query: string, options: SearchOptions): SearchResults {
    const [phrasings, limits] = this.#checked(query, options);
    if (!options.foldsCopies) return this.#byWords(phrasings, limits);
    const { limit } = limits;
    return foldCopies(this.#byWords(phrasings, { ...limits, limit: limit * LOOKED_THROUGH }), limit);
  }

  searchAsync(query: string, options: SearchOptions): Promise<SearchResults> {
    return span("skill.search", {}, async (traced) => {
      const began = performance.now();
      const found = this.search(query, options);
      const { count: results, fitting } = found;
      traced.set({ "knack.search.results": results, "knack.search.fitting": fitting });
      count("knack.searches");
      measure("knack.search.duration", began);
      return found;
    });
  }

  /** Settles when the index that is being made in a thread is complete. */
  get ready(): Promise<void> | undefined {
    return this.#words?.ready;
  }

  /** Waits until a search covers the texts of the skills too, at most so long; answers whether it does. */
  async isComplete(maxMs: number): Promise<boolean> {
    if (!this.search("", { limit: 1 }).partial) return true;
    await Promise.race([this.ready, delay(maxMs, undefined, { ref: false })]);
    return this.ready === undefined;
  }

  #checked(query: string, options: SearchOptions): [phrasings: string[], limits: SearchLimits] {
    if (typeof query !== "string") throw new KnackError("INVALID_PARAM", "The query must be text.");
    const { config, place } = this.#settings;
    const limits = { ...searchLimits(options, config.skills.search), path: pathMeant(query.trim(), place) };
    return [[query, ...otherPhrasings(query, options.also)], limits];
  }

  #byWords(phrasings: readonly string[], limits: SearchLimits): SearchResults {
    const { config, place, searchInBackground, onIndexProgress } = this.#settings;
    const { skills, found, roots } = this.#of;
    this.#words ??= new CatalogSearch(skills, found, {
      indexFile: searchIndexFile(place.cache, roots),
      maxLimit: config.skills.search.maxLimit,
      project: place.projectRoot,
      inBackground: searchInBackground,
      onProgress: onIndexProgress,
    });
    return searchRequest(this.#words, phrasings, limits);
  }
}

/** Document 004 §5.5: a query that is a path means that skill, however the path is written. */
function pathMeant(query: string, { cwd, home }: CatalogSettings["place"]): string | undefined {
  if (!query.includes("/") && !isAbsolute(query)) return undefined;
  if (query.startsWith("~/")) return realSkillPath(join(home, query.slice(2)));
  if (!query.startsWith("file://")) return realSkillPath(resolve(cwd, query));
  // A slash that is written as %2F is no part of a path.
  const isPath = URL.canParse(query) && new URL(query).host === "" && !/%(?:2f|5c)/i.test(query);
  return isPath ? realSkillPath(fileURLToPath(query)) : undefined;
}

/** As the catalog has it: the folder's links are resolved, those of a `SKILL.md` are not. */
function realSkillPath(path: string): string {
  return basename(path) === "SKILL.md" ? join(canonical(dirname(path)), "SKILL.md") : canonical(path);
}

/** What a caller asked for, checked, within what the configuration allows. */
function searchLimits(
  { limit: asked, scope, accepts, isVaried }: SearchOptions,
  { defaultLimit, maxLimit }: { readonly defaultLimit: number; readonly maxLimit: number },
): SearchLimits {
  const limit = asked ?? defaultLimit;
  checkLimit(limit);
  const isAsked =
    scope || accepts
      ? (skill: SkillMetadata) => (!scope || skill.scope === scope) && (accepts?.(skill) ?? true)
      : undefined;
  return { limit: Math.min(limit, maxLimit), accepts: isAsked, isVaried };
}

export function checkLimit(limit: number): void {
  if (!Number.isInteger(limit) || limit < 1)
    throw new KnackError("INVALID_PARAM", "The limit must be a whole number of at least 1.");
}

interface SearchPlace {
  /** Where the index is kept, if anywhere. */
  readonly indexFile: string | null;
  readonly maxLimit: number;
  /** The root of the project at hand: its languages decide between skills that differ in theirs. */
  readonly project: string;
  /** Answer from names and descriptions while a large index is made in a thread. */
  readonly inBackground: boolean;
  /** Called while an index is made, but not in a thread, with the number of skills read so far; last with all of them. */
  readonly onProgress?: ((skills: number, total: number) => void) | undefined;
}

/** The index of fewer skills is made in a moment. */
const FEW_SKILLS = 500;
/** With more skills even the update of an index takes longer than a caller should wait. */
const MANY_SKILLS = 20_000;

/** Search over the skills of a snapshot, with their texts where the scan found them. The index is opened or made when needed. */
class CatalogSearch {
  readonly #skills: readonly SkillMetadata[];
  readonly #marked: readonly MarkedSkill[];
  #place: SearchPlace;
  #full: SkillSearch | undefined;
  #quick: SkillSearch | undefined;
  #ready: Promise<void> | undefined;
  #index: TextIndex | undefined;
  #languages: ReadonlySet<string> | undefined;
  readonly #beside: BesideCheck;

  constructor(skills: readonly SkillMetadata[], files: readonly FoundFile[], place: SearchPlace) {
    const found = new Map(files.map((entry) => [entry.file.path, entry]));
    // Not the catalog's order, which is that of the roots.
    this.#skills = skills.toSorted(inSearchOrder);
    this.#marked = this.#skills.map((skill): MarkedSkill => {
      const entry = found.get(skill.path);
      const bytes = entry?.root.files?.get(skill.path);
      return { skill, file: entry?.target ?? skill.path, mark: entry ? markOf(entry) : "", bytes };
    });
    const { indexFile } = place;
    this.#beside = new BesideCheck(
      this.#skills.map(({ dir }) => dir),
      indexFile && `${indexFile}.checked`,
    );
    this.#place = place;
  }

  /** Settles when the index is complete; `undefined` if it is not being made in a thread. */
  get ready(): Promise<void> | undefined {
    return this.#ready;
  }

  get leastLikelihood(): number {
    return (this.#full ?? this.#quickSearch()).leastLikelihood;
  }

  search(query: string, limits: SearchLimits): SearchResults<JudgedResult> {
    this.#full ??= this.#open();
    if (!this.#full) return { ...this.#quickSearch().search(query, limits), partial: true };
    this.#checkBeside();
    const found = this.#full.search(query, limits);
    if (!this.#index?.isDamaged()) return found;
    if (this.#place.indexFile !== null) removeQuietly(this.#place.indexFile);
    this.#full = undefined;
    return this.search(query, limits);
  }

  /** `undefined` if the index is being made in a thread. */
  #open(): SkillSearch | undefined {
    if (this.#ready) return;
    const { indexFile, inBackground } = this.#place;
    const stored = indexFile === null ? null : openStoredIndex(this.#marked, indexFile);
    if (stored) return this.#over(stored);
    const count = this.#skills.length;
    const isQuick =
      count <= FEW_SKILLS ||
      (count <= MANY_SKILLS && indexFile !== null && isNearlyStored(this.#marked, indexFile));
    if (!inBackground || isQuick) {
      const onProgress = (done: number): void => {
        if (done < count) this.#place.onProgress?.(done, count);
      };
      const made = makeSearchIndex(this.#marked, indexFile, { onProgress });
      this.#place.onProgress?.(count, count);
      return this.#over(made);
    }
    this.#ready = this.#makeInBackground();
    return;
  }

  async #makeInBackground(): Promise<void> {
    try {
      this.#full = this.#over(await makeIndexInBackground(this.#marked, this.#place.indexFile));
    } catch (error) {
      this.#place = { ...this.#place, inBackground: false };
      process.emitWarning(`The search index is made by the next search: ${systemCode(error)}`);
    }
    this.#quick = undefined;
    this.#ready = undefined;
  }

  #checkBeside(): void {
    if (this.#ready || !this.#index || !this.#beside.hasChanged(this.#index)) return;
    const { indexFile, inBackground } = this.#place;
    // The index there is goes on answering while a large one is made.
    if (inBackground && this.#skills.length > MANY_SKILLS) this.#ready = this.#makeInBackground();
    else this.#full = this.#over(makeSearchIndex(this.#marked, indexFile, { checksBeside: true }));
  }

  #quickSearch(): SkillSearch {
    this.#quick ??= this.#searchIn(makeQuickIndex(this.#marked));
    return this.#quick;
  }

  #over(index: TextIndex): SkillSearch {
    this.#index = index;
    return this.#searchIn(index);
  }

  #searchIn(index: TextIndex): SkillSearch {
    const { maxLimit, project } = this.#place;
    this.#languages ??= projectLanguages(project);
    return new SkillSearch(this.#skills, index, maxLimit, this.#languages);
  }
}

/** A search as if a skill had another description. The index is made in memory; nothing is written. */
export function trialSearch(
  skills: readonly SkillMetadata[],
  sourceOf: (skill: SkillMetadata) => string,
  maxLimit: number,
  changed: { readonly path: string; readonly description: string },
): SkillSearch {
  const described = skills
    .map((skill) => (skill.path === changed.path ? { ...skill, description: changed.description } : skill))
    .sort(inSearchOrder);
  const marked = described.map((skill) => ({ skill, file: sourceOf(skill), mark: "" }));
  return new SkillSearch(described, makeSearchIndex(marked, null), maxLimit);
}

import { type FoundFile, markOf } from "../catalog/collect.ts";
import { systemCode } from "../shared/errors.ts";
import { DamagedFile } from "../shared/stored/parts-file.ts";
import { removeQuietly } from "../shared/write-whole.ts";
import type { SkillMetadata } from "../skill/schema.ts";
import type { TextIndex } from "./index/text-index.ts";
import { BesideCheck } from "./make/beside-check.ts";
import {
  isNearlyStored,
  type MarkedSkill,
  makeQuickIndex,
  makeSearchIndex,
  openStoredIndex,
} from "./make/search-index.ts";
import { projectLanguages } from "./project/project-languages.ts";
import { inSearchOrder, type SearchLimits, type SearchResults, SkillSearch } from "./search.ts";

export interface SearchPlace {
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
export class CatalogSearch {
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
      return { skill, file: entry?.link?.target ?? skill.path, mark: entry ? markOf(entry) : "" };
    });
    this.#beside = new BesideCheck(this.#skills.map(({ dir }) => dir));
    this.#place = place;
  }

  /** Settles when the index is complete; `undefined` if it is not being made in a thread. */
  get ready(): Promise<void> | undefined {
    return this.#ready;
  }

  search(query: string, limits: SearchLimits): SearchResults {
    this.#full ??= this.#open();
    if (!this.#full) return { ...this.#quickSearch().search(query, limits), partial: true };
    try {
      this.#checkBeside();
      return this.#full.search(query, limits);
    } catch (error) {
      if (!(error instanceof DamagedFile)) throw error;
      if (this.#place.indexFile !== null) removeQuietly(this.#place.indexFile);
      this.#full = undefined;
      return this.search(query, limits);
    }
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
      const { makeIndexInBackground } = await import("./make/background-index.ts");
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

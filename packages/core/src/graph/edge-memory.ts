import type { Catalog } from "../open-catalog.ts";
import { askThread, threadCode } from "../shared/helper-thread.ts";
import type { SkillMetadata } from "../skill/schema.ts";
import type { SkillEdges } from "./edge.ts";
import { readTexts, type SkillSource } from "./skill-graph.ts";
import { makeSkillIndex, type SkillIndex } from "./skill-index.ts";

/** For fewer texts a thread is not worth its start. */
const MANY_TEXTS = 32;

/** What the thread gets: all skills that a text can mean, and which of them to read, from where. */
export interface EdgeWork {
  readonly skills: readonly SkillMetadata[];
  readonly texts: readonly (readonly [place: number, source: string])[];
}

/**
 * What the texts of skills say of each other, with explanations, kept from one snapshot to the next for a server: to read thousands
 * takes seconds, so a thread does that, and after an edit only the changed text is read.
 */
export class EdgeMemory {
  /** All that a text can mean: while it is the same, what a text means changes with that text alone. */
  #names = "";
  #index: SkillIndex | undefined;
  /** By folder as a look saw it: another object where it or its `SKILL.md` has changed. */
  #known = new WeakMap<object, SkillEdges>();
  #turn: Promise<unknown> = Promise.resolve();

  /** The edges of each skill, in the order of the catalog. One at a time: the next one has little left to read. */
  edgesOf(catalog: Catalog, typed: readonly SkillMetadata[]): Promise<readonly SkillEdges[]> {
    const next = this.#turn.then(() => this.#read(catalog, typed));
    this.#turn = next.catch(() => undefined);
    return next;
  }

  async #read(catalog: Catalog, typed: readonly SkillMetadata[]): Promise<readonly SkillEdges[]> {
    const all = [...catalog.skills, ...typed];
    const names = all.map(({ name, path }) => `${name} ${path}`).join("\n");
    if (names !== this.#names) {
      this.#names = names;
      this.#index = undefined;
      this.#known = new WeakMap();
    }
    const folders = new Map<string, object>();
    for (const tree of catalog.trees) for (const folder of tree.folders) folders.set(folder.path, folder);
    const texts = catalog.skills.map((skill, place) => {
      const source = catalog.sourceOf(skill);
      // Where a linked SKILL.md leads may change without its folder.
      const folder = source === skill.path ? folders.get(skill.dir) : undefined;
      return { skill, place, source, folder, edges: folder && this.#known.get(folder) };
    });
    const unread = texts.filter(({ edges }) => edges === undefined);
    const read = await this.#readUnread(unread, all);
    for (const [at, one] of unread.entries()) {
      one.edges = read[at];
      if (one.folder && one.edges) this.#known.set(one.folder, one.edges);
    }
    return texts.flatMap(({ edges }) => edges ?? []);
  }

  async #readUnread(
    unread: readonly (SkillSource & { readonly place: number })[],
    skills: readonly SkillMetadata[],
  ): Promise<readonly SkillEdges[]> {
    if (unread.length >= MANY_TEXTS) {
      const work: EdgeWork = {
        // Descriptions have no edges, and what a thread gets is copied.
        skills: skills.map((skill) => ({ ...skill, description: "" })),
        texts: unread.map(({ place, source }) => [place, source]),
      };
      const thread = { code: threadCode(import.meta.url, "./graph-worker"), what: "the skill graph" };
      const made = await askThread<SkillEdges[]>(thread, work);
      if (made) return made;
    }
    this.#index ??= makeSkillIndex(skills);
    return readTexts(unread, this.#index, true);
  }
}

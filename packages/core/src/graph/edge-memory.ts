import type { Catalog } from "../open-catalog.ts";
import { askThread, threadCode } from "../shared/helper-thread.ts";
import type { SkillMetadata } from "../skill/schema.ts";
import type { SkillEdges } from "./edge.ts";
import { readTexts, type SkillSource } from "./skill-graph.ts";
import { makeSkillIndex, type SkillIndex } from "./skill-index.ts";

/** For fewer texts a thread is not worth its start. */
const MANY_TEXTS = 32;

export interface EdgeWork {
  readonly skills: readonly SkillMetadata[];
  readonly texts: readonly (readonly [place: number, source: string])[];
}

/**
 * The edges of all texts, with explanations, for a server: a thread reads thousands, and after an edit only what changed is
 * read.
 */
export class EdgeMemory {
  /** Names and paths: while they are the same, only a change of its own text changes a skill's edges. */
  #names = "";
  #index: SkillIndex | undefined;
  /** By scanned folder: another object after a change. */
  #known = new WeakMap<object, SkillEdges>();
  #turn: Promise<unknown> = Promise.resolve();

  /** In catalog order. One reading at a time. */
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
      // The target of a linked SKILL.md changes without the folder.
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
        // Descriptions have no edges; without them less is copied.
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

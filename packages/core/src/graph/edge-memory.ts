import type { Catalog } from "../open-catalog.ts";
import { askThread } from "../shared/helper-thread.ts";
import type { SkillMetadata } from "../skill/schema.ts";
import type { SkillEdges } from "./edge.ts";
import { readTexts, type SkillSource } from "./skill-graph.ts";
import { makeSkillIndex, type SkillIndex } from "./skill-index.ts";

/** For fewer texts a thread is not worth its start. */
const MANY_TEXTS = 32;

/** What the thread gets. */
export interface EdgeWork {
  readonly texts: readonly SkillSource[];
  readonly skills: readonly SkillMetadata[];
}

/**
 * What the texts of skills say of each other, with explanations, kept from one snapshot to the next for a server: to read thousands
 * takes seconds, so a thread does that, and after an edit only the changed text is read.
 */
export class EdgeMemory {
  /** All that a text can mean: while it is the same, what a text means changes with that text alone. */
  #names = "";
  #index: SkillIndex = makeSkillIndex([]);
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
      this.#index = makeSkillIndex(all);
      this.#known = new WeakMap();
    }
    const folders = new Map<string, object>();
    for (const tree of catalog.trees) for (const folder of tree.folders) folders.set(folder.path, folder);
    const texts = catalog.skills.map((skill) => {
      const source = catalog.sourceOf(skill);
      // Where a linked SKILL.md leads may change without its folder.
      const folder = source === skill.path ? folders.get(skill.dir) : undefined;
      return { skill, source, folder, edges: folder && this.#known.get(folder) };
    });
    const unread = texts.filter(({ edges }) => edges === undefined);
    const read = await this.#readUnread(unread, all);
    for (const [place, one] of unread.entries()) {
      one.edges = read[place];
      if (one.folder && one.edges) this.#known.set(one.folder, one.edges);
    }
    return texts.flatMap(({ edges }) => edges ?? []);
  }

  async #readUnread(
    unread: readonly SkillSource[],
    skills: readonly SkillMetadata[],
  ): Promise<readonly SkillEdges[]> {
    // Descriptions have no edges, and what a thread gets is copied.
    const plain = (skill: SkillMetadata): SkillMetadata => ({ ...skill, description: "" });
    const work: EdgeWork = {
      texts: unread.map(({ skill, source }) => ({ skill: plain(skill), source })),
      skills: skills.map(plain),
    };
    const thread = { from: import.meta.url, file: "./graph-worker", what: "the skill graph" };
    const made = unread.length < MANY_TEXTS ? undefined : await askThread<SkillEdges[]>(thread, work);
    return made ?? readTexts(unread, this.#index, true);
  }
}

import { isAbsolute } from "node:path";
import { fold } from "../../shared/fold.ts";
import type { SkillMetadata } from "../../skill/schema.ts";

export interface NamedSkill {
  readonly skill: number;
  readonly reason: "exact_path" | "exact_name" | "prefix";
  readonly score: number;
}

/** Finds the skills that a query names: by path, by name, by the start of a name. */
export class NamedSkills {
  /** Folded names with their skills, sorted by name. */
  readonly #names: readonly { readonly name: string; readonly skill: number }[];
  readonly #skills: readonly SkillMetadata[];
  #paths: ReadonlyMap<string, number> | undefined;

  constructor(skills: readonly SkillMetadata[]) {
    this.#names = skills
      .map(({ name }, skill) => ({ name: fold(name), skill }))
      .sort((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : a.skill - b.skill));
    this.#skills = skills;
  }

  find(query: string): NamedSkill[] {
    const found: NamedSkill[] = [];
    const path = this.#byPath(query);
    if (path !== undefined) found.push({ skill: path, reason: "exact_path", score: 1 });
    const name = fold(query);
    if (name === "") return found;
    for (let at = this.#firstFrom(name); this.#names[at]?.name.startsWith(name); at++) {
      const { name: whole = "", skill = 0 } = this.#names[at] ?? {};
      if (skill === path) continue;
      const reason = whole === name ? "exact_name" : "prefix";
      found.push({ skill, reason, score: name.length / whole.length });
    }
    return found;
  }

  #byPath(query: string): number | undefined {
    if (!isAbsolute(query)) return;
    this.#paths ??= new Map(
      this.#skills.flatMap(({ path, dir }, skill) => [[path, skill] as const, [dir, skill] as const]),
    );
    return this.#paths.get(query.replace(/(?<=.)[/\\]$/, ""));
  }

  #firstFrom(name: string): number {
    let low = 0;
    let high = this.#names.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.#names[middle]?.name ?? "") < name) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}

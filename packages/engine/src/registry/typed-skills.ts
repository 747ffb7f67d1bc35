import { typedNameOf } from "@knack/core/catalog";
import { fewOf, KnackError, quote } from "@knack/core/text";

import type { EngineProject } from "../shared/engine-project.ts";
import { type Registered, register, type SkillTable } from "./register.ts";

const NO_SKILLS: SkillTable = {
  skills: [],
  errors: [],
  warnings: [],
  leftOut: new Map(),
  registered: new Map(),
  trusted: false,
};

export class TypedSkills {
  readonly #project: EngineProject;
  #files: readonly string[];
  #table = NO_SKILLS;

  constructor(project: EngineProject, files: readonly string[]) {
    this.#project = project;
    this.#files = files;
  }

  /** As they were last read. */
  get table(): SkillTable {
    return this.#table;
  }

  async reload(files = this.#files): Promise<void> {
    this.#files = files;
    const { projectRoot, isTrusted } = this.#project;
    this.#table = register(files, projectRoot, isTrusted);
  }

  /** As the project is trusted now: trust may have been given or revoked since they were read. */
  async current(): Promise<SkillTable> {
    if (this.#project.isTrusted !== this.#table.trusted) await this.reload();
    return this.#table;
  }

  async find(name: string): Promise<Registered> {
    const { skills, registered, errors } = await this.current();
    const found = registered.get(typedNameOf([...registered.keys()], name) ?? name);
    if (found) return found;
    const names = fewOf(
      skills.map((skill) => skill.name),
      { next: '"knack registry" lists them all' },
    );
    // Nobody knows what a file that cannot be read would have declared.
    const unread = errors.find(
      ({ code }) => code === "E_REG_FILE" || code === "E_REG_SYNTAX" || code === "E_REG_VERSION",
    );
    const hint = unread ? ` ${unread.path}:${unread.line ?? 1} was not read: ${unread.message}` : "";
    throw new KnackError(
      "NOT_FOUND",
      this.whyLeftOut(name) ??
        `There is no typed skill ${quote(name)}; the typed skills are ${names}.${hint}`,
    );
  }

  /** What is wrong with the entry of this name, and what to do; `undefined` where no entry was left out under it. */
  whyLeftOut(name: string): string | undefined {
    const fault = this.#table.leftOut.get(name);
    if (!fault) return undefined;
    const where = fault.line === undefined ? fault.path : `${fault.path}:${fault.line}`;
    return `The typed skill ${quote(name)} was skipped because its entry has an error (${where}): ${fault.message} Fix it; "knack registry" lists all errors.`;
  }
}

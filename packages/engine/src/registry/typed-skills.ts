import { typedNameOf } from "@knack/core/catalog";
import { fewOf, KnackError, quote } from "@knack/core/text";
import { BUILTIN_SKILLS } from "../builtin/index.ts";
import type { EngineProject } from "../shared/engine-project.ts";
import type { SkillFunction, TypedSkill } from "../shared/typed-skill.ts";
import { type CheckParams, paramsChecker } from "./check-params.ts";
import { findImplementation, type Implementation } from "./implementation.ts";
import { type ImplementationDigest, implementationDigest } from "./implementation-digest.ts";
import { loadRegistry, type Registry } from "./load-registry.ts";

export type Executable =
  | {
      readonly kind: "builtin";
      readonly name: string;
      readonly run: SkillFunction;
      /** Whether it parses untrusted input, so that it runs in its own process. */
      readonly parses: boolean;
      /** Whether it makes artifacts and so needs a folder. */
      readonly writes: boolean;
    }
  | Extract<Implementation, { kind: "file" }>;

export interface Registered {
  readonly skill: TypedSkill;
  readonly implementation: {
    readonly sources: string;
    readonly executable: Executable;
    /** The digest of the current code and its runtime. */
    cover(runtime: string): ImplementationDigest | { readonly problem: string };
  };
  readonly checkParams: CheckParams;
}

export interface SkillTable extends Registry {
  readonly registered: ReadonlyMap<string, Registered>;
  /** Whether it was read as a trusted project. */
  readonly trusted: boolean;
}

/** Reads the registry files and finds the code of each entry. An entry without code is an error that names it. */
export function register(files: readonly string[], projectRoot: string, trusted: boolean): SkillTable {
  const builtins = new Map([...BUILTIN_SKILLS].map(([name, { skill }]) => [name, skill]));
  const registry = loadRegistry(files, { projectRoot, builtins, trusted });
  const registered = new Map<string, Registered>();
  const leftOut = new Map(registry.leftOut);
  const errors = [...registry.errors];
  for (const skill of registry.skills) {
    const found = findImplementation(skill.implementation, { projectRoot, name: skill.name, builtins });
    const covered = "problem" in found ? found : implementationDigest(found, { projectRoot, runtime: "" });
    const checker = paramsChecker(skill.params.schema);
    if ("problem" in found || "problem" in covered || "problem" in checker) {
      const { problem } = [covered, checker].find((one) => "problem" in one) as { problem: string };
      const { file = "", line = 1 } = skill.declared ?? {};
      const fault = { path: file, code: "E_REG_IMPLEMENTATION", message: problem, line };
      errors.push({ ...fault, message: `${skill.name}: ${problem}` });
      leftOut.set(skill.name, fault);
      continue;
    }
    const implementation = {
      sources: covered.sources,
      executable: executableOf(found),
      cover: (runtime: string) => implementationDigest(found, { projectRoot, runtime }),
    };
    registered.set(skill.name, { skill, implementation, checkParams: checker });
  }
  const skills = registry.skills.filter(({ name }) => registered.has(name));
  return { skills, errors, warnings: registry.warnings, leftOut, registered, trusted };
}

function executableOf(found: Implementation): Executable {
  if (found.kind === "file") return found;
  const builtin = BUILTIN_SKILLS.get(found.name);
  if (!builtin) throw new Error(`There is no built-in skill ${found.name}.`);
  const { run, parses, skill } = builtin;
  return { kind: "builtin", name: found.name, run, parses, writes: skill.outputs.artifacts.length > 0 };
}

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

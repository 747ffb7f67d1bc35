import { BUILTIN_SKILLS } from "../builtin/index.ts";
import type { SkillFunction } from "../shared/skill-function.ts";
import type { TypedSkill } from "../shared/typed-skill.ts";
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

import type { JsonObject } from "../json/plain-json.ts";
import type { SkillFunction } from "../shared/skill-function.ts";
import type { TypedSkill } from "../shared/typed-skill.ts";
import type { ParamFault } from "./check-params.ts";
import type { Language } from "./implementation/implementation.ts";
import type { ImplementationDigest } from "./implementation/implementation-digest.ts";

/** What is executed: a function of Knack's own, or a file of the project. */
export type Executable =
  | {
      readonly kind: "builtin";
      readonly name: string;
      readonly run: SkillFunction;
      /** Whether it parses what it reads, and so has a process of its own that can be ended. */
      readonly parses: boolean;
      /** Whether it makes artifacts: one that makes none needs no folder. */
      readonly writes: boolean;
    }
  | {
      readonly kind: "file";
      readonly path: string;
      readonly language: Language;
      readonly functionName: string;
    };

/** A typed skill that can be run. */
export interface Registered {
  readonly skill: TypedSkill;
  readonly implementation: {
    /** As the entry says it. */
    readonly stated: string;
    /** The digest of the code when the registry was read. */
    readonly sources: string;
    readonly executable: Executable;
    /** The code as it is now, with what runs it. */
    cover(runtime: string): ImplementationDigest | { readonly problem: string };
  };
  checkParams(params: unknown): { readonly params: JsonObject } | { readonly problems: readonly string[] };
  /** The same, each with its place; none where nothing is wrong. */
  paramFaults(params: unknown): readonly ParamFault[];
}

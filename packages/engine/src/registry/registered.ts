import type { JsonObject } from "../json/plain-json.ts";
import type { SkillFunction } from "../shared/skill-function.ts";
import type { TypedSkill } from "../shared/typed-skill.ts";
import type { ParamFault } from "./check-params.ts";
import type { Language } from "./implementation/implementation.ts";
import type { ImplementationDigest } from "./implementation/implementation-digest.ts";

/** What is executed: a built-in function, or a file of the project. */
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
    /** As declared in the entry. */
    readonly stated: string;
    /** The digest of the code when the registry was loaded. */
    readonly sources: string;
    readonly executable: Executable;
    /** The digest of the current code and its runtime. */
    cover(runtime: string): ImplementationDigest | { readonly problem: string };
  };
  checkParams(params: unknown): { readonly params: JsonObject } | { readonly problems: readonly string[] };
  /** All faults with their paths; empty if there are none. */
  paramFaults(params: unknown): readonly ParamFault[];
}

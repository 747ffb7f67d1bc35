import type { SkillFunction } from "../skill-function.ts";
import type { TypedSkill } from "../typed-skill.ts";
import type { Language } from "./implementation.ts";
import type { JsonObject } from "./plain-json.ts";

/** What is executed: a function of Knack's own, or a file of the project. */
export type Executable =
  | { readonly kind: "builtin"; readonly run: SkillFunction }
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
    /** Of the code with what runs it: part of the key. */
    readonly digest: string;
    /** Of the code alone: what trust is bound to. */
    readonly sources: string;
    readonly executable: Executable;
  };
  checkParams(params: unknown): { readonly params: JsonObject } | { readonly problems: readonly string[] };
}

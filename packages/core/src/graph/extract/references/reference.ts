import type { SkillMetadata } from "../../../skill/schema.ts";

/** A place in a passage that names a skill: `text.slice(start, end)`, with its slash, namespace or path. */
export interface FoundReference {
  readonly start: number;
  readonly end: number;
  readonly name: string;
  /** `null`: several are equally near. `undefined`: there is none, though one is clearly meant. */
  readonly skill: SkillMetadata | null | undefined;
  /** The form or the rule by which it is a reference. */
  readonly by: string;
  /** A file of the skill and not the skill itself. */
  readonly isFile: boolean;
  /** Inside of code that is more than the reference. */
  readonly isCode: boolean;
  /** Written so that nothing but a skill can be meant, or marked as a name. */
  readonly isMarked: boolean;
}

import type { SkillMetadata } from "../../../skill/schema.ts";

/** A position in a passage that names a skill: `text.slice(start, end)`, with its slash, namespace or path. */
export interface FoundReference {
  readonly start: number;
  readonly end: number;
  readonly name: string;
  /** `null`: several are equally near. `undefined`: none exists, although one is clearly meant. */
  readonly skill: SkillMetadata | null | undefined;
  /** The form or rule that makes it a reference. */
  readonly by: string;
  /** A file of the skill, not the skill itself. */
  readonly isFile: boolean;
  /** Inside code that is more than the reference. */
  readonly isCode: boolean;
  /** Written in a form that can only mean a skill, or marked as a name. */
  readonly isMarked: boolean;
}

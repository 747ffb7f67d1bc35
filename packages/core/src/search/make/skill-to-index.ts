import type { SkillMetadata } from "../../skill/schema.ts";
import type { Beside } from "./beside.ts";

export interface SkillToIndex extends Pick<SkillMetadata, "name" | "dir" | "description"> {
  /** Changes when the skill does; `KEY` bytes in hexadecimal. */
  readonly key: string;
  readonly body: () => string;
  readonly beside: () => Beside;
  /** Where the body is, if another thread can read it. */
  readonly file?: string;
}

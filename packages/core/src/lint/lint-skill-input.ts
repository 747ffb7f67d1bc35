import type { PlacedFault } from "../context/files/walk-files.ts";
import type { FullReading } from "../skill/parse.ts";
import type { LintText } from "./text/passage.ts";

/** A skill's folder as the checks see it: read once, nothing of it executed. */
export interface LintSkill {
  /** Canonical folder. */
  readonly dir: string;
  readonly reading: FullReading;
  /** `SKILL.md` first. */
  readonly texts: readonly LintText[];
  /** Every file beside `SKILL.md`, with slashes, also those that are no text. */
  readonly files: ReadonlySet<string>;
  /** Files that the system would execute, and those whose bytes are a program. */
  readonly executables: readonly {
    readonly file: string;
    readonly isBinary: boolean;
    readonly digest: string;
  }[];
  /** Files that were not read, and why. */
  readonly unread: readonly { readonly file: string; readonly reason: string }[];
  readonly faults: readonly PlacedFault[];
}

import type { PlacedFault } from "../shared/diagnostics.ts";
import type { FullReading } from "../skill/parse.ts";
import type { LintText } from "./lint-text.ts";

/** `error` fails a build, `warning` deserves a look, `note` is for whoever asks for everything. */
export type LintSeverity = "error" | "warning" | "note";

/** What a check says of one place, before the skill's folder and the user's decisions are known. */
export interface Remark {
  readonly rule: string;
  readonly severity: LintSeverity;
  /** Path in the skill's folder, with slashes. */
  readonly file: string;
  readonly line?: number;
  readonly message: string;
  /** What it is about, where that is more than the line: a changed subject is another finding for a baseline. */
  readonly subject?: string;
}

export interface Finding {
  readonly rule: string;
  readonly severity: LintSeverity;
  readonly category: "security" | "quality";
  /** Absolute path of the file. */
  readonly path: string;
  readonly line?: number;
  readonly message: string;
  /** The same for the same words in the same file, wherever they move to in it; a baseline is a list of these. */
  readonly fingerprint: string;
  readonly suppressed?: string;
}

const GRAVITY: Readonly<Record<LintSeverity, number>> = { note: 0, warning: 1, error: 2 };

export function isGraver(a: Remark, b: Remark): boolean {
  return GRAVITY[a.severity] > GRAVITY[b.severity];
}

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

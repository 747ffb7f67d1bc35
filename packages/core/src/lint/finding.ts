/** `error` fails a build, `warning` deserves a look, `note` is for whoever asks for everything. */
export type LintSeverity = "error" | "warning" | "note";

/** What a check says of one place. */
export interface Remark {
  readonly rule: string;
  readonly severity: LintSeverity;
  /** Path in the skill's folder, with slashes. */
  readonly file: string;
  readonly line?: number | undefined;
  readonly message: string;
  /** What it is about, if more than the line; part of the fingerprint. */
  readonly subject?: string;
}

export interface Finding {
  readonly rule: string;
  readonly severity: LintSeverity;
  readonly category: "security" | "quality";
  readonly path: string;
  readonly line?: number | undefined;
  readonly message: string;
  /** Does not change when the words move within their file. */
  readonly fingerprint: string;
  readonly suppressed?: string | undefined;
}

/** What the function behind a typed skill gets and gives back. */

export type InputKind = "FILE" | "CONFIRMATION" | "ARTIFACT";

export interface SkillInput {
  readonly role: string;
  readonly kind: InputKind;
  /** A copy with exactly the digest beside it: what was hashed is what is read. */
  readonly path: string;
  readonly sha256: string;
  readonly size_bytes: number;
}

export interface SkillContext {
  /** In declared order. */
  readonly inputs: readonly SkillInput[];
  /** Checked, with the schema's defaults filled in. */
  readonly params: Readonly<Record<string, unknown>>;
  /** The one folder to write into. */
  readonly artifactsDir: string;
  readonly taskId: string;
  readonly signal: AbortSignal;
  log(message: string): void;
}

export interface ProducedArtifact {
  readonly name: string;
  /** Absolute, or relative to `artifactsDir`. */
  readonly path: string;
  readonly sha256: string;
  readonly format: string;
}

export interface ProducedEvidence {
  readonly kind: string;
  readonly data: Readonly<Record<string, unknown>>;
}

export interface SkillOutput {
  readonly status: "SUCCEEDED" | "FAILED";
  readonly artifacts: readonly ProducedArtifact[];
  readonly evidences: readonly ProducedEvidence[];
  readonly error: { readonly code: string; readonly message: string } | null;
}

export type SkillFunction = (context: SkillContext) => SkillOutput | Promise<SkillOutput>;

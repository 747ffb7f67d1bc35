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
  readonly inputs: readonly SkillInput[];
  /** Checked, with the schema's defaults filled in. */
  readonly params: Readonly<Record<string, unknown>>;
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

/** A typed skill as the registry declares it, checked and with defaults. */
export interface TypedSkill {
  readonly name: string;
  readonly description: string;
  /** As declared; `""` where the entry has none. */
  readonly version: string;
  /** As written: `builtin:x`, `skills/impl/x.ts:run`, `skills.impl.x:run`. */
  readonly implementation: string;
  readonly inputs: readonly DeclaredInput[];
  readonly outputs: {
    readonly artifacts: readonly DeclaredArtifact[];
    readonly evidences: readonly DeclaredEvidence[];
  };
  readonly params: { readonly schema: Readonly<Record<string, unknown>> };
  readonly idempotency: { readonly strategy: Strategy; readonly cache: boolean };
  /** Environment variables that are passed on; their values are part of the key. */
  readonly env: readonly string[];
  readonly timeoutSeconds: number | null;
  /** What a worker must offer to run it from the queue, sorted; see docs/team.md. */
  readonly tags: readonly string[];
  /** Where it is declared; `null` for a built-in that nobody declared. */
  readonly declared: { readonly file: string; readonly line: number } | null;
}

export type Strategy = "INPUT_HASHES" | "INPUT_HASHES_PLUS_PARAMS" | "DISABLED";

export interface DeclaredInput {
  readonly role: string;
  readonly kind: InputKind;
  readonly required: boolean;
  /** Whether more than one file may have this role. */
  readonly many: boolean;
  /** As the entry says it; it informs, and nothing is checked by it. */
  readonly schema?: Readonly<Record<string, unknown>>;
}

export interface DeclaredArtifact {
  readonly name: string;
  readonly format: string;
  /** Relative to the project, below `workspace/artifacts/`. */
  readonly pathTemplate: string;
}

export interface DeclaredEvidence {
  readonly kind: string;
  /** The fields that its data must have; an empty list asks for none in particular. */
  readonly fields: readonly string[];
}

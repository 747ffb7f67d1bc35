import type { InputKind } from "./skill-function.ts";

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

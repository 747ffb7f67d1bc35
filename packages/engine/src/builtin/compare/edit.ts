/** A run of lines that were replaced: `removed` of the left by `added` of the right, either of which may be none. */
export interface Edit {
  readonly leftAt: number;
  readonly removed: number;
  readonly rightAt: number;
  readonly added: number;
}

export interface Comparison {
  /** In order; between two of them at least one line is the same. */
  readonly edits: readonly Edit[];
  /** Whether some place was too different for the shortest edit, and is shown as replaced. */
  readonly approximate: boolean;
}

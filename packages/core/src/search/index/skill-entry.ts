/** One skill's entry in an index: its distinct words by number, with packed counts. */
export interface SkillEntry {
  readonly words: Uint32Array;
  readonly counts: Uint16Array;
  readonly lengths: readonly number[];
  /** Its words in order, by number, with marks. */
  readonly sequence: Int32Array;
  /** Sentences that may be about other skills. */
  readonly anchors: Uint32Array;
}

/** One skill's part of an index: its words by number, each once, with the packed counts. */
export interface SkillEntry {
  readonly words: Uint32Array;
  readonly counts: Uint16Array;
  readonly lengths: readonly number[];
  /** Its words in their order, by number, with marks. */
  readonly sequence: Int32Array;
  /** What it says that may be about other skills. */
  readonly anchors: Uint32Array;
}

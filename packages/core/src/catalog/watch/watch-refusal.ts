/** Why folders cannot be watched, in words that fit after "because". */
export class WatchRefusal extends Error {
  override readonly name = "WatchRefusal";
  /** What would help. */
  readonly hint: string | undefined;

  constructor(message: string, hint?: string) {
    super(message);
    this.hint = hint;
  }
}

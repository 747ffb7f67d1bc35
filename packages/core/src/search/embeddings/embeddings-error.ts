/** Why an embeddings endpoint was of no use. The message continues "The embeddings endpoint <url> …". */
export class EmbeddingsError extends Error {
  override readonly name = "EmbeddingsError";
  /** Whether the endpoint works but refused these texts, so that others may go through. */
  readonly isRefusal: boolean;
  /** What the endpoint itself said, cut. For a person who sets it up, not for a model. */
  readonly said: string | undefined;

  constructor(message: string, { isRefusal = false, said }: { isRefusal?: boolean; said?: string } = {}) {
    super(message);
    this.isRefusal = isRefusal;
    this.said = said;
  }
}

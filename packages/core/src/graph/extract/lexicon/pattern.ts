/** A list stands for any of its words. */
type Piece = string | readonly string[];

/** Source of a pattern, for use in others: a list in it becomes alternatives. */
export function piece(text: TemplateStringsArray, ...pieces: readonly Piece[]): string {
  return String.raw(text, ...pieces.map((one) => (typeof one === "string" ? one : `(?:${one.join("|")})`)));
}

/** A pattern that ignores case. */
export function re(text: TemplateStringsArray, ...pieces: readonly Piece[]): RegExp {
  return new RegExp(piece(text, ...pieces), "i");
}

/** A pattern in which capitals matter: "MUST" is louder than "must". */
export function exact(text: TemplateStringsArray, ...pieces: readonly Piece[]): RegExp {
  return new RegExp(piece(text, ...pieces));
}

/** A list matches any of its words. */
type Piece = string | readonly string[];

/** Source of a pattern, for use in others: lists become alternatives. */
export function piece(text: TemplateStringsArray, ...pieces: readonly Piece[]): string {
  return String.raw(text, ...pieces.map((one) => (typeof one === "string" ? one : `(?:${one.join("|")})`)));
}

/** A case-insensitive pattern. */
export function re(text: TemplateStringsArray, ...pieces: readonly Piece[]): RegExp {
  return new RegExp(piece(text, ...pieces), "i");
}

/** A case-sensitive pattern: "MUST" is stronger than "must". */
export function exact(text: TemplateStringsArray, ...pieces: readonly Piece[]): RegExp {
  return new RegExp(piece(text, ...pieces));
}

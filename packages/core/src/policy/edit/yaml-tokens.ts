import { Lexer } from "yaml";

/** A token of YAML that is not white space, and its offset. */
export interface YamlToken {
  readonly offset: number;
  readonly text: string;
  readonly kind: "comment" | "scalar" | "mark";
}

/** Every token but space, in the order of the text. */
export function yamlTokens(text: string): YamlToken[] {
  const tokens: YamlToken[] = [];
  let offset = 0;
  let isScalar = false;
  for (const source of new Lexer().lex(text)) {
    // The lexer marks scalars and the start of a document with characters that are not in the text.
    if (!isScalar && (source === "\x1f" || source === "\x02" || source === "\x18")) {
      isScalar = source === "\x1f";
      continue;
    }
    if (isScalar) tokens.push({ offset, text: source, kind: "scalar" });
    else if (source.startsWith("#")) tokens.push({ offset, text: source, kind: "comment" });
    else if (source.trim() !== "") tokens.push({ offset, text: source, kind: "mark" });
    offset += source.length;
    isScalar = false;
  }
  return tokens;
}

import { Lexer } from "yaml";

/** A piece of YAML that says something, and where it stands. */
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
    // The lexer announces a plain or block scalar and the begin of a document by characters that are not in the text.
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

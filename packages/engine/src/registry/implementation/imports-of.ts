/** What a JavaScript or TypeScript text names as its imports. */
export interface Imports {
  readonly specifiers: readonly string[];
  /** Something is imported, or found beside the file, by a name that the text does not spell out. */
  readonly computed: boolean;
}

const WORD = /(?<![\w$])(from|import|require|createRequire|__dirname|__filename|eval)(?![\w$])/g;

/** How far behind its word an import is read; whoever writes longer comments in between is not followed. */
const REACH = 4_096;

/**
 * Finds every import, static or dynamic, in one pass over the words that can begin one. It errs on one side only: what
 * stands in a comment or a string is taken for an import too, which covers a file more than needed, while a parser that
 * stumbles over a syntax it does not know would leave one out and let a stale result be served.
 */
export function importsOf(text: string): Imports {
  const specifiers = new Set<string>();
  let computed = false;
  for (const match of text.matchAll(WORD)) {
    const end = match.index + match[0].length;
    const found = follow(match[0], text.slice(end, end + REACH));
    if (found === "computed") computed = true;
    else if (found !== undefined) specifiers.add(found.specifier);
  }
  return { specifiers: [...specifiers].sort(), computed };
}

type FoundImport = { readonly specifier: string } | "computed" | undefined;

/** What a word that can begin an import is followed by. */
function follow(word: string, text: string): FoundImport {
  const at = afterSpace(text, 0);
  const next = text[at] ?? "";
  if (next === "" && text.length === REACH) return "computed";
  switch (word) {
    case "from":
      return literal(text, at)?.found;
    case "import":
      if (next === "(") return argument(text, at + 1);
      // `import.meta` finds files beside the module; `import.defer(…)` and its like are too new to be read closely.
      return next === "." ? "computed" : literal(text, at)?.found;
    case "require":
      if (next === "(") return argument(text, at + 1);
      // `require.resolve(…)`, or the function handed on under another name. After a letter it is prose, or the next line.
      return /[\w$]/.test(next) && !/[\n\r\u2028\u2029]/.test(text.slice(0, at)) ? undefined : "computed";
    case "eval":
      return next === "(" ? "computed" : undefined;
    default:
      return "computed";
  }
}

/** The whole argument must be one literal: `"./a" + b` begins with one as well. */
function argument(text: string, from: number): FoundImport {
  const read = literal(text, afterSpace(text, from));
  if (!read) return "computed";
  return /[,)]/.test(text[afterSpace(text, read.end)] ?? "") ? read.found : "computed";
}

const LITERAL = /"([^"\n]*)"|'([^'\n]*)'|`([^`]*)`/y;

function literal(text: string, at: number): { found: FoundImport; end: number } | undefined {
  LITERAL.lastIndex = at;
  const match = LITERAL.exec(text);
  if (!match) return undefined;
  const specifier = match[1] ?? match[2] ?? match[3] ?? "";
  const plain = specifier !== "" && !specifier.includes("\\") && !(match[3] && specifier.includes("${"));
  return { found: plain ? { specifier } : "computed", end: LITERAL.lastIndex };
}

const LINE_END = /[\n\r\u2028\u2029]/g;
const COMMENT_END = /\*\//g;

/** The first place at or after this one that is neither space nor comment. */
function afterSpace(text: string, from: number): number {
  let at = from;
  for (;;) {
    while (/\s/.test(text[at] ?? "x")) at++;
    const ending = text.startsWith("//", at) ? LINE_END : text.startsWith("/*", at) ? COMMENT_END : undefined;
    if (!ending) return at;
    ending.lastIndex = at + 2;
    if (!ending.test(text)) return text.length;
    at = ending.lastIndex;
  }
}

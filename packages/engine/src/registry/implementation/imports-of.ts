/** The imports of a JavaScript or TypeScript file. */
export interface Imports {
  readonly specifiers: readonly string[];
  /** Something is imported, or located beside the file, by a computed name. */
  readonly computed: boolean;
}

const WORD = /(?<![\w$])(from|import|require|createRequire|__dirname|__filename|eval)(?![\w$])/g;

/** How far after the keyword an import is read; longer comments in between are not followed. */
const REACH = 4_096;

/**
 * Finds every import, static or dynamic, in one pass over the keywords that can begin one. It errs on the safe side: an
 * import in a comment or a string counts too, which covers a file more than needed. A parser that fails on unknown syntax
 * could miss an import and let a stale result be served.
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

/** What follows a keyword that can begin an import. */
function follow(word: string, text: string): FoundImport {
  const at = afterSpace(text, 0);
  const next = text[at] ?? "";
  if (next === "" && text.length === REACH) return "computed";
  switch (word) {
    case "from":
      return literal(text, at)?.found;
    case "import":
      if (next === "(") return argument(text, at + 1);
      // `import.meta` locates files beside the module; `import.defer(…)` and the like are too new to be parsed.
      return next === "." ? "computed" : literal(text, at)?.found;
    case "require":
      if (next === "(") return argument(text, at + 1);
      // `require.resolve(…)`, or the function passed on under another name. After a letter it is prose, or the next line.
      return /[\w$]/.test(next) && !/[\n\r\u2028\u2029]/.test(text.slice(0, at)) ? undefined : "computed";
    case "eval":
      return next === "(" ? "computed" : undefined;
    default:
      return "computed";
  }
}

/** The whole argument must be one literal: `"./a" + b` begins with a literal too. */
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

/** The next position that is neither space nor comment. */
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

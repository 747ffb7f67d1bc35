import { RE2JS } from "re2js";
import { normalize } from "../shared/fold.ts";

/** A pattern of a routing file: it ignores case, matches anywhere, and takes time in proportion to the request. */
export interface RoutePattern {
  readonly source: string;
  readonly size: number;
  /** Whether it matches every request, as `.*` and `\S` do. */
  readonly matchesAll: boolean;
  /** What it matches in one of the forms of a request, or `undefined`. */
  find(forms: readonly string[]): string | undefined;
}

const MAX_SOURCE = 500;
/** Matching takes this many steps for each character of a request; `.{0,100}` is about 200. */
const MAX_SIZE = 300;
/** Only the beginning of a longer request counts: the rest is mostly pasted material, such as a log. */
export const MAX_REQUEST = 4_096;

/** Requests that have nothing in common: a pattern that matches all of them matches anything. */
const ANYTHING = ["q", "7 4", "界\n界", "?", "Жы, щ!", "_", "Fix it, please."];

/** Composed, and with full-width and other variants normalized. */
export function formsOf(request: string): string[] {
  const text = request.slice(0, MAX_REQUEST).toWellFormed();
  return [...new Set([normalize(text, "NFC"), normalize(text, "NFKC")])];
}

/** A string says why it cannot be used. */
export function compilePattern(source: string): RoutePattern | string {
  if (source.length > MAX_SOURCE)
    return `has ${source.length} characters; at most ${MAX_SOURCE} are read (E_REGEX_UNSAFE).`;
  const written = source.normalize("NFC");
  let compiled: RE2JS;
  try {
    compiled = RE2JS.compile(RE2JS.translateRegExp(written), RE2JS.CASE_INSENSITIVE);
  } catch (error) {
    return isForBacktracking(written)
      ? "uses lookaround or a backreference, which no engine matches in linear time; write it without (E_REGEX_UNSAFE)."
      : `is not a regular expression: ${reasonOf(error)} (E_REGEX).`;
  }
  const size = compiled.programSize();
  if (size > MAX_SIZE)
    return `repeats too much: it has ${size} steps, at most ${MAX_SIZE} are allowed (E_REGEX_UNSAFE).`;
  return {
    source,
    size,
    matchesAll: ANYTHING.every((text) => compiled.test(text)),
    find(forms) {
      // Most patterns do not match, so the cheap test comes first.
      const form = forms.find((candidate) => compiled.test(candidate));
      if (form === undefined) return undefined;
      const matcher = compiled.matcher(form);
      return matcher.find() ? (matcher.group() ?? "") : "";
    },
  };
}

/** Whether it is valid in JavaScript, and so refused only because the engine here is linear. */
function isForBacktracking(source: string): boolean {
  // Repeat counts over 1,000 are refused for their size anyway.
  if (!/\(\?<?[=!]|\\[1-9]|\\k</.test(source)) return false;
  try {
    new RegExp(source, "u");
    return true;
  } catch (error) {
    if (error instanceof SyntaxError) return false;
    throw error;
  }
}

function reasonOf(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  return message.replace(/^error parsing regexp: /, "").replace("`(?i)", "`");
}

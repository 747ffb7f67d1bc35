import { RE2JS } from "re2js";

/**
 * A regular expression from a file or a parameter, matched in linear time: no pattern can keep the process busy. What such
 * an engine cannot do (looking around, referring back) throws when the pattern is compiled.
 */
export function linearRegExp(pattern: string): { test(text: string): boolean; toString(): string } {
  const compiled = RE2JS.compile(RE2JS.translateRegExp(pattern));
  // Ajv tells expressions apart by what they are as a string.
  return { test: (text) => compiled.matcher(text).find(), toString: () => pattern };
}

import { RE2JS } from "re2js";

/**
 * A regular expression from a file or a parameter, matched in linear time: no pattern can keep the process busy. What such
 * an engine cannot do (looking around, referring back) throws when the pattern is compiled. As Ajv takes it, with the name
 * that its code would have.
 */
export const linearRegExp = Object.assign(make, { code: "linearRegExp" });

function make(pattern: string): { test(text: string): boolean; toString(): string } {
  const compiled = compile(pattern);
  // Ajv tells expressions apart by what they are as a string.
  return { test: (text) => compiled.test(text), toString: () => pattern };
}

function compile(pattern: string): RE2JS {
  try {
    return RE2JS.compile(RE2JS.translateRegExp(pattern));
  } catch (error) {
    const reason = error instanceof Error ? error.message.replace(/^error parsing regexp: /, "") : "";
    throw new Error(`the pattern ${JSON.stringify(pattern.slice(0, 80))} cannot be used: ${reason}`);
  }
}

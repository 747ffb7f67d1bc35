import type { JsonValue } from "./plain-json.ts";

/**
 * Reads JSON text in which no object has one key twice: JSON.parse silently keeps the last, so that two readers of one
 * text could see two values.
 */
export function parseJsonStrict(text: string): { readonly value: JsonValue } | { readonly problem: string } {
  let value: JsonValue;
  try {
    value = JSON.parse(text);
  } catch (error) {
    return { problem: `Not valid JSON: ${error instanceof Error ? error.message : String(error)}` };
  }
  const twice = duplicateKey(text);
  return twice === undefined ? { value } : { problem: `The key ${JSON.stringify(twice)} is given twice.` };
}

const STRING = /"(?:[^"\\]|\\.)*"/y;

/** Walks over text that is known to be JSON; a string is a key where it stands before a colon. */
function duplicateKey(text: string): string | undefined {
  const open: Set<string>[] = [];
  for (let i = 0; i < text.length; i++) {
    const character = text[i];
    if (character === "{" || character === "[") open.push(new Set());
    else if (character === "}" || character === "]") open.pop();
    else if (character === '"') {
      STRING.lastIndex = i;
      const literal = STRING.exec(text)?.[0] ?? '""';
      i += literal.length - 1;
      let next = i + 1;
      while (" \t\n\r".includes(text[next] ?? "x")) next++;
      if (text[next] !== ":") continue;
      const key = JSON.parse(literal) as string;
      const keys = open.at(-1);
      if (keys?.has(key)) return key;
      keys?.add(key);
    }
  }
  return undefined;
}

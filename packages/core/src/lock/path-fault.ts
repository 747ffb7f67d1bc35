import { yamlScalar } from "./yaml-scalar.ts";

/** YAML reads no longer keys. */
export const MAX_KEY = 1_000;

/** Keys that the YAML reader refuses. */
const RESERVED = new Set(["__proto__", "<<"]);

/**
 * What is wrong with a path in a lock: a stranger may have written it. It must stay below the folder that it is relative to, on
 * every system, and have one spelling.
 */
export function pathFault(path: string): string | undefined {
  if (path === "") return "is empty";
  if (path.includes("\0")) return "contains a NUL character";
  if (path.includes("\\")) return "contains a backslash; use slashes";
  if (path.startsWith("/") || /^[A-Za-z]:/.test(path)) return "is absolute; make it relative";
  const parts = path.split("/");
  if (parts.includes("..")) return 'contains ".."';
  if (parts.includes(".") || parts.includes("")) return "has an empty part";
  if (!path.isWellFormed()) return "is not valid Unicode";
  if (RESERVED.has(path)) return "is a reserved word";
  if (path.length > 100 && yamlScalar(path).length > MAX_KEY) return "is too long";
  return undefined;
}

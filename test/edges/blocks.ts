import { readFileSync } from "node:fs";
import { join } from "node:path";

/** The blocks of a file in this folder, each with what stands behind its `=== ` as the first line. */
export function blocksIn(file: string): string[] {
  const text = readFileSync(join(import.meta.dirname, file), "utf8");
  return text.split(/^=== /m).slice(1);
}

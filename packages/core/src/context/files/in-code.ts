import { hash } from "node:crypto";
import { join } from "node:path";
import type { CodeFiles } from "../../catalog/scan/roots.ts";
import { isInside } from "../../shared/paths.ts";
import { quote } from "../../shared/quote.ts";
import type { Content, FileRefusal } from "./contained-file.ts";
import type { FileListing } from "./list-files.ts";

export function readInCode(
  files: CodeFiles,
  dir: string,
  file: string,
  maxBytes: number,
): Content | FileRefusal {
  const real = join(dir, file);
  const bytes = isInside(real, dir) ? files.get(real) : undefined;
  if (!bytes) {
    const message = `There is no file ${quote(file)} in the skill's folder. Use a path from the skill's list of files.`;
    return { refusal: "NOT_FOUND", message };
  }
  const size = bytes.length;
  if (size > maxBytes) return { real, bytes: bytes.subarray(0, maxBytes), size, truncated: true };
  const sha256 = hash("sha256", bytes);
  return { real, bytes, size, truncated: false, sha256 };
}

export function listInCode(files: CodeFiles, dir: string): FileListing {
  const own = [...files.keys()].filter((path) => path.startsWith(join(dir, "/"))).sort();
  const others = own.filter((path) => path !== join(dir, "SKILL.md"));
  return { files: others, truncated: false, omitted: [], omittedCount: 0, faults: [] };
}

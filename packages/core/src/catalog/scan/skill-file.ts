import type { Stats } from "node:fs";
import type { Fault } from "../../shared/diagnostics.ts";
import {
  type FileContent,
  type FileFault,
  type ReadBuffer,
  readInto,
  readRegularFile,
} from "../../shared/regular-file.ts";

/** A `SKILL.md` is text for a model's context; the largest of 8,000 real ones has 294,426 bytes. */
export const MAX_SKILL_BYTES = 1024 * 1024;

/** The bytes of a `SKILL.md`, or why they cannot be read. With `buffer` they are valid until the next read into it. */
export function readSkillBytes(
  path: string,
  buffer?: ReadBuffer,
): FileContent | (Fault & { readonly stats?: Stats }) {
  const content = buffer
    ? readInto(buffer, path, MAX_SKILL_BYTES, false)
    : readRegularFile(path, MAX_SKILL_BYTES, false);
  if (!("fault" in content)) return content;
  const { fault, stats } = content;
  return { fault, message: messageOf(content), ...(stats ? { stats } : {}) };
}

function messageOf({ fault, detail }: FileFault): string {
  if (fault === "NOT_REGULAR") return `SKILL.md is ${detail}, not a regular file.`;
  if (fault === "TOO_LARGE") {
    return `The file has ${detail} bytes; at most ${MAX_SKILL_BYTES} are read. Move most of it into references/.`;
  }
  const hint = detail === "EACCES" || detail === "EPERM" ? "; make it readable" : "";
  return `The file cannot be read (${detail})${hint}.`;
}

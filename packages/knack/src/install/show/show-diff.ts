import { textNow } from "@knack/core/internal";
import type { GlobalOptions } from "../../options.ts";
import { painter } from "../../terminal/output.ts";
import { cut } from "../../terminal/text-width.ts";
import { escapeControlInText, visiblePath } from "../../terminal/visible.ts";

/** Lines of one skill's difference that are shown. */
const MAX_LINES = 400;
const MAX_WIDTH = 500;

/** Two versions of a skill: a folder, and the digests of its files. */
export interface Version {
  readonly dir: string;
  readonly files: ReadonlyMap<string, string>;
}

/** The difference of two folders as unified diffs, escaped and bounded; files that are no short text by name alone. */
export async function diffLines(
  before: Version,
  after: Version,
  options: GlobalOptions,
  fd: 1 | 2,
): Promise<string[]> {
  const paths = [...new Set([...before.files.keys(), ...after.files.keys()])].sort();
  const changed = paths.filter((path) => before.files.get(path) !== after.files.get(path));
  const { diffTexts } = await import("@knack/engine");
  const lines: string[] = [];
  for (const path of changed) {
    const isOld = before.files.has(path);
    const isNew = after.files.has(path);
    const left = isOld ? textNow(before.dir, path) : Buffer.alloc(0);
    const right = isNew ? textNow(after.dir, path) : Buffer.alloc(0);
    if (left && right && lines.length < MAX_LINES) {
      const names = {
        left: isOld ? visiblePath(path) : "/dev/null",
        right: isNew ? visiblePath(path) : "/dev/null",
      };
      lines.push(...(await diffTexts(left, right, names)).trimEnd().split("\n"));
    } else
      lines.push(`${!isOld ? "new file" : isNew ? "changed file" : "removed file"} ${visiblePath(path)}`);
  }
  const shown = lines
    .slice(0, MAX_LINES)
    .map((line) => paintLine(cut(escapeControlInText(line), MAX_WIDTH), options, fd));
  return lines.length > shown.length ? [...shown, `(${lines.length - shown.length} more lines)`] : shown;
}

function paintLine(line: string, options: GlobalOptions, fd: 1 | 2): string {
  const paint = painter(options, fd);
  if (line.startsWith("+++") || line.startsWith("---")) return paint("bold", line);
  if (line.startsWith("+")) return paint("green", line);
  if (line.startsWith("-")) return paint("red", line);
  return line.startsWith("@@") ? paint("cyan", line) : line;
}

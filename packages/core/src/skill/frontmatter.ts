import type { Fault } from "../diagnostics.ts";

/** More than any real skill needs (the largest of 8,000 has 2,701 bytes), and small enough to parse in no time. */
export const MAX_FRONTMATTER_BYTES = 64 * 1024;

const NEWLINE = 0x0a;
const RETURN = 0x0d;
const DASH = 0x2d;
const SPACE = 0x20;
const TAB = 0x09;

/** Byte offsets of the two parts of a file; `null` where it has no frontmatter at all. */
export interface Split {
  readonly yaml: { readonly start: number; readonly end: number } | null;
  readonly body: { readonly start: number; readonly line: number };
}

/**
 * Finds the fences. Only a bare `---` on the very first line opens frontmatter: `---js` and its like make other
 * parsers run code, so they are a fault here and never a language.
 */
export function splitFrontmatter(bytes: Buffer, start: number): Split | Fault {
  const noFrontmatter: Split = { yaml: null, body: { start, line: 1 } };
  if (!isFence(bytes, start) || bytes[start + 3] === DASH) return noFrontmatter;

  const afterFence = skipBlanks(bytes, start + 3);
  if (afterFence < bytes.length && !isLineEnd(bytes, afterFence)) {
    if (bytes[afterFence] === RETURN) {
      return { fault: "FM_LINE_ENDS", message: "Lines end in a bare CR; save the file with LF line ends.", line: 1 };
    }
    return {
      fault: "FM_LANG",
      message: 'The first line must be exactly "---"; a language after it is not supported, only YAML is.',
      line: 1,
    };
  }

  const yamlStart = bytes.indexOf(NEWLINE, afterFence) + 1;
  if (yamlStart === 0) return unterminated();
  // From the newline before the content, so that a closing fence may follow the opening one at once.
  let fence = bytes.indexOf("\n---", yamlStart - 1, "latin1");
  while (fence !== -1) {
    const end = skipBlanks(bytes, fence + 4);
    if (end === bytes.length || isLineEnd(bytes, end)) {
      const bodyStart = end === bytes.length ? end : bytes.indexOf(NEWLINE, end) + 1;
      const yamlEnd = Math.max(bytes[fence - 1] === RETURN ? fence - 1 : fence, yamlStart);
      if (yamlEnd - yamlStart > MAX_FRONTMATTER_BYTES) {
        return {
          fault: "FM_LIMIT",
          message: `The frontmatter has ${yamlEnd - yamlStart} bytes; at most ${MAX_FRONTMATTER_BYTES} are read.`,
          line: 1,
        };
      }
      return {
        yaml: { start: yamlStart, end: yamlEnd },
        body: { start: bodyStart, line: countLines(bytes, start, bodyStart) + 1 },
      };
    }
    fence = bytes.indexOf("\n---", fence + 1, "latin1");
  }
  return unterminated();
}

function unterminated(): Fault {
  return { fault: "FM_UNTERMINATED", message: 'The frontmatter is never closed; add a line "---" after it.', line: 1 };
}

function isFence(bytes: Buffer, at: number): boolean {
  return bytes[at] === DASH && bytes[at + 1] === DASH && bytes[at + 2] === DASH;
}

function isLineEnd(bytes: Buffer, at: number): boolean {
  return bytes[at] === NEWLINE || (bytes[at] === RETURN && bytes[at + 1] === NEWLINE);
}

function skipBlanks(bytes: Buffer, at: number): number {
  while (bytes[at] === SPACE || bytes[at] === TAB) at++;
  return at;
}

function countLines(bytes: Buffer, from: number, to: number): number {
  let lines = 0;
  for (let at = bytes.indexOf(NEWLINE, from); at !== -1 && at < to; at = bytes.indexOf(NEWLINE, at + 1)) lines++;
  return lines;
}

import type { Fault, FaultName } from "../shared/diagnostics.ts";

/** More than any real skill needs (the largest of 8,000 has 2,701 bytes), and small enough to parse in no time. */
export const MAX_FRONTMATTER_BYTES = 64 * 1024;

const NEWLINE = 0x0a;
const RETURN = 0x0d;
const DASH = 0x2d;
const SPACE = 0x20;
const TAB = 0x09;

export interface FrontmatterSplit {
  readonly yaml: { readonly start: number; readonly end: number } | null;
  readonly bodyStart: number;
}

/** Only a bare `---` on the first line opens frontmatter: `---js` makes other parsers run code, so it is a fault. */
export function splitFrontmatter(bytes: Buffer): FrontmatterSplit | Fault {
  const start = hasMark(bytes) ? 3 : 0;
  if (!isFence(bytes, start) || bytes[start + 3] === DASH) return { yaml: null, bodyStart: start };

  const afterFence = skipBlanks(bytes, start + 3);
  if (afterFence < bytes.length && !isLineEnd(bytes, afterFence)) {
    return bytes[afterFence] === RETURN
      ? broken("FM_LINE_ENDS", "Lines end in a bare CR; save the file with LF line endings.")
      : broken(
          "FM_LANG",
          'The first line must be exactly "---"; a language after it is not supported, only YAML is.',
        );
  }

  const yamlStart = bytes.indexOf(NEWLINE, afterFence) + 1;
  if (yamlStart === 0) return unterminated();
  for (let line = yamlStart; line !== 0; line = bytes.indexOf(NEWLINE, line) + 1) {
    if (!isFence(bytes, line)) continue;
    const end = skipBlanks(bytes, line + 3);
    if (end !== bytes.length && !isLineEnd(bytes, end)) continue;
    const bodyStart = end === bytes.length ? end : bytes.indexOf(NEWLINE, end) + 1;
    // Without the line end before the fence, LF or CRLF.
    const yamlEnd = Math.max(bytes[line - 2] === RETURN ? line - 2 : line - 1, yamlStart);
    if (yamlEnd - yamlStart <= MAX_FRONTMATTER_BYTES)
      return { yaml: { start: yamlStart, end: yamlEnd }, bodyStart };
    const size = `The frontmatter has ${yamlEnd - yamlStart} bytes`;
    return broken("FM_LIMIT", `${size}; at most ${MAX_FRONTMATTER_BYTES} are read.`);
  }
  return unterminated();
}

function broken(fault: FaultName, message: string): Fault {
  return { fault, message, line: 1 };
}

/** The line of the file, from 1, on which an offset is. */
export function lineAt(bytes: Buffer, offset: number): number {
  let line = 1;
  for (let at = bytes.indexOf(NEWLINE); at !== -1 && at < offset; at = bytes.indexOf(NEWLINE, at + 1)) line++;
  return line;
}

function unterminated(): Fault {
  return broken("FM_UNTERMINATED", 'The frontmatter is never closed; add a line "---" after it.');
}

function hasMark(bytes: Buffer): boolean {
  return bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf;
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

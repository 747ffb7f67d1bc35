import { isUtf8 } from "node:buffer";
import { statSync } from "node:fs";
import { basename, extname, join, relative, sep } from "node:path";
import { readContained } from "../context/files/contained-file.ts";
import { listFiles } from "../context/files/list-files.ts";
import { quote } from "../shared/quote.ts";
import { parseWholeSkill } from "../skill/parse.ts";
import { codePassages, type LintText, MarkdownReader } from "./lint-text.ts";
import { PLAIN } from "./stance.ts";

const LIMITS = { maxFiles: 2_000, maxBytes: 64 * 1024 * 1024 };
/** A longer text is read up to here, and a finding says so. */
const MAX_TEXT = 512 * 1024;
const MARKDOWN = new Set([".md", ".mdx", ".markdown", ".txt", ".rst", ".mdc", ""]);
const PROGRAMS = ["\x7fELF", "MZ", "\xcf\xfa\xed\xfe", "\xca\xfe\xba\xbe", "\xfe\xed\xfa"];
const PROGRAM_NAMES = /\.(?:exe|dll|so|dylib|com|scr|msi|jar|apk|node|pyc|wasm)$/i;

export type LintSkill = Readonly<ReturnType<typeof readLintSkill>>;

/** Up to so many bytes in all. What cannot be read is part of the result; nothing throws, and nothing is executed. */
export function readLintSkill(
  dir: string,
  except: ReadonlySet<string> = new Set(),
  maxTotal = Number.POSITIVE_INFINITY,
) {
  let room = maxTotal;
  const listing = listFiles(dir, { ...LIMITS, except });
  /** `SKILL.md` first. */
  const texts: LintText[] = [];
  /** Files that the system would execute, and those whose bytes are a program. */
  const executables: { file: string; isBinary: boolean; digest: string }[] = [];
  const unread: { file: string; reason: string }[] = [];
  /** Every file beside `SKILL.md`, with slashes, also those that are no text. */
  const files = listing.files.map((path) => relative(dir, path).split(sep).join("/"));
  let whole: Buffer = Buffer.alloc(0);
  for (const file of ["SKILL.md", ...files]) {
    if (room <= 0) {
      unread.push({
        file,
        reason: `only the first ${maxTotal} bytes of the skill were checked; run "knack lint"`,
      });
      continue;
    }
    const content = readContained(dir, file, { maxBytes: MAX_TEXT, validation: "lenient" });
    if ("refusal" in content) {
      unread.push({ file, reason: content.message });
      continue;
    }
    const { bytes, truncated } = content;
    room -= bytes.length;
    if (file === "SKILL.md") whole = bytes;
    const isBinary = isProgram(bytes, file);
    if (isBinary || (file !== "SKILL.md" && hasExecuteBit(join(dir, file))))
      executables.push({ file, isBinary, digest: content.sha256 ?? `${content.size} bytes` });
    const packed = isBinary ? undefined : inArchive(bytes, truncated);
    if (packed !== undefined) unread.push({ file, reason: packed });
    if (isBinary || bytes.includes(0) || !isUtf8(bytes)) continue;
    if (truncated) unread.push({ file, reason: `only the first ${MAX_TEXT} bytes were read` });
    texts.push(toText(file, bytes.toString("utf8")));
  }
  for (const { path, size } of listing.omitted)
    unread.push({
      file: relative(dir, path).split(sep).join("/"),
      reason: `it has ${size} bytes, or there are too many files`,
    });
  const place = { folder: basename(dir), dialect: "agentskills", bareIsLily: true } as const;
  return {
    dir,
    reading: parseWholeSkill(whole, place),
    texts,
    files: new Set(files) as ReadonlySet<string>,
    executables,
    unread,
    faults: listing.faults,
  };
}

/** A text as the checks read it: Markdown in sentences, everything else in commands. */
function toText(file: string, text: string): LintText {
  const lines = text.split("\n").map((line) => (line.endsWith("\r") ? line.slice(0, -1) : line));
  const isMarkdown = MARKDOWN.has(extname(file).toLowerCase());
  if (isMarkdown) return { file, text, lines, isMarkdown, ...new MarkdownReader(lines).read() };
  const language = extname(file).slice(1).toLowerCase();
  const blocks = [{ language, text, line: 1, around: PLAIN }];
  return { file, text, lines, isMarkdown, passages: codePassages(lines, 1, PLAIN), blocks };
}

function isProgram(bytes: Buffer, file: string): boolean {
  const start = bytes.toString("latin1", 0, 4);
  return PROGRAM_NAMES.test(file) || PROGRAMS.some((mark) => start.startsWith(mark) && bytes.includes(0));
}

const OTHER_ARCHIVES = ["\x1f\x8b", "7z\xbc\xaf", "Rar!", "\xfd7zX", "BZh", "\x28\xb5\x2f\xfd"];
const SCRIPT_NAMES = /\.(?:sh|bash|zsh|py|[cm]?[jt]s|rb|pl|php|ps1|bat|cmd|vbs|command)$/i;

/** What is in an archive was not checked, and a sentence can have it run. */
function inArchive(bytes: Buffer, truncated: boolean): string | undefined {
  const start = bytes.toString("latin1", 0, 4);
  if (OTHER_ARCHIVES.some((mark) => start.startsWith(mark))) return "it is an archive, which is not opened";
  // Office documents are ZIP archives too.
  if (start !== "PK\x03\x04") return undefined;
  const names: string[] = [];
  for (let at = 0; at !== -1 && at + 30 <= bytes.length; at = bytes.indexOf("PK\x03\x04", at + 4, "latin1"))
    names.push(bytes.toString("utf8", at + 30, at + 30 + bytes.readUInt16LE(at + 26)));
  const programs = names.filter((name) => SCRIPT_NAMES.test(name) || PROGRAM_NAMES.test(name));
  const [first] = programs;
  if (first !== undefined)
    return `it is an archive with ${quote(first)} in it${programs.length > 1 ? ` and ${programs.length - 1} more programs` : ""}`;
  return truncated ? `it is an archive, of which only the first ${MAX_TEXT} bytes were read` : undefined;
}

function hasExecuteBit(path: string): boolean {
  const stats = statSync(path, { throwIfNoEntry: false });
  return process.platform !== "win32" && stats !== undefined && (stats.mode & 0o111) !== 0;
}

/** A value of a line `key: value` or `- value`, with its continuation lines. */
interface Value {
  readonly start: number;
  /** Everything before the value: indentation, dashes, the key with its colon and one space. */
  readonly prefix: string;
  readonly key: string;
  readonly text: string;
}

interface Repaired {
  readonly text: string;
  readonly message: string;
}

/**
 * Two repairs: a quoted text that goes on at the margin is indented, and a value that only quotes make readable
 * (`description: Use when: …`, `description: **Fast** tests`) is quoted. Nothing else changes, so no key can appear that the
 * author did not write. `null` where the value could mean something else.
 */
export function repairAt(text: string, line: number): Repaired | null {
  return indentQuoted(text, line) ?? addQuotes(text, line);
}

/** Other readers of YAML take it as it is meant. `null` where it is never closed. */
function indentQuoted(text: string, line: number): Repaired | null {
  const key = /^[A-Za-z0-9_.-]+:[ \t]+(?=["'])/gm;
  let last = 1;
  let end = 0;
  for (let found = key.exec(text); found; found = key.exec(text)) {
    const start = key.lastIndex;
    const length = endOfQuoted(text.slice(start));
    if (length === -1) return null;
    const quoted = text.slice(start, start + length);
    const first = last + newlinesIn(text.slice(end, start));
    last = first + newlinesIn(quoted);
    end = start + length;
    key.lastIndex = end;
    if (line < first) return null;
    if (line > last) continue;
    const isWhole = /^[ \t]*(?:#.*)?(?:\n|$)/.test(text.slice(end));
    if (!isWhole || !/\n\S/.test(quoted)) return null;
    return {
      text: text.slice(0, start) + quoted.replaceAll("\n", "\n  ") + text.slice(end),
      message: `The text of ${found[0].trim()} goes on at the beginning of a line; it was read as if that were indented. Indent its lines by two spaces.`,
    };
  }
  return null;
}

function newlinesIn(text: string): number {
  return text.split("\n").length - 1;
}

function addQuotes(text: string, line: number): Repaired | null {
  const value = valueAt(text, line);
  const fault = value && whyQuotes(value, text);
  if (!value || !fault) return null;
  const meant = fault.meant ?? value.text;
  const shown = value.prefix.trimStart() + quoted(meant.replaceAll(/\s*\n\s*/g, " "));
  return {
    text: text.slice(0, value.start) + quoted(meant) + text.slice(value.start + value.text.length),
    message: `${fault.why}; it was read as if it had them. Write: ${clipped(shown)}`,
  };
}

/** How to write the value of a line that cannot be read if it is text; empty if there is no value. */
export function howToWrite(text: string, line: number): string {
  const value = valueAt(text, line);
  if (!value) return "";
  return ` If it is text, put it in quotes: ${clipped(value.prefix.trimStart() + quoted(withoutQuotes(value.text)))}`;
}

/** The value without the quotes that were meant to surround it: `'it's'` is one, `"a" or "b"` is not. */
function withoutQuotes(text: string): string {
  const [, quote, inner] = /^(["'])(.*?)\1?$/s.exec(text) ?? [];
  if (quote === undefined || inner === undefined) return text;
  return inner.replaceAll(/(?<=\p{L})["'](?=\p{L})/gu, "").includes(quote) ? text : inner;
}

/** The first line, from 1, of a value whose quote or bracket is never closed; a parser reports it only where it stopped. */
export function lineOfOpenValue(text: string): number | null {
  for (const [at, line] of text.split("\n").entries()) {
    const value = VALUE.exec(line)?.[3] ?? "";
    const isOpen = /^["']/.test(value)
      ? endOfQuoted(value) === -1
      : /^[[{]/.test(value) && endOfBrackets(value) === -1;
    if (isOpen) return at + 1;
  }
  return null;
}

/** Whether the value of this line, from 1, is cut by a comment: `description: Write C # code`. */
export function isCutByComment(text: string, line: number): boolean {
  const value = VALUE.exec(text.split("\n")[line - 1] ?? "")?.[3] ?? "";
  return /^#|^[^"'[{|>].*\s#/.test(value);
}

const VALUE = /^(\s*(?:- +)*)((?:[A-Za-z0-9_.-]+:[ \t]+)?)(\S.*)$/;

function valueAt(text: string, line: number): Value | null {
  const lines = text.split("\n");
  let first = line - 1;
  // The fault may be reported on a continuation line; its key is on the nearest less indented line above.
  while (first > 0 && !isValue(lines[first] ?? "")) {
    if (!/^\s/.test(lines[first] ?? "")) return null;
    first--;
  }
  const found = VALUE.exec(lines[first] ?? "");
  if (!found || !isValue(lines[first] ?? "")) return null;
  const [, before = "", key = "", value = ""] = found;
  const indent = before.replace(/\S.*$/, "").length;
  let last = first;
  while (last + 1 < lines.length && isContinuation(lines[last + 1] ?? "", indent)) last++;
  const lineStart = lines.slice(0, first).reduce((sum, { length }) => sum + length + 1, 0);
  return {
    start: lineStart + before.length + key.length,
    prefix: before + key.replace(/:[ \t]+$/, ": "),
    key: key.replace(/:[ \t]+$/, ""),
    text: [value, ...lines.slice(first + 1, last + 1)].join("\n").trimEnd(),
  };
}

function isValue(line: string): boolean {
  const found = VALUE.exec(line);
  return found !== null && (found[2] !== "" || /-/.test(found[1] ?? ""));
}

function isContinuation(line: string, indent: number): boolean {
  const text = line.trimStart();
  return text !== "" && line.length - text.length > indent && !isValue(line);
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}

interface Why {
  readonly why: string;
  /** What the author most likely meant, where that is less than what was written. */
  readonly meant?: string;
}

/** Fields that hold lists or mappings: what begins with a bracket or a dash there is an unfinished one. */
const NOT_TEXT = new Set(
  "allowed-tools tools requires_tools eligibility os env binaries metadata".split(" "),
);

function whyQuotes(value: Value, source: string): Why | null {
  const { text } = value;
  const [first = ""] = text;
  if (first === "|" || first === ">") return whyNotBlock(text);
  const isText = isTextThough(first, value, source);
  if (isText) return { why: `A value that begins with ${JSON.stringify(first)} needs quotes` };
  return isText === undefined && /:(\s|$)/.test(text)
    ? { why: 'A value with ": " in it needs quotes' }
    : null;
}

/** Whether a value is text although it begins with a sign of YAML; `undefined` where it begins with none. */
function isTextThough(first: string, { key, text }: Value, source: string): boolean | undefined {
  const mayBeText = key !== "" && !NOT_TEXT.has(key);
  if (first === "*") {
    // An alias without its anchor has no meaning, so it must be text.
    const name = /^\*([^\s,[\]{}]+)/.exec(text)?.[1];
    return name === undefined || !source.includes(`&${name}`);
  }
  if (first === "&") return !/^&[^\s,[\]{}]/.test(text);
  if (first === "!") return /^!\[/.test(text) && mayBeText;
  if (/^[%@`,\]}]/.test(text)) return true;
  if (/^[-?](?:\s|$)/.test(text)) return mayBeText;
  if (/^[[{]/.test(text)) return !NOT_TEXT.has(key) && hasTextBehind(text, endOfBrackets(text));
  // One that also ends with its quote was meant to be in quotes.
  if (/^["']/.test(text)) return !text.endsWith(first) && hasTextBehind(text, endOfQuoted(text));
  return first === "#" ? false : undefined;
}

function whyNotBlock(text: string): Why | null {
  const header = /^[|>][-+0-9]{0,2}/.exec(text)?.[0] ?? "";
  if (/^\s*(?:#.*)?(?:\n|$)/.test(text.slice(header.length))) return null;
  return {
    why: `Text after ${JSON.stringify(header)} must begin on the next line, or the value needs quotes`,
    meant: withoutBlockHeader(text),
  };
}

/** `| Reviews code.` was meant as a block of text; in `>2 files` and `> 5 files` the sign may be part of it. */
function withoutBlockHeader(text: string): string {
  return text.replace(/^(?:\||>)[-+]?[ \t]+(?=\D)/, "");
}

function hasTextBehind(text: string, end: number): boolean {
  return end !== -1 && /^\s*[^\s#]|^#/.test(text.slice(end));
}

/** The offset after the bracket that closes the first one; -1 if none does. */
function endOfBrackets(text: string): number {
  let depth = 0;
  for (let at = 0; at < text.length; at++) {
    const character = text[at];
    if (character === "[" || character === "{") depth++;
    else if ((character === "]" || character === "}") && --depth === 0) return at + 1;
  }
  return -1;
}

/** The offset after the quote that closes the first one; -1 if none does. */
function endOfQuoted(text: string): number {
  const closed = text[0] === '"' ? /^"(?:[^"\\]|\\.)*"/s.exec(text) : /^'(?:[^']|'')*'/.exec(text);
  return closed ? closed[0].length : -1;
}

const MAX_SHOWN = 200;
const UNSEEN = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu;

/** A text as an error may show it: on one line, what cannot be seen spelled out, at most 200 characters. */
function clipped(text: string): string {
  const characters = [...text.slice(0, MAX_SHOWN * 2)];
  const cut = characters.length > MAX_SHOWN;
  const shown = (cut ? characters.slice(0, MAX_SHOWN - 1) : characters).join("").toWellFormed();
  const plain = shown.replace(UNSEEN, (found) => `\\u{${(found.codePointAt(0) ?? 0).toString(16)}}`);
  return cut ? `${plain}…` : plain;
}

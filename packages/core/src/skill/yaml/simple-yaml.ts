/** What a strict YAML document can hold. Maps have no prototype, so a key can only ever be data. */
export type YamlValue = string | number | boolean | null | YamlValue[] | YamlMap;
export interface YamlMap {
  [key: string]: YamlValue;
}

export function emptyMap(): YamlMap {
  return Object.create(null) as YamlMap;
}

export function isMap(value: YamlValue | undefined): value is YamlMap {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

export function yamlKindOf(value: YamlValue): string {
  if (Array.isArray(value)) return "a list";
  if (isMap(value)) return "a mapping";
  return typeof value === "string" && value.trim() === "" ? "nothing" : `a ${typeof value}`;
}

/**
 * Most frontmatter is a handful of `key: value` lines, and a full YAML parser spends a hundred times longer on them
 * than reading the file takes. This reads exactly that subset and answers `null` for anything else, which the full
 * parser then decides. A property test holds the two together: where this one answers, they agree.
 *
 * The subset: top-level keys; values that are plain and cannot mean anything else, or quoted without an escape;
 * one level of nested keys; lists of such values, on lines or in brackets. LF or CRLF line ends.
 */
export function parseSimpleYaml(text: string): { data: YamlMap; lines: Record<string, number> } | null {
  const data = emptyMap();
  const lines: Record<string, number> = Object.create(null);
  let nested: YamlMap | string[] | null = null;
  let nestedKey = "";
  // The dashes of a list are either indented or not: the same for all of them.
  let indented = false;
  let flush = false;
  let line = 0;
  let keys = 0;

  for (let start = 0; start < text.length; ) {
    line++;
    let end = text.indexOf("\n", start);
    if (end === -1) end = text.length;
    const next = end + 1;
    // CRLF; the full parser refuses a CR without LF.
    if (end > start && end < text.length && text.charCodeAt(end - 1) === 0x0d) end--;

    const first = text.charCodeAt(start);
    if (isKeyStart(first)) {
      const colon = keyEnd(text, start, end);
      if (colon === -1 || ++keys > 64) return null;
      const key = text.slice(start, colon);
      if (key in data) return null;
      closeNested(data, nestedKey, nested);
      nested = null;
      indented = false;
      flush = false;
      lines[key] = line;
      if (colon + 1 === end) {
        // A key alone: an empty value, or the head of a nested block on the next lines.
        nestedKey = key;
        data[key] = "";
      } else {
        const value = readValue(text, colon + 2, end);
        if (value === null) return null;
        nestedKey = "";
        data[key] = value;
      }
    } else if (first === 0x20 && nestedKey !== "" && text.charCodeAt(start + 1) === 0x20) {
      // Exactly two spaces: deeper or uneven indentation is left to the full parser.
      const at = start + 2;
      if (text.charCodeAt(at) === 0x2d && text.charCodeAt(at + 1) === 0x20) {
        if (nested === null) nested = [];
        if (!Array.isArray(nested) || nested.length >= 256 || flush) return null;
        indented = true;
        const item = readScalar(text, at + 2, end);
        if (item === null) return null;
        nested.push(item);
      } else if (isKeyStart(text.charCodeAt(at))) {
        if (nested === null) nested = emptyMap();
        if (Array.isArray(nested)) return null;
        const colon = keyEnd(text, at, end);
        if (colon === -1 || colon + 1 === end || ++keys > 64) return null;
        const key = text.slice(at, colon);
        if (key in nested) return null;
        const value = readValue(text, colon + 2, end);
        if (value === null) return null;
        nested[key] = value;
      } else {
        return null;
      }
    } else if (first === 0x2d && nestedKey !== "" && text.charCodeAt(start + 1) === 0x20) {
      // A list may be indented as little as its key.
      if (nested === null) nested = [];
      if (!Array.isArray(nested) || nested.length >= 256 || indented) return null;
      const item = readScalar(text, start + 2, end);
      if (item === null) return null;
      nested.push(item);
      flush = true;
    } else {
      return null;
    }
    start = next;
  }
  closeNested(data, nestedKey, nested);
  return { data, lines };
}

function closeNested(data: YamlMap, key: string, nested: YamlMap | string[] | null): void {
  if (nested !== null) data[key] = nested;
}

/** `key:` at the end of a line or `key: value`; keys are ASCII words, which is what every known field is. */
function keyEnd(text: string, start: number, end: number): number {
  let at = start;
  while (at < end && isKeyPart(text.charCodeAt(at))) at++;
  if (text.charCodeAt(at) !== 0x3a || at - start > 64) return -1;
  if (at + 1 === end) return at;
  // Exactly one space, then something: other spacing is legal and rare.
  return text.charCodeAt(at + 1) === 0x20 && at + 2 < end ? at : -1;
}

function readValue(text: string, start: number, end: number): string | string[] | null {
  if (text.charCodeAt(start) !== 0x5b) return readScalar(text, start, end);
  if (text.charCodeAt(end - 1) !== 0x5d) return null;
  const inner = text.slice(start + 1, end - 1);
  if (inner === "") return [];
  const items: string[] = [];
  for (const part of inner.split(",")) {
    const item = part.replaceAll(/^[ \t]+|[ \t]+$/g, "");
    // A colon or a bracket may mean something here; quotes that hold a comma end up in two parts and are refused.
    const value = /[[\]{}:#]/.test(item) ? null : readScalar(item, 0, item.length);
    if (value === null) return null;
    items.push(value);
  }
  return items.length > 256 ? null : items;
}

function readScalar(text: string, start: number, end: number): string | null {
  const first = text.charCodeAt(start);
  if (first === 0x22 || first === 0x27) {
    // Quoted: ends with the same quote, has no other and no backslash.
    if (end - start < 2 || text.charCodeAt(end - 1) !== first) return null;
    for (let at = start + 1; at < end - 1; at++) {
      const unit = text.charCodeAt(at);
      if (unit === first || unit === 0x5c || !isTextUnit(unit)) return null;
    }
    return text.slice(start + 1, end - 1);
  }
  if (!isPlainStart(first)) return null;
  for (let at = start; at < end; at++) {
    const unit = text.charCodeAt(at);
    // ": " and a final ":" would make a mapping, " #" a comment.
    if (unit === 0x3a && (at + 1 === end || text.charCodeAt(at + 1) === 0x20)) return null;
    if (unit === 0x23 && text.charCodeAt(at - 1) === 0x20) return null;
    if (!isTextUnit(unit)) return null;
  }
  return text.charCodeAt(end - 1) === 0x20 ? null : text.slice(start, end);
}

function isLetterOrDigit(unit: number): boolean {
  return (unit >= 0x61 && unit <= 0x7a) || (unit >= 0x41 && unit <= 0x5a) || (unit >= 0x30 && unit <= 0x39);
}

function isKeyStart(unit: number): boolean {
  return (unit >= 0x61 && unit <= 0x7a) || (unit >= 0x41 && unit <= 0x5a);
}

function isKeyPart(unit: number): boolean {
  return isLetterOrDigit(unit) || unit === 0x2d || unit === 0x5f;
}

/** Letters of any script from Latin-1 on; everything that could be an indicator is left to the full parser. */
function isPlainStart(unit: number): boolean {
  return isLetterOrDigit(unit) || (unit >= 0xc0 && isTextUnit(unit));
}

/** Printable, no line break of any kind, no byte order mark. Surrogates come in pairs: the bytes were checked. */
function isTextUnit(unit: number): boolean {
  if (unit < 0x7f) return unit >= 0x20;
  return unit >= 0xa0 && unit < 0xfffe && unit !== 0x2028 && unit !== 0x2029 && unit !== 0xfeff;
}

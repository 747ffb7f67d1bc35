import { isAscii, isUtf8 } from "node:buffer";
import type { Fault } from "../shared/diagnostics.ts";
import { quote } from "../shared/quote.ts";
import { DIALECTS, type DialectName } from "./dialects.ts";
import { LILY_KEYS, readFields } from "./fields.ts";
import { lineAt, splitFrontmatter } from "./frontmatter.ts";
import { bytesMayHide, findHidden, mayHide } from "./hidden-text.ts";
import { isScaffoldDescription } from "./scaffold.ts";
import type { SkillFacts } from "./schema.ts";
import { howToWrite, isCutByComment, lineOfOpenValue, repairAt } from "./yaml/repair.ts";
import { emptyMap, parseSimpleYaml, type YamlMap } from "./yaml/simple-yaml.ts";
import type { parseYaml, YamlDocument } from "./yaml/yaml-profile.ts";

/** V8 copies a substring only below this length; a longer one keeps the whole string in memory. */
const SLICED_FROM = 13;

/** Copies texts, so that a description does not keep its whole file in memory. */
export function ownTexts<T>(value: T): T {
  if (typeof value === "string") {
    const isOwn = value.length < SLICED_FROM || !value.isWellFormed();
    return isOwn ? value : (Buffer.from(value, "utf8").toString("utf8") as T);
  }
  if (typeof value !== "object" || value === null) return value;
  // In place: nothing else uses the value yet, and a map keeps its missing prototype.
  const map = value as Record<string, unknown>;
  for (const key of Object.keys(map)) map[key] = ownTexts(map[key]);
  return value;
}

export interface Place {
  /** The folder's name as its root shows it. */
  readonly folder: string;
  /** The folder's own name, where a link shows another: a skill may have either. */
  readonly realFolder?: string;
  readonly dialect: DialectName;
  /** Whether what looks like `lily` is read as such. */
  readonly bareIsLily: boolean;
}

/** What one `SKILL.md` says: the catalog's part of it. Faults decide whether it becomes a skill. */
export interface Reading {
  readonly dialect: DialectName;
  readonly name: string;
  readonly description: string;
  readonly facts: SkillFacts | null;
  readonly faults: readonly Fault[];
}

/** The same with the parts that a catalog does not keep in memory. */
export interface FullReading extends Reading {
  /** Every key as written, the unknown ones too. */
  readonly frontmatter: YamlMap;
  readonly body: string;
}

/** Loaded only when a file needs it. */
export type FullYaml = typeof parseYaml;

interface SkillText {
  readonly reading: Reading;
  readonly frontmatter: YamlMap;
  readonly bodyStart: number;
}

/** Never throws: whatever is wrong is a fault. `null` where the file needs the full YAML parser. */
export function readSkillText(bytes: Buffer, place: Place, fullYaml: FullYaml): SkillText;
export function readSkillText(bytes: Buffer, place: Place, fullYaml: FullYaml | null): SkillText | null;
export function readSkillText(bytes: Buffer, place: Place, fullYaml: FullYaml | null): SkillText | null {
  const broken = (fault: Fault): SkillText => {
    const name = place.folder.normalize("NFC");
    const reading = { dialect: place.dialect, name, description: "", facts: null, faults: [fault] };
    return { reading, frontmatter: emptyMap(), bodyStart: bytes.length };
  };

  const ascii = isAscii(bytes);
  if (!ascii && !isUtf8(bytes)) return broken(encodingFault(bytes));
  const split = splitFrontmatter(bytes);
  if ("fault" in split) return broken(split);
  const source = split.yaml && bytes.toString(ascii ? "latin1" : "utf8", split.yaml.start, split.yaml.end);
  const yaml = source === null ? undefined : readYaml(source, fullYaml);
  if (yaml === null) return null;
  if (yaml && "fault" in yaml) return broken(yaml);

  const link = yaml || bytes.length > MAX_LINK ? undefined : LINK_TEXT.exec(bytes.toString("utf8"))?.[1];
  if (link !== undefined) {
    const message = `The file has only the path ${quote(link)}: git wrote a link as text. Copy that file here, or check out with "git config core.symlinks true".`;
    return broken({ fault: "FM_MISSING", message, line: 1 });
  }

  const data = yaml?.data ?? emptyMap();
  const dialect = DIALECTS[place.bareIsLily && looksLikeLily(data, place.dialect) ? "lily" : place.dialect];
  if (!yaml && dialect.frontmatterRequired) {
    const message = 'No frontmatter; begin the file with "---", name, description, "---".';
    return broken({ fault: "FM_MISSING", message, line: 1 });
  }

  const folder = data.name === place.realFolder ? (place.realFolder ?? place.folder) : place.folder;
  const fields = readFields(data, yaml?.lineOf ?? (() => undefined), folder, dialect);
  const { name, description, facts } = fields;
  const faults = [...(yaml?.remarks ?? []), ...fields.faults];
  if (isScaffoldDescription(description))
    faults.push({ fault: "UNEDITED", message: UNEDITED, line: yaml?.lineOf("description") ?? FIRST_LINE });
  const { bodyStart } = split;
  if (!ascii && source && !faults.some(({ fault }) => HIDING.has(fault)) && mayHide(source))
    faults.push(...findHidden(source, FIRST_LINE));
  if (!ascii && bytesMayHide(bytes, bodyStart)) {
    const body = bytes.toString("utf8", bodyStart);
    if (mayHide(body)) faults.push(...findHidden(body, lineAt(bytes, bodyStart)));
  }
  return {
    reading: {
      dialect: dialect.name,
      name,
      description,
      facts,
      faults: faults.length > 0 ? faults : NO_FAULTS,
    },
    frontmatter: data,
    bodyStart,
  };
}

const UNEDITED =
  'The description is still the one that "knack new" wrote; say what the skill does and when to use it.';

const NO_FAULTS: readonly Fault[] = [];

/** What git for Windows writes in place of a link. */
const LINK_TEXT = /^(\.{1,2}[\\/][^\r\n]+|\S+\.md)\s*$/i;
const MAX_LINK = 1_024;

/** In the project's own format one key of document 002 is enough, or a missing name; in others it must have neither of their keys. */
function looksLikeLily(data: YamlMap, dialect: DialectName): boolean {
  if (dialect !== "project") return data.name === undefined && data.description === undefined;
  return data.name === undefined || LILY_KEYS.some((key) => key in data);
}

/** Faults that missing quotes can cause: in `Use when: *always*` the parser sees an alias. */
export const REPAIRABLE: ReadonlySet<string> = new Set([
  "YAML_SYNTAX",
  "YAML_ALIAS",
  "YAML_TAG",
  "YAML_KEY",
  "YAML_DUPLICATE",
]);

/** Already reported for a field, with the field's name. */
const HIDING: ReadonlySet<string> = new Set(["HIDDEN_TEXT", "HIDDEN_CHAR"]);

interface Frontmatter {
  readonly data: YamlMap;
  readonly lineOf: (key: string) => number | undefined;
  /** What was read in a way that its author may not have meant. */
  readonly remarks?: readonly Fault[];
}

/** The first line of the YAML is the file's second: the fence is the first. */
const FIRST_LINE = 2;

function readYaml(source: string, fullYaml: FullYaml | null): Frontmatter | Fault | null {
  const simple = parseSimpleYaml(source);
  if (simple) {
    const { data, lines } = simple;
    return checkKeys({
      data,
      lineOf: (key) => (lines[key] === undefined ? undefined : lines[key] + FIRST_LINE - 1),
    });
  }
  if (!fullYaml) return null;
  const text = source.replaceAll("\r\n", "\n");
  const bareReturn = text.indexOf("\r");
  if (bareReturn !== -1) {
    const line = FIRST_LINE + text.slice(0, bareReturn).split("\n").length - 1;
    const message = "A line ends in a bare CR; save the file with LF line endings.";
    return { fault: "FM_LINE_ENDS", message, line };
  }
  const document = fullYaml(text, "failsafe", FIRST_LINE);
  if (!("fault" in document)) return checkKeys(withComments(text, document));
  if (!REPAIRABLE.has(document.fault) || document.line === undefined) return document;

  const repair = repairAt(text, document.line - FIRST_LINE + 1);
  const repaired = repair === null ? document : fullYaml(repair.text, "failsafe", FIRST_LINE);
  if (repair === null || "fault" in repaired) return explained(document, text);
  return checkKeys({
    data: repaired.data,
    lineOf: (key) => lineIn(repaired, key),
    remarks: [{ fault: "YAML_REPAIRED", message: repair.message, line: document.line }],
  });
}

function explained(fault: Fault, text: string): Fault {
  if (fault.fault === "YAML_DUPLICATE" || /^Expected "key: value"/.test(fault.message)) return fault;
  if (/Tabs are not allowed as indentation/.test(fault.message))
    return { ...fault, message: "Not valid YAML: a tab in the indentation; replace it by spaces." };
  const line = (fault.line ?? FIRST_LINE) - FIRST_LINE + 1;
  const open = /Missing closing|sufficiently indented/.test(fault.message) ? lineOfOpenValue(text) : null;
  if (open !== null) {
    const message = `The quote or bracket that begins this value is never closed.${howToWrite(text, open)}`;
    return { ...fault, message, line: open + FIRST_LINE - 1 };
  }
  const message = / at node end$/.test(fault.message)
    ? "Not valid YAML: the line has text after the end of the value."
    : fault.message.replace(/[^.]$/, "$&.");
  return { ...fault, message: `${message}${howToWrite(text, line)}` };
}

/** Keys whose value is prose, where a "#" is more likely part of the text than the start of a comment. */
const PROSE = ["name", "description", "summary"];

function withComments(text: string, document: YamlDocument): Frontmatter {
  const remarks = PROSE.flatMap((key): Fault[] => {
    const line = lineIn(document, key);
    if (line === undefined || !isCutByComment(text, line - FIRST_LINE + 1)) return [];
    const message = `Text after "#" is a comment, not part of "${key}"; put the value in quotes to keep it.`;
    return [{ fault: "YAML_COMMENT", message, line }];
  });
  return { data: document.data, lineOf: (key) => lineIn(document, key), remarks };
}

function lineIn(document: YamlDocument, key: string): number | undefined {
  return key in document.data ? document.lineOf([key]) : undefined;
}

/** A top-level key that any other YAML reader would take for a number, a boolean or null is a mistake. */
const NOT_A_WORD = /^(?:true|false|null|~|[-+]?[\d.]+)$/i;

function checkKeys(frontmatter: Frontmatter): Frontmatter | Fault {
  for (const key in frontmatter.data) {
    if (key === "name" || key === "description" || !NOT_A_WORD.test(key)) continue;
    const line = frontmatter.lineOf(key) ?? FIRST_LINE;
    const message = `YAML reads the key ${JSON.stringify(key)} as something other than text; rename it.`;
    return { fault: "YAML_KEY", message, line };
  }
  return frontmatter;
}

function encodingFault(bytes: Buffer): Fault {
  const first = (bytes[0] ?? 0) * 256 + (bytes[1] ?? 0);
  if (first === 0xfffe || first === 0xfeff) {
    return { fault: "ENCODING", message: "The file is UTF-16 (mark at byte 0); save it as UTF-8.", line: 1 };
  }
  // Decoded, the first invalid byte is a replacement character that the file does not have itself.
  let valid = 0;
  for (const part of bytes.toString("utf8").split("\ufffd")) {
    valid += Buffer.byteLength(part);
    if (bytes.toString("latin1", valid, valid + 3) !== "\xef\xbf\xbd") break;
    valid += 3;
  }
  const line = bytes.toString("latin1", 0, valid).split("\n").length;
  return { fault: "ENCODING", message: `Not valid UTF-8 at byte ${valid}; save the file as UTF-8.`, line };
}

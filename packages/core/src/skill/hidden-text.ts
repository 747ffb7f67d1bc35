import { type Fault, type FaultName, faultAt } from "../shared/diagnostics.ts";

/** C0, DEL and C1: for names, where tabs and line ends are not ordinary text. */
const CONTROL = /[\u0000-\u001f\u007f-\u009f]/u;
/** Like `CONTROL`, but line ends and tabs are how folded and literal YAML scalars look. */
const CONTROL_IN_DESCRIPTION = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f]/u;
const BIDI = /[\u202a-\u202e\u2066-\u2069]/u;
const TAGS = /[\u{e0000}-\u{e007f}]/u;

/** A first check that is cheap on ordinary text; `findHidden` explains what it finds. */
const SUSPECT = /[\u200b-\u200d\u2060\ufeff\u202a-\u202e\u2066-\u2069\ufe00-\ufe0f]|[\u{e0000}-\u{e01ef}]/u;
/** Runs that carry hidden text. A flag such as Scotland's (a black flag, tags, an end tag) hides nothing. */
const HIDDEN =
  /(?<flag>\u{1f3f4}[\u{e0030}-\u{e0039}\u{e0061}-\u{e007a}]{3,6}\u{e007f})|(?<tags>[\u{e0000}-\u{e007f}]+)|(?<selectors>(?:[\ufe00-\ufe0f]|[\u{e0100}-\u{e01ef}]){3,})|(?<bidi>[\u202a-\u202e\u2066-\u2069]+)|(?<invisible>[\u200b\u2060\ufeff]+)|(?<joiners>[\u200c\u200d]+)/gu;

/** Scripts whose words need joiners and non-joiners to be written right, also at the border to a Latin word. */
const JOINING = new RegExp(
  `[${"Arab Syrc Nkoo Mand Mong Phag Mani Phlp Rohg Sogd Adlm Deva Beng Guru Gujr Orya Taml Telu Knda Mlym Sinh Mymr Khmr Tibt Bali Java Mtei Cakm Newa Gran Sund Limb Lana Tirh Sylo Saur"
    .split(" ")
    .map((script) => `\\p{Script_Extensions=${script}}`)
    .join("")}]`,
  "u",
);
/** Parts of an emoji that a joiner joins. */
const PICTURE = /[\p{Extended_Pictographic}\p{Emoji_Modifier}\ufe0f\u{1f1e6}-\u{1f1ff}\u{e007f}]/u;
/** Scripts that are written without spaces and mark the ends of words by a zero-width space. */
const UNSPACED = /[\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}\p{Script=Tibetan}]/u;
/** More in a row than any way of writing needs. */
const MAX_JOINERS = 2;

const FLAG = /\u{1f3f4}[\u{e0030}-\u{e0039}\u{e0061}-\u{e007a}]{3,6}\u{e007f}/gu;
const PRINTABLE_ASCII = /^[ -~]*$/;

/** Nearly every name and description matches, and needs no further check. */
export function isPlainLabel(value: string): boolean {
  return PRINTABLE_ASCII.test(value);
}

export function checkLabel(field: "name" | "description", value: string, line: number | undefined): Fault[] {
  const faults: Fault[] = [];
  const add = (fault: FaultName, message: string): void => void faults.push(faultAt(fault, message, line));
  const control = (field === "name" ? CONTROL : CONTROL_IN_DESCRIPTION).exec(value);
  if (control) add("CONTROL_CHAR", `The ${field} has the control character ${codePoint(control[0])}.`);
  if (TAGS.test(value.replaceAll(FLAG, "")))
    add("HIDDEN_TEXT", `The ${field} hides text in Unicode tag characters: "${decodeTags(value)}".`);
  const bidi = BIDI.exec(value);
  if (bidi) add("HIDDEN_TEXT", `The ${field} has the text direction override ${codePoint(bidi[0])}.`);
  return faults.length === 0 && mayHide(value) ? findHidden(value, line) : faults;
}

export function mayHide(text: string): boolean {
  return SUSPECT.test(text);
}

/** The same characters as UTF-8, one letter a byte; of variation selectors only a run, since every other emoji has one. */
const SUSPECT_BYTES =
  /\xe2\x80[\x8b-\x8d\xaa-\xae]|\xe2\x81[\xa0\xa6-\xa9]|\xef\xbb\xbf|(?:\xef\xb8[\x80-\x8f]){3}|\xf3\xa0/;

/** The same check on bytes, without decoding them: a catalog never needs most bodies as text. */
export function bytesMayHide(bytes: Buffer, start: number): boolean {
  return SUSPECT_BYTES.test(bytes.toString("latin1", start));
}

/** Each place of a text where something is hidden, at most ten of them spelled out. */
export function findHidden(text: string, firstLine: number | undefined): Fault[] {
  const faults: Fault[] = [];
  let found = 0;
  let line = firstLine ?? 0;
  let counted = 0;
  for (const match of text.matchAll(HIDDEN)) {
    if (match.groups?.flag || isOrdinary(text, match)) continue;
    if (++found > 10) continue;
    for (let at = text.indexOf("\n", counted); at !== -1 && at < match.index; at = text.indexOf("\n", at + 1))
      line++;
    counted = match.index;
    faults.push(faultAt("HIDDEN_CHAR", describe(match), firstLine && line));
  }
  if (found > 10)
    faults.push({ fault: "HIDDEN_CHAR", message: `${found - 10} more places with hidden characters.` });
  return faults;
}

/** Whether the script needs the invisible characters here: the neighbours decide, as in RFC 5892 appendix A. */
function isOrdinary(text: string, { 0: run, index, groups }: RegExpExecArray): boolean {
  const before = lastOf(text.slice(Math.max(0, index - 2), index));
  const after = String.fromCodePoint(text.codePointAt(index + run.length) ?? 0);
  if (groups?.joiners) {
    if (run.length > MAX_JOINERS) return false;
    if (JOINING.test(before) || JOINING.test(after)) return true;
    return run === "\u200d" && PICTURE.test(before) && PICTURE.test(after);
  }
  return run === "\u200b" && UNSPACED.test(before) && UNSPACED.test(after);
}

function lastOf(text: string): string {
  return [...text].at(-1) ?? "";
}

function describe(match: RegExpMatchArray): string {
  const run = match[0];
  const at = `at character ${match.index}`;
  if (match.groups?.tags) return `Hidden text in Unicode tag characters ${at}: "${decodeTags(run)}".`;
  if (match.groups?.selectors) {
    return `${[...run].length} variation selectors in a row ${at}; they can carry hidden data.`;
  }
  if (match.groups?.bidi) return `Text direction override ${codePoint(run)} ${at}.`;
  return `Invisible character ${codePoint(run)} ${at}.`;
}

/** Tag characters mirror ASCII at U+E0000. */
function decodeTags(text: string): string {
  const decoded = [...text.matchAll(/[\u{e0020}-\u{e007e}]/gu)]
    .map(([tag]) => String.fromCodePoint((tag.codePointAt(0) ?? 0) - 0xe0000))
    .join("");
  return decoded.length > 200 ? `${decoded.slice(0, 200)}…` : decoded;
}

function codePoint(text: string): string {
  return `U+${(text.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0")}`;
}

/** Letters of two scripts that look alike in one word: `dаta` with a Cyrillic а. */
export function mixesScripts(name: string): boolean {
  const latin = /\p{Script=Latin}/u.test(name);
  return (
    latin && /[\p{Script=Cyrillic}\p{Script=Greek}\p{Script=Armenian}\p{Script=Cherokee}]|\u0131/u.test(name)
  );
}

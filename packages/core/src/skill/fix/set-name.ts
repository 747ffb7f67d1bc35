import { splitFrontmatter } from "../frontmatter.ts";
import { isValidName } from "../name.ts";
import { type FullReading, type Place, parseWholeSkill } from "../parse.ts";

/** The key with its colon; the value with its quotes, if it has them; a comment. */
const NAME_LINE =
  /^((?:name|"name"|'name')[ \t]*:)([ \t]*)([^\s"'|>&*!{[#][^"'\r\n]*?|"[^"\\\r\n]*"|'[^'\r\n]*'|)([ \t]+#.*|[ \t]*)$/m;
/** The pattern looks at each space of a line more than once. */
const MAX_LENGTH = 16 * 1024;
const NAME_FAULTS: ReadonlySet<string> = new Set(["NAME_MISSING", "NAME_DIR_MISMATCH"]);
/** Other readers of YAML take it for a number, a date, a boolean or null. */
const NOT_TEXT = /^(?:\d.*|true|false|null|yes|no|on|off|y|n)$/;

/** Sets the name to the folder's, where that is a valid name and the format wants them to be equal. */
export function nameAsFolder(text: string, { faults }: FullReading, place: Place): string | null {
  const { folder } = place;
  if (!isValidName(folder) || !faults.some(({ fault }) => NAME_FAULTS.has(fault))) return null;
  const bytes = Buffer.from(text, "utf8");
  const split = splitFrontmatter(bytes);
  if ("fault" in split || split.yaml === null) return null;
  const start = bytes.toString("utf8", 0, split.yaml.start).length;
  const end = bytes.toString("utf8", 0, split.yaml.end).length;
  if (end - start > MAX_LENGTH) return null;
  const named = withName(text.slice(start, end), folder, text.slice(0, start).endsWith("\r\n"));
  const next = text.slice(0, start) + named + text.slice(end);
  return parseWholeSkill(Buffer.from(next, "utf8"), place).frontmatter.name === folder ? next : null;
}

function withName(source: string, name: string, isCrLf: boolean): string {
  const plain = NOT_TEXT.test(name) ? `'${name}'` : name;
  if (!NAME_LINE.test(source)) return `name: ${plain}${isCrLf ? "\r\n" : "\n"}${source}`;
  return source.replace(NAME_LINE, (_, key: string, gap: string, value: string, rest: string) => {
    const quote = /^["']/.exec(value)?.[0];
    return `${key}${gap || " "}${quote === undefined ? plain : quote + name + quote}${rest}`;
  });
}

/** A character, and where the next one begins. */
export interface Read {
  readonly character: string;
  readonly next: number;
}

const NUMBER = `&(?:amp;){0,4}#(?:[xX]([0-9a-fA-F]{1,8})|([0-9]{1,8}));?`;
const PERCENT = `%(?:25){0,4}([0-7][0-9a-fA-F])`;
const ESCAPE = String.raw`\\(?:x([0-9a-fA-F]{2})|u([0-9a-fA-F]{4})|u\{([0-9a-fA-F]{1,8})\}|([01][0-7]{2}))`;
/** Entity names that could be part of a tag. `&lt;` is not one: it is how a tag is escaped. */
const NAMED: Readonly<Record<string, string>> = {
  sol: "/",
  bsol: "\\",
  lowbar: "_",
  UnderBar: "_",
  nbsp: " ",
  Tab: " ",
  NewLine: " ",
  shy: "",
  zwj: "",
  zwnj: "",
  ZeroWidthSpace: "",
  NoBreak: "",
};
const WRITTEN_OUT = new RegExp(
  `${NUMBER}|${PERCENT}|${ESCAPE}|&(?:amp;){0,4}(${Object.keys(NAMED).join("|")});`,
  "y",
);

/**
 * A character of a text that may be written out: as an entity (`&#47;`, also of an entity), by percent (`%2F`), or as an
 * escape of a program (`\u002f`). A client that shows an answer as JSON or XML writes Knack's own tags in such a way.
 */
export function readCharacter(text: string, at: number): Read {
  const unit = text.charCodeAt(at);
  if (unit === 0x26 || unit === 0x25 || unit === 0x5c) {
    WRITTEN_OUT.lastIndex = at;
    const found = WRITTEN_OUT.exec(text);
    if (found) return { character: decode(found), next: at + found[0].length };
  }
  const code = text.codePointAt(at) ?? 0;
  return { character: String.fromCodePoint(code), next: at + (code > 0xffff ? 2 : 1) };
}

function decode([, hex, decimal, percent, x, u, braces, octal, name]: RegExpExecArray): string {
  if (name !== undefined) return NAMED[name] ?? "";
  const hexadecimal = hex ?? percent ?? x ?? u ?? braces;
  const code =
    hexadecimal !== undefined
      ? Number.parseInt(hexadecimal, 16)
      : decimal !== undefined
        ? Number(decimal)
        : Number.parseInt(octal ?? "0", 8);
  return code <= 0x10ffff ? String.fromCodePoint(code) : "\ufffd";
}

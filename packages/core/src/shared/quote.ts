/** What is quoted of a text that somebody gave: a name of a megabyte must not become an answer of a megabyte. */
const MAX_QUOTED = 200;
/** What steers a terminal or hides text; JSON escapes the rest itself. */
const UNSEEN = /[\u007f-\u009f\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u2069\ufeff]/g;

/** A text that somebody gave, as an error quotes it: in quotation marks, on one line, cut where it is long. */
export function quote(given: unknown): string {
  const text = typeof given === "string" ? given : String(JSON.stringify(given) ?? given);
  const whole = quoteUpTo(text, MAX_QUOTED);
  // Written out, each character that is not shown takes six places.
  return whole.length > 2 * MAX_QUOTED ? quoteUpTo(text, MAX_QUOTED / 6) : whole;
}

function quoteUpTo(text: string, most: number): string {
  const cut = text.length > most ? `${text.slice(0, most - 1).toWellFormed()}…` : text;
  return JSON.stringify(cut).replaceAll(UNSEEN, escaped);
}

/** A path or a word without quotation marks. Its end says most, so that the middle gives way. */
export function shorten(given: string): string {
  const half = MAX_QUOTED / 2 - 1;
  const cut =
    given.length > MAX_QUOTED ? `${given.slice(0, half)}…${given.slice(-half)}`.toWellFormed() : given;
  return cut.replaceAll(CONTROL, escaped).replaceAll(UNSEEN, escaped);
}

const CONTROL = /[\u0000-\u001f]/g;

function escaped(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`;
}

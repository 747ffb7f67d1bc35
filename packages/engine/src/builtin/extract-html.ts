import { failure } from "./builtin.ts";
import type { Extract } from "./text-artifact.ts";
import { textPieces } from "./text-encoding.ts";

/** The parser takes time by the square of the depth; real pages are never this deep. */
export const MAX_DEPTH = 10_000;

export const extractHtml: Extract = async function* ({ path }, { signal }) {
  const { Parser } = await import("htmlparser2");
  const page = new PageText();
  let depth = 0;
  const parser = new Parser(
    {
      onopentag: (name, attributes) => {
        if (++depth > MAX_DEPTH) throw tooDeep();
        page.open(name, attributes);
      },
      onclosetag: (name) => {
        depth--;
        page.close(name);
      },
      ontext: (text) => page.text(text),
    },
    { decodeEntities: true, lowerCaseTags: true, recognizeSelfClosing: true },
  );
  for await (const piece of textPieces(path, signal)) {
    parser.write(piece);
    yield page.take();
  }
  parser.end();
  yield page.take();
};

export function tooDeep(): Error {
  return failure("TOO_LARGE", `Its elements are nested more than ${MAX_DEPTH} deep.`);
}

const names = (text: string): ReadonlySet<string> => new Set(text.split(" "));

const UNSEEN = names(
  "script style template noscript title svg math iframe object canvas audio video datalist select",
);
/** Elements that begin and end a line, and those with an empty line around them. */
const LINES = names(
  "address article aside body caption dd details dialog div dt fieldset figcaption figure footer form header hgroup legend li main nav option search section summary tbody tfoot thead tr",
);
const PARAGRAPHS = names("blockquote dl h1 h2 h3 h4 h5 h6 hr ol p pre table ul");

/** Makes lines as a browser would: blocks on lines of their own, a tab between cells, a dash before items of lists. */
class PageText {
  #out = "";
  #preformatted = 0;
  /** Line ends that are due before the next text: so none are doubled, and none stand at the beginning. */
  #due = 0;
  #space = false;
  #begun = false;
  #prefix = "";
  /** Names of the open unseen elements, because a stray closing tag must not show what is hidden. */
  readonly #hidden: string[] = [];

  open(name: string, attributes: Readonly<Record<string, string>>): void {
    if (UNSEEN.has(name) || ("hidden" in attributes && name !== "html" && name !== "body")) {
      this.#hidden.push(name);
      return;
    }
    if (this.#hidden.length > 0) {
      // The same name inside: its end must not be taken for the end of what is hidden.
      if (name === this.#hidden.at(-1)) this.#hidden.push(name);
      return;
    }
    if (name === "br") this.#due = this.#preformatted > 0 ? this.#due + 1 : Math.min(this.#due + 1, 2);
    else this.#breakAt(name);
    if (name === "li") this.#prefix = "- ";
    else if (name === "td" || name === "th")
      this.#prefix = this.#due === 0 && this.#begun ? "\t" : this.#prefix;
    else if (name === "img" && attributes.alt) this.text(` ${attributes.alt} `);
    else if (name === "pre" || name === "textarea") this.#preformatted++;
  }

  close(name: string): void {
    if (this.#hidden.length > 0) {
      if (name === this.#hidden.at(-1)) this.#hidden.pop();
      return;
    }
    if ((name === "pre" || name === "textarea") && this.#preformatted > 0) this.#preformatted--;
    if (name === "li") this.#prefix = "";
    this.#breakAt(name);
  }

  text(text: string): void {
    if (this.#hidden.length > 0 || text === "") return;
    if (this.#preformatted > 0) {
      this.#put(text);
      return;
    }
    // Not \s: a no-break space is there to be kept.
    const words = text.replace(/[ \t\n\r\f]+/g, " ");
    const inner = words.startsWith(" ") ? words.slice(1) : words;
    if (words !== inner) this.#space = true;
    if (inner === "") return;
    const ends = inner.endsWith(" ");
    this.#put(ends ? inner.slice(0, -1) : inner);
    this.#space = ends;
  }

  /** What there is so far; it is not kept. */
  take(): string {
    const out = this.#out;
    this.#out = "";
    return out;
  }

  #breakAt(name: string): void {
    const lines = PARAGRAPHS.has(name) ? 2 : LINES.has(name) ? 1 : 0;
    this.#due = Math.max(this.#due, lines);
  }

  #put(text: string): void {
    if (this.#due > 0) {
      if (this.#begun) this.#out += "\n".repeat(this.#due);
    } else if (this.#prefix !== "\t" && this.#space && this.#begun) this.#out += " ";
    this.#out += this.#prefix + text;
    this.#due = 0;
    this.#space = false;
    this.#prefix = "";
    this.#begun = true;
  }
}

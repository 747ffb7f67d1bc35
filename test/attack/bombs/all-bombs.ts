import { deepJson, differentLines, docxOf, manyPlaces, nothingOnce, varied } from "./other-bombs.ts";
import * as pdf from "./pdf-bombs.ts";

export interface Bomb {
  readonly name: string;
  readonly skill: string;
  /** Files by role; the extensions of their names matter. */
  readonly inputs: Readonly<Record<string, readonly [name: string, make: () => string | Buffer]>>;
  readonly params?: object;
  /** The allowed outcomes: a state, or the code of a failure. */
  readonly ends: RegExp;
}

/** Whether only the time limit ends it. The others must end by themselves, even on a slow machine. */
export function isEndless({ ends }: Bomb): boolean {
  return ends.test("SKILL_TIMEOUT");
}

const extract = (name: string, ending: string, make: () => string | Buffer, ends: RegExp): Bomb => ({
  name,
  skill: "text_extract",
  inputs: { input: [`input.${ending}`, make] },
  ends,
});
const render = (
  name: string,
  template: () => string,
  ends: RegExp,
  data?: readonly [string, () => string],
): Bomb => ({
  name,
  skill: "template_render",
  inputs: { template: ["t.liquid", template], ...(data ? { data } : {}) },
  ends,
});
const compare = (name: string, left: () => string, right: () => string, ends: RegExp): Bomb => ({
  name,
  skill: "diff_artifact",
  inputs: { left: ["left.txt", left], right: ["right.txt", right] },
  ends,
});
const check = (name: string, make: () => string, ends: RegExp, params: object = { links: true }): Bomb => ({
  name,
  skill: "validator_basic",
  inputs: { input: ["input.md", make] },
  params,
  ends,
});

const TOO_LARGE = /^TOO_LARGE$/;
const MB = 1e6;

/** None is larger than 50 MB. */
export const BOMBS: readonly Bomb[] = [
  extract(
    "7 KB of forms that each draw the next ten times",
    "pdf",
    () => pdf.nestedForms(30),
    /^SKILL_TIMEOUT$/,
  ),
  extract("a form that draws itself", "pdf", pdf.formOfItself, /^PDF_NO_TEXT$/),
  extract(
    "7 KB of character ranges of sixteen million each",
    "pdf",
    () => pdf.wideCharacterMap(200),
    TOO_LARGE,
  ),
  extract("42 MB of run lengths, 2.7 GB unpacked", "pdf", () => pdf.runLengths(42 << 20), TOO_LARGE),
  extract("a gigabyte in zlib behind hexadecimal digits", "pdf", () => pdf.hiddenFlate(1 << 30), TOO_LARGE),
  extract("a gigabyte in zlib in zlib, 4 KB", "pdf", () => pdf.doubleFlate(1 << 30), TOO_LARGE),
  extract(
    "a table of two thousand million objects",
    "pdf",
    pdf.giantTable,
    /^TOO_LARGE$|^SKILL_TIMEOUT$|^PDF_BROKEN$/,
  ),
  extract("a page tree in a circle", "pdf", pdf.pageTreeLoop, /^PDF_BROKEN$/),
  extract(
    "a page a hundred thousand times",
    "pdf",
    () => pdf.manyPages(100_000),
    /^SKILL_TIMEOUT$|^PDF_NO_TEXT$/,
  ),
  extract("brackets five million deep", "pdf", () => pdf.deepArrays(5_000_000), /^PDF_/),
  extract(
    "a million pictures that never end",
    "pdf",
    () => pdf.openPictures(1_000_000),
    /^PDF_|^SKILL_TIMEOUT$/,
  ),
  extract("three million text operators", "pdf", () => pdf.manyOperators(3_000_000), /^PDF_|^SKILL_TIMEOUT$/),
  extract(
    "177 KB with 350,000 paragraphs",
    "docx",
    () => docxOf(varied((n) => `<w:p><w:r><w:t>${n % 97}</w:t></w:r></w:p>`, 15.9 * 2 ** 20)),
    /^SUCCEEDED$/,
  ),
  extract(
    "elements a million deep",
    "docx",
    () => docxOf(varied((n) => `<w:sdt><w:x a="${n}">`, 15 * 2 ** 20)),
    /^DOCX_BROKEN$|^TOO_LARGE$/,
  ),
  extract(
    "entities of entities",
    "docx",
    () => docxOf("<w:p><w:r><w:t>&a9;</w:t></w:r></w:p>", laughs()),
    /^DOCX_BROKEN$|^SUCCEEDED$/,
  ),
  extract("10 MB of <div>", "html", () => `<!doctype html>${"<div>".repeat(2_000_000)}text`, TOO_LARGE),
  extract(
    "50 MB of tags of six kinds",
    "html",
    () =>
      `<!doctype html>${varied((n) => ["<div>", "<b>", "<table>", "<p>", "<svg>", "</i>"][n % 6] ?? "", 50 * MB - 30)}`,
    /^SUCCEEDED$|^SKILL_TIMEOUT$|^TOO_LARGE$/,
  ),
  extract(
    "50 MB of attributes",
    "html",
    () => `<html><p ${varied((n) => `a${n} `, 50 * MB - 20)}`,
    /^SKILL_TIMEOUT$|^TOO_LARGE$/,
  ),
  extract("50 MB without a line end", "txt", () => "x".repeat(50 * MB), /^SUCCEEDED$/),
  extract("50 MB that are not UTF-8", "txt", () => Buffer.alloc(50 * MB, 0xc3), /^TEXT_ENCODING$/),
  compare(
    "30 MB of nearly two million lines, all different",
    () => varied((n) => `left line ${n}\n`.padStart(18, "."), 30 * MB),
    () => varied((n) => `right line ${n}\n`.padStart(18, "."), 30 * MB),
    /^SUCCEEDED$|^SKILL_TIMEOUT$|^TOO_LARGE$/,
  ),
  compare(
    "32 MB of lines, all different",
    () => differentLines("a", 32 * MB),
    () => differentLines("b", 32 * MB),
    /^SUCCEEDED$|^TOO_LARGE$/,
  ),
  compare(
    "32 MB of few lines in disorder",
    () => nothingOnce(1, 32 * MB),
    () => nothingOnce(2, 32 * MB),
    /^SUCCEEDED$|^TOO_LARGE$/,
  ),
  compare(
    "20,000 places that nearly differ too much",
    () => manyPlaces("a", 20_000),
    () => manyPlaces("b", 20_000),
    /^SUCCEEDED$|^SKILL_TIMEOUT$|^TOO_LARGE$/,
  ),
  compare(
    "33 million empty lines",
    () => "\n".repeat(33 * MB),
    () => "#\n".repeat(16 * MB),
    /^TOO_LARGE$/,
  ),
  render(
    "a loop of a thousand million",
    () => "{% for i in (1..1000000000) %}x{% endfor %}",
    /^TEMPLATE_LIMIT$/,
  ),
  render(
    "a loop in a loop",
    () => "{% for i in (1..100000) %}{% for j in (1..100000) %}{% endfor %}{% endfor %}",
    /^TEMPLATE_LIMIT$/,
  ),
  render(
    "a text that doubles itself",
    () => `{% assign x = "xxxxxxxxxxxxxxxx" %}${"{% assign x = x | append: x %}".repeat(40)}{{ x }}`,
    /^TEMPLATE_LIMIT$/,
  ),
  render("blocks 90,000 deep", () => "{% if a %}".repeat(90_000), /^TEMPLATE_/),
  render(
    "closed blocks",
    () => "{% if true %}".repeat(20_000) + "{% endif %}".repeat(20_000),
    /^TEMPLATE_LIMIT$/,
  ),
  render("JSON sixteen million deep", () => "{{ a }}", /^DATA_INVALID$|^TOO_LARGE$/, [
    "d.json",
    () => deepJson(16 * MB),
  ]),
  render("YAML a million deep", () => "{{ a }}", /^DATA_INVALID$/, [
    "d.yaml",
    () => `a: ${"[".repeat(1_000_000)}`,
  ]),
  check("two million headings", () => "# a\n".repeat(2_000_000), /^SUCCEEDED$|^TOO_LARGE$|^SKILL_TIMEOUT$/),
  check("eight million brackets", () => `${"[".repeat(9_990)}\n`.repeat(800), /^SUCCEEDED$/),
  check("8 MB in one line of links", () => `# ${"[a](".repeat(1_600_000)}`, /^SUCCEEDED$/),
  check("a schema that tries everything", () => "---\na: 1\n---\n", /^SCHEMA_INVALID$|^SUCCEEDED$/, {
    schema: { $defs: tangled(18), $ref: "#/$defs/d0" },
  }),
  check(
    "a pattern that tries everything",
    () => `---\na: ${"a".repeat(5_000)}!\n---\n`,
    /^SUCCEEDED$|^SCHEMA_INVALID$/,
    {
      schema: { properties: { a: { pattern: "^(a+)+$" } } },
    },
  ),
];

function laughs(): string {
  const more = Array.from({ length: 9 }, (_, n) => `<!ENTITY a${n + 1} "${`&a${n};`.repeat(10)}">`);
  return `<!DOCTYPE x [<!ENTITY a0 "ha">${more.join("")}]>`;
}

/** Each definition uses the next one ten times. */
function tangled(depth: number): object {
  return Object.fromEntries(
    Array.from({ length: depth }, (_, n) => [
      `d${n}`,
      n === depth - 1
        ? { required: ["never"] }
        : { anyOf: Array.from({ length: 10 }, () => ({ $ref: `#/$defs/d${n + 1}` })) },
    ]),
  );
}

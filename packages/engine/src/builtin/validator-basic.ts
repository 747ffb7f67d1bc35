import type { ErrorObject } from "ajv";
import { builtin, failure, readWhole, shortMessage, theInput } from "./builtin.ts";
import { checkLinks } from "./check-links.ts";
import {
  type FrontMatter,
  type Heading,
  type MarkdownFinding,
  outlineOf,
  plainHeading,
  readFrontMatter,
} from "./markdown.ts";
import { decodeText } from "./text-encoding.ts";

const MAX_BYTES = 8 << 20;
/** More do not help anybody, and a run's result has its limit. */
const MAX_FINDINGS = 1_000;

interface Params {
  readonly sections?: readonly (string | WantedSection)[];
  readonly ordered?: boolean;
  readonly fields?: readonly string[];
  readonly schema?: object;
  readonly links?: boolean;
}

const WORD = { type: "string", minLength: 1 };
const SECTION = {
  type: "object",
  properties: { title: WORD, level: { type: "integer", minimum: 1, maximum: 6 } },
  required: ["title"],
  additionalProperties: false,
};

export const validatorBasic = builtin(
  {
    name: "validator_basic",
    description: "Check a Markdown document: sections, order, front matter fields and schema, links",
    inputs: [{ role: "input", kind: "FILE", required: true, many: false }],
    outputs: { evidences: [{ kind: "VALIDATION", fields: ["passed", "findings"] }] },
    schema: {
      type: "object",
      properties: {
        sections: { type: "array", items: { anyOf: [WORD, SECTION] }, default: [] },
        ordered: { type: "boolean", default: false },
        fields: { type: "array", items: WORD, default: [] },
        schema: { type: "object" },
        links: { type: "boolean", default: false },
      },
      additionalProperties: false,
    },
  },
  async (context) => {
    const { sections = [], ordered = false, fields = [], schema, links = false } = context.params as Params;
    const text = decodeText(await readWhole(theInput(context, "input"), MAX_BYTES, context.signal));
    const front = await readFrontMatter(text);
    const outline = outlineOf(front.body, front.bodyLine);
    const lastLine = front.bodyLine + outline.prose.length - 1 - (front.body.endsWith("\n") ? 1 : 0);
    // Joined as lists: as arguments of one call many thousand findings would not fit on the stack.
    const findings: readonly MarkdownFinding[] = [
      front.fault
        ? [{ rule: "front_matter", ...front.fault }]
        : [...checkFields(front, fields), ...(schema ? await checkSchema(front, schema) : [])],
      checkSections(outline.headings, sections, ordered, Math.max(lastLine, 1)),
      links ? checkLinks(outline, front.bodyLine) : [],
    ].flat();
    context.log(findings.length === 0 ? "nothing found" : `${findings.length} findings`);
    const passed = findings.length === 0;
    return { evidences: [{ kind: "VALIDATION", data: { passed, findings: inOrder(findings) } }] };
  },
);

function inOrder(findings: readonly MarkdownFinding[]): MarkdownFinding[] {
  const sorted = findings.toSorted((a, b) => a.line - b.line);
  if (sorted.length <= MAX_FINDINGS) return sorted;
  const left = sorted.length - MAX_FINDINGS;
  const last = sorted[MAX_FINDINGS]?.line ?? 1;
  return [
    ...sorted.slice(0, MAX_FINDINGS),
    { rule: "limit", line: last, message: `${left} more findings from here on are not listed.` },
  ];
}

interface WantedSection {
  readonly title: string;
  readonly level?: number;
}

/** The headings that must be there; `ordered`: in this order, whatever stands between them. */
function checkSections(
  headings: readonly Heading[],
  given: readonly (string | WantedSection)[],
  ordered: boolean,
  lastLine: number,
): MarkdownFinding[] {
  const findings: MarkdownFinding[] = [];
  let after: Heading | undefined;
  for (const wanted of given.map(wantedSection)) {
    const matching = headings.filter(
      ({ text, level }) => text === wanted.title && (wanted.level ?? level) === level,
    );
    const found = matching.find(({ line }) => !ordered || !after || line > after.line);
    if (found) {
      after = found;
    } else if (matching[0] && after) {
      const message = `"${wanted.title}" must come after "${after.text}" (line ${after.line}).`;
      findings.push({ rule: "section_order", line: matching[0].line, message });
    } else findings.push(missing(headings, wanted, lastLine));
  }
  return findings;
}

/** "## Risks" is the same as { title: "Risks", level: 2 }. */
function wantedSection(given: string | WantedSection): WantedSection {
  if (typeof given !== "string") return { ...given, title: plainHeading(given.title) };
  const [, marks, title] = /^(#{1,6})[ \t]+(\S.*)$/.exec(given.trim()) ?? [];
  return marks && title
    ? { title: plainHeading(title), level: marks.length }
    : { title: plainHeading(given) };
}

/** At the heading that was probably meant, at the end of the document otherwise. */
function missing(headings: readonly Heading[], { title, level }: WantedSection, lastLine: number) {
  const near = headings.find(({ text }) => text.toLowerCase() === title.toLowerCase());
  if (!near) {
    const depth = level === undefined ? "" : ` of level ${level}`;
    return { rule: "section_missing", line: lastLine, message: `There is no heading "${title}"${depth}.` };
  }
  if (near.text !== title)
    return { rule: "section_missing", line: near.line, message: `"${near.text}" must read "${title}".` };
  const message = `"${title}" must be a heading of level ${level}; it has level ${near.level}.`;
  return { rule: "section_level", line: near.line, message };
}

function checkFields(front: FrontMatter, fields: readonly string[]): MarkdownFinding[] {
  return fields.flatMap((field): MarkdownFinding[] => {
    if (!Object.hasOwn(front.data, field)) {
      const hint = front.source === null ? "; the document has no front matter" : "";
      return [{ rule: "field_missing", line: 1, message: `The front matter needs "${field}"${hint}.` }];
    }
    if (!isEmpty(front.data[field])) return [];
    return [{ rule: "field_empty", line: front.lineOf([field]), message: `"${field}" is empty.` }];
  });
}

function isEmpty(value: unknown): boolean {
  if (value === null || value === undefined) return true;
  if (typeof value === "string") return value.trim() === "";
  return typeof value === "object" && Object.keys(value).length === 0;
}

async function checkSchema(front: FrontMatter, schema: object): Promise<MarkdownFinding[]> {
  const { compileSchema, pathOf } = await import("../json/json-schema.ts");
  const compiled = compileSchema(schema, false);
  if ("problem" in compiled) throw unusable(compiled.problem);
  const errors = compiled.errorsOf(front.data);
  if (!errors) throw unusable("checking a value against it times out.");
  return errors.map((error) => {
    const path = pathOf(error);
    return {
      rule: "schema",
      line: path.length === 0 ? 1 : front.lineOf(path),
      message: sentence(error, path),
    };
  });
}

function sentence({ instancePath, message = "is not valid", params }: ErrorObject, path: readonly string[]) {
  if (typeof params.additionalProperty === "string")
    return `"${params.additionalProperty}" is not allowed here.`;
  const where = instancePath === "" ? "The front matter" : `"${path.join(".")}"`;
  const allowed = params.allowedValues ? `: ${JSON.stringify(params.allowedValues).slice(0, 200)}` : "";
  return `${where} ${message}${allowed}.`;
}

function unusable(why: string): Error {
  return failure("SCHEMA_INVALID", `The parameter schema cannot be used: ${shortMessage(why)}.`);
}

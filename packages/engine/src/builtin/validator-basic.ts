import type { SkillFunction } from "../shared/skill-function.ts";
import type { TypedSkill } from "../shared/typed-skill.ts";
import { answering } from "./failure.ts";
import { decodeText } from "./formats/text-encoding.ts";
import { readWhole, theInput } from "./inputs.ts";
import { readFrontMatter } from "./markdown/front-matter.ts";
import { outlineOf } from "./markdown/outline.ts";
import { checkFields, checkSchema } from "./validate/check-front-matter.ts";
import { checkLinks } from "./validate/check-links.ts";
import { checkSections, type WantedSection } from "./validate/check-sections.ts";
import type { Finding } from "./validate/finding.ts";

export const validatorBasicSkill: TypedSkill = {
  name: "validator_basic",
  description: "Check a Markdown document: sections, order, front matter fields and schema, links",
  version: "1",
  implementation: "builtin:validator_basic",
  inputs: [{ role: "input", kind: "FILE", required: true, many: false }],
  outputs: { artifacts: [], evidences: [{ kind: "VALIDATION", fields: ["passed", "findings"] }] },
  params: {
    schema: {
      type: "object",
      properties: {
        sections: {
          type: "array",
          items: {
            anyOf: [
              { type: "string", minLength: 1 },
              {
                type: "object",
                properties: {
                  title: { type: "string", minLength: 1 },
                  level: { type: "integer", minimum: 1, maximum: 6 },
                },
                required: ["title"],
                additionalProperties: false,
              },
            ],
          },
          default: [],
        },
        ordered: { type: "boolean", default: false },
        fields: { type: "array", items: { type: "string", minLength: 1 }, default: [] },
        schema: { type: "object" },
        links: { type: "boolean", default: false },
      },
      additionalProperties: false,
    },
  },
  idempotency: { strategy: "INPUT_HASHES_PLUS_PARAMS", cache: true },
  env: [],
  timeoutSeconds: null,
  tags: [],
  declared: null,
};

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

export const validatorBasic: SkillFunction = answering(async (context) => {
  const { sections = [], ordered = false, fields = [], schema, links = false } = context.params as Params;
  const text = decodeText(await readWhole(theInput(context, "input"), MAX_BYTES, context.signal));
  const front = await readFrontMatter(text);
  const outline = outlineOf(front.body, front.bodyLine);
  const lastLine = front.bodyLine + outline.prose.length - 1 - (front.body.endsWith("\n") ? 1 : 0);
  // Joined as lists: as arguments of one call many thousand findings would not fit on the stack.
  const findings: readonly Finding[] = [
    front.fault
      ? [{ rule: "front_matter", ...front.fault }]
      : [...checkFields(front, fields), ...(schema ? await checkSchema(front, schema) : [])],
    checkSections(outline.headings, sections, ordered, Math.max(lastLine, 1)),
    links ? checkLinks(outline, front.bodyLine) : [],
  ].flat();
  context.log(findings.length === 0 ? "nothing found" : `${findings.length} findings`);
  const passed = findings.length === 0;
  return { evidences: [{ kind: "VALIDATION", data: { passed, findings: inOrder(findings) } }] };
});

function inOrder(findings: readonly Finding[]): Finding[] {
  const sorted = findings.toSorted((a, b) => a.line - b.line);
  if (sorted.length <= MAX_FINDINGS) return sorted;
  const left = sorted.length - MAX_FINDINGS;
  const last = sorted[MAX_FINDINGS]?.line ?? 1;
  return [
    ...sorted.slice(0, MAX_FINDINGS),
    { rule: "limit", line: last, message: `${left} more findings from here on are not listed.` },
  ];
}

import type { SkillContext, SkillFunction } from "../shared/skill-function.ts";
import type { TypedSkill } from "../shared/typed-skill.ts";
import { answering, Failure } from "./failure.ts";
import { decodeText } from "./formats/text-encoding.ts";
import { optionalInput, readWhole, theInput } from "./inputs.ts";
import { readFrontMatter } from "./markdown/front-matter.ts";
import { readTemplateData } from "./template/template-data.ts";
import { writeText } from "./text-artifact.ts";

export const templateRenderSkill: TypedSkill = {
  name: "template_render",
  description: "Render a Liquid template with data from a file and parameters",
  version: "1",
  implementation: "builtin:template_render",
  inputs: [
    { role: "template", kind: "FILE", required: true, many: false },
    { role: "data", kind: "FILE", required: false, many: false },
  ],
  outputs: {
    artifacts: [
      { name: "rendered", format: "md", pathTemplate: "workspace/artifacts/{task_id}/rendered_{key}.md" },
    ],
    evidences: [],
  },
  // Every other parameter is a variable of its own.
  params: {
    schema: { type: "object", properties: { data: { type: "object" } }, additionalProperties: true },
  },
  idempotency: { strategy: "INPUT_HASHES_PLUS_PARAMS", cache: true },
  env: [],
  timeoutSeconds: null,
  tags: [],
  declared: null,
};

const MAX_TEMPLATE_BYTES = 1 << 20;

export const templateRender: SkillFunction = answering(async (context) => {
  const template = decodeText(
    await readWhole(theInput(context, "template"), MAX_TEMPLATE_BYTES, context.signal),
  );
  const head = await readFrontMatter(template);
  // Front matter with markup in it is meant to be rendered: it is the front matter of the result.
  const isOutput = head.source === null || /\{[{%]/.test(head.source);
  if (!isOutput && head.fault) {
    throw new Failure(
      "TEMPLATE_SYNTAX",
      `Front matter of the template, line ${head.fault.line}: ${head.fault.message}`,
    );
  }
  const variables = await collectVariables(context, isOutput ? {} : head.data);
  context.log(`rendering with ${Object.keys(variables).length} variables`);
  const { renderLiquid } = await import("./template/render-liquid.ts");
  const text = isOutput
    ? renderLiquid(template, 1, variables)
    : renderLiquid(head.body, head.bodyLine, variables);
  return { artifacts: [await writeText(context.artifactsDir, "rendered", "md", text)] };
});

/** What is nearer to the one who asks wins: the template's defaults, the data file, the parameters, their `data`. */
async function collectVariables(
  context: SkillContext,
  defaults: Readonly<Record<string, unknown>>,
): Promise<Record<string, unknown>> {
  const input = optionalInput(context, "data");
  const { data: given, ...others } = context.params;
  // Without a prototype, so that a key can only ever be data.
  return Object.assign(
    Object.create(null) as Record<string, unknown>,
    defaults,
    input ? await readTemplateData(input, context.signal) : {},
    others,
    given,
  );
}

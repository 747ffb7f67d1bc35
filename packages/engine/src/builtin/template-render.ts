import { extname } from "node:path";
import { isRecord } from "@knack/core/text";
import type { SkillContext, SkillInput } from "../shared/typed-skill.ts";
import { builtin, failure, optionalInput, readWhole, shortMessage, theInput } from "./builtin.ts";
import { readFrontMatter } from "./markdown.ts";
import { unixLines, writeText } from "./text-artifact.ts";
import { decodeText } from "./text-encoding.ts";

const MAX_TEMPLATE_BYTES = 1 << 20;

export const templateRender = builtin(
  {
    name: "template_render",
    description: "Render a Liquid template with data from a file and parameters",
    inputs: [
      { role: "template", kind: "FILE", required: true, many: false },
      { role: "data", kind: "FILE", required: false, many: false },
    ],
    outputs: {
      artifacts: [
        { name: "rendered", format: "md", pathTemplate: "workspace/artifacts/{task_id}/rendered_{key}.md" },
      ],
    },
    // Every other parameter is a variable of its own.
    schema: { type: "object", properties: { data: { type: "object" } }, additionalProperties: true },
  },
  async (context) => {
    const template = decodeText(
      await readWhole(theInput(context, "template"), MAX_TEMPLATE_BYTES, context.signal),
    );
    const head = await readFrontMatter(template);
    // Front matter with markup in it is meant to be rendered: it is the front matter of the result.
    const isOutput = head.source === null || /\{[{%]/.test(head.source);
    if (!isOutput && head.fault) {
      throw failure(
        "TEMPLATE_SYNTAX",
        `Front matter of the template, line ${head.fault.line}: ${head.fault.message}`,
      );
    }
    const variables = await collectVariables(context, isOutput ? {} : head.data);
    context.log(`rendering with ${Object.keys(variables).length} variables`);
    const { renderLiquid } = await import("./render-liquid.ts");
    const text = isOutput
      ? renderLiquid(template, 1, variables)
      : renderLiquid(head.body, head.bodyLine, variables);
    return { artifacts: [await writeText(context.artifactsDir, "rendered", "md", text)] };
  },
);

/** What is nearer to the one who asks wins: the template's defaults, the data file, the parameters, their `data`. */
async function collectVariables(context: SkillContext, defaults: Readonly<Record<string, unknown>>) {
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

const MAX_DATA_BYTES = 16 << 20;

type Variables = Readonly<Record<string, unknown>>;

/** A .json or .yaml file is the variables; of any other, the front matter is, and the rest is `content`. */
async function readTemplateData(input: SkillInput, signal: AbortSignal): Promise<Variables> {
  const text = unixLines(decodeText(await readWhole(input, MAX_DATA_BYTES, signal)));
  const extension = extname(input.path).toLowerCase();
  if (extension === ".json") return readJson(text);
  if (extension === ".yaml" || extension === ".yml") return readYaml(text);
  if (extension === "" && text.trimStart().startsWith("{"))
    try {
      return readJson(text);
    } catch {
      // A text may begin with a brace.
      return { content: text };
    }
  const { source, data, body, fault } = await readFrontMatter(text);
  if (source !== null && fault) throw invalid(fault.message, fault.line);
  return { ...data, content: body };
}

function readJson(text: string): Variables {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw invalid(`not valid JSON: ${shortMessage((error as Error).message)}`);
  }
  if (isRecord(value)) return value;
  throw invalid("it must be an object, so that its keys can be variables");
}

async function readYaml(text: string): Promise<Variables> {
  const { parseYamlFile } = await import("@knack/core/yaml");
  const parsed = parseYamlFile(text);
  if ("fault" in parsed) throw invalid(parsed.message, parsed.line);
  return parsed.data;
}

function invalid(message: string, line?: number): Error {
  const place = line === undefined ? "" : `, line ${line}`;
  return failure("DATA_INVALID", `Data file${place}: ${message}`);
}

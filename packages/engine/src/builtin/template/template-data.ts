import { extname } from "node:path";
import type { SkillInput } from "../../shared/skill-function.ts";
import { Failure } from "../failure.ts";
import { decodeText } from "../formats/text-encoding.ts";
import { readWhole } from "../inputs.ts";
import { readFrontMatter } from "../markdown/front-matter.ts";
import { unixLines } from "../text-artifact.ts";

const MAX_DATA_BYTES = 16 << 20;

type Variables = Readonly<Record<string, unknown>>;

/**
 * The variables that a data file gives. A name that ends in .json or .yaml says what it is; any other file is a text, whose
 * front matter gives variables and whose rest is `content`, unless all of it is one JSON object.
 */
export async function readTemplateData(input: SkillInput, signal: AbortSignal): Promise<Variables> {
  const text = unixLines(decodeText(await readWhole(input, MAX_DATA_BYTES, signal)));
  const extension = extname(input.path).toLowerCase();
  if (extension === ".json") return readJson(text);
  if (extension === ".yaml" || extension === ".yml") return readYaml(text);
  if (extension === "" && text.trimStart().startsWith("{")) return readJsonIfItIs(text) ?? { content: text };
  const { source, data, body, fault } = await readFrontMatter(text);
  if (source !== null && fault) throw invalid(fault.message, fault.line);
  return { ...data, content: body };
}

function readJson(text: string): Variables {
  try {
    return asObject(JSON.parse(text));
  } catch (error) {
    if (error instanceof Failure) throw error;
    throw invalid(`not valid JSON: ${(error as Error).message.replace(/\s+/g, " ").slice(0, 200)}`);
  }
}

function readJsonIfItIs(text: string): Variables | undefined {
  try {
    return asObject(JSON.parse(text));
  } catch {
    // A text may begin with a brace.
    return undefined;
  }
}

async function readYaml(text: string): Promise<Variables> {
  const { parseYamlFile } = await import("@knack/core/internal/engine");
  const parsed = parseYamlFile(text);
  if ("fault" in parsed) throw invalid(parsed.message, parsed.line);
  return parsed.data;
}

function asObject(value: unknown): Variables {
  if (typeof value === "object" && value !== null && !Array.isArray(value)) return value as Variables;
  throw invalid("it must be an object, so that its keys can be variables");
}

function invalid(message: string, line?: number): Failure {
  const place = line === undefined ? "" : `, line ${line}`;
  return new Failure("DATA_INVALID", `Data file${place}: ${message}`);
}

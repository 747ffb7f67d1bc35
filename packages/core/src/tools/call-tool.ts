import { relative } from "node:path";
import * as z from "zod";
import type { SkillWanted } from "../access/find-skill.ts";
import { type Given, giveText, noSuchPart, permittedSkill, type TextWanted } from "../access/give-skill.ts";
import { cancelled, orCancelled, permit, trialEnds } from "../access/permit.ts";
import type { Data, Envelope, PermitRequest, Tool, ToolContext, ToolResult } from "../access/tool.ts";
import { escapeMessage } from "../context/blocks/escape.ts";
import { callsTool } from "../context/load-skill.ts";
import type { Catalog } from "../open-catalog.ts";
import { answerTo, KnackError } from "../shared/errors.ts";
import { isRecord, parseJson } from "../shared/json.ts";
import { boundedMessage, fewCandidates, fewOf, quote } from "../shared/quote.ts";
import type { SkillMetadata } from "../skill/schema.ts";

/** `calledBy`: the skill whose tool it is. Throws what the tool throws, and `KnackError` where it may not be called. */
export async function callTool(
  tool: Tool,
  params: unknown,
  context: ToolContext,
  calledBy?: SkillMetadata,
): Promise<ToolResult> {
  if (!isRecord(params))
    throw new KnackError("INVALID_PARAM", `${tool.name}: the parameters must be an object, such as {}.`);
  const { name, executes = false } = tool;
  const { signal } = context;
  const leave = async (asked: PermitRequest, before?: () => Promise<void> | undefined): Promise<void> => {
    await permit(context, { ...asked, ...(calledBy ? { calledBy } : {}) }, before);
    if (context.isTrial) throw trialEnds();
  };
  if (tool.asksItself) await tool.ready?.();
  else await leave({ tool: name, executes }, () => tool.ready?.());
  const work = tool.run(withoutFillers(params, tool), { ...context, permit: leave });
  context.track(work);
  return checkResult(name, await (tool.endsItself ? orEnded(work, signal) : orCancelled(work, signal)));
}

/** Models that must fill in every parameter send `null`, `""` or `0`: for an optional parameter that means nothing. */
function withoutFillers(params: Data, { inputSchema }: Tool): Data {
  const { properties, required } = inputSchema;
  const isOptional = (key: string): boolean =>
    isRecord(properties) &&
    Object.hasOwn(properties, key) &&
    !(Array.isArray(required) && required.includes(key));
  const isFiller = (value: unknown): boolean => value === null || value === "" || value === 0;
  return Object.fromEntries(
    Object.entries(params).filter(([key, value]) => !(isFiller(value) && isOptional(key))),
  );
}

/** An error that a cancelled call caused is reported as the cancellation. */
async function orEnded<T>(work: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  try {
    return await work;
  } catch (error) {
    throw signal?.aborted ? cancelled() : error;
  }
}

/** The envelope of some work, whatever happens: its result, or its refusal. */
export async function answer(
  params: unknown,
  { projectRoot, cwd }: Pick<Catalog, "projectRoot" | "cwd">,
  work: () => Promise<ToolResult>,
): Promise<Envelope> {
  const started = performance.now();
  const about = ({ stats, pathResolved }: Pick<ToolResult, "stats" | "pathResolved">) => ({
    stats: { ...stats, time_ms: Math.round((performance.now() - started) * 100) / 100 },
    context: {
      cwd: relative(projectRoot, cwd) || ".",
      params_input: params ?? {},
      ...(pathResolved === undefined ? {} : { path_resolved: pathResolved }),
    },
  });
  try {
    const result = await work();
    const { data, text } = result;
    const isPartial = result.partial || data.truncated === true || data.applied === false;
    return { status: isPartial ? "partial" : "success", data, text, ...about(result) };
  } catch (error) {
    if (error instanceof KnackError && error.isOfHost) throw error;
    return { ...refusalOf(error), ...about({}) };
  }
}

/** Anything that was thrown, as a refusal. */
function refusalOf(error: unknown): Omit<Envelope, "stats" | "context"> {
  const stated = error instanceof Error ? error.message : String(error);
  const message = boundedMessage(stated === "" ? "The tool failed and gave no reason." : stated);
  const { candidates } = error instanceof KnackError ? error : {};
  const data = error instanceof KnackError && isRecord(error.data) ? error.data : {};
  return {
    status: "error",
    data: {
      ...(jsonFault(data) === undefined ? data : {}),
      ...(candidates ? fewCandidates(candidates) : {}),
    },
    // A message may quote what a skill says.
    text: `Error: ${escapeMessage(message)}`,
    error: { code: answerTo(error).tool, message },
  };
}

/** A skill's tool gets the arguments as they are. A skill whose `allowed-tools` leave out its own tool cannot call it. */
export async function dispatchToTool(
  skill: SkillMetadata,
  params: Data,
  context: ToolContext,
  name = skill.commandTool ?? "",
): Promise<ToolResult> {
  if (context.isNested) {
    const message = `The skill ${quote(skill.name)} calls a tool, but a skill's tool called it; such calls cannot be chained. Call its tool yourself.`;
    throw new KnackError("INVALID_PARAM", message);
  }
  if (skill.allowedTools && !skill.allowedTools.includes(name)) {
    const message = `The skill ${quote(skill.name)} calls ${name}, which its own allowed-tools does not include; its author has to add it there.`;
    throw new KnackError("ACCESS_DENIED", message);
  }
  const tool = findTool(context.picture.now.registry, name);
  return callTool(tool, params, { ...context, isNested: true }, skill);
}

type Used = { readonly skill: SkillMetadata } & (
  | { readonly given: Given; readonly result?: undefined }
  | { readonly given?: undefined; readonly result: ToolResult }
);

/** Gives a permitted skill's text, or calls its tool. Throws `KnackError`. */
export async function useSkill(wanted: SkillWanted, text: TextWanted, context: ToolContext): Promise<Used> {
  const mayCall = !context.readsOnly;
  const permitted = await permittedSkill(text.call.tool, wanted, context, { mayCall });
  const { skill, catalog } = permitted;
  // Only an older snapshot has it: reading it says what is wrong now.
  if (!mayCall || !callsTool(skill) || catalog !== context.catalog)
    return { skill, given: await giveText(permitted, text, context) };
  // It was read in parts, and calls a tool since.
  if (text.offset) throw noSuchPart(skill, text.offset, text.call.tool);
  const tool = context.picture.now.registry.get(skill.commandTool ?? "");
  const result = await dispatchToTool(skill, toolArguments(text.args, tool), context);
  return { skill, result: { ...result, pathResolved: skill.path } };
}

/** None, a JSON object, or one text for the only (required) parameter. Throws `KnackError` where there are several. */
export function toolArguments(args: string, tool: Tool | undefined): Record<string, unknown> {
  if (args.trim() === "") return {};
  const data = args.trimStart().startsWith("{") ? parseJson(args) : undefined;
  if (isRecord(data) && !(data instanceof SyntaxError)) {
    if (jsonFault(data) === undefined) return data;
    throw new KnackError("INVALID_PARAM", `${tool?.name}: the arguments are nested too deeply; send less.`);
  }
  const { properties, required } = tool?.inputSchema ?? {};
  const names = isRecord(properties) ? Object.keys(properties) : [];
  const needed = Array.isArray(required) ? required : [];
  // A tool that declares nothing takes what it likes.
  const [only = "args", ...others] = needed.length === 1 ? needed : names;
  if (others.length === 0) return { [only]: args };
  throw new KnackError(
    "INVALID_PARAM",
    `${tool?.name}: give the arguments as a JSON object, such as {${quote(only)}: …}. Its parameters are ${fewOf(names)}.`,
  );
}

/** Throws `KnackError` where there is none, or where it was left out. */
export function findTool(tools: ReadonlyMap<string, Tool>, name: string): Tool {
  const tool = tools.get(name);
  if (tool?.leftOut !== undefined) throw new KnackError("NOT_FOUND", tool.leftOut);
  if (tool) return tool;
  const names = [...tools.values()].filter(({ leftOut }) => leftOut === undefined).map((one) => one.name);
  const message = `There is no tool ${quote(name)} here. The tools are ${fewOf(names)}.`;
  throw new KnackError("NOT_FOUND", message);
}

const RESULT = z.object({
  data: z.custom<Data>(isRecord, "it is not an object"),
  text: z.string().min(1),
  stats: z.record(z.string(), z.union([z.number(), z.string()])).optional(),
  pathResolved: z.string().optional(),
  partial: z.boolean().optional(),
}) satisfies z.ZodType<ToolResult>;

/** Tools come from hosts: a wrong result must break neither the envelope nor the connection. Throws `KnackError`. */
function checkResult(tool: string, result: unknown): ToolResult {
  const { data: checked, error } = RESULT.safeParse(result);
  const [issue] = error?.issues ?? [];
  const fault = issue ? `${issue.path.join(".")} ${issue.message}`.trim() : jsonFault(checked?.data);
  if (checked && fault === undefined) return checked;
  throw new KnackError("INTERNAL_ERROR", `The tool ${tool} returned an invalid result: ${fault}.`);
}

function jsonFault(data: unknown): string | undefined {
  try {
    JSON.stringify(data);
    return undefined;
  } catch (error) {
    return error instanceof Error ? error.message.split("\n", 1)[0] : String(error);
  }
}

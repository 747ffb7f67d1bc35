import { type Envelope, ToolError } from "../access/envelope.ts";
import type { Tool, ToolContext } from "../access/tool.ts";
import { fewOf } from "../shared/few-of.ts";
import { quote } from "../shared/quote.ts";
import type { SkillMetadata } from "../skill/schema.ts";
import { callTool } from "./call-tool.ts";

/**
 * `tool_dispatch` (document 002 §3.2): a skill's tool is called with the arguments as they are, and no model reads the
 * skill. `allowed-tools` can only take away: a skill that leaves its own tool out cannot call it.
 */
export async function dispatchToTool(
  tools: ReadonlyMap<string, Tool>,
  skill: SkillMetadata,
  args: string,
  context: ToolContext,
): Promise<Envelope> {
  const name = skill.commandTool ?? "";
  if (skill.allowedTools && !skill.allowedTools.includes(name)) {
    const message = `The skill ${quote(skill.name)} calls ${name}, which its own allowed-tools does not include; its author has to add it there.`;
    throw new ToolError("ACCESS_DENIED", message);
  }
  return callTool(findTool(tools, name), toolArguments(args), context, skill);
}

/** Throws where the tool that a skill calls could not be called, so that nobody is asked about the skill first. */
export async function toolIsReady(skill: SkillMetadata, { ready }: ToolContext): Promise<void> {
  if (skill.invocationMode === "tool_dispatch") await ready(skill.commandTool ?? "");
}

/** Arguments as a tool gets them: the JSON object that they are, else as `args`. */
export function toolArguments(args: string): Record<string, unknown> {
  return jsonObject(args) ?? { args };
}

/** Throws `ToolError` where there is none, or where it was left out. */
export function findTool(tools: ReadonlyMap<string, Tool>, name: string): Tool {
  const tool = tools.get(name);
  if (tool?.leftOut !== undefined) throw new ToolError("NOT_FOUND", tool.leftOut);
  if (tool) return tool;
  const names = [...tools.values()].filter(({ leftOut }) => leftOut === undefined).map((one) => one.name);
  const message = `There is no tool ${quote(name)} here. The tools are ${fewOf(names)}.`;
  throw new ToolError("NOT_FOUND", message);
}

/** Arguments that are a JSON object, as one. */
function jsonObject(args: string): Record<string, unknown> | undefined {
  if (!args.trimStart().startsWith("{")) return undefined;
  try {
    return JSON.parse(args);
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

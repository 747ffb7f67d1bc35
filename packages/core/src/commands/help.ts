import type { ToolResult } from "../access/envelope.ts";
import type { Entry } from "../catalog/snapshot.ts";
import { lineForModel } from "../context/blocks/wrapper-tags.ts";
import type { Catalog } from "../open-catalog.ts";
import type { SkillMetadata } from "../skill/schema.ts";

/** The built-in commands, as `/help` shows them. */
const USAGE: Readonly<Record<string, string>> = {
  "/skills": "lists the skills",
  "/skill <name> [args]": "uses a skill",
  "/help [skill]": "shows this list, or the details of one skill",
  "/reload_skills": "reloads the skills and the configuration",
  "/agent <role> [task]": "gives the model the guide for a role",
};
/** With thousands of skill commands, the first few are enough. */
const MAX_SHOWN = 50;

/** `/help` alone: the commands that can be typed here. */
export function helpForAll({ skills }: Catalog): ToolResult {
  const own = skills.flatMap((skill) => (skill.command === undefined ? [] : [skill]));
  own.sort((a, b) => ((a.command ?? "") < (b.command ?? "") ? -1 : 1));
  const lines = [
    ...Object.entries(USAGE).map(([command, does]) => `${command}: ${does}`),
    ...own
      .slice(0, MAX_SHOWN)
      .map(({ command, name }) => `/${command} [args]: uses the skill ${lineForModel(name)}`),
    ...(own.length > MAX_SHOWN ? [`and ${own.length - MAX_SHOWN} more; /skills shows them`] : []),
  ];
  const commands = [
    ...Object.entries(USAGE).map(([command, description]) => ({ command, description })),
    ...own.map(({ command, name }) => ({ command: `/${command} [args]`, skill: name })),
  ];
  return { data: { commands, count: commands.length }, text: lines.join("\n") };
}

/** `/help <skill>`: how it is used, what it needs, and whether it can be used here. `whyNot`: what rules and trust say. */
export function helpForSkill({ skill, status, reason }: Entry, whyNot: string | undefined): ToolResult {
  const { name, description, command, invocationMode = "prompt_rewrite", commandTool, path, scope } = skill;
  const tools = skill.requiresTools ?? [];
  const needs = needsOf(skill);
  const obstacle = status === "active" ? whyNot : `${status}: ${reason}.`;
  const rows = [
    ["use", command === undefined ? `/skill ${name} [args]` : `/${command} [args], /skill ${name} [args]`],
    ["mode", invocationMode === "tool_dispatch" ? `tool_dispatch, calls ${commandTool}` : invocationMode],
    ["required tools", tools.join(", ") || "none"],
    ["eligibility", needs.join("; ") || "everywhere"],
    ["status", reason === "" ? status : `${status}: ${reason}`],
    ["can be used here", obstacle === undefined ? "yes" : `no: ${obstacle}`],
    ["scope", scope],
    ["path", path],
  ];
  const lines = rows.map(([key, value = ""]) => `  ${key}: ${lineForModel(value)}`);
  return {
    data: {
      name,
      description,
      status,
      scope,
      path,
      invocation_mode: invocationMode,
      ...(command === undefined ? {} : { command }),
      ...(commandTool === undefined ? {} : { command_tool: commandTool }),
      requires_tools: tools,
      eligibility: skill.eligibility ?? {},
      usable: obstacle === undefined,
      ...(obstacle === undefined ? {} : { reason: obstacle }),
    },
    text: [`${lineForModel(name)}: ${lineForModel(description)}`, ...lines].join("\n"),
    pathResolved: path,
  };
}

/** The conditions of document 002 §3.5 in words. */
function needsOf({ eligibility = {} }: SkillMetadata): string[] {
  const { os = [], env = [], binaries = [] } = eligibility;
  return [
    ...(os.length > 0 ? [`on ${os.join(" or ")}`] : []),
    ...(env.length > 0 ? [`with the environment variable ${env.join(", ")}`] : []),
    ...(binaries.length > 0 ? [`with ${binaries.join(", ")} on the PATH`] : []),
  ];
}

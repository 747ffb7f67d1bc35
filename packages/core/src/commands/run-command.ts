import { findSkill, type SkillWanted, trustNotice } from "../access/find-skill.ts";
import { whyNot } from "../access/permit.ts";
import type { ToolContext, ToolResult } from "../access/tool.ts";
import type { Entry } from "../catalog/snapshot.ts";
import { escapeWrapperTags, lineForModel } from "../context/blocks/escape.ts";
import { isRole, ROLES, roleGuide } from "../context/guides/role-guide.ts";
import { callsTool } from "../context/load-skill.ts";
import type { Catalog } from "../open-catalog.ts";
import { KnackError } from "../shared/errors.ts";
import { pluralize, quote, shorten } from "../shared/quote.ts";
import { BUILTIN_COMMANDS } from "../skill/fields.ts";
import type { SkillMetadata } from "../skill/schema.ts";
import { useSkill } from "../tools/call-tool.ts";
import { toLoadResult } from "../tools/skill-load.ts";

/** The conversation's snapshot, and a way to make the next. */
export interface CommandContext {
  /** The tool context of a person, on the conversation's snapshot. */
  readonly tools: ToolContext;
  reload(): Promise<{ readonly catalog: Catalog; readonly version: number }>;
}

/** `forModel`: the text is for the model, not for the person who typed. */
export interface CommandResult {
  readonly result: ToolResult;
  readonly forModel: boolean;
  readonly skill?: SkillMetadata;
}

/** Exact names only; no other skill stands in. */
export function runCommand(name: string, args: string, context: CommandContext): Promise<CommandResult> {
  const builtin = Object.hasOwn(BUILTINS, name) ? BUILTINS[name] : undefined;
  return (builtin ?? runAlias(name))(args, context);
}

type Run = (args: string, context: CommandContext) => Promise<CommandResult>;

const BUILTINS: Readonly<Record<string, Run>> = {
  skills: async (_args, { tools: { catalog } }) => told(listSkills(catalog)),
  skill: async (args, context) => {
    const { first, rest } = splitFirst(args);
    if (first === "")
      throw new KnackError("INVALID_PARAM", "/skill requires a skill name. /skills lists them.");
    return runSkill(wantedBy(first), rest, context);
  },
  help: async (args, { tools }) => {
    const { first } = splitFirst(args);
    if (first === "") return told(helpForAll(tools.catalog));
    const entry = findSkill(tools.catalog, wantedBy(first));
    return told(helpForSkill(entry, await whyNot(entry.skill, tools)));
  },
  reload_skills: async (_args, context) => {
    const { catalog, version } = await context.reload();
    const { skills, errors } = catalog;
    const leftOut = errors.length > 0 ? `; ${pluralize(errors.length, "problem")}, see "knack doctor"` : "";
    return told({
      data: { snapshot_version: version, count: skills.length, errors: errors.length },
      text: `Skills reloaded: ${pluralize(skills.length, "skill")}, snapshot ${version}${leftOut}.`,
    });
  },
  agent: async (args, { tools: { catalog, picture } }) => {
    const { first, rest } = splitFirst(args);
    if (!isRole(first)) {
      const problem = first === "" ? "/agent requires a role" : `There is no role ${quote(first)}`;
      throw new KnackError("INVALID_PARAM", `${problem}; the roles are ${ROLES.join(", ")}.`);
    }
    const guide = escapeWrapperTags(guideOf(first, catalog.projectRoot, picture.now.trusted));
    const text = rest === "" ? guide : `${guide.trimEnd()}\n\n${rest}`;
    return { result: { data: { role: first, guide }, text }, forModel: true };
  },
};

/** A guide that cannot be read is an execution error, not a refusal. */
function guideOf(...args: Parameters<typeof roleGuide>): string {
  try {
    return roleGuide(...args).text;
  } catch (error) {
    if (error instanceof KnackError) throw new KnackError("EXECUTION_ERROR", error.message);
    throw error;
  }
}

function told(result: ToolResult): CommandResult {
  return { result, forModel: false };
}

/** Exactly as it is spelled. */
function wantedBy(word: string): SkillWanted {
  return { name: word, exact: true };
}

function runAlias(command: string): Run {
  return async (args, context) => {
    const { catalog } = context.tools;
    const declares = ({ skill }: Entry): boolean => skill.command === command;
    // Inactive skills are found too, so that the answer says why they cannot be used.
    const active = catalog.entries.find((entry) => entry.status === "active" && declares(entry));
    const skill = (active ?? catalog.entries.find(declares))?.skill;
    if (!skill) {
      const message = `There is no command /${shorten(command)}. The commands are ${commandNames(catalog)}.`;
      throw new KnackError("INVALID_PARAM", message);
    }
    return runSkill({ path: skill.path }, args, context);
  };
}

/** Gives a skill's text to the model, or calls its tool. `isMention`: the text is given once. */
export async function runSkill(
  wanted: SkillWanted,
  args: string,
  { tools }: CommandContext,
  isMention = false,
): Promise<CommandResult> {
  const call = { tool: "Skill", params: { ...wanted, args } };
  const { skill, given, result } = await useSkill(wanted, { args, call, isMention }, tools);
  return { result: result ?? toLoadResult(given), forModel: given !== undefined, skill };
}

/** Built-in commands first; of thousands, the first few. */
function commandNames(catalog: Catalog): string {
  const own = catalog.skills.flatMap(({ command }) => (command === undefined ? [] : [`/${command}`])).sort();
  const shown = [...[...BUILTIN_COMMANDS].map((name) => `/${name}`), ...own.slice(0, 20)];
  return own.length > 20 ? `${shown.join(", ")} and ${own.length - 20} more` : shown.join(", ");
}

function listSkills(catalog: Catalog): ToolResult {
  const { skills } = catalog;
  const waits = catalog.waitingForTrust > 0 ? ` ${trustNotice(catalog)}` : "";
  const lines = skills.map(({ name, description, command }) => {
    const alias = command === undefined ? "" : ` (/${command})`;
    const summary = lineForModel(description);
    return `${lineForModel(name)}${alias}${summary === "" ? "" : `: ${summary}`}`;
  });
  return {
    data: {
      skills: skills.map(({ name, description, path, scope, command }) => ({
        name,
        description,
        path,
        scope,
        ...(command === undefined ? {} : { command }),
      })),
      count: skills.length,
    },
    text: lines.length === 0 ? `There are no skills here.${waits}` : lines.join("\n"),
  };
}

const USAGE: Readonly<Record<string, string>> = {
  "/skills": "lists the skills",
  "/skill <name> [args]": "uses a skill",
  "/help [skill]": "shows this list, or the details of one skill",
  "/reload_skills": "reloads the skills and the configuration",
  "/agent <role> [task]": "gives the model the guide for a role",
};
const MAX_SHOWN = 50;

function helpForAll({ skills }: Catalog): ToolResult {
  const own = skills.flatMap((skill) => (skill.command === undefined ? [] : [skill]));
  own.sort((a, b) => ((a.command ?? "") < (b.command ?? "") ? -1 : 1));
  const usage = Object.entries(USAGE).map(([command, description]) => ({ command, description }));
  const commands = [
    ...usage,
    ...own.map(({ command, name }) => ({ command: `/${command} [args]`, skill: name })),
  ];
  const lines = [
    ...usage.map(({ command, description }) => `${command}: ${description}`),
    ...own
      .slice(0, MAX_SHOWN)
      .map(({ command, name }) => `/${command} [args]: uses the skill ${lineForModel(name)}`),
    ...(own.length > MAX_SHOWN ? [`and ${own.length - MAX_SHOWN} more; /skills shows them`] : []),
  ];
  return { data: { commands, count: commands.length }, text: lines.join("\n") };
}

/** `refusal`: what rules and trust say. */
function helpForSkill({ skill, status, reason }: Entry, refusal: string | undefined): ToolResult {
  const { name, description, command, invocationMode = "prompt_rewrite", commandTool, path, scope } = skill;
  const tools = skill.requiresTools ?? [];
  const needs = needsOf(skill);
  const obstacle = status === "active" ? refusal : `${status}: ${reason}.`;
  const rows = [
    ["use", command === undefined ? `/skill ${name} [args]` : `/${command} [args], /skill ${name} [args]`],
    ["mode", callsTool(skill) ? `tool_dispatch, calls ${commandTool}` : invocationMode],
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

function needsOf({ eligibility = {} }: SkillMetadata): string[] {
  const { os = [], env = [], binaries = [] } = eligibility;
  return [
    ...(os.length > 0 ? [`on ${os.join(" or ")}`] : []),
    ...(env.length > 0 ? [`with the environment variable ${env.join(", ")}`] : []),
    ...(binaries.length > 0 ? [`with ${binaries.join(", ")} on the PATH`] : []),
  ];
}

/** Quotes and inner spaces of the arguments are kept. */
export function parseCommand(input: string) {
  const line = input.trim();
  if (!line.startsWith("/")) return undefined;
  const { first, rest } = splitFirst(line.slice(1));
  return { name: first, args: rest };
}

function splitFirst(text: string): { readonly first: string; readonly rest: string } {
  const end = text.search(/\s/);
  return end === -1 ? { first: text, rest: "" } : { first: text.slice(0, end), rest: text.slice(end).trim() };
}

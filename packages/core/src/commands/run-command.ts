import { type Envelope, ToolError, type ToolResult } from "../access/envelope.ts";
import { findSkill, type SkillWanted, trustNotice } from "../access/find-skill.ts";
import { giveText, permittedSkill } from "../access/give-skill.ts";
import type { ToolContext } from "../access/tool.ts";
import type { Entry } from "../catalog/snapshot.ts";
import { escapeWrapperTags, lineForModel } from "../context/blocks/wrapper-tags.ts";
import { isRole, ROLES, roleGuide } from "../context/guides/role-guide.ts";
import type { Catalog } from "../open-catalog.ts";
import { SkillError } from "../shared/errors.ts";
import { quote, shorten } from "../shared/quote.ts";
import { BUILTIN_COMMANDS } from "../skill/facts.ts";
import type { SkillMetadata } from "../skill/schema.ts";
import { toolIsReady } from "../tools/dispatch-to-tool.ts";
import { toLoadResult } from "../tools/skill-load.ts";
import { helpForAll, helpForSkill } from "./help.ts";
import { type CommandLine, splitFirst } from "./parse-command.ts";

/** What slash commands need from the conversation: its snapshot, and a way to make a new one. */
export interface CommandContext {
  /** The tool context of a person, on the conversation's snapshot. */
  readonly tools: ToolContext;
  readonly trusted: boolean;
  /** Why trust or a rule keeps a person from using a skill now; `undefined` if nothing does. */
  whyNot(skill: SkillMetadata): Promise<string | undefined>;
  /** Makes the next snapshot, from the files and the configuration as they are now. */
  reload(): Promise<{ readonly catalog: Catalog; readonly version: number }>;
}

/** What a command did, and whether its text is for the model rather than for the person who typed. */
export interface CommandResult {
  readonly result: ToolResult | Envelope;
  readonly forModel: boolean;
  readonly skill?: SkillMetadata;
}

/** Runs a slash command: exact names, no guessing, no falling back to another skill (document 002 §5). */
export function runCommand({ name, args }: CommandLine, context: CommandContext): Promise<CommandResult> {
  const builtin = Object.hasOwn(BUILTINS, name) ? BUILTINS[name] : undefined;
  return (builtin ?? runAlias(name))(args, context);
}

type Run = (args: string, context: CommandContext) => Promise<CommandResult>;

const BUILTINS: Readonly<Record<string, Run>> = {
  skills: async (_args, { tools: { catalog } }) => told(listSkills(catalog)),
  skill: async (args, context) => {
    const { first, rest } = splitFirst(args);
    if (first === "")
      throw new ToolError("INVALID_PARAM", "/skill requires a skill name. /skills lists them.");
    return useSkill(wantedBy(first), rest, context);
  },
  help: async (args, { tools: { catalog }, whyNot }) => {
    const { first } = splitFirst(args);
    if (first === "") return told(helpForAll(catalog));
    const entry = findSkill(catalog, wantedBy(first));
    return told(helpForSkill(entry, await whyNot(entry.skill)));
  },
  reload_skills: async (_args, context) => {
    const { catalog, version } = await context.reload();
    const { skills, errors } = catalog;
    const leftOut = errors.length > 0 ? `; ${errors.length} problems, see "knack doctor"` : "";
    return told({
      data: { snapshot_version: version, count: skills.length, errors: errors.length },
      text: `Skills reloaded: ${skills.length} skills, snapshot ${version}${leftOut}.`,
    });
  },
  agent: async (args, { tools: { catalog }, trusted }) => {
    const { first, rest } = splitFirst(args);
    if (!isRole(first)) {
      const problem = first === "" ? "/agent requires a role" : `There is no role ${quote(first)}`;
      throw new ToolError("INVALID_PARAM", `${problem}; the roles are ${ROLES.join(", ")}.`);
    }
    const guide = escapeWrapperTags(guideOf(first, { root: catalog.projectRoot, trusted }));
    const text = rest === "" ? guide : `${guide.trimEnd()}\n\n${rest}`;
    return { result: { data: { role: first, guide }, text }, forModel: true };
  },
};

/** A guide that cannot be read is an execution error, not a refusal. */
function guideOf(...args: Parameters<typeof roleGuide>): string {
  try {
    return roleGuide(...args);
  } catch (error) {
    if (error instanceof SkillError) throw new ToolError("EXECUTION_ERROR", error.message);
    throw error;
  }
}

function told(result: ToolResult): CommandResult {
  return { result, forModel: false };
}

/** Exactly as it is spelled; where a name occurs twice, a path or an id says which is meant. */
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
      throw new ToolError(
        "INVALID_PARAM",
        `There is no command /${shorten(command)}. The commands are ${commandNames(catalog)}.`,
      );
    }
    return useSkill({ path: skill.path }, args, context);
  };
}

/** Uses one skill for a person: gives its text to the model, or calls its tool. */
export async function useSkill(
  wanted: SkillWanted,
  args: string,
  { tools }: CommandContext,
): Promise<CommandResult> {
  const permitted = await permittedSkill("Skill", wanted, tools, false, (skill) => toolIsReady(skill, tools));
  const { skill } = permitted;
  if (skill.invocationMode === "tool_dispatch")
    return { result: await tools.dispatch(skill, args), forModel: false, skill };
  const call = { tool: "Skill", params: { name: skill.name, args } };
  const given = await giveText(permitted, { args, call }, tools);
  return { result: toLoadResult(given), forModel: true, skill };
}

/** Built-in commands first, then those of skills; of thousands, a few are enough. */
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

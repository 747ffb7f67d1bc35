import type { FaultName } from "../shared/diagnostics.ts";
import type { Dialect } from "./dialects.ts";
import type { SkillFacts } from "./schema.ts";
import { isMap, kindOf, type YamlMap, type YamlValue } from "./yaml/yaml-value.ts";

/** Names of slash commands that Knack itself answers; a skill cannot take one (document 002 §3.3). */
export const BUILTIN_COMMANDS: ReadonlySet<string> = new Set([
  "skills",
  "skill",
  "help",
  "reload_skills",
  "agent",
]);

const COMMAND_PATTERN = /^[a-z0-9_-]+$/;

export type Report = (fault: FaultName, key: string, message: string) => void;

const FACT_KEYS: ReadonlySet<string> = new Set([
  "invocation_mode",
  "command",
  "command_tool",
  "requires_tools",
  "eligibility",
  "allowed-tools",
  "disable-model-invocation",
  "license",
  "compatibility",
  "metadata",
  "version",
]);

function hasFacts(data: YamlMap): boolean {
  for (const key in data) if (FACT_KEYS.has(key)) return true;
  return false;
}

/** What a skill declares beyond its name and description; `null` if nothing. */
export function readFacts(data: YamlMap, dialect: Dialect, report: Report): SkillFacts | null {
  if (!hasFacts(data)) return null;
  const facts: SkillFacts = {};
  const text = (key: string): string | undefined => {
    const value = data[key];
    if (value === undefined || value === "") return undefined;
    if (typeof value === "string") return value;
    report("FIELD_INVALID", key, `"${key}" must be text, found ${kindOf(value)}; it is ignored.`);
    return undefined;
  };
  const set = <K extends keyof SkillFacts>(key: K, value: SkillFacts[K] | undefined): void => {
    if (value !== undefined) facts[key] = value;
  };

  set("license", text("license"));
  set("version", text("version"));
  const compatibility = text("compatibility");
  if (compatibility !== undefined && dialect.maxCompatibility !== null) {
    const length = [...compatibility].length;
    if (length > dialect.maxCompatibility) {
      report(
        "COMPATIBILITY_TOO_LONG",
        "compatibility",
        `"compatibility" has ${length} characters; at most ${dialect.maxCompatibility} are allowed.`,
      );
    }
  }
  set("compatibility", compatibility);
  set("metadata", readMetadata(data.metadata, report));
  set("allowedTools", readAllowedTools(data["allowed-tools"], report));
  set("disableModelInvocation", readSwitch(data["disable-model-invocation"], report));
  set("requiresTools", readList(data.requires_tools, "requires_tools", "FIELD_INVALID", report));
  set("eligibility", readEligibility(data.eligibility, report));
  readInvocation(data.invocation_mode, text, facts, report);
  return facts;
}

/** Document 002 §3.2–3.4. */
function readInvocation(
  mode: YamlValue | undefined,
  text: (key: string) => string | undefined,
  facts: SkillFacts,
  report: Report,
): void {
  if (mode === "prompt_rewrite" || mode === "tool_dispatch") facts.invocationMode = mode;
  else if (mode !== undefined && mode !== "") {
    const message = `"invocation_mode" must be prompt_rewrite or tool_dispatch, found ${JSON.stringify(mode)}.`;
    report("INVOCATION_MODE_INVALID", "invocation_mode", message);
  }

  const command = text("command");
  if (command !== undefined) {
    if (!COMMAND_PATTERN.test(command)) {
      const message = `The command ${JSON.stringify(command)} must match ${COMMAND_PATTERN.source}; it is ignored.`;
      report("COMMAND_INVALID", "command", message);
    } else if (BUILTIN_COMMANDS.has(command)) {
      report("COMMAND_RESERVED", "command", `The command "/${command}" is built in; choose another.`);
    } else {
      facts.command = command;
    }
  }

  const tool = text("command_tool");
  if (tool !== undefined) facts.commandTool = tool;
  else if (facts.invocationMode === "tool_dispatch") {
    report(
      "COMMAND_TOOL_MISSING",
      "invocation_mode",
      '"invocation_mode: tool_dispatch" needs "command_tool", the tool to call.',
    );
  }
}

/** What Knack itself reads in `metadata`. */
const READ_METADATA = new Set(["requires-now", "requires-later"]);

function readMetadata(value: YamlValue | undefined, report: Report): Record<string, string> | undefined {
  if (value === undefined || value === "") return undefined;
  if (!isMap(value)) {
    report(
      "FIELD_INVALID",
      "metadata",
      `"metadata" must be a mapping of texts, found ${kindOf(value)}; it is ignored.`,
    );
    return undefined;
  }
  const metadata: Record<string, string> = Object.create(null);
  for (const [key, entry] of Object.entries(value)) {
    if (typeof entry === "string") metadata[key] = entry;
    // Other clients keep lists and mappings here; they stay in the frontmatter and mean nothing to Knack.
    else if (READ_METADATA.has(key))
      report(
        "FIELD_INVALID",
        "metadata",
        `"metadata.${key}" must be names separated by spaces, found ${kindOf(entry)}; it is ignored.`,
      );
  }
  return metadata;
}

/** Values that YAML does not read as text; no tool has such a name. */
const NO_TOOL = /^(?:null|~|true|false|[-+]?[\d.]+)$/i;

/**
 * `Bash(git add:*) Read`, the same with commas, or a list: all occur. A comma or space in parentheses separates nothing.
 * It is a restriction: an invalid one allows nothing, because ignoring it would allow everything.
 */
function readAllowedTools(value: YamlValue | undefined, report: Report): string[] | undefined {
  if (value === undefined) return undefined;
  const tools = typeof value === "string" ? (value.match(/(?:\([^)]*(?:\)|$)|[^\s,(])+/g) ?? []) : value;
  const isClear =
    (typeof value !== "string" || value.trim() !== "") &&
    Array.isArray(tools) &&
    tools.every((tool) => typeof tool === "string" && tool.trim() !== "" && !NO_TOOL.test(tool));
  if (isClear) return tools as string[];
  report(
    "FIELD_INVALID",
    "allowed-tools",
    `"allowed-tools" must be names of tools, as a list or in one text; until then the skill may use no tools. Remove the key to allow all.`,
  );
  return [];
}

const TRUE = /^(true|yes|on|1)$/i;
const FALSE = /^(false|no|off|0)$/i;

function readSwitch(value: YamlValue | undefined, report: Report): boolean | undefined {
  if (value === undefined || value === "") return undefined;
  if (typeof value === "string" && FALSE.test(value)) return undefined;
  if (typeof value !== "string" || !TRUE.test(value)) {
    // An invalid value hides the skill from models, which is the safe choice.
    const message = '"disable-model-invocation" must be true or false; it is treated as true.';
    report("FIELD_INVALID", "disable-model-invocation", message);
  }
  return true;
}

function readEligibility(value: YamlValue | undefined, report: Report): SkillFacts["eligibility"] {
  if (value === undefined || value === "") return undefined;
  if (!isMap(value)) {
    const message = `"eligibility" must be a mapping with os, env and binaries, found ${kindOf(value)}.`;
    report("ELIGIBILITY_INVALID", "eligibility", message);
    return undefined;
  }
  const eligibility: NonNullable<SkillFacts["eligibility"]> = {};
  for (const key of ["os", "env", "binaries"] as const) {
    const list = readList(value[key], `eligibility.${key}`, "ELIGIBILITY_INVALID", report);
    if (list && list.length > 0) eligibility[key] = list;
  }
  return eligibility;
}

/** A list of texts, or one text with names separated by commas or spaces. */
function readList(
  value: YamlValue | undefined,
  key: string,
  fault: FaultName,
  report: Report,
): string[] | undefined {
  if (value === undefined || value === "") return undefined;
  if (typeof value === "string") return value.split(/[\s,]+/).filter((item) => item !== "");
  if (Array.isArray(value) && value.every((item) => typeof item === "string"))
    return value.filter((item) => item !== "");
  report(
    fault,
    key.split(".", 1)[0] ?? key,
    `"${key}" must be a list of texts, found ${kindOf(value)}; it is ignored.`,
  );
  return undefined;
}

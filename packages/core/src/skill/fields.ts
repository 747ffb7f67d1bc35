import type { Fault, FaultName } from "../shared/diagnostics.ts";
import { normalize } from "../shared/fold.ts";
import type { Dialect } from "./dialects.ts";
import { checkLabel, isPlainLabel } from "./hidden-text.ts";
import { checkName, isPlainName } from "./name.ts";
import type { SkillFacts } from "./schema.ts";
import { isMap, kindOf, type YamlMap, type YamlValue } from "./yaml/simple-yaml.ts";

type Report = (fault: FaultName, key: string, message: string) => void;
type LineOf = (key: string) => number | undefined;

export interface Fields {
  readonly name: string;
  readonly description: string;
  /** `null` if the skill declares nothing beyond its name and description. */
  readonly facts: SkillFacts | null;
  readonly faults: Fault[];
}

/** Frontmatter values → the fields of a skill, with a fault for each value that breaks a rule of the dialect. */
export function readFields(data: YamlMap, lineOf: LineOf, folder: string, dialect: Dialect): Fields {
  const faults: Fault[] = [];
  const report: Report = (fault, key, message) => {
    const line = lineOf(key);
    faults.push(line === undefined ? { fault, message } : { fault, message, line });
  };
  const name = readName(data.name, folder, dialect, lineOf, faults, report);
  const description = readDescription(data, dialect, lineOf, faults, report);
  const facts = readFacts(data, dialect, report);
  return { name, description, facts, faults };
}

/** Reports a text of more characters than its format allows; `null` where it has no limit. */
function checkLength(text: string, most: number | null, fault: FaultName, key: string, report: Report): void {
  if (most === null || text.length <= most) return;
  const length = [...text].length;
  if (length > most) report(fault, key, `"${key}" has ${length} characters; at most ${most} are allowed.`);
}

function readName(
  value: YamlValue | undefined,
  folder: string,
  dialect: Dialect,
  lineOf: LineOf,
  faults: Fault[],
  report: Report,
): string {
  if (dialect.nameFrom === "frontmatter") {
    if (typeof value === "string" && value !== "") {
      if (isPlainName(value, folder, dialect)) return value;
      const name = normalize(value, "NFC");
      faults.push(...checkName(name, folder, dialect, lineOf("name")));
      return name;
    }
    const found = value === undefined ? "is missing" : `must be text, found ${kindOf(value)}`;
    report("NAME_MISSING", "name", `"name" ${found}; add: name: ${folder}`);
  }
  const name = normalize(folder, "NFC");
  faults.push(
    ...checkName(name, folder, { ...dialect, nameFrom: "folder", nameEqualsFolder: false }, undefined),
  );
  return name;
}

function readDescription(
  data: YamlMap,
  dialect: Dialect,
  lineOf: LineOf,
  faults: Fault[],
  report: Report,
): string {
  const fallback = dialect.descriptionKey === "summary" && !data.summary && data.description !== undefined;
  const key = fallback ? "description" : dialect.descriptionKey;
  const value = data[key];
  const description = typeof value === "string" ? value.trim() : "";
  if (description === "" && dialect.frontmatterRequired) {
    const found = value === undefined ? "is missing" : `must be text, found ${kindOf(value)}`;
    const next =
      value !== undefined && typeof value !== "string"
        ? `if it is text, put it in quotes: ${key}: "…"`
        : "say what the skill does and when to use it";
    report("DESC_INVALID", key, `"${key}" ${found}; ${next}.`);
    return "";
  }
  if (value !== undefined && typeof value !== "string") {
    report("FIELD_INVALID", key, `"${key}" must be text, found ${kindOf(value)}; it is ignored.`);
  }
  checkLength(description, dialect.maxDescription, "DESC_TOO_LONG", key, report);
  if (!isPlainLabel(description)) faults.push(...checkLabel("description", description, lineOf(key)));
  return description;
}

/** Names of slash commands that Knack itself answers; a skill cannot take one (document 002 §3.3). */
export const BUILTIN_COMMANDS: ReadonlySet<string> = new Set(
  "skills skill help reload_skills agent".split(" "),
);

const COMMAND_PATTERN = /^[a-z0-9_-]+$/;

const INVOCATION_KEYS = ["invocation_mode", "command", "command_tool", "requires_tools", "eligibility"];
/** Keys that only document 002 knows. */
export const LILY_KEYS: readonly string[] = ["summary", ...INVOCATION_KEYS];
const FACT_KEYS: ReadonlySet<string> = new Set([
  ...INVOCATION_KEYS,
  ..."allowed-tools disable-model-invocation license compatibility metadata version".split(" "),
]);

/** What a skill declares beyond its name and description; `null` if nothing. */
function readFacts(data: YamlMap, dialect: Dialect, report: Report): SkillFacts | null {
  if (!Object.keys(data).some((key) => FACT_KEYS.has(key))) return null;
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
  checkLength(
    compatibility ?? "",
    dialect.maxCompatibility,
    "COMPATIBILITY_TOO_LONG",
    "compatibility",
    report,
  );
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
    const message = '"invocation_mode: tool_dispatch" needs "command_tool", the tool to call.';
    report("COMMAND_TOOL_MISSING", "invocation_mode", message);
  }
}

function readMetadata(value: YamlValue | undefined, report: Report): Record<string, string> | undefined {
  if (value === undefined || value === "") return undefined;
  if (!isMap(value)) {
    const message = `"metadata" must be a mapping of texts, found ${kindOf(value)}; it is ignored.`;
    report("FIELD_INVALID", "metadata", message);
    return undefined;
  }
  const metadata: Record<string, string> = Object.create(null);
  for (const [key, entry] of Object.entries(value)) {
    if (typeof entry === "string") metadata[key] = entry;
    // Other clients keep lists and mappings here; they stay in the frontmatter and mean nothing to Knack.
    else if (key === "requires-now" || key === "requires-later") {
      const message = `"metadata.${key}" must be names separated by spaces, found ${kindOf(entry)}; it is ignored.`;
      report("FIELD_INVALID", "metadata", message);
    }
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
  const message = `"allowed-tools" must be names of tools, as a list or in one text; until then the skill may use no tools. Remove the key to allow all.`;
  report("FIELD_INVALID", "allowed-tools", message);
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
  const message = `"${key}" must be a list of texts, found ${kindOf(value)}; it is ignored.`;
  report(fault, key.split(".", 1)[0] ?? key, message);
  return undefined;
}

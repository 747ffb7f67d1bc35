import { type Fault, type FaultName, faultAt } from "../shared/diagnostics.ts";
import { normalize } from "../shared/fold.ts";
import type { Dialect } from "./dialects.ts";
import { checkLabel, isPlainLabel } from "./hidden-text.ts";
import { checkName, howToName, isPlainName } from "./name.ts";
import type { SkillFacts } from "./schema.ts";
import { isMap, type YamlMap, type YamlValue, yamlKindOf } from "./yaml/simple-yaml.ts";

type LineOf = (key: string) => number | undefined;
type Value = YamlValue | undefined;

export interface Fields {
  readonly name: string;
  readonly description: string;
  /** `null` if the skill declares nothing beyond its name and description. */
  readonly facts: SkillFacts | null;
  readonly faults: Fault[];
}

export function readFields(data: YamlMap, lineOf: LineOf, folder: string, dialect: Dialect): Fields {
  const reader = new FieldReader(data, lineOf, dialect);
  const name = reader.name(folder);
  const description = reader.description();
  return { name, description, facts: reader.facts(), faults: reader.faults };
}

/** Names of slash commands that Knack itself answers; a skill cannot take one. */
export const BUILTIN_COMMANDS: ReadonlySet<string> = new Set(
  "skills skill help reload_skills agent".split(" "),
);

const COMMAND_PATTERN = /^[a-z0-9_-]+$/;

const INVOCATION_KEYS = ["invocation_mode", "command", "command_tool", "requires_tools", "eligibility"];
/** Keys that only the dialect `lily` knows. */
export const LILY_KEYS: readonly string[] = ["summary", ...INVOCATION_KEYS];
const FACT_KEYS: ReadonlySet<string> = new Set([
  ...INVOCATION_KEYS,
  ..."allowed-tools disable-model-invocation user-invocable license compatibility metadata version".split(
    " ",
  ),
]);

/** Values that YAML does not read as text; no tool has such a name. */
const NO_TOOL = /^(?:null|~|true|false|[-+]?[\d.]+)$/i;
const TRUE = /^(true|yes|on|1)$/i;
const FALSE = /^(false|no|off|0)$/i;

class FieldReader {
  readonly faults: Fault[] = [];
  readonly #data: YamlMap;
  readonly #lineOf: LineOf;
  readonly #dialect: Dialect;

  constructor(data: YamlMap, lineOf: LineOf, dialect: Dialect) {
    this.#data = data;
    this.#lineOf = lineOf;
    this.#dialect = dialect;
  }

  name(folder: string): string {
    const { name: value } = this.#data;
    const dialect = this.#dialect;
    if (dialect.nameFrom === "frontmatter") {
      if (typeof value === "string" && value.trim() !== "") {
        if (isPlainName(value, folder, dialect)) return value;
        const name = normalize(value, "NFC");
        this.faults.push(...checkName(name, folder, dialect, this.#lineOf("name")));
        // Nobody can type what white space it was; where the faults let it pass, it is one space.
        return name.replaceAll(/\s+/g, " ").trim();
      }
      this.#report("NAME_MISSING", "name", `"name" ${notText(value)}; ${howToName(folder, dialect)}`);
    }
    const name = normalize(folder, "NFC");
    const byFolder = { ...dialect, nameFrom: "folder", nameEqualsFolder: false } as const;
    this.faults.push(...checkName(name, folder, byFolder, undefined));
    return name;
  }

  description(): string {
    const { descriptionKey, frontmatterRequired, maxDescription } = this.#dialect;
    const { summary, description: other } = this.#data;
    const key =
      descriptionKey === "summary" && !summary && other !== undefined ? "description" : descriptionKey;
    const value = this.#data[key];
    const description = typeof value === "string" ? value.trim() : "";
    if (description === "" && frontmatterRequired) {
      const next =
        value !== undefined && typeof value !== "string"
          ? `if it is text, put it in quotes: ${key}: "…"`
          : "say what the skill does and when to use it";
      this.#report("DESC_INVALID", key, `"${key}" ${notText(value)}; ${next}.`);
      return "";
    }
    if (value !== undefined && typeof value !== "string") this.#ignore(key, "text", value);
    this.#checkLength(description, maxDescription, "DESC_TOO_LONG", key);
    if (!isPlainLabel(description))
      this.faults.push(...checkLabel("description", description, this.#lineOf(key)));
    return description;
  }

  facts(): SkillFacts | null {
    const data = this.#data;
    if (!Object.keys(data).some((key) => FACT_KEYS.has(key))) return null;
    const facts: SkillFacts = {};
    const set = <K extends keyof SkillFacts>(key: K, value: SkillFacts[K] | undefined): void => {
      if (value !== undefined) facts[key] = value;
    };
    set("license", this.#text("license"));
    set("version", this.#text("version"));
    const compatibility = this.#text("compatibility");
    const { maxCompatibility } = this.#dialect;
    this.#checkLength(compatibility ?? "", maxCompatibility, "COMPATIBILITY_TOO_LONG", "compatibility");
    set("compatibility", compatibility);
    set("metadata", this.#metadata(data.metadata));
    set("allowedTools", this.#allowedTools(data["allowed-tools"]));
    set("disableModelInvocation", this.#isHidden(data["disable-model-invocation"]));
    set("userInvocable", this.#isForModels(data["user-invocable"]));
    set("requiresTools", this.#list(data.requires_tools, "requires_tools", "FIELD_INVALID"));
    set("eligibility", this.#eligibility(data.eligibility));
    set("invocationMode", this.#invocationMode(data.invocation_mode));
    if (facts.userInvocable === undefined) set("command", this.#command());
    set("commandTool", this.#text("command_tool"));
    if (facts.invocationMode === "tool_dispatch" && facts.commandTool === undefined) {
      const message = '"invocation_mode: tool_dispatch" needs "command_tool", the tool to call.';
      this.#report("COMMAND_TOOL_MISSING", "invocation_mode", message);
    }
    return facts;
  }

  /** Document 002 §3.2. */
  #invocationMode(mode: Value): SkillFacts["invocationMode"] {
    if (mode === "prompt_rewrite" || mode === "tool_dispatch") return mode;
    if (mode === undefined || mode === "") return undefined;
    const message = `"invocation_mode" must be prompt_rewrite or tool_dispatch, found ${JSON.stringify(mode)}.`;
    return this.#report("INVOCATION_MODE_INVALID", "invocation_mode", message);
  }

  /** Document 002 §3.3. */
  #command(): string | undefined {
    const command = this.#text("command");
    if (command === undefined) return undefined;
    if (!COMMAND_PATTERN.test(command)) {
      const message = `The command ${JSON.stringify(command)} must match ${COMMAND_PATTERN.source}; it is ignored.`;
      return this.#report("COMMAND_INVALID", "command", message);
    }
    if (!BUILTIN_COMMANDS.has(command)) return command;
    return this.#report(
      "COMMAND_RESERVED",
      "command",
      `The command "/${command}" is built in; choose another.`,
    );
  }

  #metadata(value: Value): Record<string, string> | undefined {
    if (value === undefined || value === "") return undefined;
    if (!isMap(value)) return this.#ignore("metadata", "a mapping of texts", value);
    const metadata: Record<string, string> = Object.create(null);
    for (const [key, entry] of Object.entries(value)) {
      if (typeof entry === "string") metadata[key] = entry;
      // Other clients keep lists and mappings here; they stay in the frontmatter and mean nothing to Knack.
      else if (/^(?:requires[_-](?:now|later)|reference[_-]only)$/.test(key))
        this.#ignore(`metadata.${key}`, "names separated by spaces", entry);
    }
    return metadata;
  }

  /**
   * `Bash(git add:*) Read`, commas, or a list. A restriction: an invalid one allows nothing, since ignoring it would allow
   * all.
   */
  #allowedTools(value: Value): string[] | undefined {
    if (value === undefined) return undefined;
    const tools = typeof value === "string" ? (value.match(/(?:\([^)]*(?:\)|$)|[^\s,(])+/g) ?? []) : value;
    const isClear =
      (typeof value !== "string" || value.trim() !== "") &&
      Array.isArray(tools) &&
      tools.every((tool) => typeof tool === "string" && tool.trim() !== "" && !NO_TOOL.test(tool));
    if (isClear) return tools as string[];
    const message = `"allowed-tools" must be names of tools, as a list or in one text; until then the skill may use no tools. Remove the key to allow all.`;
    this.#report("FIELD_INVALID", "allowed-tools", message);
    return [];
  }

  #isHidden(value: Value): boolean | undefined {
    if (value === undefined || value === "" || (typeof value === "string" && FALSE.test(value)))
      return undefined;
    if (typeof value !== "string" || !TRUE.test(value)) {
      // An invalid value hides the skill from models, which is the safe choice.
      const message = '"disable-model-invocation" must be true or false; it is treated as true.';
      this.#report("FIELD_INVALID", "disable-model-invocation", message);
    }
    return true;
  }

  /** `false`: for models alone, so people get no command for it. */
  #isForModels(value: Value): false | undefined {
    if (typeof value === "string" && FALSE.test(value)) return false;
    if (value === undefined || value === "" || (typeof value === "string" && TRUE.test(value)))
      return undefined;
    return this.#ignore("user-invocable", "true or false", value);
  }

  #eligibility(value: Value): SkillFacts["eligibility"] {
    if (value === undefined || value === "") return undefined;
    if (!isMap(value)) {
      const message = `"eligibility" must be a mapping with os, env and binaries, found ${yamlKindOf(value)}.`;
      return this.#report("ELIGIBILITY_INVALID", "eligibility", message);
    }
    const eligibility: NonNullable<SkillFacts["eligibility"]> = {};
    for (const key of ["os", "env", "binaries"] as const) {
      const list = this.#list(value[key], `eligibility.${key}`, "ELIGIBILITY_INVALID");
      if (list && list.length > 0) eligibility[key] = list;
    }
    return eligibility;
  }

  #text(key: string): string | undefined {
    const value = this.#data[key];
    if (value === undefined || value === "") return undefined;
    return typeof value === "string" ? value : this.#ignore(key, "text", value);
  }

  /** A list of texts, or one text with names separated by commas or spaces. */
  #list(value: Value, key: string, fault: FaultName): string[] | undefined {
    if (value === undefined || value === "") return undefined;
    if (typeof value === "string") return value.split(/[\s,]+/).filter((item) => item !== "");
    if (Array.isArray(value) && value.every((item) => typeof item === "string"))
      return value.filter((item) => item !== "");
    return this.#ignore(key, "a list of texts", value, fault);
  }

  #checkLength(text: string, most: number | null, fault: FaultName, key: string): void {
    if (most === null || text.length <= most) return;
    const length = [...text].length;
    if (length > most)
      this.#report(fault, key, `"${key}" has ${length} characters; at most ${most} are allowed.`);
  }

  #ignore(key: string, expected: string, value: YamlValue, fault: FaultName = "FIELD_INVALID"): undefined {
    const message = `"${key}" must be ${expected}, found ${yamlKindOf(value)}; it is ignored.`;
    return this.#report(fault, key.split(".", 1)[0] ?? key, message);
  }

  #report(fault: FaultName, key: string, message: string): undefined {
    this.faults.push(faultAt(fault, message, this.#lineOf(key)));
    return undefined;
  }
}

function notText(value: Value): string {
  return value === undefined ? "is missing" : `must be text, found ${yamlKindOf(value)}`;
}

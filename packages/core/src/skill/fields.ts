import type { Fault } from "../shared/diagnostics.ts";
import { normalize } from "../shared/fold.ts";
import type { Dialect } from "./dialects.ts";
import { type Report, readFacts } from "./facts.ts";
import { checkLabel, isPlainLabel } from "./hidden-text.ts";
import { checkName, isPlainName } from "./name.ts";
import type { SkillFacts } from "./schema.ts";
import { kindOf, type YamlMap, type YamlValue } from "./yaml/yaml-value.ts";

export interface Fields {
  readonly name: string;
  readonly description: string;
  /** `null` if the skill declares nothing beyond its name and description. */
  readonly facts: SkillFacts | null;
  readonly faults: Fault[];
}

/** Frontmatter values → the fields of a skill, with a fault for each value that breaks a rule of the dialect. */
export function readFields(
  data: YamlMap,
  lineOf: (key: string) => number | undefined,
  folder: string,
  dialect: Dialect,
): Fields {
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

type LineOf = (key: string) => number | undefined;

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
  if (dialect.maxDescription !== null && description.length > dialect.maxDescription) {
    const length = [...description].length;
    if (length > dialect.maxDescription) {
      report(
        "DESC_TOO_LONG",
        key,
        `"${key}" has ${length} characters; at most ${dialect.maxDescription} are allowed.`,
      );
    }
  }
  if (!isPlainLabel(description)) faults.push(...checkLabel("description", description, lineOf(key)));
  return description;
}

import type { Diagnostic } from "@knack/core/text";
import {
  isMap,
  type YamlDocument,
  type YamlFault,
  type YamlFile,
  type YamlMap,
  type YamlPath,
  yamlPath,
} from "@knack/core/yaml";

/** What is wrong in one registry file, with the name of the entry. A code that begins with `W_` is a warning. */
export class Report implements YamlFile {
  readonly errors: Diagnostic[] = [];
  readonly warnings: Diagnostic[] = [];
  readonly lineOf: YamlDocument["lineOf"];
  readonly ignoresUnknownKeys = true;
  readonly #file: string;
  readonly #data: YamlMap;

  constructor(file: string, lineOf: YamlDocument["lineOf"], data: YamlMap = {}) {
    this.#file = file;
    this.lineOf = lineOf;
    this.#data = data;
  }

  readonly report = ({ path, line, message, code = "E_REG_FIELD" }: YamlFault): void => {
    const diagnostic = { path: this.#file, code, message: this.labelOf(path) + message, line };
    (code.startsWith("W_") ? this.warnings : this.errors).push(diagnostic);
  };

  /** The label already names the entry. */
  readonly nameOf = (path: YamlPath): string =>
    yamlPath(path.length > 2 && entryOf(path) !== undefined ? path.slice(2) : path);

  /** The label of an entry in messages: its name, or its position if it has none. */
  labelOf(path: YamlPath): string {
    const place = entryOf(path);
    if (place === undefined) return "";
    const entries = this.#data.skills;
    const entry = Array.isArray(entries) ? entries[place] : undefined;
    const name = isMap(entry) ? entry.name : undefined;
    if (typeof name !== "string" || name.trim() === "") return `Entry ${place + 1}: `;
    return `${isSkillName(name) ? name : JSON.stringify(name.slice(0, 80))}: `;
  }
}

function entryOf([key, place]: YamlPath): number | undefined {
  return key === "skills" && typeof place === "number" ? place : undefined;
}

const NAME = /^[a-z][a-z0-9]*([_-][a-z0-9]+)*$/;
const MAX_NAME = 64;

export function isSkillName(name: string): boolean {
  return name.length <= MAX_NAME && NAME.test(name);
}

/** The tools whose names typed skills cannot take. */
const RESERVED = new Set([
  ...["skill_search", "skill_load", "skill_read_file", "skill_dispatch", "plan_status", "plan_run"],
]);

export function isReserved(name: string): boolean {
  return RESERVED.has(name);
}

import type { Diagnostic } from "@knack/core/text";
import {
  isMap,
  type YamlDocument,
  type YamlMap,
  type YamlPath,
  YamlReader,
  type YamlValue,
  yamlPath,
} from "@knack/core/yaml";

export type RegistryCode =
  | "E_REG_FILE"
  | "E_REG_SYNTAX"
  | "E_REG_VERSION"
  | "E_REG_NAME"
  | "E_REG_DUP"
  | "E_REG_FIELD"
  | "E_REG_SCHEMA"
  | "E_REG_TEMPLATE"
  | "E_REG_IMPLEMENTATION"
  | "E_REG_BUILTIN"
  | "W_REG_FIELD"
  | "W_UNKNOWN_KEY";

export class Report {
  readonly errors: Diagnostic[] = [];
  readonly warnings: Diagnostic[] = [];
  readonly reader: YamlReader;
  readonly #file: string;
  readonly #data: YamlMap;

  constructor(file: string, lineOf: YamlDocument["lineOf"], data: YamlMap = {}) {
    this.#file = file;
    this.#data = data;
    this.reader = new YamlReader({
      lineOf,
      report: ({ path, message, isUnknownKey }) =>
        this.add(isUnknownKey ? "W_UNKNOWN_KEY" : "E_REG_FIELD", path, message),
      // The label already names the entry.
      nameOf: (path) => yamlPath(path.length > 2 && entryOf(path) !== undefined ? path.slice(2) : path),
      ignoresUnknownKeys: true,
    });
  }

  add(code: RegistryCode, path: YamlPath, message: string): void {
    const line = this.reader.lineOf(path);
    const diagnostic = { path: this.#file, code, message: this.labelOf(path) + message, line };
    (code.startsWith("W_") ? this.warnings : this.errors).push(diagnostic);
  }

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

/** One mapping of the file: reads its keys by type and reports the ones that are wrong. */
export class Mapping {
  readonly #map: YamlMap;
  readonly #path: YamlPath;
  readonly #report: Report;

  constructor(map: YamlMap, path: YamlPath, report: Report, known: readonly string[]) {
    this.#map = map;
    this.#path = path;
    this.#report = report;
    report.reader.keys(map, path, known);
  }

  /** `undefined` if the key is absent or has no value. */
  value(key: string): YamlValue | undefined {
    const value = this.#map[key];
    return value === null || value === "" ? undefined : value;
  }

  has(key: string): boolean {
    return this.value(key) !== undefined;
  }

  text(key: string, rules?: { readonly wholeNumbers: boolean }): string | undefined {
    return this.#report.reader.text(this.value(key), this.#at(key), rules);
  }

  flag(key: string, fallback: boolean): boolean {
    return this.#report.reader.flag(this.value(key), this.#at(key)) ?? fallback;
  }

  oneOf<const T extends string>(key: string, values: readonly T[]): T | undefined {
    return this.#report.reader.oneOf(this.value(key), this.#at(key), values);
  }

  texts(key: string): readonly string[] {
    return this.#report.reader.texts(this.value(key), this.#at(key));
  }

  mapping(key: string, known: readonly string[]): Mapping {
    const map = this.#report.reader.mapping(this.value(key), this.#at(key)) ?? {};
    return new Mapping(map, this.#at(key), this.#report, known);
  }

  /** The mappings in a list; anything else in it is reported. */
  mappings(key: string, known: readonly string[]): Mapping[] {
    const found = this.#report.reader.mappings(this.value(key), this.#at(key));
    return found.map(([map, path]) => new Mapping(map, path, this.#report, known));
  }

  isEmpty(key: string): boolean {
    const value = this.value(key);
    return value === undefined || (isMap(value) && Object.values(value).every((one) => one === null));
  }

  line(): number {
    return this.#report.reader.lineOf(this.#path);
  }

  label(): string {
    return this.#report.labelOf(this.#path);
  }

  /** Reports a fault at a key, or of the whole mapping. */
  add(code: RegistryCode, key: string | undefined, message: string): void {
    this.#report.add(code, key === undefined ? this.#path : this.#at(key), message);
  }

  fail(key: string | undefined, message: string): void {
    this.add("E_REG_FIELD", key, message);
  }

  #at(key: string): YamlPath {
    return [...this.#path, key];
  }
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

import {
  type Diagnostic,
  nearest,
  type YamlDocument,
  type YamlMap,
  type YamlValue,
} from "@knack/core/internal/engine";
import { isSkillName } from "./entry/skill-name.ts";

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

type Path = readonly (string | number)[];

/** What is wrong with one registry file, as it is found. */
export class Report {
  readonly errors: Diagnostic[] = [];
  readonly warnings: Diagnostic[] = [];
  readonly #file: string;
  readonly #lineOf: YamlDocument["lineOf"];
  readonly #data: YamlMap;

  constructor(file: string, lineOf: YamlDocument["lineOf"], data: YamlMap = {}) {
    this.#file = file;
    this.#lineOf = lineOf;
    this.#data = data;
  }

  add(code: RegistryCode, path: Path, message: string): undefined {
    const diagnostic = {
      path: this.#file,
      code,
      message: this.labelOf(path) + message,
      line: this.lineOf(path),
    };
    (code.startsWith("W_") ? this.warnings : this.errors).push(diagnostic);
    return undefined;
  }

  lineOf(path: Path): number {
    return this.#lineOf(path);
  }

  /** Which entry a message is about: its name, or its place where it has none. */
  labelOf([key, place]: Path): string {
    if (key !== "skills" || typeof place !== "number") return "";
    const entries = this.#data.skills;
    const entry = Array.isArray(entries) ? entries[place] : undefined;
    const name = isMap(entry) ? entry.name : undefined;
    if (typeof name !== "string" || name.trim() === "") return `Entry ${place + 1}: `;
    return `${isSkillName(name) ? name : JSON.stringify(name.slice(0, 80))}: `;
  }
}

/** One mapping of the file: reads its keys by what they must be, and reports what they are not. */
export class Mapping {
  readonly #map: YamlMap;
  readonly #path: Path;
  readonly #report: Report;

  constructor(map: YamlMap, path: Path, report: Report, known: readonly string[]) {
    this.#map = map;
    this.#path = path;
    this.#report = report;
    for (const key of Object.keys(map)) {
      if (known.includes(key)) continue;
      const guess = nearest(key, known);
      const hint = guess ? `did you mean "${guess}"?` : `the keys here are ${known.join(", ")}.`;
      this.add("W_UNKNOWN_KEY", key, `Unknown key ${JSON.stringify(key)} is ignored; ${hint}`);
    }
  }

  /** `undefined` where the key is absent or has nothing after it. */
  value(key: string): YamlValue | undefined {
    const value = this.#map[key];
    return value === null || value === "" ? undefined : value;
  }

  has(key: string): boolean {
    return this.value(key) !== undefined;
  }

  text(key: string): string | undefined {
    const value = this.value(key);
    if (value === undefined || typeof value === "string") return value;
    return this.#wrong(key, "text");
  }

  flag(key: string, fallback: boolean): boolean {
    const value = this.value(key);
    if (typeof value === "boolean") return value;
    if (value !== undefined) this.#wrong(key, "true or false");
    return fallback;
  }

  oneOf<const T extends string>(key: string, values: readonly T[]): T | undefined {
    const value = this.value(key);
    if (value === undefined) return undefined;
    const found = values.find((known) => known === value);
    if (found) return found;
    const guess = typeof value === "string" ? nearest(value.slice(0, 64), values) : undefined;
    return this.#wrong(key, values.join(" or "), guess && ` Did you mean "${guess}"?`);
  }

  texts(key: string): readonly string[] {
    const value = this.value(key);
    if (value === undefined) return [];
    if (Array.isArray(value) && value.every((item) => typeof item === "string")) return value;
    this.#wrong(key, "a list of texts");
    return [];
  }

  mapping(key: string, known: readonly string[]): Mapping {
    const value = this.value(key);
    if (value !== undefined && !isMap(value)) this.#wrong(key, "a mapping");
    return new Mapping(isMap(value) ? value : {}, [...this.#path, key], this.#report, known);
  }

  /** The mappings in a list; anything else in it is reported. */
  mappings(key: string, known: readonly string[]): Mapping[] {
    const value = this.value(key) ?? [];
    if (!Array.isArray(value)) {
      this.#wrong(key, "a list");
      return [];
    }
    return value.flatMap((item, index) => {
      const path = [...this.#path, key, index];
      if (isMap(item)) return new Mapping(item, path, this.#report, known);
      this.#report.add("E_REG_FIELD", path, `"${key}" must be a list of mappings, found ${describe(item)}.`);
      return [];
    });
  }

  /** Whether nothing is said under a key: it is absent, or a mapping without a value. */
  isEmpty(key: string): boolean {
    const value = this.value(key);
    return value === undefined || (isMap(value) && Object.values(value).every((one) => one === null));
  }

  line(): number {
    return this.#report.lineOf(this.#path);
  }

  label(): string {
    return this.#report.labelOf(this.#path);
  }

  add(code: RegistryCode, key: string | undefined, message: string): undefined {
    return this.#report.add(code, key === undefined ? this.#path : [...this.#path, key], message);
  }

  #wrong(key: string, expected: string, hint = ""): undefined {
    const found = describe(this.#map[key] as YamlValue);
    return this.add("E_REG_FIELD", key, `"${key}" must be ${expected}, found ${found}.${hint}`);
  }
}

export function isMap(value: YamlValue | undefined): value is YamlMap {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function describe(value: YamlValue): string {
  if (Array.isArray(value)) return "a list";
  return isMap(value) ? "a mapping" : JSON.stringify(value).slice(0, 80);
}

import { nearest } from "../shared/nearest.ts";
import type { YamlDocument } from "../skill/yaml/yaml-profile.ts";
import type { YamlMap, YamlValue } from "../skill/yaml/yaml-value.ts";

export interface RoutingProblem {
  readonly file: string;
  readonly line: number;
  readonly message: string;
}

type Path = readonly (string | number)[];

/** Reads the values of a routing file, and collects a problem for each one of the wrong kind. */
export class RoutingReader {
  readonly problems: RoutingProblem[] = [];
  readonly #file: string;
  readonly #document: YamlDocument;

  constructor(file: string, document: YamlDocument) {
    this.#file = file;
    this.#document = document;
  }

  lineOf(path: Path): number {
    return this.#document.lineOf(path);
  }

  fail(path: Path, message: string): undefined {
    this.problems.push({ file: this.#file, line: this.lineOf(path), message });
    return undefined;
  }

  /** A mapping with these keys and no others. */
  mapping(value: YamlValue | undefined, path: Path, known: readonly string[]): YamlMap | undefined {
    if (!isMap(value)) return this.#wrong(path, "a mapping", value);
    for (const key of Object.keys(value)) {
      if (known.includes(key)) continue;
      const guess = nearest(key, known);
      const hint = guess ? `did you mean "${guess}"?` : `the keys here are ${known.join(", ")}.`;
      this.fail([...path, key], `unknown key ${JSON.stringify(nameOf([...path, key]))}; ${hint}`);
    }
    return value;
  }

  list(value: YamlValue | undefined, path: Path, most: number): readonly YamlValue[] {
    if (value === undefined || value === null) return [];
    if (!Array.isArray(value)) return this.#wrong(path, "a list", value) ?? [];
    if (value.length <= most) return value;
    this.fail(path, `"${nameOf(path)}" has ${value.length} entries; at most ${most} are read.`);
    return [];
  }

  text(value: YamlValue | undefined, path: Path, most: number): string | undefined {
    if (typeof value === "number" || typeof value === "boolean")
      return this.fail(path, `"${nameOf(path)}" must be text, found ${value}; put it in quotes.`);
    if (typeof value !== "string" || value.trim() === "") return this.#wrong(path, "text", value);
    if (value.length <= most) return value;
    return this.fail(path, `"${nameOf(path)}" has ${value.length} characters; at most ${most} are allowed.`);
  }

  #wrong(path: Path, expected: string, value: YamlValue | undefined): undefined {
    const name = nameOf(path);
    if (value === undefined || value === null) return this.fail(path, `"${name}" is missing.`);
    return this.fail(path, `"${name}" must be ${expected}, found ${describe(value)}.`);
  }
}

/** `routes[2].patterns[0]`, as messages name a place; counted from 0, as in the data. */
export function nameOf(path: Path): string {
  return path
    .map((step) => (typeof step === "number" ? `[${step}]` : `.${step}`))
    .join("")
    .slice(1);
}

function isMap(value: YamlValue | undefined): value is YamlMap {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function describe(value: YamlValue): string {
  if (Array.isArray(value)) return "a list";
  return isMap(value) ? "a mapping" : JSON.stringify(value).slice(0, 80);
}

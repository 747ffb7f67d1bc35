import { valueAt } from "../../shared/json.ts";
import { nearest } from "../../shared/nearest.ts";
import { quote } from "../../shared/quote.ts";
import { isMap, type YamlMap, type YamlValue } from "./simple-yaml.ts";
import type { YamlDocument } from "./yaml-profile.ts";

export type YamlPath = readonly PropertyKey[];

/** A key of a mapping, or a path of keys from it; without one, the mapping itself. */
type At = string | YamlPath | undefined;

interface Rules {
  /** Then it is a fault that the value is absent. */
  readonly needed?: boolean;
  /** Entries of a list, characters of a text. */
  readonly most?: number;
  /** Of a text: whole numbers are taken as they were written; others would lose digits: 1.10 is 1.1. */
  readonly wholeNumbers?: boolean;
}

export interface YamlFault {
  readonly path: YamlPath;
  readonly line: number;
  readonly message: string;
  /** What `fail` was given; `W_UNKNOWN_KEY` for a key that nobody knows. */
  readonly code?: string | undefined;
}

/** A file that people write, and the receiver of its faults. */
export interface YamlFile {
  readonly lineOf: YamlDocument["lineOf"];
  readonly report: (fault: YamlFault) => void;
  /** How a message names a place. The whole path unless told. */
  readonly nameOf?: (path: YamlPath) => string;
  /** Unknown keys are a warning, so the message says what becomes of them. */
  readonly ignoresUnknownKeys?: boolean;
}

/** A mapping in such a file: its values by type. A wrong one is `undefined`, so that all faults of a file are reported at once. */
export class YamlMapping {
  readonly data: YamlMap;
  readonly path: YamlPath;
  readonly #file: YamlFile;

  /** With these keys and no others; with any where none are given. */
  constructor(file: YamlFile, data: YamlMap, known?: readonly string[], path: YamlPath = []) {
    this.#file = file;
    this.data = data;
    this.path = path;
    for (const key of Object.keys(data)) {
      if (!known || known.includes(key)) continue;
      const message = unknownKey(this.nameOf(key), key, known, file.ignoresUnknownKeys);
      this.fail(key, message, "W_UNKNOWN_KEY");
    }
  }

  /** `undefined` if it is absent or has no value. */
  value(at: string | YamlPath): YamlValue | undefined {
    return (valueAt(this.data, ...[at].flat()) as YamlValue | undefined) ?? undefined;
  }

  has(key: string): boolean {
    return this.value(key) !== undefined;
  }

  nameOf(at: At): string {
    return (this.#file.nameOf ?? yamlPath)(this.#pathOf(at));
  }

  lineOf(at?: At): number {
    return this.#file.lineOf(this.#pathOf(at));
  }

  fail(at: At, message: string, code?: string): undefined {
    this.#file.report({ path: this.#pathOf(at), line: this.lineOf(at), message, code });
    return undefined;
  }

  mapping(at: string | YamlPath, known?: readonly string[], rules: Rules = {}): YamlMapping | undefined {
    const value = this.value(at);
    if (value === undefined) return this.#absent(at, rules);
    if (!isMap(value)) return this.wrong(at, "a mapping", value);
    return new YamlMapping(this.#file, value, known, this.#pathOf(at));
  }

  /** The same; an empty one if the key is missing. */
  part(key: string, known: readonly string[]): YamlMapping {
    return this.mapping(key, known) ?? new YamlMapping(this.#file, {}, known, this.#pathOf(key));
  }

  /** The mappings of a list; anything else is reported and skipped. */
  mappings(key: string, known?: readonly string[], rules: Rules = {}): YamlMapping[] {
    return this.list(key, rules).flatMap(
      (_, index) => this.mapping([key, index], known, { needed: true }) ?? [],
    );
  }

  list(at: string, rules: Rules = {}): readonly YamlValue[] {
    const { most = Number.POSITIVE_INFINITY } = rules;
    const value = this.value(at);
    if (value === undefined) return this.#absent(at, rules) ?? [];
    if (!Array.isArray(value)) return this.wrong(at, "a list", value) ?? [];
    if (value.length <= most) return value;
    this.fail(at, `"${this.nameOf(at)}" has ${value.length} entries; at most ${most} are read.`);
    return [];
  }

  /** The texts of a list; anything else is reported and skipped. */
  texts(key: string, rules: Rules = {}): string[] {
    return this.list(key).flatMap((_, index) => this.text([key, index], { ...rules, needed: true }) ?? []);
  }

  text(at: string | YamlPath, rules: Rules = {}): string | undefined {
    const { wholeNumbers, most = Number.POSITIVE_INFINITY } = rules;
    const value = this.value(at);
    if (value === undefined) return this.#absent(at, rules);
    if (wholeNumbers && Number.isSafeInteger(value)) return String(value);
    if (typeof value !== "string" || value.trim() === "") return this.wrong(at, "text", value);
    if (value.length <= most) return value;
    return this.fail(at, `"${this.nameOf(at)}" has ${value.length} characters; at most ${most} are allowed.`);
  }

  flag(at: string): boolean | undefined {
    const value = this.value(at);
    if (value === undefined || typeof value === "boolean") return value;
    return this.wrong(at, "true or false", value);
  }

  oneOf<const T extends string>(at: string, values: readonly T[], rules: Rules = {}): T | undefined {
    const value = this.value(at);
    if (value === undefined) return this.#absent(at, rules);
    const found = values.find((known) => known === value);
    return found ?? this.fail(at, notOneOf(this.nameOf(at), values, value));
  }

  wholeNumber(at: string, range: string, isAllowed: (number: number) => boolean): number | undefined {
    const value = this.value(at);
    if (value === undefined) return undefined;
    if (typeof value === "number" && Number.isInteger(value) && isAllowed(value)) return value;
    return this.wrong(at, `a whole number ${range}`, value);
  }

  /** A name that means nothing, with the nearest that does. */
  unknownName(at: At, what: string, name: string, known: readonly string[], otherwise = ""): void {
    const hint = didYouMean(name, known) || (otherwise && ` ${otherwise}`);
    this.fail(at, `There is no ${what} ${quote(name)}.${hint}`);
  }

  wrong(at: string | YamlPath, expected: string, value: unknown): undefined {
    return this.fail(at, wrongValue(this.nameOf(at), expected, value));
  }

  #pathOf(at: At): YamlPath {
    return [...this.path, ...[at ?? []].flat()];
  }

  #absent(at: At, { needed }: Rules): undefined {
    return needed ? this.fail(at, missingValue(this.nameOf(at))) : undefined;
  }
}

/** `routes[2].patterns[0]`, as messages name a place; counted from 0 as in the data. */
export function yamlPath(path: YamlPath): string {
  return path
    .map((step) => (typeof step === "number" ? `[${step}]` : `.${String(step)}`))
    .join("")
    .replace(/^\./, "");
}

/** One form for each mistake, whichever file it is in. */
export function unknownKey(name: string, key: string, known: readonly string[], isIgnored = false): string {
  const guess = nearest(key, known);
  const hint = guess ? `did you mean "${guess}"?` : `the keys here are ${known.join(", ")}.`;
  return `unknown key ${quote(name)}${isIgnored ? " is ignored" : ""}; ${hint}`;
}

export function missingValue(name: string): string {
  return `"${name}" is missing.`;
}

export function wrongValue(name: string, expected: string, value: unknown): string {
  const isBare = typeof value === "number" || typeof value === "boolean";
  const hint = expected === "text" && isBare ? "; put it in quotes." : ".";
  return `"${name}" must be ${expected}, found ${described(value)}${hint}`;
}

export function notOneOf(name: string, values: readonly string[], value: unknown): string {
  const hint = typeof value === "string" ? didYouMean(value, values) : "";
  return `"${name}" must be ${values.join(" or ")}, found ${described(value)}.${hint}`;
}

export function described(value: unknown): string {
  if (Array.isArray(value)) return "a list";
  if (typeof value === "object" && value !== null) return "a mapping";
  if (value === undefined) return "nothing";
  return typeof value === "string" ? quote(value) : String(value);
}

function didYouMean(name: string, known: readonly string[]): string {
  const guess = nearest(name.slice(0, 64), known);
  return guess === undefined ? "" : ` Did you mean "${guess}"?`;
}

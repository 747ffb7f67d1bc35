import { nearest } from "../../shared/nearest.ts";
import { quote } from "../../shared/quote.ts";
import { isMap, type YamlMap, type YamlValue } from "./simple-yaml.ts";
import type { YamlDocument } from "./yaml-profile.ts";

export type YamlPath = readonly PropertyKey[];

type Value = YamlValue | undefined;

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
  readonly isUnknownKey: boolean;
}

export interface YamlReaderOptions {
  readonly lineOf: YamlDocument["lineOf"];
  readonly report: (fault: YamlFault) => void;
  /** How a message names a place. The whole path unless told. */
  readonly nameOf?: (path: YamlPath) => string;
  /** Unknown keys are a warning, so the message says what becomes of them. */
  readonly ignoresUnknownKeys?: boolean;
}

/** Reads values by type. A wrong one is `undefined`, so that all faults of a file are reported at once. */
export class YamlReader {
  readonly #options: YamlReaderOptions;

  constructor(options: YamlReaderOptions) {
    this.#options = options;
  }

  nameOf(path: YamlPath): string {
    return (this.#options.nameOf ?? yamlPath)(path);
  }

  lineOf(path: YamlPath): number {
    return this.#options.lineOf(path);
  }

  fail(path: YamlPath, message: string, isUnknownKey = false): undefined {
    this.#options.report({ path, line: this.lineOf(path), message, isUnknownKey });
    return undefined;
  }

  keys(map: YamlMap, path: YamlPath, known: readonly string[]): void {
    for (const key of Object.keys(map)) {
      if (known.includes(key)) continue;
      const at = [...path, key];
      const message = unknownKey(this.nameOf(at), key, known, this.#options.ignoresUnknownKeys);
      this.fail(at, message, true);
    }
  }

  /** A mapping with these keys and no others; with any where none are given. */
  mapping(value: Value, path: YamlPath, known?: readonly string[], rules: Rules = {}): YamlMap | undefined {
    if (isAbsent(value)) return this.#absent(path, rules);
    if (!isMap(value)) return this.wrong(path, "a mapping", value);
    if (known) this.keys(value, path, known);
    return value;
  }

  /** The mappings of a list, each with its position; anything else is reported and skipped. */
  mappings(
    value: Value,
    path: YamlPath,
    known?: readonly string[],
    rules: Rules = {},
  ): (readonly [map: YamlMap, path: YamlPath])[] {
    return this.list(value, path, rules).flatMap((item, index) => {
      const at = [...path, index];
      const map = this.mapping(item, at, known, { needed: true });
      return map ? [[map, at] as const] : [];
    });
  }

  list(value: Value, path: YamlPath, rules: Rules = {}): readonly YamlValue[] {
    const { most = Number.POSITIVE_INFINITY } = rules;
    if (isAbsent(value)) return this.#absent(path, rules) ?? [];
    if (!Array.isArray(value)) return this.wrong(path, "a list", value) ?? [];
    if (value.length <= most) return value;
    this.fail(path, `"${this.nameOf(path)}" has ${value.length} entries; at most ${most} are read.`);
    return [];
  }

  /** The texts of a list; anything else is reported and skipped. */
  texts(value: Value, path: YamlPath): string[] {
    return this.list(value, path).flatMap(
      (item, index) => this.text(item, [...path, index], { needed: true }) ?? [],
    );
  }

  text(value: Value, path: YamlPath, rules: Rules = {}): string | undefined {
    const { wholeNumbers, most = Number.POSITIVE_INFINITY } = rules;
    if (isAbsent(value)) return this.#absent(path, rules);
    if (wholeNumbers && Number.isSafeInteger(value)) return String(value);
    if (typeof value !== "string" || value.trim() === "") return this.wrong(path, "text", value);
    if (value.length <= most) return value;
    const name = this.nameOf(path);
    return this.fail(path, `"${name}" has ${value.length} characters; at most ${most} are allowed.`);
  }

  flag(value: Value, path: YamlPath): boolean | undefined {
    if (isAbsent(value) || typeof value === "boolean") return value ?? undefined;
    return this.wrong(path, "true or false", value);
  }

  oneOf<const T extends string>(
    value: Value,
    path: YamlPath,
    values: readonly T[],
    rules: Rules = {},
  ): T | undefined {
    if (isAbsent(value)) return this.#absent(path, rules);
    const found = values.find((known) => known === value);
    if (found === undefined) this.fail(path, notOneOf(this.nameOf(path), values, value));
    return found;
  }

  wholeNumber(
    value: Value,
    path: YamlPath,
    range: string,
    isAllowed: (number: number) => boolean,
  ): number | undefined {
    if (isAbsent(value)) return undefined;
    if (typeof value === "number" && Number.isInteger(value) && isAllowed(value)) return value;
    return this.wrong(path, `a whole number ${range}`, value);
  }

  /** A name that means nothing, with the nearest that does. */
  unknownName(path: YamlPath, what: string, name: string, known: readonly string[], otherwise = ""): void {
    const hint = didYouMean(name, known) || (otherwise && ` ${otherwise}`);
    this.fail(path, `There is no ${what} ${quote(name)}.${hint}`);
  }

  wrong(path: YamlPath, expected: string, value: unknown): undefined {
    return this.fail(path, wrongValue(this.nameOf(path), expected, value));
  }

  #absent(path: YamlPath, { needed }: Rules): undefined {
    return needed ? this.fail(path, missingValue(this.nameOf(path))) : undefined;
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

function isAbsent(value: Value): value is undefined | null {
  return value === undefined || value === null;
}

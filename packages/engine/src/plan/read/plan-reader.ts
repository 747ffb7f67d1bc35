import { nearest } from "@knack/core/internal/engine";
import { segmentProblem } from "../../registry/path-segment.ts";

/** Ids become parts of paths and of commands. */
const ID = /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/;

/** Where a value stands: keys and places in lists. */
export type Path = readonly (string | number)[];

export type Data = Record<string, unknown>;

/** Takes values out of YAML data and reports what is not as it should be, with its place. */
export class PlanReader {
  readonly report: (path: Path, message: string) => void;
  /** The same for what is understood and not allowed. */
  readonly deny: (path: Path, message: string) => void;

  constructor(report: (path: (string | number)[], message: string, isDenied: boolean) => void) {
    this.report = (path, message) => report([...path], message, false);
    this.deny = (path, message) => report([...path], message, true);
  }

  map(value: unknown, path: Path, known?: readonly string[]): Data {
    if (typeof value !== "object" || value === null || Array.isArray(value)) {
      this.report(path, `This must be a mapping, found ${describe(value)}.`);
      return {};
    }
    if (known) this.keys(value, path, known);
    return value as Data;
  }

  /** The mappings of a list, each with its place; what is none is reported and left out. */
  mappings(value: unknown, path: Path, known: readonly string[], needed = false): [Data, Path][] {
    const found: [Data, Path][] = [];
    for (const [i, item] of this.list(value, path, needed).entries()) {
      const data = this.map(item, [...path, i], known);
      if (data === item) found.push([data, [...path, i]]);
    }
    return found;
  }

  keys(data: object, path: Path, known: readonly string[]): void {
    for (const key of Object.keys(data))
      if (!known.includes(key)) this.unknown([...path, key], "key", key, known);
  }

  unknown(path: Path, what: string, name: string, known: readonly string[]): void {
    const guess = nearest(name, known);
    this.report(path, `There is no ${what} "${name}"${guess ? `; did you mean "${guess}"?` : "."}`);
  }

  list(value: unknown, path: Path, needed = false): readonly unknown[] {
    if (Array.isArray(value)) return value;
    if (needed || (value !== undefined && value !== null))
      this.report(path, `${nameOf(path)} must be a list, found ${describe(value)}.`);
    return [];
  }

  text(value: unknown, path: Path): string | undefined {
    if (value === undefined || value === null) return undefined;
    if (typeof value === "string" && value.trim() !== "") return value;
    if (typeof value === "number") return String(value);
    this.report(path, `${nameOf(path)} must be text, found ${describe(value)}.`);
    return undefined;
  }

  id(value: unknown, path: Path): string {
    const text = typeof value === "number" ? String(value) : value;
    if (typeof text === "string" && ID.test(text) && !text.includes("..")) {
      // A run would refuse it as a part of an artifact's path.
      const problem = segmentProblem(text);
      if (problem === undefined) return text;
      this.report(path, `${nameOf(path)}: ${JSON.stringify(text)} ${problem} Choose another.`);
      return "";
    }
    this.report(
      path,
      `${nameOf(path)} must be at most 64 letters, digits, ".", "_" or "-", without "..", found ${describe(value)}.`,
    );
    return "";
  }
}

function describe(value: unknown): string {
  if (Array.isArray(value)) return "a list";
  if (typeof value === "object" && value !== null) return "a mapping";
  return value === undefined ? "nothing" : JSON.stringify(value);
}

/** The key that a value stands under, also where it is one of a list. */
function nameOf(path: Path): string {
  return `"${String(path.findLast((part) => typeof part === "string"))}"`;
}

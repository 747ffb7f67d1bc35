import { type YamlDocument, type YamlPath, YamlReader, type YamlValue } from "@knack/core/internal/engine";
import { segmentProblem } from "../../registry/path-segment.ts";

export interface PlanProblem {
  readonly file: string;
  readonly line: number;
  readonly message: string;
  /** It is clear what is meant, and that is not allowed. */
  readonly isDenied: boolean;
}

/** Ids become parts of paths and of commands. */
const ID = /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/;

/** Takes values out of a plan and collects what is not as it should be. */
export class PlanReader extends YamlReader {
  readonly problems: PlanProblem[] = [];
  readonly #file: string;

  constructor(file: string, { lineOf }: YamlDocument) {
    super({
      lineOf,
      report: ({ line, message }) => this.problems.push({ file, line, message, isDenied: false }),
    });
    this.#file = file;
  }

  /** For what is understood and not allowed. */
  deny(path: YamlPath, message: string): void {
    this.problems.push({ file: this.#file, line: this.lineOf(path), message, isDenied: true });
  }

  id(value: YamlValue | undefined, path: YamlPath): string {
    const text = typeof value === "number" ? String(value) : value;
    if (typeof text === "string" && ID.test(text) && !text.includes("..")) {
      // A run would refuse it as a part of an artifact's path.
      const problem = segmentProblem(text);
      if (problem === undefined) return text;
      this.fail(path, `"${this.nameOf(path)}": "${text}" ${problem} Choose another.`);
      return "";
    }
    this.wrong(path, 'at most 64 letters, digits, ".", "_" or "-", without ".."', value);
    return "";
  }
}

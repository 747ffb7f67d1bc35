import { unixLines } from "../text-artifact.ts";

export interface FrontMatter {
  /** What is between the fences; `null` where there are none. */
  readonly source: string | null;
  readonly data: Readonly<Record<string, unknown>>;
  /** The line of a value by its path; of the nearest parent that has one otherwise. */
  lineOf(path: readonly PropertyKey[]): number;
  readonly body: string;
  /** The line of the file on which the body begins. */
  readonly bodyLine: number;
  readonly fault: { readonly message: string; readonly line: number } | null;
}

/** Divides a text at its front matter, by the strict YAML profile that skills are read with. */
export async function readFrontMatter(given: string): Promise<FrontMatter> {
  const text = unixLines(given);
  const none: FrontMatter = { source: null, data: {}, lineOf: () => 1, body: text, bodyLine: 1, fault: null };
  if (!text.startsWith("---")) return none;
  const { parseYaml, splitFrontmatter } = await import("@knack/core/internal/engine");
  const bytes = Buffer.from(text);
  const split = splitFrontmatter(bytes);
  if ("fault" in split) return { ...none, fault: { message: split.message, line: split.line ?? 1 } };
  if (!split.yaml) return none;
  const source = bytes.toString("utf8", split.yaml.start, split.yaml.end);
  const body = bytes.toString("utf8", split.bodyStart);
  const bodyLine = bytes.toString("utf8", 0, split.bodyStart).split("\n").length;
  const parsed = parseYaml(source, "core", 2);
  if ("fault" in parsed) {
    const fault = { message: parsed.message, line: parsed.line ?? 1 };
    return { source, data: {}, lineOf: () => 1, body, bodyLine, fault };
  }
  return { source, data: parsed.data, lineOf: (path) => parsed.lineOf(path), body, bodyLine, fault: null };
}

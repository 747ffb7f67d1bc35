import { dirname, relative, resolve, sep } from "node:path";
import { compareText } from "../shared/compare-text.ts";
import { SkillError } from "../shared/errors.ts";
import { shorten } from "../shared/quote.ts";
import { readRegularFile } from "../shared/regular-file.ts";
import type { Finding } from "./finding.ts";

interface Entry {
  /** From the baseline's folder, with slashes. */
  readonly path: string;
  readonly rule: string;
  readonly fingerprint: string;
}

const MAX_BYTES = 16 * 1024 * 1024;

/** The findings that a user has looked at and accepts for now. Throws `SkillError` where the file cannot be used. */
export function readBaseline(file: string): ReadonlySet<string> {
  const content = readRegularFile(file, MAX_BYTES, true);
  if ("fault" in content)
    throw new SkillError(
      "NOT_FOUND",
      `The baseline ${shorten(file)} cannot be read (${content.detail}); --update-baseline writes it.`,
    );
  const entries = parseEntries(content.bytes.toString("utf8"));
  if (!entries)
    throw new SkillError(
      "INVALID_PARAM",
      `${shorten(file)} is not a baseline of knack lint; write it again with --update-baseline.`,
    );
  return new Set(
    entries.map((entry) => keyOf(resolve(dirname(file), entry.path), entry.rule, entry.fingerprint)),
  );
}

export function isInBaseline({ path, rule, fingerprint }: Finding, baseline: ReadonlySet<string>): boolean {
  return baseline.has(keyOf(path, rule, fingerprint));
}

/** The text of a baseline file with these findings, one line each, made to be read in a diff. */
export function baselineText(findings: readonly Finding[], file: string): string {
  const lines = findings
    .filter(({ suppressed }) => suppressed === undefined)
    .map(({ path, rule, fingerprint }): Entry => {
      return { path: relative(dirname(file), path).split(sep).join("/"), rule, fingerprint };
    })
    .sort(
      (a, b) =>
        compareText(a.path, b.path) ||
        compareText(a.rule, b.rule) ||
        compareText(a.fingerprint, b.fingerprint),
    )
    .map((entry) => `    ${JSON.stringify(entry)}`);
  const list = [...new Set(lines)].join(",\n");
  return `{\n  "version": 1,\n  "findings": [${list === "" ? "" : `\n${list}\n  `}]\n}\n`;
}

function keyOf(path: string, rule: string, fingerprint: string): string {
  return JSON.stringify([path, rule, fingerprint]);
}

function parseEntries(text: string): readonly Entry[] | undefined {
  let data: unknown;
  try {
    data = JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
  const { version, findings } = (typeof data === "object" && data !== null ? data : {}) as Record<
    string,
    unknown
  >;
  if (version !== 1 || !Array.isArray(findings)) return undefined;
  return findings.every(isEntry) ? findings : undefined;
}

function isEntry(value: unknown): value is Entry {
  const { path, rule, fingerprint } = (value ?? {}) as Record<string, unknown>;
  return [path, rule, fingerprint].every((field) => typeof field === "string");
}

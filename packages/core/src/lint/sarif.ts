import { dirname, relative, resolve, sep } from "node:path";
import { pathToFileURL } from "node:url";
import { KnackError } from "../shared/errors.ts";
import { compareText } from "../shared/fold.ts";
import { isRecord, parseJson } from "../shared/json.ts";
import { isInside } from "../shared/paths.ts";
import { shorten } from "../shared/quote.ts";
import { readRegularFile } from "../shared/regular-file.ts";
import type { Finding } from "./finding.ts";
import { LINT_RULES } from "./rules.ts";

/** The findings as SARIF 2.1.0, which code hosts read, with paths from `root`. Suppressed ones are marked as such. */
export function toSarif(findings: readonly Finding[], root: string, version: string): object {
  const indexes = new Map(LINT_RULES.map(({ id }, index) => [id, index]));
  return {
    $schema: "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json",
    version: "2.1.0",
    runs: [
      {
        tool: { driver: { name: "knack-lint", version, rules: LINT_RULES.map(toDescriptor) } },
        originalUriBaseIds: { ROOT: { uri: `${pathToFileURL(root).href.replace(/\/$/, "")}/` } },
        columnKind: "utf16CodeUnits",
        results: findings.map((finding) => toResult(finding, root, indexes.get(finding.rule) ?? -1)),
      },
    ],
  };
}

function toDescriptor({ id, category, severity, what, why, remedy }: (typeof LINT_RULES)[number]): object {
  return {
    id,
    shortDescription: { text: what },
    fullDescription: { text: `${what} ${why}` },
    help: { text: remedy },
    defaultConfiguration: { level: severity },
    properties: {
      tags: [category],
      ...(category === "security" ? { "security-severity": SCORES[severity] } : {}),
    },
  };
}

/** On the scale from 0 to 10 that code hosts order security findings by. */
const SCORES = { error: "8.0", warning: "5.0", note: "2.0" } as const;

function toResult(finding: Finding, root: string, ruleIndex: number): object {
  const { rule, severity, path, line, message, fingerprint, suppressed } = finding;
  const artifactLocation = isInside(path, root)
    ? { uri: relative(root, path).split(sep).map(encodeURIComponent).join("/"), uriBaseId: "ROOT" }
    : { uri: pathToFileURL(path).href };
  return {
    ruleId: rule,
    ruleIndex,
    level: severity,
    message: { text: message },
    locations: [{ physicalLocation: { artifactLocation, region: { startLine: line ?? 1 } } }],
    partialFingerprints: { "knackLint/v1": fingerprint },
    ...(suppressed === undefined ? {} : { suppressions: [{ kind: "inSource", justification: suppressed }] }),
  };
}

/** Its path is from the baseline's folder, with slashes. */
type Entry = Pick<Finding, "path" | "rule" | "fingerprint">;

const MAX_BYTES = 16 * 1024 * 1024;

/** Findings accepted for now. Throws `KnackError` where the file cannot be used. */
export function readBaseline(file: string): ReadonlySet<string> {
  const content = readRegularFile(file, MAX_BYTES, true);
  if ("fault" in content)
    throw new KnackError(
      "NOT_FOUND",
      `The baseline ${shorten(file)} cannot be read (${content.detail}); --update-baseline writes it.`,
    );
  const data = parseJson(content.bytes.toString("utf8"));
  const entries = isRecord(data) && data.version === 1 ? data.findings : undefined;
  if (!Array.isArray(entries) || !entries.every(isEntry))
    throw new KnackError(
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

/** One line each, to be read in a diff. */
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

function isEntry(value: unknown): value is Entry {
  return (
    isRecord(value) && [value.path, value.rule, value.fingerprint].every((one) => typeof one === "string")
  );
}

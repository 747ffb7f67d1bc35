import { relative, sep } from "node:path";
import { pathToFileURL } from "node:url";
import { isInside } from "../shared/paths.ts";
import type { Finding } from "./finding.ts";
import { LINT_RULES } from "./rules/rules.ts";

interface SarifOptions {
  /** Paths in it are relative, as code hosts want them. */
  readonly root: string;
  readonly version: string;
}

/** The findings as SARIF 2.1.0, which code hosts read. Suppressed ones are in it, marked as such. */
export function toSarif(findings: readonly Finding[], { root, version }: SarifOptions): object {
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

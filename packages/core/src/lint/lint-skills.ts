import { hash } from "node:crypto";
import { dirname, join } from "node:path";
import { findOverlaps } from "../overlap/overlap.ts";
import { compareText } from "../shared/fold.ts";
import { quote } from "../shared/quote.ts";
import type { Finding, LintSeverity, Remark } from "./finding.ts";
import { QUALITY_CHECKS } from "./quality.ts";
import { type LintSkill, readLintSkill } from "./read-lint-skill.ts";
import { lintRule } from "./rules.ts";
import { COMMAND_PATTERNS, checkDownloads } from "./security/commands.ts";
import { checkExfiltration } from "./security/exfiltration.ts";
import { FILE_CHECKS } from "./security/files.ts";
import { INSTRUCTION_PATTERNS, OVERRIDE_PATTERNS } from "./security/instructions.ts";
import { checkPatterns } from "./security/patterns.ts";
import { WRITE_PATTERNS } from "./security/writes.ts";

type Check = (skill: LintSkill) => Iterable<Remark>;

const PATTERNS = [...COMMAND_PATTERNS, ...OVERRIDE_PATTERNS, ...INSTRUCTION_PATTERNS, ...WRITE_PATTERNS];

const CHECKS: readonly Check[] = [
  (skill) => checkPatterns(PATTERNS, skill),
  checkExfiltration,
  checkDownloads,
  ...FILE_CHECKS,
  ...QUALITY_CHECKS,
];

const MAX_OVERLAPS = 1_000;

/** By path, then line. No code of a skill runs. */
export function lintSkills(dirs: readonly string[], maxBytes?: number): Finding[] {
  const findings: Finding[] = [];
  const described: { name: string; description: string; path: string; dir: string }[] = [];
  const nested = nestedSkills(dirs);
  for (const dir of dirs) {
    const skill = readLintSkill(dir, nested.get(dir), maxBytes);
    const { name, description } = skill.reading;
    if (description !== "") described.push({ name, description, path: join(dir, "SKILL.md"), dir });
    const remarks = escalate(gravest(CHECKS.flatMap((check) => [...check(skill)])));
    for (const remark of applySuppressions(skill, remarks)) findings.push(toFinding(dir, remark));
  }
  for (const { a, b, words } of findOverlaps(described, MAX_OVERLAPS).pairs) {
    const shared = words.length > 0 ? ` (${words.slice(0, 5).join(", ")})` : "";
    const message = `Claims the same requests as ${quote(b.name)}${shared}.`;
    findings.push(toFinding(a.dir, { rule: "overlap", severity: "warning", file: "SKILL.md", message }));
  }
  return findings.sort(
    (a, b) => compareText(a.path, b.path) || (a.line ?? 0) - (b.line ?? 0) || compareText(a.rule, b.rule),
  );
}

/** By folder: nested skills, whose files are their own. */
function nestedSkills(dirs: readonly string[]): Map<string, Set<string>> {
  const nested = new Map(dirs.map((dir) => [dir, new Set<string>()]));
  for (const dir of dirs)
    for (let above = dirname(dir); above !== dirname(above); above = dirname(above))
      nested.get(above)?.add(dir);
  return nested;
}

const GRAVITY: Readonly<Record<LintSeverity, number>> = { note: 0, warning: 1, error: 2 };

/** Of one rule in one line, the gravest remark alone. */
function gravest(remarks: readonly Remark[]): Remark[] {
  const kept = new Map<string, Remark>();
  for (const remark of remarks) {
    const message = remark.line === undefined || remark.rule === "missing-file" ? remark.message : "";
    const key = JSON.stringify([remark.rule, remark.file, remark.line, message]);
    const before = kept.get(key);
    if (!before || GRAVITY[remark.severity] > GRAVITY[before.severity]) kept.set(key, remark);
  }
  return [...kept.values()];
}

/** Concealing is graver where there is something to hide. */
function escalate(remarks: readonly Remark[]): Remark[] {
  const isHarm = ({ rule, severity }: Remark): boolean =>
    severity !== "note" &&
    rule !== "conceal-from-user" &&
    rule !== "broad-tools" &&
    lintRule(rule)?.category === "security";
  const isHarmful = remarks.some(isHarm);
  return remarks.map((remark) => {
    const isGraver = isHarmful && remark.rule === "conceal-from-user" && remark.severity === "warning";
    return isGraver ? { ...remark, severity: "error" } : remark;
  });
}

type JudgedRemark = Remark & { readonly suppressed?: string };

function toFinding(dir: string, remark: JudgedRemark): Finding {
  const { rule, severity, file, line, message, subject, suppressed } = remark;
  const category = lintRule(rule)?.category ?? "quality";
  const fingerprint = hash("sha256", JSON.stringify([rule, file, subject ?? message])).slice(0, 32);
  return { rule, severity, category, path: join(dir, file), line, message, fingerprint, suppressed };
}

/** `<!-- knack-lint-disable rule: reason -->` for the file, `knack-lint-disable-next-line` for one line. */
const FORM = /^\s*knack-lint-disable(-next-line)?\b\s*([\w-]*)\s*(?:[:：]\s*(.*?))?\s*$/;

interface Suppression {
  readonly rule: string;
  readonly reason: string;
  readonly file: string;
  readonly line: number;
  readonly only: number | undefined;
}

/** Only quality rules can be suppressed: the author of a hostile skill writes the comments too. */
function applySuppressions(skill: LintSkill, remarks: readonly Remark[]): readonly JudgedRemark[] {
  const valid: Suppression[] = [];
  const own: Remark[] = [];
  for (const found of suppressionsOf(skill)) {
    const { file, line } = found;
    const message = mistakeOf(found);
    if (message === undefined) valid.push(found);
    else own.push({ rule: "bad-suppression", severity: "warning", file, line, message });
  }
  const used = new Set<Suppression>();
  const judged = remarks.map((remark) => {
    const by = valid.find(
      ({ rule, file, only }) =>
        rule === remark.rule && file === remark.file && (only === undefined || only === remark.line),
    );
    if (by) used.add(by);
    return by ? { ...remark, suppressed: by.reason } : remark;
  });
  for (const { rule, file, line } of valid.filter((one) => !used.has(one))) {
    const message = `Nothing of ${rule} is here to suppress.`;
    own.push({ rule: "unused-suppression", severity: "note", file, line, message });
  }
  return [...judged, ...own];
}

function* suppressionsOf({ texts }: LintSkill): Generator<Suppression> {
  for (const { file, passages } of texts) {
    for (const { kind, text, line } of passages) {
      const [found, next, rule = "", reason = ""] = (kind === "comment" && FORM.exec(text)) || [];
      if (found === undefined) continue;
      yield { rule, reason: reason.trim(), file, line, only: next ? line + 1 : undefined };
    }
  }
}

function mistakeOf({ rule, reason }: Suppression): string | undefined {
  const known = lintRule(rule);
  if (!known) return "The suppression names no rule of the lint.";
  if (known.category === "security")
    return `${rule} is a security rule, which a skill's own file cannot suppress; use a baseline.`;
  return reason === "" ? `The suppression of ${rule} gives no reason; write it after a colon.` : undefined;
}

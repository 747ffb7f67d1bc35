import { createHash } from "node:crypto";
import { dirname, join } from "node:path";
import { findOverlaps } from "../overlap/overlap.ts";
import { compareText } from "../shared/compare-text.ts";
import { quote } from "../shared/quote.ts";
import { type Finding, isGraver, type Remark } from "./finding.ts";
import type { LintSkill } from "./lint-skill-input.ts";
import { checkDescription } from "./quality/description.ts";
import { checkFences } from "./quality/fences.ts";
import { checkName, checkTriggerTests } from "./quality/name.ts";
import { checkReferences } from "./quality/references.ts";
import { checkSize } from "./quality/size.ts";
import { readLintSkill } from "./read-lint-skill.ts";
import { lintRule } from "./rules/rules.ts";
import { checkBlobs } from "./security/blobs.ts";
import { checkPassages } from "./security/check-passages.ts";
import { checkDownloads } from "./security/downloads.ts";
import { checkExfiltration } from "./security/exfiltration.ts";
import { checkExecutables, checkLinksOut } from "./security/files.ts";
import { checkGrantedTools } from "./security/granted-tools.ts";
import { checkHidden } from "./security/hidden.ts";
import { applySuppressions } from "./suppressions.ts";

/** Reads one skill for one or several rules. */
type Check = (skill: LintSkill) => Iterable<Remark>;

const CHECKS: readonly Check[] = [
  checkHidden,
  checkPassages,
  checkExfiltration,
  checkBlobs,
  checkDownloads,
  checkGrantedTools,
  checkLinksOut,
  checkExecutables,
  checkDescription,
  checkSize,
  checkReferences,
  checkFences,
  checkName,
  checkTriggerTests,
];

const MAX_OVERLAPS = 1_000;

/** The findings of these skills, by their canonical folders: by path, then line. Skills are data; none of their code runs. */
export function lintSkills(dirs: readonly string[], maxBytes?: number): Finding[] {
  const findings: Finding[] = [];
  const described: { name: string; description: string; path: string; dir: string }[] = [];
  const nested = nestedSkills(dirs);
  for (const dir of dirs) {
    const skill = readLintSkill(dir, nested.get(dir), maxBytes);
    const { name, description } = skill.reading;
    if (description !== "") described.push({ name, description, path: join(dir, "SKILL.md"), dir });
    for (const finding of lintSkill(skill)) findings.push(finding);
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

/** Skills in another skill's folder, by that folder: their files are theirs alone. */
function nestedSkills(dirs: readonly string[]): Map<string, Set<string>> {
  const nested = new Map(dirs.map((dir) => [dir, new Set<string>()]));
  for (const dir of dirs)
    for (let above = dirname(dir); above !== dirname(above); above = dirname(above))
      nested.get(above)?.add(dir);
  return nested;
}

/** The findings of one skill, without what concerns others. */
function lintSkill(skill: LintSkill): Finding[] {
  const remarks = escalate(gravest(CHECKS.flatMap((check) => [...check(skill)])));
  return applySuppressions(skill, remarks).map((remark) => toFinding(skill.dir, remark));
}

/** Of one rule in one line, the gravest remark alone. */
function gravest(remarks: readonly Remark[]): Remark[] {
  const kept = new Map<string, Remark>();
  for (const remark of remarks) {
    const message = remark.line === undefined || remark.rule === "missing-file" ? remark.message : "";
    const key = JSON.stringify([remark.rule, remark.file, remark.line, message]);
    const before = kept.get(key);
    if (!before || isGraver(remark, before)) kept.set(key, remark);
  }
  return [...kept.values()];
}

/** To hide something from the user is graver where there is something to hide. */
function escalate(remarks: readonly Remark[]): Remark[] {
  const isHarm = ({ rule, severity }: Remark): boolean =>
    severity !== "note" &&
    rule !== "conceal-from-user" &&
    rule !== "broad-tools" &&
    lintRule(rule)?.category === "security";
  if (!remarks.some(isHarm)) return [...remarks];
  return remarks.map((remark) =>
    remark.rule === "conceal-from-user" && remark.severity === "warning"
      ? { ...remark, severity: "error" }
      : remark,
  );
}

function toFinding(dir: string, remark: Remark & { readonly suppressed?: string }): Finding {
  const { rule, severity, file, line, message, subject, suppressed } = remark;
  const fingerprint = createHash("sha256")
    .update(JSON.stringify([rule, file, subject ?? message]))
    .digest("hex")
    .slice(0, 32);
  return {
    rule,
    severity,
    category: lintRule(rule)?.category ?? "quality",
    path: join(dir, file),
    ...(line === undefined ? {} : { line }),
    message,
    fingerprint,
    ...(suppressed === undefined ? {} : { suppressed }),
  };
}

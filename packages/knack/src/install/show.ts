import { relative, sep } from "node:path";
import { type Finding, lintSkills } from "@knack/core/check";
import { canonical } from "@knack/core/files";
import { textNow } from "@knack/core/lock";
import type { OfferedSkill } from "../sources/skills.ts";
import { bytesText, type Fetched } from "../sources/source.ts";
import { type Paint, paintNote, paintOn } from "../terminal/output.ts";
import { cut, widthOf } from "../terminal/text-width.ts";
import { paintDiffLine } from "../terminal/unified-diff.ts";
import { andMore, escapeControl, escapeControlInText, pluralize, visiblePath } from "../terminal/visible.ts";

const MAX_EXECUTABLES = 5;

/** `https://github.com/owner/repo.git at 1234567890ab (v1.2)` */
export function sourceLine({ source, ref, commit }: Pick<Fetched, "source" | "ref" | "commit">): string {
  const at = commit === null ? "" : ` at ${shortCommit(commit)}`;
  return visiblePath(`${source}${at}${ref === null || ref === commit ? "" : ` (${ref})`}`);
}

/** A commit as people write it; of a package its version, of an archive the start of its digest. */
export function shortCommit(commit: string): string {
  if (/^[0-9a-f]{40,}$/.test(commit)) return commit.slice(0, 12);
  // A stranger may have written the lock that it is from.
  return escapeControl(
    commit.startsWith("sha256:") ? commit.slice(0, 19) : (commit.split(" ")[0] ?? "").slice(0, 40),
  );
}

/** More skills than these take one line each. */
const MANY = 12;

/** What comes: a paragraph for each of a few skills, a line for each of many. */
export function offerLines(
  skills: readonly OfferedSkill[],
  fd: 1 | 2,
  remarksOf: (skill: OfferedSkill) => readonly string[] = () => [],
): string[] {
  if (skills.length <= MANY)
    return skills.flatMap((skill) => ["", ...skillLines(skill, fd, remarksOf(skill))]);
  const paint = paintOn(fd);
  const nameWidth = Math.min(30, Math.max(...skills.map(({ name }) => widthOf(escapeControl(name)))));
  const lines = skills.flatMap((skill) => {
    const name = escapeControl(skill.name);
    const executables = skill.executables.length;
    const more = executables === 0 ? "" : `, ${pluralize(executables, "executable")}`;
    const facts = `${countsOf(skill)}${more}`;
    const gap = " ".repeat(Math.max(0, nameWidth - widthOf(name)) + 2);
    const room = widthOfTerminal(fd) - widthOf(name + gap) - facts.length - 2;
    const description = room < 20 ? "" : paint("dim", `  ${cut(escapeControl(skill.description), room)}`);
    return [
      `${paint("bold", name)}${gap}${facts}${description}`,
      ...faultLines(skill, paint),
      ...remarksOf(skill).map((text) => `  ${text}`),
    ];
  });
  return ["", ...lines];
}

const countsOf = ({ files, bytes }: OfferedSkill): string =>
  `${pluralize(files.size, "file")}, ${bytesText(bytes)}`;

function skillLines(skill: OfferedSkill, fd: 1 | 2, remarks: readonly string[]): string[] {
  const paint = paintOn(fd);
  const { executables, description, path } = skill;
  const lines = [paint("bold", escapeControl(skill.name))];
  if (description !== "") lines.push(`  ${cut(escapeControl(description), widthOfTerminal(fd) - 2)}`);
  lines.push(`  ${paint("dim", `${visiblePath(path || ".")}: ${countsOf(skill)}`)}`);
  if (executables.length > 0) {
    const shown = andMore(executables.map(visiblePath), MAX_EXECUTABLES);
    lines.push(`  ${paint("yellow", pluralize(executables.length, "executable"))}: ${shown}`);
  }
  return [...lines, ...faultLines(skill, paint), ...remarks.map((remark) => `  ${remark}`)];
}

function faultLines({ faults, notes }: OfferedSkill, paint: Paint): string[] {
  return [
    ...faults.slice(0, 3).map((fault) => `  ${paint("red", "refused")}: ${escapeControl(fault)}`),
    ...notes.slice(0, 3).map((text) => `  note: ${escapeControl(text)}`),
  ];
}

const widthOfTerminal = (fd: 1 | 2): number =>
  Math.max(40, (fd === 1 ? process.stdout.columns : process.stderr.columns) || 80);

export function skillJson({ path, files, isHidden: _, ...skill }: OfferedSkill): object {
  return { ...skill, path: path || ".", files: files.size };
}

export interface SkillFinding extends Omit<Finding, "path" | "suppressed"> {
  readonly skill: string;
  readonly file: string;
}

const ORDER = { error: 0, warning: 1, note: 2 } as const;

/** What `knack lint` says of skills in these folders, by name; errors first. */
export function findingsOf(folders: ReadonlyMap<string, string>): SkillFinding[] {
  const names = new Map([...folders].map(([name, dir]) => [canonical(dir), name]));
  const dirs = [...names.keys()].sort();
  return lintSkills(dirs)
    .filter(({ suppressed }) => suppressed === undefined)
    .flatMap(({ path, suppressed: _, ...finding }) => {
      const dir = dirs.findLast((one) => path.startsWith(one + sep));
      if (dir === undefined) return [];
      return [{ ...finding, skill: names.get(dir) ?? "", file: relative(dir, path).split(sep).join("/") }];
    })
    .sort((a, b) => ORDER[a.severity] - ORDER[b.severity]);
}

const MAX_SHOWN = 20;
const COLORS = { error: "red", warning: "yellow", note: "dim" } as const;

/** Errors, and warnings on security, a line each. How well a skill is written matters less here, so its warnings are a number. */
export function findingLines(findings: readonly SkillFinding[], title = "knack lint"): string[] {
  const told = findings.filter(({ severity }) => severity !== "note");
  if (told.length === 0) return [];
  const errors = told.filter(({ severity }) => severity === "error").length;
  const counts = `${pluralize(errors, "error")}, ${pluralize(told.length - errors, "warning")}`;
  const grave = told.filter(({ severity, category }) => severity === "error" || category === "security");
  const lines = grave.slice(0, MAX_SHOWN).map(({ severity, rule, skill, file, line, message }) => {
    const where = escapeControl(`${skill}/${file}${line === undefined ? "" : `:${line}`}`);
    return `  ${paintNote(COLORS[severity], severity)} ${where}: ${escapeControl(message)} (${rule})`;
  });
  const quality = told.length - grave.length;
  return [
    `${title}: ${counts}`,
    ...lines,
    ...(grave.length > lines.length ? [`  and ${grave.length - lines.length} more`] : []),
    ...(quality > 0 ? [`  ${pluralize(quality, "warning")} on quality, which "knack lint" shows`] : []),
  ];
}

const MAX_DIFF_LINES = 400;
const MAX_DIFF_WIDTH = 500;

/** Two versions of a skill: a folder, and the digests of its files. */
interface Version {
  readonly dir: string;
  readonly files: ReadonlyMap<string, string>;
}

/** The difference of two folders as unified diffs, escaped and bounded; files that are no short text by name alone. */
export async function diffLines(before: Version, after: Version, fd: 1 | 2): Promise<string[]> {
  const paths = [...new Set([...before.files.keys(), ...after.files.keys()])].sort();
  const changed = paths.filter((path) => before.files.get(path) !== after.files.get(path));
  const { diffTexts } = await import("@knack/engine");
  const lines: string[] = [];
  for (const path of changed) {
    const isOld = before.files.has(path);
    const isNew = after.files.has(path);
    const left = isOld ? textNow(before.dir, path) : Buffer.alloc(0);
    const right = isNew ? textNow(after.dir, path) : Buffer.alloc(0);
    if (left && right && lines.length < MAX_DIFF_LINES) {
      const names = {
        left: isOld ? visiblePath(path) : "/dev/null",
        right: isNew ? visiblePath(path) : "/dev/null",
      };
      lines.push(...(await diffTexts(left, right, names)).trimEnd().split("\n"));
    } else
      lines.push(`${!isOld ? "new file" : isNew ? "changed file" : "removed file"} ${visiblePath(path)}`);
  }
  const shown = lines
    .slice(0, MAX_DIFF_LINES)
    .map((line) => paintDiffLine(cut(escapeControlInText(line), MAX_DIFF_WIDTH), paintOn(fd)));
  return lines.length > shown.length
    ? [...shown, `(${pluralize(lines.length - shown.length, "more line")})`]
    : shown;
}

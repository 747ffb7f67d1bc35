import type { GlobalOptions } from "../../options.ts";
import { bytesText } from "../../sources/limits.ts";
import type { OfferedSkill } from "../../sources/skills/read-skills.ts";
import type { Fetched } from "../../sources/source-tree.ts";
import { pluralize } from "../../terminal/count.ts";
import { type Paint, painter } from "../../terminal/output.ts";
import { cut, widthOf } from "../../terminal/text-width.ts";
import { escapeControl, visiblePath } from "../../terminal/visible.ts";

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
  options: GlobalOptions,
  fd: 1 | 2,
  remarksOf: (skill: OfferedSkill) => readonly string[] = () => [],
): string[] {
  if (skills.length <= MANY)
    return skills.flatMap((skill) => ["", ...skillLines(skill, options, fd, remarksOf(skill))]);
  const paint = painter(options, fd);
  const longest = Math.max(...skills.map(({ name }) => widthOf(escapeControl(name))));
  return skills.reduce(
    (lines, skill) => {
      const name = escapeControl(skill.name);
      const executables = skill.executables.length;
      const facts = [
        pluralize(skill.files.size, "file"),
        bytesText(skill.bytes),
        ...(executables === 0 ? [] : [pluralize(executables, "executable")]),
      ].join(", ");
      const start = `${paint("bold", name)}${" ".repeat(Math.min(longest, 30) + 2 - Math.min(widthOf(name), 30))}${facts}`;
      const room =
        widthOfTerminal(fd) - (Math.max(Math.min(longest, 30), widthOf(name)) + 2 + facts.length) - 2;
      const description = room < 20 ? "" : paint("dim", `  ${cut(escapeControl(skill.description), room)}`);
      lines.push(
        start + description,
        ...faultLines(skill, paint),
        ...remarksOf(skill).map((text) => `  ${text}`),
      );
      return lines;
    },
    [""],
  );
}

/** Two or three lines a skill: name and description, what comes, what it replaces. */
function skillLines(
  skill: OfferedSkill,
  options: GlobalOptions,
  fd: 1 | 2,
  remarks: readonly string[] = [],
): string[] {
  const paint = painter(options, fd);
  const width = widthOfTerminal(fd);
  const lines = [paint("bold", escapeControl(skill.name))];
  if (skill.description !== "") lines.push(`  ${cut(escapeControl(skill.description), width - 2)}`);
  const { executables, files, bytes, path } = skill;
  const counts = `${pluralize(files.size, "file")}, ${bytesText(bytes)}`;
  lines.push(`  ${paint("dim", `${visiblePath(path || ".")}: ${counts}`)}`);
  if (executables.length > 0) {
    const shown = executables.slice(0, MAX_EXECUTABLES).map(visiblePath).join(", ");
    const more =
      executables.length > MAX_EXECUTABLES ? ` and ${executables.length - MAX_EXECUTABLES} more` : "";
    lines.push(`  ${paint("yellow", pluralize(executables.length, "executable"))}: ${shown}${more}`);
  }
  lines.push(...faultLines(skill, paint));
  for (const remark of remarks) lines.push(`  ${remark}`);
  return lines;
}

function faultLines({ faults, notes }: OfferedSkill, paint: Paint): string[] {
  return [
    ...faults.slice(0, 3).map((fault) => `  ${paint("red", "refused")}: ${escapeControl(fault)}`),
    ...notes.slice(0, 3).map((text) => `  note: ${escapeControl(text)}`),
  ];
}

const widthOfTerminal = (fd: 1 | 2): number =>
  Math.max(40, (fd === 1 ? process.stdout.columns : process.stderr.columns) || 80);

export function skillJson({
  name,
  description,
  path,
  files,
  bytes,
  executables,
  faults,
  notes,
}: OfferedSkill): object {
  return { name, description, path: path || ".", files: files.size, bytes, executables, faults, notes };
}

import type { GlobalOptions } from "../../options.ts";
import { bytesText } from "../../sources/limits.ts";
import type { OfferedSkill } from "../../sources/skills/read-skills.ts";
import type { Fetched } from "../../sources/source-tree.ts";
import { pluralize } from "../../terminal/count.ts";
import { painter } from "../../terminal/output.ts";
import { cut } from "../../terminal/text-width.ts";
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
  return commit.startsWith("sha256:") ? commit.slice(0, 19) : (commit.split(" ")[0] ?? commit);
}

/** Two or three lines a skill: name and description, what comes, what it replaces. */
export function skillLines(
  skill: OfferedSkill,
  options: GlobalOptions,
  fd: 1 | 2,
  remarks: readonly string[] = [],
): string[] {
  const paint = painter(options, fd);
  const width = Math.max(40, (fd === 1 ? process.stdout.columns : process.stderr.columns) || 80);
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
  for (const fault of skill.faults.slice(0, 3))
    lines.push(`  ${paint("red", "refused")}: ${escapeControl(fault)}`);
  for (const text of skill.notes.slice(0, 3)) lines.push(`  note: ${escapeControl(text)}`);
  for (const remark of remarks) lines.push(`  ${remark}`);
  return lines;
}

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

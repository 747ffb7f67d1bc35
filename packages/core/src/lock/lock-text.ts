import { compareText } from "../shared/compare-text.ts";
import { defaultFolder, type LockedSkill, type SkillLock } from "./skill-lock.ts";
import { yamlScalar } from "./yaml-scalar.ts";

/** The text of `skills.lock`: sorted, without times, one line a file, made to be read in a diff. */
export function lockText(lock: SkillLock): string {
  const skills = byKey(lock).map(([key, locked]) => entryText(key, locked));
  return `version: 1\nskills:${skills.length === 0 ? " {}\n" : `\n${skills.join("")}`}`;
}

function entryText(key: string, locked: LockedSkill): string {
  const { folder, source, ref, commit, path, sha256, files } = locked;
  const lines = [`  ${yamlScalar(key)}:`];
  const add = (name: string, value: string | undefined): void => {
    if (value !== undefined) lines.push(`    ${name}: ${yamlScalar(value)}`);
  };
  add("commit", commit);
  lines.push(`    files:${files.size === 0 ? " {}" : ""}`);
  for (const [file, digest] of byKey(files)) lines.push(`      ${yamlScalar(file)}: ${yamlScalar(digest)}`);
  add("folder", folder === defaultFolder(key) ? undefined : folder);
  add("path", path);
  add("ref", ref);
  add("sha256", sha256);
  add("source", source);
  return `${lines.join("\n")}\n`;
}

function byKey<T>(map: ReadonlyMap<string, T>): [string, T][] {
  return [...map].sort(([a], [b]) => compareText(a, b));
}

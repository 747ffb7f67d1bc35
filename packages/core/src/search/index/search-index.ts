import { hash } from "node:crypto";
import { basename } from "node:path";
import { readSkillBytes } from "../../catalog/scan/skill-file.ts";
import { splitFrontmatter } from "../../skill/frontmatter.ts";
import type { SkillMetadata } from "../../skill/schema.ts";
import { withAnchors } from "./anchors.ts";
import { IndexBuilder, invert, type TextIndex } from "./postings.ts";
import { loadWords, saveWords } from "./search-index-file.ts";
import type { SkillEntry } from "./skill-entry.ts";

/** A skill with a mark that changes when its file does. */
export interface MarkedSkill {
  readonly skill: SkillMetadata;
  /** The file with its text: the target of a linked `SKILL.md`. */
  readonly file: string;
  readonly mark: string;
}

/** Builds the index of these skills. Unchanged skills are taken from the file on disk; the others are read and tokenized. */
export function openSearchIndex(skills: readonly MarkedSkill[], file: string | null): TextIndex {
  const known = file === null ? null : loadWords(file);
  // The dictionary keeps words of removed skills; rebuild it when most are removed.
  const usable = known && known.entries.size <= 2 * skills.length + 100 ? known : null;
  const builder = new IndexBuilder(usable?.words);
  let changed = usable === null || usable.entries.size !== skills.length;
  const entries = skills.map(({ skill, file: path, mark }): SkillEntry => {
    const key = entryKey(skill, mark);
    const entry = usable?.entries.get(key);
    if (entry) return entry;
    changed = true;
    const { name, description, dir } = skill;
    return builder.pack({ name, folder: basename(dir), description, body: bodyOf(path) });
  });
  if (file !== null && changed) {
    saveWords(file, builder.words, new Map(entries.map((entry, i) => [keyAt(skills, i), entry])));
  }
  return invert(
    withAnchors(
      entries,
      skills.map(({ skill }) => skill),
      builder.words.size,
    ),
    builder.words,
  );
}

function keyAt(skills: readonly MarkedSkill[], index: number): string {
  const marked = skills[index];
  return marked ? entryKey(marked.skill, marked.mark) : "";
}

/** The name may come from the folder, so it is part of the key. */
function entryKey(skill: SkillMetadata, mark: string): string {
  return hash("sha1", `${skill.path}\n${mark}\n${skill.name}\n${skill.description}`, "base64");
}

/** The text below the frontmatter; empty if the file was removed since the snapshot. */
function bodyOf(file: string): string {
  const content = readSkillBytes(file);
  if ("fault" in content) return "";
  const split = splitFrontmatter(content.bytes);
  return content.bytes.toString("utf8", "fault" in split ? 0 : split.bodyStart);
}

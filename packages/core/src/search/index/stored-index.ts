import { createHash, hash } from "node:crypto";
import { askThread, threadCode } from "../../shared/helper-thread.ts";
import { openParts, type PartBytes, saveParts } from "../../shared/stored/parts-file.ts";
import type { SkillMetadata } from "../../skill/schema.ts";
import { KEY, makeIndex } from "./make-index.ts";
import { bodyIn, bodyOf, isStateChanged, NOTHING_BESIDE, readBeside } from "./skill-files.ts";
import type { TextIndex } from "./text-index.ts";
import { INDEX_MAGIC, type IndexParts, namedParts, openIndex, openInMemory, wholeOf } from "./text-index.ts";

/** A skill with a mark that changes when its file does. */
export interface MarkedSkill {
  readonly skill: Pick<SkillMetadata, "name" | "description" | "dir" | "path">;
  /** The file with its text: the target of a linked `SKILL.md`. */
  readonly file: string;
  readonly mark: string;
  /** Of a skill that is not on the disk: its `SKILL.md`. */
  readonly bytes?: Buffer | undefined;
}

export interface IndexOptions {
  /** Also read skills again that have other files beside them than before. */
  readonly checksBeside?: boolean;
  readonly onProgress?: ((done: number) => void) | undefined;
}

/** The index in the file; `null` if there is none of exactly these skills. */
export function openStoredIndex(skills: readonly MarkedSkill[], file: string): TextIndex | null {
  const parts = openIndexFile(file);
  if (!parts || !digestOf(skills).equals(wholeOf(parts.digest))) return null;
  const index = openIndex(parts);
  return index.isDamaged() ? null : index;
}

/** Makes the index, and the file where there is to be one. */
export function makeSearchIndex(
  skills: readonly MarkedSkill[],
  file: string | null,
  options: IndexOptions = {},
): TextIndex {
  const { encoded } = encodeSearchIndex(skills, file, options);
  if (encoded) return openInMemory(encoded);
  // Another process may have replaced the file in the meantime.
  const stored = file === null ? null : openStoredIndex(skills, file);
  return stored ?? makeSearchIndex(skills, null);
}

/** An index of names and descriptions, made in a tenth of the time. */
export function makeQuickIndex(skills: readonly MarkedSkill[]): TextIndex {
  const toIndex = skills.map(({ skill }) => ({
    ...skill,
    key: "",
    body: () => "",
    beside: () => NOTHING_BESIDE,
  }));
  return openInMemory(makeIndex(toIndex, new Uint8Array(), null));
}

/** Whether an index of these skills needs few of them read. */
export function isNearlyStored(skills: readonly MarkedSkill[], file: string): boolean {
  const known = (openIndexFile(file)?.keys.length ?? 0) / KEY;
  return known > 0 && Math.abs(known - skills.length) < skills.length / 10;
}

/** Makes the index and saves it. `encoded` has its parts if it could not be saved; the file needs less memory. */
export function encodeSearchIndex(
  skills: readonly MarkedSkill[],
  file: string | null,
  { checksBeside, onProgress }: IndexOptions = {},
): { encoded: readonly PartBytes[] | null } {
  const toIndex = skills.map(({ skill, file: path, mark, bytes }) => ({
    name: skill.name,
    dir: skill.dir,
    description: skill.description,
    key: keyOf(skill, mark),
    ...(bytes
      ? { body: () => bodyIn(bytes), beside: () => NOTHING_BESIDE }
      : { file: path, body: () => bodyOf(path), beside: () => readBeside(skill.dir) }),
  }));
  const isBesideChanged = checksBeside
    ? (place: number, state: string): boolean => isStateChanged(skills[place]?.skill.dir ?? "", state)
    : undefined;
  const make = (from: IndexParts | null): PartBytes[] =>
    makeIndex(toIndex, digestOf(skills), from, { isBesideChanged, onProgress });
  const earlier = file === null ? null : openIndexFile(file);
  let encoded = make(earlier);
  if (earlier?.isDamaged()) encoded = make(null);
  // A full or read-only disk: the catalog has reported it already.
  const isSaved = file !== null && saveParts(file, INDEX_MAGIC, encoded) === undefined;
  return { encoded: isSaved ? null : encoded };
}

function openIndexFile(file: string): IndexParts | null {
  const parts = openParts(file, INDEX_MAGIC);
  return parts && namedParts(parts);
}

/** The name may come from the folder, so it is part of the key. */
function keyText({ path, name, description }: MarkedSkill["skill"], mark: string): string {
  return `${path}\n${mark}\n${name}\n${description}\0`;
}

function keyOf(skill: MarkedSkill["skill"], mark: string): string {
  return hash("sha1", keyText(skill, mark), "hex").slice(0, 2 * KEY);
}

/** Of all skills in their order; one hash of everything is faster than one for each. */
function digestOf(skills: readonly MarkedSkill[]): Buffer {
  const digest = createHash("sha1");
  for (const { skill, mark } of skills) digest.update(keyText(skill, mark));
  return digest.digest();
}

/** What the thread gets, and its answer: the parts of the index where they could not be written to the file. */
export interface IndexWork {
  readonly skills: readonly MarkedSkill[];
  readonly file: string | null;
}
export type MadeIndex = readonly PartBytes[] | "saved";

/** Makes the index in a thread, so that this one goes on answering. */
export async function makeIndexInBackground(
  skills: readonly MarkedSkill[],
  file: string | null,
): Promise<TextIndex> {
  const work: IndexWork = {
    file,
    skills: skills.map(({ skill: { name, description, dir, path }, ...marked }) => ({
      ...marked,
      skill: { name, description, dir, path },
    })),
  };
  const thread = { code: threadCode(import.meta.url, "./index-worker"), what: "the search index" };
  const made = await askThread<MadeIndex>(thread, work);
  if (made && made !== "saved") return openInMemory(made);
  // Another process may have written the file since, and a thread may fail.
  return (file === null ? null : openStoredIndex(skills, file)) ?? makeSearchIndex(skills, file);
}

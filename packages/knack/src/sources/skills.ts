import { mkdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { SkillError } from "@knack/core";
import { isValidName, mayHoldSkills } from "@knack/core/catalog";
import { parseSkill } from "@knack/core/check";
import { systemCode, writeError } from "@knack/core/files";
import { fewOf, quote } from "@knack/core/text";
import { type CheckedFiles, checkFiles, type FoundSkill } from "./check-files.ts";
import { bytesText, type Entry, type Fetched, LIMITS } from "./source.ts";
import { tooLarge } from "./write-files.ts";

/** Folders further down are not searched. */
const MAX_DEPTH = 32;

/**
 * The skills of a source: folders with a `SKILL.md`, by the rules of the catalog. A skill within another comes along with it;
 * only one at the top of the source leaves the others to themselves, because then the whole source would be its folder.
 */
function findSkills(entries: readonly Entry[], within: string): FoundSkill[] {
  const prefix = within === "" ? "" : `${within}/`;
  const found = new Map<string, Entry>();
  for (const entry of entries)
    if (entry.kind === "file" && entry.path.startsWith(prefix) && /(?:^|\/)SKILL\.md$/.test(entry.path))
      found.set(entry.path.slice(0, -"/SKILL.md".length), entry);
  const top = within;
  const folders = [...found.keys()].sort((a, b) => a.length - b.length || (a < b ? -1 : 1));
  const skills: string[] = [];
  const isSkill = new Set<string>();
  for (const folder of folders) {
    const above = aboveOf(folder);
    if (folder !== top && above.some((one) => one !== top && isSkill.has(one))) continue;
    if (!isReachable(folder, isSkill.has(top) ? top : undefined)) continue;
    skills.push(folder);
    isSkill.add(folder);
  }
  return gather(entries, skills.sort(), found);
}

/** Folders that the catalog does not look into hold no skills. */
function isReachable(folder: string, skillAbove: string | undefined): boolean {
  const parts = folder === "" ? [] : folder.split("/");
  if (parts.length >= MAX_DEPTH) return false;
  return parts.every((part, i) => {
    const above = parts.slice(0, i).join("/");
    const isInside =
      skillAbove !== undefined && (skillAbove === "" || `${above}/`.startsWith(`${skillAbove}/`));
    return mayHoldSkills(part, isInside);
  });
}

/** The folders above a path, from the top; no more than a skill's own folder can have above it. */
function aboveOf(path: string): string[] {
  const folders = [""];
  for (let at = path.indexOf("/"); at >= 0 && folders.length < MAX_DEPTH; at = path.indexOf("/", at + 1))
    folders.push(path.slice(0, at));
  return folders;
}

function gather(
  entries: readonly Entry[],
  skills: readonly string[],
  heads: ReadonlyMap<string, Entry>,
): FoundSkill[] {
  const bySkill = new Map(
    skills.map((path) => [path, { files: new Map<string, Entry>(), twice: [] as string[] }]),
  );
  for (const entry of entries) {
    // The longest folder that is a skill: no skill but the one at the top has another in it.
    const owner = aboveOf(entry.path).findLast((folder) => bySkill.has(folder));
    const skill = owner === undefined ? undefined : bySkill.get(owner);
    if (owner === undefined || !skill) continue;
    const path = owner === "" ? entry.path : entry.path.slice(owner.length + 1);
    if (/(?:^|\/)\.git(?:\/|$)/i.test(path)) continue;
    if (skill.files.has(path)) skill.twice.push(path);
    skill.files.set(path, entry);
  }
  return skills.map((path) => ({
    path,
    skillFile: heads.get(path) as Entry,
    ...(bySkill.get(path) as { files: Map<string, Entry>; twice: string[] }),
  }));
}

/** A skill that a source offers. */
export interface OfferedSkill extends CheckedFiles {
  readonly name: string;
  readonly description: string;
  /** Its folder in the source; empty for the top. */
  readonly path: string;
  /** Paths of files that can be executed. */
  readonly executables: readonly string[];
}

const MAX_SKILLS = 2_000;

/** What a source offers. Only the `SKILL.md` files are read. */
export async function readSkills(fetched: Fetched, scratch: string): Promise<OfferedSkill[]> {
  const { tree, path, source } = fetched;
  const found = findSkills(tree.entries, path);
  if (found.length === 0) throw noSkills(fetched);
  if (found.length > MAX_SKILLS)
    throw new SkillError(
      "INVALID_PARAM",
      `${source} has ${found.length} skills, more than ${MAX_SKILLS}. Name a folder of it: owner/repo/path.`,
    );
  const texts = await readHeads(fetched, found, join(scratch, "heads"));
  const links = found.flatMap(({ files }) => [...files.values()].filter(({ kind }) => kind === "link"));
  const targets = await tree.linkTargets(links);
  return withoutCopies(found.map((skill) => offer(skill, texts.get(skill), targets, fetched)));
}

function offer(
  skill: FoundSkill,
  text: Buffer | undefined,
  targets: ReadonlyMap<Entry, string>,
  fetched: Fetched,
): OfferedSkill {
  const folder = skill.path.split("/").at(-1) || fetched.name;
  const checked = checkFiles(skill, targets);
  const { name, description } = parseSkill(text ?? Buffer.alloc(0), {
    folder,
    dialect: "agentskills",
    bareIsLily: true,
  });
  const faults = [...checked.faults];
  if (text === undefined) faults.push(`SKILL.md has more than ${bytesText(LIMITS.skillFileBytes)}`);
  else if (!isValidName(name))
    faults.push(
      `its name ${quote(name)} is not valid: up to 64 lowercase letters and digits, joined by single hyphens`,
    );
  const executables = [...checked.files].filter(([, { isExecutable }]) => isExecutable).map(([path]) => path);
  return { ...checked, faults, name, description, path: skill.path, executables: executables.sort() };
}

async function readHeads(
  { tree }: Fetched,
  found: readonly FoundSkill[],
  folder: string,
): Promise<ReadonlyMap<FoundSkill, Buffer>> {
  mkdirSync(folder, { mode: 0o700 });
  const small = found.filter(({ skillFile }) => skillFile.size <= LIMITS.skillFileBytes);
  const paths = new Map(small.map((skill, i) => [skill, join(folder, `${i}.md`)]));
  await tree.write(new Map(small.map((skill) => [skill.skillFile, [paths.get(skill) ?? ""]])));
  return new Map(small.map((skill) => [skill, readFileSync(paths.get(skill) ?? "")]));
}

/** Repositories often have a skill again in the folder of a client; the first by path length stays. */
function withoutCopies(skills: readonly OfferedSkill[]): OfferedSkill[] {
  const seen = new Set<string>();
  return skills
    .toSorted((a, b) => a.path.split("/").length - b.path.split("/").length || (a.path < b.path ? -1 : 1))
    .filter(({ name, description, files }) => {
      const list = [...files].map(([path, { size, isExecutable }]) => [path, size, isExecutable]);
      const key = JSON.stringify([name, description, list.sort()]);
      return seen.has(key) ? false : seen.add(key) !== undefined;
    })
    .sort((a, b) => (a.name === b.name ? (a.path < b.path ? -1 : 1) : a.name < b.name ? -1 : 1));
}

function noSkills({ tree, path, source }: Fetched): SkillError {
  const link = tree.entries.find((entry) => entry.path === path && entry.kind === "link");
  if (link)
    return new SkillError(
      "NOT_FOUND",
      `${quote(path)} in ${source} is a link; name the folder that it leads to.`,
    );
  const where = path === "" ? source : `${quote(path)} of ${source}`;
  return new SkillError("NOT_FOUND", `No skills found in ${where}: no folder in it has a SKILL.md.`);
}

/** Writes the files of skills into folders of their names in `folder`, which is new. */
export async function takeSkills(
  { tree }: Fetched,
  skills: readonly OfferedSkill[],
  folder: string,
): Promise<ReadonlyMap<OfferedSkill, string>> {
  refuse(skills);
  const places = new Map<OfferedSkill, string>();
  const files = new Map<Entry, string[]>();
  try {
    for (const skill of skills) {
      const place = join(folder, skill.name);
      mkdirSync(place, { recursive: true, mode: 0o755 });
      places.set(skill, place);
      for (const [path, entry] of skill.files) {
        const file = join(place, ...path.split("/"));
        mkdirSync(dirname(file), { recursive: true, mode: 0o755 });
        files.set(entry, [...(files.get(entry) ?? []), file]);
      }
    }
  } catch (error) {
    throw writeError(folder, systemCode(error));
  }
  await tree.write(files);
  return places;
}

function refuse(skills: readonly OfferedSkill[]): void {
  const [bad] = skills.filter(({ faults }) => faults.length > 0);
  if (bad) {
    const reasons = fewOf(
      bad.faults.map((fault) => `- ${fault}`),
      { separator: "\n" },
    );
    throw new SkillError("CONFLICT", `The skill ${bad.name} is refused; nothing was changed.\n${reasons}`);
  }
  const files = skills.reduce((sum, skill) => sum + skill.files.size, 0);
  const bytes = skills.reduce((sum, skill) => sum + skill.bytes, 0);
  if (files > LIMITS.files)
    throw new SkillError(
      "CONFLICT",
      `The skills have ${files} files, more than ${LIMITS.files}. Choose fewer with --skill.`,
    );
  if (bytes > LIMITS.totalBytes)
    throw tooLarge("The skills have", LIMITS.totalBytes, "Choose fewer with --skill.");
}

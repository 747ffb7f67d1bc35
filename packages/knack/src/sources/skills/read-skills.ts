import { mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { SkillError } from "@knack/core";
import { isValidName, parseSkill, quote } from "@knack/core/internal";
import { bytesText, LIMITS } from "../limits.ts";
import type { Entry, Fetched } from "../source-tree.ts";
import { type CheckedFiles, checkFiles } from "./check-files.ts";
import { type FoundSkill, findSkills } from "./find-skills.ts";

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

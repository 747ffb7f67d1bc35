import { chmodSync, mkdirSync, writeFileSync } from "node:fs";
import { dirname, join, posix } from "node:path";
import { isValidName, mayHoldSkills } from "@knack/core/catalog";
import { parseSkill } from "@knack/core/check";
import { CLIENT_FOLDERS } from "@knack/core/config";
import { systemCode, writeError } from "@knack/core/files";
import { fewOf, type KnackError, quote } from "@knack/core/text";
import { conflict, invalid, notFound } from "../options.ts";
import { type CheckedFiles, checkFiles, type FoundSkillFolder } from "./check-files.ts";
import { bytesText, type Fetched, SOURCE_LIMITS, type SourceEntry, tooLarge } from "./source.ts";

const MAX_DEPTH = 32;

/**
 * The skills of a source: folders with a `SKILL.md`, by the rules of the catalog. A skill within another comes along with it;
 * only one at the top of the source leaves the others to themselves, because then the whole source would be its folder.
 */
function findSkills(entries: readonly SourceEntry[], top: string): FoundSkillFolder[] {
  const heads = new Map<string, SourceEntry>();
  for (const entry of entries)
    if (entry.kind !== "other" && /(?:^|\/)SKILL\.md$/.test(entry.path))
      heads.set(entry.path.slice(0, -"/SKILL.md".length), entry);
  const skills = new Map<string, FoundSkillFolder>();
  for (const [path, head] of [...heads].sort(([a], [b]) => a.length - b.length)) {
    const isWithinAnother = foldersAbove(path).some((one) => one !== top && skills.has(one));
    if (!isWithinAnother && isReachable(path, skills.has(top) ? top : undefined))
      skills.set(path, { path, head, files: new Map(), twice: [] });
  }
  for (const entry of entries) {
    // The longest folder that is a skill: no skill but the one at the top has another in it.
    const skill = skills.get(foldersAbove(entry.path).findLast((folder) => skills.has(folder)) ?? "");
    if (!skill) continue;
    const path = skill.path === "" ? entry.path : entry.path.slice(skill.path.length + 1);
    if (/(?:^|\/)\.git(?:\/|$)/i.test(path)) continue;
    if (skill.files.has(path)) skill.twice.push(path);
    skill.files.set(path, entry);
  }
  return [...skills.values()];
}

/** Folders that the catalog does not look into hold no skills. */
function isReachable(path: string, skillAbove: string | undefined): boolean {
  const parts = path === "" ? [] : path.split("/");
  const inside =
    skillAbove === undefined ? Number.POSITIVE_INFINITY : foldersAbove(`${skillAbove}/`).length - 1;
  return parts.length < MAX_DEPTH && parts.every((part, depth) => mayHoldSkills(part, depth >= inside));
}

/** The folders above a path, from the top; no more than a skill's own folder can have above it. */
function foldersAbove(path: string): string[] {
  const folders = [""];
  for (let at = path.indexOf("/"); at >= 0 && folders.length < MAX_DEPTH; at = path.indexOf("/", at + 1))
    folders.push(path.slice(0, at));
  return folders;
}

export interface OfferedSkill extends CheckedFiles {
  readonly name: string;
  readonly description: string;
  readonly path: string;
  readonly executables: readonly string[];
  /** In a folder such as `.archive`, which its author keeps out of sight: offered only to those who ask for it. */
  readonly isHidden: boolean;
}

const MAX_SKILLS = 2_000;

/** What a source offers. Only the `SKILL.md` files are read. */
export interface Offer {
  readonly skills: readonly OfferedSkill[];
  /** Links beside skills that may have led to more of them: a sentence each. */
  readonly links: readonly string[];
}

export function readSkills(fetched: Fetched): Offer {
  const { entries, path, source } = fetched;
  const found = findSkills(entries, path);
  if (found.length === 0) throw noSkills(fetched);
  if (found.length > MAX_SKILLS)
    throw invalid(
      `${source} has ${found.length} skills, more than ${MAX_SKILLS}. Name a folder of it: owner/repo/path.`,
    );
  const beside = new Set(found.map((skill) => posix.dirname(skill.path)));
  const links = unfollowedLinks(entries, found).filter((link) => beside.has(posix.dirname(link.path)));
  return { skills: withoutCopies(found.map((skill) => offer(skill, fetched))), links: links.map(linkText) };
}

const KNOWN_FOLDERS = new Set([
  ".agents",
  ...Object.values(CLIENT_FOLDERS).flatMap(({ project }) => project.map((folder) => folder.split("/")[0])),
]);

const isHidden = (path: string): boolean =>
  path.split("/").some((part) => part.startsWith(".") && !KNOWN_FOLDERS.has(part));

/** Links outside of all skills that lead to no file and no skill of the source. */
function unfollowedLinks(entries: readonly SourceEntry[], found: readonly FoundSkillFolder[]): SourceEntry[] {
  const files = new Set(entries.map(({ path }) => path));
  const skills = new Set(found.map(({ path }) => path));
  const known = new Set([...skills].flatMap(foldersAbove));
  return entries.filter(({ kind, path, target = "" }) => {
    if (kind !== "link" || foldersAbove(path).some((folder) => skills.has(folder))) return false;
    const leadsTo = posix.normalize(posix.join(posix.dirname(path), target)).replace(/^\.$|\/$/, "");
    const isKnown =
      files.has(leadsTo) || known.has(leadsTo) || foldersAbove(`${leadsTo}/`).some((one) => skills.has(one));
    return (target.startsWith("/") || !isKnown) && isReachable(path, undefined);
  });
}

const linkText = ({ path, target = "" }: SourceEntry): string =>
  `${quote(path)} is a link to ${quote(target)}, and links of a source are not followed; add the folder that it leads to.`;

function offer(skill: FoundSkillFolder, fetched: Fetched): OfferedSkill {
  const checked = checkFiles(skill);
  // Of a link the file that it leads to; of one that leads out, nothing.
  const head = skill.head.kind === "link" ? checked.files.get("SKILL.md") : skill.head;
  const isSmall = (head?.size ?? 0) <= SOURCE_LIMITS.skillFileBytes;
  const { name, description } = parseSkill(head && isSmall ? head.read() : Buffer.alloc(0), {
    folder: skill.path.split("/").at(-1) || fetched.name,
    dialect: "agentskills",
    bareIsLily: true,
  });
  const faults = [...checked.faults];
  if (!isSmall) faults.push(`SKILL.md has more than ${bytesText(SOURCE_LIMITS.skillFileBytes)}`);
  else if (!isValidName(name))
    faults.push(
      `its name ${quote(name)} is not valid: up to 64 lowercase letters and digits, joined by single hyphens`,
    );
  const executables = [...checked.files].filter(([, { isExecutable }]) => isExecutable).map(([path]) => path);
  return {
    ...checked,
    faults,
    name,
    description,
    path: skill.path,
    executables: executables.sort(),
    isHidden: isHidden(skill.path.slice(fetched.path.length)),
  };
}

/** Repositories often have a skill again in the folder of a client; the first by path length stays, a hidden one last. */
function withoutCopies(skills: readonly OfferedSkill[]): OfferedSkill[] {
  const seen = new Set<string>();
  return skills
    .toSorted((a, b) => depthOf(a) - depthOf(b) || (a.path < b.path ? -1 : 1))
    .filter(({ name, description, files }) => {
      const list = [...files].map(([path, { size, isExecutable }]) => [path, size, isExecutable]);
      const key = JSON.stringify([name, description, list.sort()]);
      return seen.has(key) ? false : seen.add(key) !== undefined;
    })
    .sort((a, b) => (a.name === b.name ? (a.path < b.path ? -1 : 1) : a.name < b.name ? -1 : 1));
}

const depthOf = ({ path, isHidden: isLast }: OfferedSkill): number =>
  isLast ? Number.MAX_SAFE_INTEGER : path.split("/").length;

function noSkills({ entries, path, source }: Fetched): KnackError {
  if (entries.some((entry) => entry.path === path && entry.kind === "link"))
    return notFound(`${quote(path)} in ${source} is a link; name the folder that it leads to.`);
  const where = path === "" ? source : `${quote(path)} of ${source}`;
  const links = unfollowedLinks(entries, []).map((link) => `\n- ${linkText(link)}`);
  return notFound(
    `No skills found in ${where}: no folder in it has a SKILL.md.${fewOf(links, { separator: "" })}`,
  );
}

export const isRefused = ({ faults }: OfferedSkill): boolean => faults.length > 0;

export const reasonsOf = ({ faults }: OfferedSkill): string =>
  fewOf(
    faults.map((fault) => `- ${fault}`),
    { separator: "\n" },
  );

/** Writes the files of skills into folders of their names in `folder`. Of a file's mode only the executable bit stays. */
export function takeSkills(
  skills: readonly OfferedSkill[],
  folder: string,
): ReadonlyMap<OfferedSkill, string> {
  refuse(skills);
  const places = new Map(skills.map((skill) => [skill, join(folder, skill.name)]));
  for (const [{ files }, place] of places)
    for (const [path, entry] of files) {
      const file = join(place, ...path.split("/"));
      const bytes = entry.read();
      try {
        mkdirSync(dirname(file), { recursive: true, mode: 0o755 });
        writeFileSync(file, bytes, { flag: "wx" });
        chmodSync(file, entry.isExecutable ? 0o755 : 0o644);
      } catch (error) {
        throw writeError(file, systemCode(error));
      }
    }
  return places;
}

function refuse(skills: readonly OfferedSkill[]): void {
  const [bad] = skills.filter(isRefused);
  if (bad) throw conflict(`The skill ${bad.name} is refused; nothing was changed.\n${reasonsOf(bad)}`);
  const files = skills.reduce((sum, skill) => sum + skill.files.size, 0);
  const bytes = skills.reduce((sum, skill) => sum + skill.bytes, 0);
  if (files > SOURCE_LIMITS.files)
    throw conflict(
      `The skills have ${files} files, more than ${SOURCE_LIMITS.files}. Choose fewer with --skill.`,
    );
  if (bytes > SOURCE_LIMITS.totalBytes)
    throw tooLarge("The skills have", SOURCE_LIMITS.totalBytes, "Choose fewer with --skill.");
}

import { existsSync, lstatSync, mkdirSync, readlinkSync, statSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { type ConfigPlace, configFiles, loadConfig, MAX_CONFIG_BYTES, readConfig } from "../config/load.ts";
import {
  denies,
  type PermissionRule,
  READING_TOOLS,
  type RuledCall,
  ruleIn,
  skillNameFault,
  switchIn,
} from "../config/rules.ts";
import { KnackError, systemCode } from "../shared/errors.ts";
import { withLock } from "../shared/lock.ts";
import { addGitignore, requireOwn } from "../shared/own-file.ts";
import { canonical } from "../shared/paths.ts";
import { shorten } from "../shared/quote.ts";
import { readRegularFile } from "../shared/regular-file.ts";
import { writeDurably, writeError } from "../shared/write-whole.ts";
import { type Named, refersTo } from "../skill/name.ts";
import type { PolicyChange } from "./edit-config.ts";
import { type Decision, decide, type PermissionRequest } from "./permissions.ts";

/** A project's file is readable for everybody who works on it; the user's own file is private. */
interface ProjectOfFile {
  /** Below it no link is followed, so that a project cannot redirect the write to another place. */
  readonly root: string;
  /** Where changes wait for each other; those of the user's own file wait beside it. */
  readonly userFolder: string;
}

/**
 * Changes what a file says about a skill, nothing else; answers whether anything changed. Invalid files are refused. `home`:
 * what `~` in the file means.
 */
export async function changePolicy(
  file: string,
  change: PolicyChange,
  home: string,
  project?: ProjectOfFile,
): Promise<boolean> {
  // Only a change loads the YAML library and the schema.
  const { changeText } = await import("./edit-config.ts");
  if (project) requireOwn(project.root, file);
  const target = project ? file : linkTarget(file);
  const switchOf = (entry: string): string => switchIn(entry, file, home);
  if (!existsSync(target) && changeText("", file, change, switchOf) === "") return false;
  if (project && makeSharedFolder(dirname(target))) addGitignore(project.root, dirname(target));
  return withLock(project?.userFolder ?? dirname(file), target, () => {
    const text = readText(target, file);
    const result = changeText(text, file, change, switchOf);
    if (result === text) return false;
    if (Buffer.byteLength(result) > MAX_CONFIG_BYTES)
      throw new KnackError(
        "CONFIG_INVALID",
        `${file} would have more than ${MAX_CONFIG_BYTES} bytes; shorten it first.`,
      );
    const mode = statSync(target, { throwIfNoEntry: false })?.mode ?? (project ? 0o644 : 0o600);
    const failure = writeDurably(target, mode & 0o777, result);
    if (failure) throw writeError(file, failure, !project);
    return true;
  });
}

/** Answers whether it is new. */
function makeSharedFolder(folder: string): boolean {
  try {
    return mkdirSync(folder, { recursive: true }) !== undefined;
  } catch (error) {
    throw writeError(folder, systemCode(error));
  }
}

/** The write goes to a link's target, and the link stays a link. */
function linkTarget(file: string): string {
  let path = canonical(file);
  for (let links = 0; lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink(); links++) {
    if (links > 40) throw new KnackError("CONFIG_INVALID", `${file} is a link that leads to itself.`);
    path = canonical(resolve(dirname(path), readlinkSync(path)));
  }
  return path;
}

function readText(target: string, file: string): string {
  const content = readRegularFile(target, MAX_CONFIG_BYTES, false);
  if ("fault" in content) {
    if (content.detail === "ENOENT") return "";
    throw new KnackError("CONFIG_INVALID", `${file} cannot be changed (${content.detail}).`);
  }
  const text = content.bytes.toString("utf8");
  if (Buffer.from(text).equals(content.bytes)) return text;
  throw new KnackError(
    "CONFIG_INVALID",
    `${file} is not UTF-8 text, and a change would damage it; save it as UTF-8.`,
  );
}

export interface Obstacle {
  readonly file: string;
  readonly isOfProject: boolean;
  /** The rule, or the entry of `skills.disabled`, as written in the file. */
  readonly what: PermissionRule | string;
}

export interface Obstacles {
  readonly denials: readonly Obstacle[];
  readonly switches: readonly Obstacle[];
}

export interface PolicyState extends Obstacles {
  /** For a model that wants to load it. */
  readonly decision: Decision["decision"];
  readonly isEnabled: boolean;
  /** `skills.enabled: false`: no skill can be used. */
  readonly isEverythingOff: boolean;
}

/** `skills` share the name; what holds for one is an obstacle for all. */
export async function policyState(place: ConfigPlace, skills: readonly Named[]): Promise<PolicyState> {
  const { config } = await loadConfig(place);
  const requests = skills.map(
    (skill): PermissionRequest => ({ tool: "skill_load", skill, actor: "model", readsSkill: true }),
  );
  const decisions = requests.map((request) => decide(config.permissions, request).decision);
  return {
    decision: (["deny", "confirm"] as const).find((one) => decisions.includes(one)) ?? "allow",
    isEnabled: !config.skills.disabled.some((entry) => skills.some((skill) => refersTo(entry, skill))),
    isEverythingOff: !config.skills.enabled,
    ...(await obstaclesTo(place, requests)),
  };
}

export async function obstaclesTo(
  place: Omit<ConfigPlace, "trusted">,
  calls: readonly RuledCall[],
): Promise<Obstacles> {
  const denials: Obstacle[] = [];
  const switches: Obstacle[] = [];
  const { user, project } = configFiles(place);
  const files = canonical(user) === canonical(project) ? [user] : [user, project];
  for (const file of files) {
    // Loading the configuration reported what is wrong with it.
    const stated = (await readConfig(file, () => {})) ?? {};
    const isOfProject = file !== user;
    for (const rule of stated.permissions?.deny ?? [])
      if (calls.some((call) => denies(ruleIn(rule, file, place.home), call)))
        denials.push({ file, isOfProject, what: rule });
    for (const entry of stated.skills?.disabled ?? []) {
      const off = switchIn(entry, file, place.home);
      if (calls.some(({ skill }) => skill && refersTo(off, skill)))
        switches.push({ file, isOfProject, what: entry });
    }
  }
  return { denials, switches };
}

/** None for a rule about more than this skill. */
export function undoCommand({ isOfProject, what }: Obstacle, skill: Named): string | undefined {
  const isRule = typeof what !== "string";
  if (isRule && (what.skill_name === undefined || !READING_TOOLS.includes(what.tool))) return undefined;
  if (isRule && skillNameFault(skill.name) !== undefined) return undefined;
  return `knack ${isRule ? "allow" : "enable"} ${shellReference(skill)}${isOfProject ? " --project" : ""}`;
}

/** One word for a shell: the name, or the id where the name would be misread. */
export function shellReference({ name, id = name }: Named): string {
  return name.length <= 64 && /^[\p{L}\p{N}_][\p{L}\p{M}\p{N}_.:-]*$/u.test(name) ? name : shorten(id);
}

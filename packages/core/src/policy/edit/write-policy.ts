import { existsSync, lstatSync, mkdirSync, readlinkSync, statSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { homeFolder } from "../../config/home.ts";
import { MAX_CONFIG_BYTES } from "../../config/load.ts";
import { switchIn } from "../../config/stated-path.ts";
import { SkillError, systemCode } from "../../shared/errors.ts";
import { addGitignore } from "../../shared/own/gitignore.ts";
import { withLock } from "../../shared/own/lock.ts";
import { requireOwn } from "../../shared/own/own-file.ts";
import { writeError } from "../../shared/own/write-failure.ts";
import { canonical } from "../../shared/paths.ts";
import { readRegularFile } from "../../shared/regular-file.ts";
import { writeDurably } from "../../shared/write-whole.ts";
import type { PolicyChange } from "./policy-change.ts";

export interface PolicyFileOptions {
  /** What `~` in the file means. */
  readonly home?: string;
  /** A project's file is readable for everybody who works on it; the user's own file is private. */
  readonly isShared?: boolean;
  /** Below this folder no link is followed, so that a project cannot redirect the write to another place. */
  readonly within?: string;
}

/**
 * Changes what a configuration file says about a skill, and nothing else. Returns whether anything changed. An invalid
 * file is refused, and the result is checked before it is written, so that a change never breaks a file.
 */
export async function changePolicy(
  file: string,
  change: PolicyChange,
  options: PolicyFileOptions = {},
): Promise<boolean> {
  // The YAML library and the schema are slow to load, so only a change loads them.
  const { changeText } = await import("./change-text.ts");
  const { home = homeFolder(process.env), isShared = false, within } = options;
  if (within !== undefined) requireOwn(within, file);
  const target = within === undefined ? linkTarget(file) : file;
  const switchOf = (entry: string): string => switchIn(entry, file, home);
  if (!existsSync(target) && changeText("", file, change, switchOf) === "") return false;
  if (isShared && makeSharedFolder(dirname(target)) && within !== undefined)
    addGitignore(within, dirname(target));
  return withLock(target, () => {
    const text = readText(target, file);
    const result = changeText(text, file, change, switchOf);
    if (result === text) return false;
    if (Buffer.byteLength(result) > MAX_CONFIG_BYTES)
      throw new SkillError(
        "CONFIG_INVALID",
        `${file} would have more than ${MAX_CONFIG_BYTES} bytes; shorten it first.`,
      );
    const failure = writeDurably(target, modeOf(target, isShared), result);
    if (failure) throw writeError(file, failure, !isShared);
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

/** Stores the answer "always allow": this skill may be loaded, or used by this tool, without a question. */
export function rememberAllow(file: string, skill: string, tool = "skill_load"): Promise<boolean> {
  return changePolicy(file, { kind: "remember", skill, tool });
}

/** The target of a link, even if it does not exist yet: the write goes there, and the link stays a link. */
function linkTarget(file: string): string {
  let path = canonical(file);
  for (let links = 0; lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink(); links++) {
    if (links > 40) throw new SkillError("CONFIG_INVALID", `${file} is a link that leads to itself.`);
    path = canonical(resolve(dirname(path), readlinkSync(path)));
  }
  return path;
}

function readText(target: string, file: string): string {
  const content = readRegularFile(target, MAX_CONFIG_BYTES, false);
  if ("fault" in content) {
    if (content.detail === "ENOENT") return "";
    throw new SkillError("CONFIG_INVALID", `${file} cannot be changed (${content.detail}).`);
  }
  const text = content.bytes.toString("utf8");
  if (Buffer.from(text).equals(content.bytes)) return text;
  throw new SkillError(
    "CONFIG_INVALID",
    `${file} is not UTF-8 text, and a change would damage it; save it as UTF-8.`,
  );
}

function modeOf(target: string, isShared: boolean): number {
  const stats = statSync(target, { throwIfNoEntry: false });
  return stats ? stats.mode & 0o777 : isShared ? 0o644 : 0o600;
}

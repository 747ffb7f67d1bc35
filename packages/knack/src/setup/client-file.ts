import {
  constants,
  copyFileSync,
  existsSync,
  lstatSync,
  readdirSync,
  readlinkSync,
  rmdirSync,
  rmSync,
  statSync,
} from "node:fs";
import { access } from "node:fs/promises";
import { basename, dirname, isAbsolute, join, resolve } from "node:path";
import { homeFolder } from "@knack/core/config";
import { isInside, readRegularFile, systemCode, writeDurably, writeError } from "@knack/core/files";
import { KnackError } from "@knack/core/text";
import { conflict } from "../options.ts";

/** The words of a command: the program and its arguments. */
export type Words = readonly [program: string, ...rest: string[]];

/** A server as a client's file describes it. */
export type ServerEntry = Readonly<Record<string, unknown>>;

/** Whose files these are: paths depend on the user, the environment and the system. */
export interface UserPlace {
  readonly env: NodeJS.ProcessEnv;
  readonly home: string;
  readonly platform: NodeJS.Platform;
}

export function ownPlace(): UserPlace {
  return { env: process.env, home: homeFolder(process.env), platform: process.platform };
}

/** What a client accepts in its file. `comments`: JSON with comments; `jsonc`: with trailing commas too; `source`: a program. */
export type Syntax = "json" | "comments" | "jsonc" | "toml" | "source";

/** `file` in the folder that a variable names, else in `folder` of the home folder. */
export function homeOf({ env, home }: UserPlace, variable: string, folder: string, file: string): string {
  const given = env[variable] ?? "";
  return given === "" ? join(home, folder, file) : join(given, file);
}

/** Where programs keep their configuration by the rules of XDG. A relative path there counts as none. */
export function configHome({ env, home }: UserPlace): string {
  const given = env.XDG_CONFIG_HOME ?? "";
  return isAbsolute(given) ? given : join(home, ".config");
}

export interface ClientFile {
  /** Where the client looks. */
  readonly path: string;
  /** The file itself: another one where `path` is a link, as dotfiles often are. */
  readonly target: string;
  readonly text: string | undefined;
  readonly mode: number;
}

/** Larger than any configuration that people have; Claude Code keeps histories in its own. */
const MAX_BYTES = 32 * 2 ** 20;
const MAX_LINKS = 40;
/** For the user alone: servers often come with keys. */
const NEW_MODE = 0o600;

const unusable = (message: string): KnackError => new KnackError("CONFIG_INVALID", message);

export function readClientFile(path: string): ClientFile {
  const target = followLinks(path);
  const content = readRegularFile(target, MAX_BYTES, false);
  if ("fault" in content) {
    if (content.detail === "ENOENT") return { path, target, text: undefined, mode: NEW_MODE };
    throw unusable(`${target} cannot be read (${content.detail}). Nothing was changed.`);
  }
  try {
    const text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(content.bytes);
    return { path, target, text, mode: content.stats.mode & 0o7777 };
  } catch {
    throw unusable(`${target} is not UTF-8 text. Nothing was changed.`);
  }
}

/** Where a link leads in the end, also if nothing is there yet. */
function followLinks(path: string): string {
  let now = path;
  for (let links = 0; links < MAX_LINKS; links++) {
    const stats = lstatSync(now, { throwIfNoEntry: false });
    if (!stats?.isSymbolicLink()) return now;
    now = resolve(dirname(now), readlinkSync(now));
  }
  throw unusable(`${path} is a link that leads in a circle. Nothing was changed.`);
}

/** Refuses before anybody is asked: a file that somebody made read-only is not for us to change. */
export async function requireWritable({ target, text, mode }: ClientFile): Promise<void> {
  if (text === undefined) return;
  const stats = statSync(target);
  if (process.getuid && stats.uid !== process.getuid())
    throw unusable(`${target} belongs to another user. Nothing was changed.`);
  try {
    if ((mode & 0o222) !== 0) return await access(target, constants.W_OK);
  } catch (error) {
    systemCode(error);
  }
  throw unusable(
    `${target} is read-only. Make it writable, or change it with the tool that made it, then try again. --print shows the text to add.`,
  );
}

/** Writes a whole file or none, with this mode, and only if it is still what was read. */
export function writeClientFile(file: ClientFile, text: string, mode: number): void {
  requireUnchanged(file);
  const failure = writeDurably(file.target, mode, text);
  if (failure) throw writeError(file.target, failure);
}

/** Removes a file that setup made, and the client's folder if nothing else is in it. */
export function removeClientFile(file: ClientFile, home: string): void {
  requireUnchanged(file);
  try {
    rmSync(file.target);
  } catch (error) {
    throw writeError(file.target, systemCode(error));
  }
  const folder = dirname(file.target);
  if (file.target !== file.path || folder === home || !isInside(folder, home)) return;
  try {
    rmdirSync(folder);
  } catch (error) {
    systemCode(error); // Something else is in it.
  }
}

function requireUnchanged({ path, target, text }: ClientFile): void {
  const now = readClientFile(path);
  if (now.target !== target || now.text !== text)
    throw conflict(`${path} was changed by another program meanwhile. Run this again.`);
}

/** A copy of a client's file from before setup changed it. */
export interface Backup {
  readonly path: string;
  readonly text: string;
  readonly mode: number;
}

const ENDING = ".knack-backup";

/** All copies beside a file, oldest first. */
export function backupsOf({ target }: ClientFile): Backup[] {
  const start = basename(target) + ENDING;
  const folder = dirname(target);
  if (!existsSync(folder)) return [];
  return readdirSync(folder)
    .filter((name) => name.startsWith(start) && /^(?:-\d+)?$/.test(name.slice(start.length)))
    .sort((a, b) => numberOf(a) - numberOf(b))
    .flatMap((name) => {
      const path = join(folder, name);
      const { text, mode, target: real } = readClientFile(path);
      // A link was put there by somebody else.
      return text === undefined || real !== path ? [] : [{ path, text, mode }];
    });
}

const numberOf = (name: string): number => Number(/-(\d+)$/.exec(name)?.[1] ?? 1);

/** Copies a file beside itself under a name that is free; a copy with the same text is used again. */
export function makeBackup(file: ClientFile): string {
  const same = backupsOf(file).find(({ text }) => text === file.text);
  if (same) return same.path;
  for (let number = 1; ; number++) {
    const path = `${file.target}${ENDING}${number === 1 ? "" : `-${number}`}`;
    try {
      copyFileSync(file.target, path, constants.COPYFILE_EXCL);
      return path;
    } catch (error) {
      const code = systemCode(error);
      if (code !== "EEXIST") throw writeError(path, code);
    }
  }
}

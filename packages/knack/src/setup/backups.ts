import { constants, copyFileSync, existsSync, readdirSync, rmSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { SkillError } from "@knack/core";
import { systemCode, writeError } from "@knack/core/internal";
import { type ClientFile, readClientFile } from "./client-file.ts";

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
    .map((name) => join(folder, name))
    .flatMap((path) => {
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
  for (let number = 1; number < 1000; number++) {
    const path = `${file.target}${ENDING}${number === 1 ? "" : `-${number}`}`;
    try {
      copyFileSync(file.target, path, constants.COPYFILE_EXCL);
      return path;
    } catch (error) {
      const code = systemCode(error);
      if (code !== "EEXIST") throw writeError(path, code);
    }
  }
  throw new SkillError(
    "CONFLICT",
    `${file.target} has too many backups; remove some of ${file.target}${ENDING}*.`,
  );
}

export function removeBackup({ path }: Backup): void {
  rmSync(path, { force: true });
}

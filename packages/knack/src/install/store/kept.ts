import { randomUUID } from "node:crypto";
import { cpSync, existsSync, mkdirSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { digestSkill, syncFolder, systemCode, writeError } from "@knack/core/internal";
import { type InstallPlace, skillFolder } from "../place.ts";

/** Keeps a copy of a skill's folder as it is, links as links. Answers where it is. */
export async function keepCopy(place: InstallPlace, name: string): Promise<string> {
  const { dir } = skillFolder(place, name);
  const { sha256 } = await digestSkill(dir);
  const temporary = join(place.kept, `.${name}-${randomUUID()}`);
  try {
    mkdirSync(place.kept, { recursive: true, mode: 0o700 });
    cpSync(dir, temporary, { recursive: true, verbatimSymlinks: true, preserveTimestamps: true });
    for (let number = 1; ; number++) {
      const path = join(place.kept, `${name}-${sha256.slice(0, 8)}${number === 1 ? "" : `-${number}`}`);
      if (existsSync(path)) continue;
      renameSync(temporary, path);
      syncFolder(place.kept);
      return path;
    }
  } catch (error) {
    rmSync(temporary, { recursive: true, force: true });
    throw writeError(place.kept, systemCode(error), true);
  }
}

import { isAbsolute, join, relative, sep } from "node:path";
import { SkillError } from "@knack/core";
import { isInside, type LockedSkill, quote } from "@knack/core/internal";
import { requireRef } from "../sources/check-ref.ts";
import { parseSource } from "../sources/parse-source.ts";
import type { Source } from "../sources/source.ts";
import type { InstallPlace } from "./place.ts";

/** A local source as a lock names it: relative in a project, so that it holds on other machines too; else from the home folder. */
export function lockedSource(source: string, { base, scope, home }: InstallPlace): string {
  if (!isAbsolute(source)) return source;
  if (scope === "project" && isInside(source, base)) {
    const way = relative(base, source).split(sep).join("/");
    return way === "" ? "." : `./${way}`;
  }
  return source !== home && isInside(source, home) ? `~${source.slice(home.length)}` : source;
}

/** The source of a locked skill. A stranger may have written the lock, so it is read as carefully as what a user types. */
export function sourceOfLocked(locked: LockedSkill, { base, home, scope }: InstallPlace): Source | undefined {
  if (locked.source === undefined) return undefined;
  // On Windows the mere look at it would log in to that host, before anybody is asked.
  if (scope === "project" && /^[\\/]{2}/.test(locked.source))
    throw new SkillError("INVALID_PARAM", `${quote(locked.source)} is a folder of another machine.`);
  const source = parseSource(locked.source, { cwd: base, home });
  if (locked.ref === undefined) return source;
  if (source.kind === "npm") return parseSource(`npm:${source.name}@${locked.ref}`, { cwd: base, home });
  return source.kind === "git" ? { ...source, ref: requireRef(locked.ref) } : source;
}

/** The path of a skill in the source, as the lock has it. */
export const pathInSource = (path: string): string => (path === "" ? "." : path);

/** Where a linked skill leads. */
export const linkTarget = (source: string, path: string): string =>
  path === "" ? source : join(source, ...path.split("/"));

import { isAbsolute, relative, sep } from "node:path";
import { isInside } from "@knack/core/files";
import type { LockedSkill } from "@knack/core/lock";
import { quote } from "@knack/core/text";
import { invalid } from "../options.ts";
import { fetchSource } from "../sources/fetch-source.ts";
import { parseSource, requireRef } from "../sources/parse-source.ts";
import { makeScratch, type Scratch } from "../sources/scratch.ts";
import { type OfferedSkill, readSkills } from "../sources/skills.ts";
import { type Fetched, type FetchPlace, SOURCE_LIMITS, type Source } from "../sources/source.ts";
import { isTerminal, Progress } from "../terminal/output.ts";
import { visiblePath } from "../terminal/visible.ts";
import type { InstallPlace } from "./place.ts";

/** A source on this machine, until it is disposed. */
export interface Download extends Disposable {
  readonly fetched: Fetched;
  readonly skills: readonly OfferedSkill[];
  readonly scratch: Scratch;
}

export async function downloadSource(
  source: Source,
  place: InstallPlace,
  signal: AbortSignal,
  label: string,
): Promise<Download> {
  using _waiting = showWaiting(`Fetching ${label}`);
  using failed = new DisposableStack();
  const scratch = failed.use(makeScratch(place.scratch));
  const fetched = await fetchSource(source, fetchPlace(scratch, place, signal));
  const skills = readSkills(fetched);
  const kept = failed.move();
  return { fetched, skills, scratch, [Symbol.dispose]: () => kept.dispose() };
}

export function fetchPlace(scratch: Scratch, { env }: InstallPlace, signal: AbortSignal): FetchPlace {
  return {
    scratch: scratch.path,
    env,
    signal: AbortSignal.any([signal, AbortSignal.timeout(SOURCE_LIMITS.milliseconds)]),
    mayAsk: isTerminal(0) && isTerminal(2),
  };
}

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
    throw invalid(`${quote(locked.source)} is a folder of another machine.`);
  const source = parseSource(locked.source, { cwd: base, home });
  if (locked.ref === undefined) return source;
  if (source.kind === "npm") return parseSource(`npm:${source.name}@${locked.ref}`, { cwd: base, home });
  return source.kind === "git" ? { ...source, ref: requireRef(locked.ref) } : source;
}

/** The path of a skill in the source, as the lock has it. */
export const pathInSource = (path: string): string => (path === "" ? "." : path);

/** One line on a terminal, from the first second on, until it is disposed. */
export function showWaiting(text: string): Disposable {
  const started = performance.now();
  const progress = new Progress((seconds) => `${visiblePath(text)} (${seconds} s)`);
  const timer = setInterval(() => progress.tell(Math.floor((performance.now() - started) / 1000)), 1000);
  timer.unref();
  return {
    [Symbol.dispose]: () => {
      clearInterval(timer);
      progress.end();
    },
  };
}

import { fetchSource } from "../sources/fetch-source.ts";
import { LIMITS } from "../sources/limits.ts";
import { makeScratch, type Scratch } from "../sources/scratch.ts";
import { type OfferedSkill, readSkills } from "../sources/skills/read-skills.ts";
import type { Source } from "../sources/source.ts";
import type { Fetched, FetchPlace } from "../sources/source-tree.ts";
import { isTerminal } from "../terminal/output.ts";
import type { InstallPlace } from "./place.ts";
import { Waiting } from "./show/waiting.ts";

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
  const scratch = makeScratch(place.scratch);
  const waiting = new Waiting(`Fetching ${label}`);
  try {
    const fetched = await fetchSource(source, fetchPlace(scratch, place, signal));
    const skills = await readSkills(fetched, scratch.path);
    return { fetched, skills, scratch, [Symbol.dispose]: () => scratch[Symbol.dispose]() };
  } catch (error) {
    scratch[Symbol.dispose]();
    throw error;
  } finally {
    waiting.end();
  }
}

export function fetchPlace(scratch: Scratch, { env }: InstallPlace, signal: AbortSignal): FetchPlace {
  return {
    scratch: scratch.path,
    env,
    signal: AbortSignal.any([signal, AbortSignal.timeout(LIMITS.milliseconds)]),
    mayAsk: isTerminal(0) && isTerminal(2),
  };
}

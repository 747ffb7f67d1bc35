import { join } from "node:path";
import { fetchSource } from "../fetch-source.ts";
import { parseSource } from "../parse-source.ts";
import { makeScratch } from "../scratch.ts";
import { type OfferedSkill, readSkills, takeSkills } from "../skills.ts";
import type { Fetched } from "../source.ts";

export interface Outcome extends Disposable {
  readonly fetched: Fetched;
  readonly skills: readonly OfferedSkill[];
  /** Writes all skills; answers the folder that they are in. */
  take(names?: readonly string[]): Promise<string>;
}

/** Fetches a source as the commands do. */
export async function fetchSkills(
  given: string,
  folder: string,
  env: NodeJS.ProcessEnv = process.env,
  signal: AbortSignal = new AbortController().signal,
): Promise<Outcome> {
  const scratch = makeScratch(join(folder, "scratch"));
  const place = { scratch: scratch.path, env, signal, mayAsk: false };
  try {
    const fetched = await fetchSource(parseSource(given, { cwd: folder, home: folder }), place);
    const { skills } = readSkills(fetched);
    return {
      fetched,
      skills,
      take: async (names) => {
        const to = join(scratch.path, "skills");
        takeSkills(names ? skills.filter(({ name }) => names.includes(name)) : skills, to);
        return to;
      },
      [Symbol.dispose]: () => scratch[Symbol.dispose](),
    };
  } catch (error) {
    scratch[Symbol.dispose]();
    throw error;
  }
}

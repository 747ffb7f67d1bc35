import { cpSync } from "node:fs";
import { loadavg } from "node:os";
import { Worker } from "node:worker_threads";
import type { Check } from "../checks/check.ts";
import { makeProject } from "../project.ts";
import { setUp, writeFiles } from "../set-up.ts";
import type { Way } from "../way.ts";
import { type Asked, ask, FITS_NOT, start } from "./ask.ts";

/** Tokens of a first request, of four bytes each. */
export interface Tokens {
  readonly client: string;
  readonly native: number;
  readonly withKnack: number;
  /** With Knack's list instead of the client's own; `undefined` where the client has no setting for that. */
  readonly instead: number | undefined;
}

/** Puts a folder of skills where the client finds them itself. */
export function addSkills({ client, folder }: Way, skills: string): void {
  cpSync(skills, folder.at("home", client.skills ?? ".agents/skills"), { recursive: true });
}

/** The first request with a home of skills that the client lists itself: alone, with Knack, with Knack's list instead. */
export async function tokens(given: Way, skills: string): Promise<Tokens> {
  using folder = makeProject();
  const way = { ...given, folder };
  const { client } = way;
  addSkills(way, skills);
  const sizeOf = ({ body }: Asked): number => Math.round(Buffer.byteLength(body) / 4);
  const measure = async (): Promise<number> => sizeOf(await ask(way, FITS_NOT));
  writeFiles(way);
  const native = sizeOf(await start(way, (client.plainArgs ?? client.args)(FITS_NOT)));
  const flags = ["--hooks", ...(client.hookFlags ?? [])];
  setUp(way, undefined, flags);
  // The first start of a server is the slow one.
  await measure();
  const withKnack = await measure();
  if (!client.skips) return { client: client.title, native, withKnack, instead: undefined };
  setUp(way, undefined, [...flags, "--instead"]);
  return { client: client.title, native, withKnack, instead: await measure() };
}

/** Knack's tools, or at least their names, are in the first request of each start, also on a busy machine. */
export async function race(way: Way, starts: number): Promise<Check> {
  const load = Array.from(
    { length: 8 },
    () => new Worker("for (;;) Math.sqrt(Math.random());", { eval: true }),
  );
  let there = 0;
  const loads: number[] = [];
  for (let at = 0; at < starts; at++) {
    const { body } = await ask(way, FITS_NOT);
    if (body.includes("skill_search")) there++;
    loads.push(Math.round(loadavg()[0] ?? 0));
  }
  await Promise.all(load.map((worker) => worker.terminate()));
  return {
    name: "start",
    ok: there === starts,
    detail: `tools in the first request ${there} of ${starts} times, at a load of ${Math.min(...loads)} to ${Math.max(...loads)}`,
  };
}

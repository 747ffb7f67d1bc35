import { availableParallelism } from "node:os";
import { startHelper } from "../shared/helper-thread.ts";
import type { SkillMetadata } from "../skill/schema.ts";
import type { SkillEdges } from "./extract/edge.ts";

/**
 * Reading thousands of skills takes seconds of CPU time, so threads share the work: each takes the next batch until none is
 * left.
 */

const MAX_HELPERS = 7;
/** With fewer skills a thread takes longer to start than it saves. */
const MIN_SKILLS = 800;
const SHARE = 64;

/** The input of a worker thread. */
export interface EdgeWork {
  readonly skills: readonly SkillMetadata[];
  /** The file of each skill. */
  readonly sources: readonly string[];
  /** Skills without a text, which others may name. */
  readonly typed: readonly SkillMetadata[];
  /** Whether edges have an explanation. */
  readonly explain?: boolean;
  readonly nextShare: Int32Array;
}

/** A batch by its number, with the edges of its skills in order. */
export type EdgeShare = readonly [share: number, edges: readonly SkillEdges[]];

/** Takes batches until none is left; `pause` yields to others. */
export async function takeShares(
  { skills, nextShare }: Pick<EdgeWork, "skills" | "nextShare">,
  read: (at: number) => SkillEdges,
  done: (share: EdgeShare) => void | Promise<void>,
): Promise<void> {
  const count = Math.ceil(skills.length / SHARE);
  for (let share = Atomics.add(nextShare, 0, 1); share < count; share = Atomics.add(nextShare, 0, 1))
    await done([share, readShare(skills.length, share, read)]);
}

/** The edges of each skill, in the order of the skills. */
export async function edgesOfAll(
  given: Omit<EdgeWork, "nextShare">,
  read: (at: number) => SkillEdges,
): Promise<SkillEdges[]> {
  const { skills } = given;
  const work: EdgeWork = { ...given, nextShare: new Int32Array(new SharedArrayBuffer(4)) };
  const shares: (readonly SkillEdges[] | undefined)[] = [];
  shares.length = Math.ceil(skills.length / SHARE);
  const keep = ([share, edges]: EdgeShare): void => {
    shares[share] = edges;
  };
  const most = skills.length < MIN_SKILLS ? 0 : Math.min(MAX_HELPERS, availableParallelism() - 1);
  const helpers = Array.from({ length: most }, () =>
    startHelper<EdgeShare>(
      { from: import.meta.url, file: "./edges-worker", what: "the skill graph" },
      { workerData: work },
      keep,
    ),
  );
  await takeShares(work, read, async (share) => {
    keep(share);
    await new Promise((resolve) => setImmediate(resolve));
  });
  await Promise.all(helpers);
  // If a worker could not start or exited early, this thread does its batches.
  return Array.from(shares, (edges, share) => edges ?? readShare(skills.length, share, read)).flat();
}

function readShare(count: number, share: number, read: (at: number) => SkillEdges): SkillEdges[] {
  const first = share * SHARE;
  return Array.from({ length: Math.min(SHARE, count - first) }, (_, at) => read(first + at));
}

import { availableParallelism } from "node:os";
import { startHelper } from "../shared/helper-thread.ts";
import type { SkillMetadata } from "../skill/schema.ts";
import type { SkillEdges } from "./extract/edge.ts";

/**
 * Texts of thousands of skills are divided among threads, for parsing them takes seconds of a processor. Everyone takes
 * the next share until none is left.
 */

const MAX_HELPERS = 7;
/** With fewer skills a thread takes longer to start than it saves. */
const MIN_SKILLS = 800;
const SHARE = 64;

/** What a helper gets. */
export interface EdgeWork {
  readonly skills: readonly SkillMetadata[];
  /** Of each skill, the file that is read. */
  readonly sources: readonly string[];
  /** Skills without a text, which others may name. */
  readonly typed: readonly SkillMetadata[];
  /** Whether edges carry their reasons. */
  readonly explain?: boolean;
  readonly nextShare: Int32Array;
}

/** A share by its number, with the edges of its skills in their order. */
export type EdgeShare = readonly [share: number, edges: readonly SkillEdges[]];

/** Takes shares until none is left; `pause` lets others have a turn. */
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
  // A helper that could not start or ended early leaves its shares to this thread.
  return Array.from(shares, (edges, share) => edges ?? readShare(skills.length, share, read)).flat();
}

function readShare(count: number, share: number, read: (at: number) => SkillEdges): SkillEdges[] {
  const first = share * SHARE;
  return Array.from({ length: Math.min(SHARE, count - first) }, (_, at) => read(first + at));
}

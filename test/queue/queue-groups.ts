import { appendEvents } from "../../packages/engine/src/audit/chain.ts";
import { openEngine } from "../../packages/engine/src/open-engine.ts";
import { Boss } from "../../packages/engine/src/queue/boss.ts";
import { enqueue } from "../../packages/engine/src/queue/change-queue.ts";
import { versionOf } from "../../packages/engine/src/queue/queued-run.ts";
import { monotonic, type Store } from "../../packages/engine/src/store/store.ts";
import type { Machine, Team } from "./team.ts";

export interface Wanted {
  readonly plan: string | null;
  readonly by?: string;
  readonly count: number;
  /** How long each takes. */
  readonly ms?: number;
}

/** Queues runs of `says` in bulk, group after group; returns the ids of each. */
export async function queueGroups(
  team: Team,
  machine: Machine,
  groups: readonly Wanted[],
): Promise<string[][]> {
  await using db = await team.db();
  const store: Store = {
    db,
    actor: "test",
    now: () => db.now(),
    hasSharedClock: true,
    monotonic,
    record: appendEvents,
  };
  const boss = await Boss.open(db, { leaseMs: 3000 });
  const projectRoot = machine.folder.at("repo");
  const engine = await openEngine({
    projectRoot,
    registry: [machine.folder.at("repo/skills/registry.yaml")],
    store: team.url,
  });
  try {
    const { skill, code } = await engine.prepare("says", { params: {} });
    const version = versionOf(skill, code.digest);
    const ids: string[][] = [];
    for (const { plan, by = "test", count, ms } of groups) {
      const runs = Array.from({ length: count }, (_, n) => ({
        version,
        planId: plan,
        taskId: null,
        priority: 0,
        queuedBy: by,
        request: {
          params: { text: `${plan ?? by} ${n}`, ...(ms === undefined ? {} : { ms }) },
          inputs: [],
          confirmed: [],
          key: "",
          digest: version.digest,
          isOwnRun: false,
        },
      }));
      const group: string[] = [];
      for (const run of runs) group.push(await enqueue(store, boss, run));
      ids.push(group);
    }
    return ids;
  } finally {
    await engine.close();
    await boss.close();
  }
}

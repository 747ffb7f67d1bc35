import { approvalsOf, type Catalog } from "@knack/core";
import type { Diagnostic } from "@knack/core/internal";
import { type ApprovalChange, approvalChanges, type Engine, type TaskReport } from "@knack/engine";
import type { Api } from "../api/route.ts";

const MAX_LISTED = 20;
const MAX_PROBLEMS = 5;
/** Plans that are read to their tasks; more are seldom under way at once. */
const MAX_PLANS = 50;

export interface BlockedTask {
  readonly plan: string;
  readonly plan_title: string;
  readonly task: string;
  readonly title: string;
  readonly reason: NonNullable<TaskReport["blocked_reason"]>;
  readonly missing: readonly {
    readonly name: string;
    readonly kind: TaskReport["requirements"][number]["kind"];
    readonly have: number;
    readonly min_count: number;
  }[];
}

/** What waits for the user. Of long lists the first entries and how many there are. */
export async function findNeeds({ catalog, host, locks }: Pick<Api, "catalog" | "host" | "locks">) {
  const current = await catalog();
  const { project, engine } = host;
  const [changed, blocked] = await Promise.all([locks.changes(), blockedTasks(engine)]);
  const trusted = project.isTrusted;
  return {
    trust: {
      trusted,
      project: current.projectRoot,
      waiting: current.waitingForTrust,
      // The code of typed skills asks again after each change, once the project is trusted.
      code: trusted ? unapproved(engine, current.projectRoot, project.place) : [],
    },
    left_out: few(leftOut(current)),
    changed: few(changed),
    blocked: few(blocked),
  };
}

export interface LeftOut {
  readonly path: string;
  readonly problems: readonly Omit<Diagnostic, "path">[];
}

/** One entry a file, however many things are wrong with it. */
function leftOut({ errors }: Catalog): LeftOut[] {
  const byPath = Map.groupBy(errors, ({ path }) => path);
  return [...byPath].map(([path, found]) => ({
    path,
    problems: found.slice(0, MAX_PROBLEMS).map(({ path: _, ...problem }) => problem),
  }));
}

function unapproved(
  engine: Engine,
  projectRoot: string,
  place: Parameters<typeof approvalsOf>[1],
): readonly Omit<ApprovalChange, "lines">[] {
  if (place.env.KNACK_TRUST === "all") return [];
  return approvalChanges(approvalsOf(projectRoot, place), engine.approvals)
    .filter(({ change }) => change !== "gone")
    .map(({ skill, change }) => ({ skill, change }));
}

async function blockedTasks(engine: Engine): Promise<BlockedTask[]> {
  const open = (await engine.plans()).filter(({ tasks, done }) => done < tasks).slice(0, MAX_PLANS);
  const found: BlockedTask[] = [];
  for (const { plan, title } of open) {
    const status = await engine.planStatus(plan);
    for (const task of status?.tasks ?? []) {
      if (task.status !== "BLOCKED" || task.blocked_reason === null) continue;
      const missing = task.requirements
        .filter(({ required, satisfied }) => required && !satisfied)
        .map(({ name, kind, have, min_count }) => ({ name, kind, have, min_count }));
      const named = { plan, plan_title: title, task: task.id, title: task.title };
      found.push({ ...named, reason: task.blocked_reason, missing });
    }
  }
  return found;
}

function few<T>(all: readonly T[]): { readonly count: number; readonly first: readonly T[] } {
  return { count: all.length, first: all.slice(0, MAX_LISTED) };
}

import { approvalsOf } from "@knack/core";
import { estimateTokens } from "@knack/core/text";
import { type ApprovalChange, approvalChanges, type Engine } from "@knack/engine";
import { leftOut } from "../../host/reports.ts";
import type { Api } from "../api/route.ts";

const MAX_LISTED = 20;
const MAX_PROBLEMS = 5;
const MAX_LARGEST = 10;
/** Plans that are read to their tasks; more are seldom under way at once. */
const MAX_PLANS = 50;

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
    left_out: few(
      [...leftOut(current)].map(([path, found]) => ({
        path,
        problems: found.slice(0, MAX_PROBLEMS).map(({ path: _, ...problem }) => problem),
      })),
    ),
    changed: few(changed),
    blocked: few(blocked),
  };
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

async function blockedTasks(engine: Engine) {
  const open = (await engine.plans()).filter(({ tasks, done }) => done < tasks).slice(0, MAX_PLANS);
  const found = [];
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

/** What the skills cost a model before it has loaded one, in tokens: about four letters each. */
export async function catalogCost({ host, mcp, catalog }: Pick<Api, "host" | "mcp" | "catalog">) {
  await catalog();
  const session = host.runtime.session();
  const offered = (await session.visibleTo("model")).map(({ id, name, description }) => ({
    id,
    name,
    tokens: estimateTokens(`${name}: ${description}`),
  }));
  const { instructions, tools } = mcp.offer();
  return {
    skills: offered.length,
    /** Names and descriptions of all of them, if a client shows every one. */
    catalog: offered.reduce((sum, { tokens }) => sum + tokens, 0),
    instructions: estimateTokens(instructions),
    tools: estimateTokens(JSON.stringify(tools.map(({ _meta, ...tool }) => tool))),
    tool_count: tools.length,
    largest: offered.toSorted((a, b) => b.tokens - a.tokens).slice(0, MAX_LARGEST),
  };
}
